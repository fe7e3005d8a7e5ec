/// Runs the command as a user's shell would, in a directory of its own.
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace command {

/// A new directory, gone with this object.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "hindsight-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary directory");
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
  }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path_ / name, std::ios::binary).rdbuf();
    return text.str();
  }
  /// Everything in it, folders too.
  std::set<std::string> entries() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_))
      names.insert(entry.path().lexically_relative(path_).string());
    return names;
  }

 private:
  std::filesystem::path path_;
};

struct Outcome {
  int exit_code = -1;  ///< minus the signal's number for a program that was killed
  std::string out, err;
};

/// Runs `program arguments...` inside `folder`, for at most `seconds` of processor time and, unless
/// 0, with at most `bytes` of data.
inline Outcome run(const std::string& program, const std::vector<std::string>& arguments,
                   const Folder& folder, unsigned seconds = 120, rlim_t bytes = 0) {
  const Folder
      kept;  // what is said is kept elsewhere, so that `folder` shows only what was written
  const std::string out = (kept.path() / "out").string(), err = (kept.path() / "err").string();
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    const auto redirect = [](const std::string& to, int descriptor) {
      const int file = open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      return file >= 0 && dup2(file, descriptor) >= 0;
    };
    const rlimit time{seconds, seconds};
    setrlimit(RLIMIT_CPU, &time);
    const rlimit data{bytes, bytes};
    if (bytes > 0) setrlimit(RLIMIT_DATA, &data);
    if (chdir(folder.path().c_str()) == 0 && redirect(out, STDOUT_FILENO) &&
        redirect(err, STDERR_FILENO))
      execv(program.c_str(), argv.data());
    _exit(127);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw std::runtime_error("lost a child");
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), kept.read("out"),
          kept.read("err")};
}

}  // namespace command
