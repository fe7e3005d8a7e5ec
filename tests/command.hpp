/// Runs the command as a user's shell would, in a directory of its own.
#pragma once

#include <fcntl.h>
#include <signal.h>
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

struct Limits {
  unsigned seconds = 120;  ///< of processor time
  rlim_t data = 0;         ///< bytes of memory; 0: no limit
  rlim_t file = 0;         ///< bytes of any file: writing beyond them fails, as on a full disk
};

/// `program arguments...`, started inside `folder`.
class Program {
 public:
  Program(const std::string& program, const std::vector<std::string>& arguments,
          const Folder& folder, const Limits& limits = {}) {
    const std::string out = (kept_.path() / "out").string(), err = (kept_.path() / "err").string();
    std::vector<char*> argv = {const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments)
      argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    child_ = fork();
    if (child_ < 0) throw std::runtime_error("cannot fork");
    if (child_ > 0) return;
    const auto redirect = [](const std::string& to, int descriptor) {
      const int file = open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      return file >= 0 && dup2(file, descriptor) >= 0;
    };
    const auto limit = [](auto resource, rlim_t most) {
      const rlimit both{most, most};
      if (most > 0) setrlimit(resource, &both);
    };
    limit(RLIMIT_CPU, limits.seconds);
    limit(RLIMIT_DATA, limits.data);
    limit(RLIMIT_FSIZE, limits.file);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGINT, SIG_DFL);  // a shell that starts the tests in the background has it ignored
    if (chdir(folder.path().c_str()) == 0 && redirect(out, STDOUT_FILENO) &&
        redirect(err, STDERR_FILENO))
      execv(program.c_str(), argv.data());
    _exit(127);
  }
  ~Program() {
    if (child_ <= 0) return;
    send(SIGKILL);
    wait();
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void send(int signal) const { kill(child_, signal); }
  bool ended() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == child_;
  }
  Outcome wait() {
    int status = 0;
    if (waitpid(child_, &status, 0) != child_) throw std::runtime_error("lost a child");
    child_ = 0;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), kept_.read("out"),
            kept_.read("err")};
  }

 private:
  Folder kept_;  // what is said is kept elsewhere, so that `folder` shows only what was written
  pid_t child_ = 0;
};

/// Runs it to its end.
inline Outcome run(const std::string& program, const std::vector<std::string>& arguments,
                   const Folder& folder, unsigned seconds = 120, rlim_t bytes = 0) {
  return Program(program, arguments, folder, {.seconds = seconds, .data = bytes}).wait();
}

}  // namespace command
