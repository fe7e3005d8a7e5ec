#include "hindsight/runs/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace hindsight {

using nlohmann::json;

Journal::Journal(std::string path, const json& run) : path_(std::move(path)) {
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) fail("cannot be opened");
  try {
    if (flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)  // not every disk has locks
      throw InputError(path_ + ": is in use by another run; wait for it, or choose another folder");
    const std::string header = run.dump() + "\n";
    read(header);
    // What a kill or a full disk tore off; its part is played again.
    if (ftruncate(file_, size_) != 0) fail("cannot be cut");
    if (size_ == 0) append(header);
  } catch (...) {
    close(file_);
    throw;
  }
}

Journal::~Journal() { close(file_); }

void Journal::read(const std::string& header) {
  std::ifstream in(path_, std::ios::binary);
  std::string line;
  std::getline(in, line);
  const bool whole = !in.eof();
  if (whole ? line + "\n" != header : !header.starts_with(line))
    throw InputError(path_ +
                     ": is from another experiment (or another version) that is not finished; "
                     "finish that one, remove this file, or choose another folder");
  while (!in.eof()) {  // the end of the file is met only by a line that no newline ends
    size_ += static_cast<std::int64_t>(line.size()) + 1;
    std::getline(in, line);
    const json entry = json::parse(line, nullptr, false);
    if (in.eof() || !entry.is_object() || !entry.contains("key") || !entry.contains("part")) return;
    found_[entry["key"].dump()] = entry["part"].dump();
  }
}

std::optional<json> Journal::find(const json& key) const {
  const auto at = found_.find(key.dump());
  if (at == found_.end()) return std::nullopt;
  return json::parse(at->second);
}

void Journal::keep(const json& key, const json& part) {
  const std::string line = json{{"key", key}, {"part", part}}.dump() + "\n";
  const std::lock_guard lock(mutex_);
  append(line);
  if (std::chrono::steady_clock::now() - synced_ < std::chrono::milliseconds(500)) return;
  if (fsync(file_) != 0) fail("cannot be synced");
  synced_ = std::chrono::steady_clock::now();
}

void Journal::append(std::string_view line) {
  const auto length = static_cast<std::int64_t>(line.size());
  while (!line.empty()) {
    const ssize_t written = write(file_, line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int reason = errno;
      // Where not even this can be done, the next run does it.
      [[maybe_unused]] const int cut = ftruncate(file_, size_);
      errno = reason;
      fail("cannot be written");
    }
    line.remove_prefix(static_cast<std::size_t>(written));
  }
  size_ += length;
}

void Journal::sync() {
  const std::lock_guard lock(mutex_);
  if (fsync(file_) != 0) fail("cannot be synced");
}

void Journal::remove() {
  if (unlink(path_.c_str()) != 0) fail("cannot be removed");
}

void Journal::fail(const char* what) const {
  throw std::system_error(errno, std::generic_category(), path_ + ": " + what);
}

namespace {

/// FNV-1a: tells a changed file from the one before, and need not withstand malice.
std::uint64_t hash_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::string buffer(1 << 16, '\0'); in;) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    for (std::streamsize i = 0; i < in.gcount(); ++i)
      hash =
          (hash ^ static_cast<unsigned char>(buffer[static_cast<std::size_t>(i)])) * 0x100000001b3;
  }
  return hash;
}

}  // namespace

json identity(const Experiment& experiment, const std::string& version) {
  json run = {{"hindsight", version}, {"experiment", experiment.text}};
  for (const auto& [key, value] : experiment.game.values().items()) {
    if (!value.is_string()) continue;
    const auto path = std::filesystem::path(experiment.folder) / value.get<std::string>();
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored)) run["files"][key] = hash_of(path);
  }
  return run;
}

}  // namespace hindsight
