// hindsight run: plays learners x horizons x seeds, and writes what they earned.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include "apps/cli/verbs.hpp"
#include "hindsight/core/error.hpp"
#include "hindsight/learners/registry.hpp"
#include "hindsight/reports/files.hpp"
#include "hindsight/reports/report.hpp"
#include "hindsight/reports/results.hpp"
#include "hindsight/runs/grid.hpp"
#include "hindsight/runs/journal.hpp"
#include "hindsight/runs/protocol.hpp"

namespace hindsight::cli {
namespace {

struct RunArguments {
  std::string file;
  std::vector<std::string> changes;
  std::string out;
  int jobs = 0;
  bool json = false;
};

/// One line on a terminal, rewritten in place; silent everywhere else.
class ProgressLine {
 public:
  ~ProgressLine() {
    if (shown_) std::cerr << "\r\x1b[K" << std::flush;
  }
  void show(const Progress& p) {
    const auto now = std::chrono::steady_clock::now();
    if (!isatty(STDERR_FILENO) || now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double rate = (p.rounds_done - p.rounds_found) / seconds;
    const double left = (p.rounds - p.rounds_done) / std::max(rate, 1.0);
    const std::string text =
        p.cells_done < p.cells
            ? fmt::format("{} of {} cells, {:.0f}% of all rounds, {:.3g} rounds/s, {:.0f} s left",
                          p.cells_done, p.cells, 100 * p.rounds_done / p.rounds, rate, left)
            : fmt::format("best fixed decisions: {} of {}", p.comparators_done, p.comparators);
    std::cerr << "\r\x1b[K" << text << std::flush;
    shown_ = true;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_ = start_;
  bool shown_ = false;
};

std::atomic<int> caught_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);  // so that a handler may write to it

/// While it lives, the first SIGINT or SIGTERM only asks to stop; the second ends the program as
/// ever. A signal that whoever started us had us ignore stays ignored.
class SignalCatcher {
 public:
  SignalCatcher() {
    struct sigaction action {};
    action.sa_handler = [](int signal) { caught_signal = signal; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (std::size_t i = 0; i < std::size(signals); ++i) {
      sigaction(signals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) sigaction(signals[i], &action, nullptr);
    }
  }
  ~SignalCatcher() {
    for (std::size_t i = 0; i < std::size(signals); ++i)
      sigaction(signals[i], &before_[i], nullptr);
  }
  SignalCatcher(const SignalCatcher&) = delete;
  SignalCatcher& operator=(const SignalCatcher&) = delete;

 private:
  static constexpr int signals[] = {SIGINT, SIGTERM};
  struct sigaction before_[2];
};

/// Plays what `journal` does not have yet.
Results play(const Experiment& experiment, int jobs, Journal& journal) {
  const SignalCatcher catcher;
  ProgressLine line;
  const auto report = [&](const Progress& progress) {
    line.show(progress);
    if (caught_signal != 0)
      throw Interrupted{caught_signal, "stopped; what is finished is kept in " + journal.path() +
                                           ", and the same command goes on from there"};
  };
  try {
    return play_grid(experiment, jobs, report, &journal);
  } catch (const Interrupted&) {
    journal.sync();
    throw;
  }
}

/// Found out before anything is played: the folder is there, or could be made.
void require_makeable(const std::string& out) {
  std::error_code ignored;
  std::filesystem::path above = std::filesystem::absolute(out).lexically_normal();
  while (!std::filesystem::exists(above, ignored) && above.has_relative_path())
    above = above.parent_path();
  require(std::filesystem::is_directory(above, ignored), "--out", out,
          "must be a folder that can be made, but " + above.string() + " is a file");
  require(access(above.c_str(), W_OK) == 0, "--out", out,
          "must be a folder that can be written to");
}

/// What `auto` chose, and where a longer horizon made it choose again.
std::string choices(const Experiment& experiment) {
  std::string text;
  for (Settings settings : experiment.learners) {
    std::string last;
    for (const Round rounds : experiment.rounds) {
      if (settings.text("kind") != "auto") break;
      const World world = make_world(experiment, rounds, experiment.seeds.front());
      const std::string why = choose(settings, {world.domain, rounds, 1})->why;
      if (why == last) continue;
      const std::string from = last.empty() ? "" : fmt::format(", from T = {}", rounds);
      text += fmt::format("{}{}: {}\n", learner_name(settings), from, why);
      last = why;
    }
  }
  return text;
}

void run_run(const RunArguments& arguments) {
  const Experiment experiment = read_experiment(arguments.file, arguments.changes);
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int jobs = arguments.jobs > 0 ? arguments.jobs : std::max(1, cores);
  const std::string out =
      !arguments.out.empty()
          ? arguments.out
          : (std::filesystem::path("results") / std::filesystem::path(arguments.file).stem())
                .string();
  require_makeable(out);
  const Experiment prepared = prepare(experiment);
  std::error_code error;
  std::filesystem::create_directories(out, error);
  if (error) reject("--out", out, "must be a folder that can be made: " + error.message());
  const auto in_folder = [&](const char* name) {
    return (std::filesystem::path(out) / name).string();
  };
  Journal journal(in_folder("journal.jsonl"), identity(experiment, HINDSIGHT_VERSION));
  const Results results = play(prepared, jobs, journal);
  tell_skipped_rows(experiment);

  write_file(in_folder("experiment.toml"), experiment.text);
  write_file(in_folder("run.json"), run_json(prepared, HINDSIGHT_VERSION));
  write_file(in_folder("curves.csv"), curves_csv(results));
  write_file(in_folder("comparators.csv"), comparators_csv(results.comparators));
  if (results.tuning.empty())
    std::filesystem::remove(in_folder("tuning.csv"));  // of a run before
  else
    write_file(in_folder("tuning.csv"), tuning_csv(results.tuning));
  write_file(in_folder("results.csv"), results_csv(results.rows));
  const RunFolder folder = read_run_folder(out);
  const Study study = study_of(folder);
  report_to(folder, study);
  journal.remove();

  if (arguments.json)
    std::cout << results_json_lines(results.rows);
  else
    std::cout << choices(experiment) << terminal_table(study) << '\n'
              << tuning_table(results.tuning) << "The report: " << in_folder("report.html")
              << "\nEvery seed and column: " << in_folder("results.csv") << '\n';
}

}  // namespace

void add_changes(CLI::App& verb, std::vector<std::string>& changes) {
  verb.add_option(
          "--set", changes,
          "change one key: rounds=1000, game.dimension=20, learner.steps=10 (every learner)")
      ->allow_extra_args(false);
}

void tell_skipped_rows(const Experiment& experiment) {
  for (const DataPoolPtr& pool : experiment.data->pools()) std::cerr << pool->malformed.describe();
}

void add_run(CLI::App& app) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* verb = app.add_subcommand(
      "run", "Plays learners x horizons x seeds, writes results; can be continued");
  verb->add_option("file", arguments->file, "experiment file (TOML)")->required();
  add_changes(*verb, arguments->changes);
  verb->add_option("--out", arguments->out, "folder for the results (results/NAME of the file)");
  verb->add_option("--jobs", arguments->jobs, "threads (all cores); they change no number")
      ->check(CLI::Range(1, 4096));
  verb->add_flag("--json", arguments->json, "print the rows as JSON lines instead of a table");
  verb->footer(
      "Each learner is played beside its control, and a key that holds a list is tuned on seeds of "
      "their own.\n"
      "Killed or stopped, the same command continues.\n\n"
      "Example:\n"
      "  hindsight run experiments/paper.toml --set rounds=[1000,10000] --set seeds=5 --out "
      "/tmp/paper");
  verb->callback([arguments] { run_run(*arguments); });
}

}  // namespace hindsight::cli
