/// The lines of a text file, plain or gzip, one at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hindsight {

/// Only one line is in memory. Lines end with \n or \r\n, the last one also without; a byte order
/// mark is passed over.
class LineReader {
 public:
  /// `key` names the setting that the path came from, for errors.
  explicit LineReader(std::string path, std::string_view key = "path");
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// False after the last line.
  bool next();
  std::string_view line() const { return line_; }
  /// "ratings.csv:12: ", as errors about this line begin.
  std::string place() const;
  const std::string& path() const { return path_; }

 private:
  bool fill();

  struct File;
  std::string path_;
  std::unique_ptr<File> file_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;   // in the buffer
  std::size_t end_ = 0;  // of what is in it
  std::string line_;
  int number_ = 0;
};

}  // namespace hindsight
