/// What a run has finished, on disk, so that one that was killed or stopped can be continued.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "hindsight/runs/grid.hpp"

namespace hindsight {

/// A file of JSON lines: what is being run, then a part a line, each written at once and in one
/// piece. A kill can tear only the last line, which the next run cuts off. Parts survive the end of
/// the process; they are synced, against the end of the machine, at most twice a second.
///
/// Failures of the disk are std::system_error with the file's name and the system's reason; what
/// was kept before stays.
class Journal final : public PartStore {
 public:
  /// Opens the journal, or begins one. Rejects one of another run, or in use by another process.
  Journal(std::string path, const nlohmann::json& run);
  ~Journal() override;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// What was kept before this journal was opened.
  std::optional<nlohmann::json> find(const nlohmann::json& key) const override;
  void keep(const nlohmann::json& key, const nlohmann::json& part) override;
  void sync();
  const std::string& path() const { return path_; }
  /// The run is finished and its results are elsewhere.
  void remove();

 private:
  void read(const std::string& header);
  void append(std::string_view line);
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  int file_ = -1;
  std::int64_t size_ = 0;  // of whole lines
  std::map<std::string, std::string> found_;
  std::mutex mutex_;  // for the file
  std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();
};

/// What makes two runs the same: the program's version, the experiment, and the bytes of the files
/// that its game names.
nlohmann::json identity(const Experiment& experiment, const std::string& version);

}  // namespace hindsight
