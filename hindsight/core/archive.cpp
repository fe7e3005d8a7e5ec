#include "hindsight/core/archive.hpp"

#include "hindsight/core/error.hpp"

namespace hindsight {
namespace {

std::uint64_t checksum(std::string_view bytes) {  // FNV-1a
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : bytes) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

}  // namespace

std::string Writer::finish() && {
  const std::uint64_t sum = checksum(bytes_);
  value(sum);
  return std::move(bytes_);
}

Reader::Reader(std::string_view bytes) : bytes_(bytes) {
  std::uint64_t sum = 0;
  require(bytes.size() >= sizeof sum, "snapshot", std::to_string(bytes.size()) + " bytes",
          "must be a whole saved state");
  bytes_.remove_suffix(sizeof sum);
  std::memcpy(&sum, bytes.data() + bytes_.size(), sizeof sum);
  require(sum == checksum(bytes_), "snapshot", std::to_string(bytes.size()) + " bytes",
          "must be undamaged (its checksum does not fit)");
}

const char* Reader::take(std::size_t size) {
  expect(size <= bytes_.size());
  const char* at = bytes_.data();
  bytes_.remove_prefix(size);
  return at;
}

std::string Reader::text() {
  const auto size = value<std::uint64_t>();
  expect(size <= bytes_.size());
  return std::string(take(size), size);
}

void Reader::expect(bool holds) {
  require(holds, "snapshot", "its layout", "must be that of the learner it is restored into");
}

void Reader::mismatch(std::string_view name) {
  reject("snapshot", name, "must be the same as in the learner it is restored into");
}

}  // namespace hindsight
