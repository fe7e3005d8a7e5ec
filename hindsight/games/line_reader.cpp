#include "hindsight/games/line_reader.hpp"

#include <zlib.h>

#include <algorithm>
#include <filesystem>

#include "hindsight/core/error.hpp"
#include "hindsight/core/settings.hpp"

namespace hindsight {
namespace {

constexpr std::size_t buffer_size = 1 << 16;
constexpr std::size_t longest_line = 1 << 24;  // what is longer is no line of text

}  // namespace

struct LineReader::File {
  gzFile handle = nullptr;  // reads plain files as they are
  ~File() {
    if (handle) gzclose(handle);
  }
};

LineReader::LineReader(std::string path, std::string_view key)
    : path_(std::move(path)), file_(std::make_unique<File>()), buffer_(buffer_size) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path_, ignored)) file_->handle = gzopen(path_.c_str(), "rb");
  require(file_->handle != nullptr, key, path_, "must be a file that can be read");
}

LineReader::~LineReader() = default;

std::string LineReader::place() const { return place_in_file(path_, number_); }

bool LineReader::fill() {
  at_ = 0;
  const int bytes = gzread(file_->handle, buffer_.data(), static_cast<unsigned>(buffer_size));
  end_ = static_cast<std::size_t>(std::max(bytes, 0));
  int state = Z_OK;
  gzerror(file_->handle, &state);
  // A compressed file that is cut off is Z_BUF_ERROR, which comes with its last bytes.
  if (bytes < 0 || (state != Z_OK && state != Z_STREAM_END))
    throw InputError(place() + "after this line the file is cut off or damaged");
  return end_ > 0;
}

bool LineReader::next() {
  line_.clear();
  while (true) {
    if (at_ == end_ && !fill()) {
      if (line_.empty()) return false;
      break;
    }
    const char* const first = buffer_.data() + at_;
    const std::size_t length = std::string_view(first, end_ - at_).find('\n');
    const std::size_t taken = std::min(length, end_ - at_);
    line_.append(first, taken);
    at_ += taken;
    if (line_.size() > longest_line)
      throw InputError(place_in_file(path_, number_ + 1) + "the line is longer than 16 MB");
    if (at_ < end_) {
      ++at_;
      break;
    }
  }
  ++number_;
  if (!line_.empty() && line_.back() == '\r') line_.pop_back();
  if (number_ == 1 && line_.starts_with("\xef\xbb\xbf")) line_.erase(0, 3);
  return true;
}

}  // namespace hindsight
