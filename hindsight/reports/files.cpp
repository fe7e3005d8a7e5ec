#include "hindsight/reports/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "hindsight/core/error.hpp"

namespace hindsight {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw std::system_error(errno, std::generic_category(), path + ": " + what);
}

}  // namespace

void write_file(const std::string& path, std::string_view content) {
  // Always the same name: what a killed run leaves, the next one overwrites.
  const std::string temporary = path + ".tmp";
  const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail(temporary, "cannot be created");
  const auto give_up = [&](const char* what) {
    const int reason = errno;
    close(file);
    unlink(temporary.c_str());
    errno = reason;
    fail(path, what);
  };
  while (!content.empty()) {
    const ssize_t written = write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) give_up("cannot be written");
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  if (fsync(file) != 0) give_up("cannot be synced");
  if (close(file) != 0) fail(path, "cannot be closed");
  if (std::rename(temporary.c_str(), path.c_str()) != 0) fail(path, "cannot be renamed");
  // The new name must survive a crash too.
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int directory =
      open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    fsync(directory);
    close(directory);
  }
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || std::filesystem::is_directory(path))
    throw InputError(path + ": must be a file that can be read");
  return text.str();
}

}  // namespace hindsight
