// hindsight run: plays learners x horizons x seeds, and writes what they earned.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include "apps/cli/verbs.hpp"
#include "hindsight/core/error.hpp"
#include "hindsight/learners/registry.hpp"
#include "hindsight/reports/files.hpp"
#include "hindsight/reports/results.hpp"
#include "hindsight/runs/grid.hpp"

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
    const double rate = static_cast<double>(p.rounds_done) / seconds;
    const double left = static_cast<double>(p.rounds - p.rounds_done) / std::max(rate, 1.0);
    std::cerr
        << fmt::format(
               "\r\x1b[K{} of {} cells, {:.0f}% of all rounds, {:.3g} rounds/s, {:.0f} s left",
               p.cells_done, p.cells,
               100.0 * static_cast<double>(p.rounds_done) / static_cast<double>(p.rounds), rate,
               left)
        << std::flush;
    shown_ = true;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_ = start_;
  bool shown_ = false;
};

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

/// What `auto` chose, for each horizon.
void print_choices(const Experiment& experiment) {
  for (const Round rounds : experiment.rounds) {
    const World world = make_world(experiment, rounds, experiment.seeds.front());
    for (const Settings& settings : experiment.learners)
      if (const std::string choice = explain_choice(settings, {world.domain, rounds, 1});
          !choice.empty())
        std::cout << learner_name(settings) << ", T = " << rounds << ": " << choice << '\n';
  }
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
  std::vector<ResultRow> rows;
  {
    ProgressLine line;
    rows = play_grid(experiment, jobs, [&](const Progress& p) { line.show(p); });
  }
  std::error_code error;
  std::filesystem::create_directories(out, error);
  if (error) reject("--out", out, "must be a folder that can be made: " + error.message());
  const std::string csv = (std::filesystem::path(out) / "results.csv").string();
  write_file(csv, results_csv(rows));
  if (arguments.json) {
    std::cout << results_json_lines(rows);
  } else {
    print_choices(experiment);
    std::cout << results_table(rows) << "\nEvery seed and column: " << csv << '\n';
  }
}

}  // namespace

void add_changes(CLI::App& verb, std::vector<std::string>& changes) {
  verb.add_option(
          "--set", changes,
          "change one key: rounds=1000, game.dimension=20, learner.steps=10 (every learner)")
      ->allow_extra_args(false);
}

void add_run(CLI::App& app) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* verb =
      app.add_subcommand("run", "Plays learners x horizons x seeds, writes results.csv");
  verb->add_option("file", arguments->file, "experiment file (TOML)")->required();
  add_changes(*verb, arguments->changes);
  verb->add_option("--out", arguments->out, "folder for the results (results/NAME of the file)");
  verb->add_option("--jobs", arguments->jobs, "threads (all cores); they change no number")
      ->check(CLI::Range(1, 4096));
  verb->add_flag("--json", arguments->json, "print the rows as JSON lines instead of a table");
  verb->footer(
      "Example:\n"
      "  hindsight run experiments/paper.toml --set rounds=[1000,10000] --set seeds=5 --out "
      "/tmp/paper");
  verb->callback([arguments] { run_run(*arguments); });
}

}  // namespace hindsight::cli
