// hindsight trace: one run, every internal quantity, as JSON lines.
#include "hindsight/runs/trace.hpp"

#include <iostream>
#include <memory>

#include "apps/cli/verbs.hpp"
#include "hindsight/runs/world.hpp"

namespace hindsight::cli {
namespace {

struct TraceArguments {
  std::string file;
  std::string learner;
  Round rounds = 0;
  std::uint64_t seed = 1;
};

void run_trace(const TraceArguments& arguments) {
  const Experiment experiment = read_experiment(arguments.file);
  const Round rounds = arguments.rounds > 0 ? arguments.rounds : experiment.rounds.front();
  const Settings& chosen = arguments.learner.empty() && experiment.learners.size() == 1
                               ? experiment.learners.front()
                               : experiment.learner(arguments.learner);
  const World world = make_world(experiment, rounds, arguments.seed);
  tell_skipped_rows(experiment);
  const LearnerPtr learner = make_fitting_learner(chosen, world, rounds, arguments.seed);
  trace(*learner, world.domain, *world.game, rounds, std::cout);
}

}  // namespace

void add_trace(CLI::App& app) {
  auto arguments = std::make_shared<TraceArguments>();
  CLI::App* verb = app.add_subcommand("trace", "One run, every internal quantity, as JSON lines");
  verb->add_option("file", arguments->file, "experiment file (TOML)")->required();
  verb->add_option(
      "--learner", arguments->learner,
      "name (or kind) of the [[learner]] to trace; not needed where there is only one");
  verb->add_option("--rounds", arguments->rounds,
                   "rounds to play, also the horizon of the schedule (the file's first)")
      ->check(CLI::PositiveNumber);
  verb->add_option("--seed", arguments->seed, "seed of the game and of the learner")
      ->capture_default_str();
  verb->footer(
      "One JSON object a line goes to standard output: a start event with all parameters, a block\n"
      "event where a block opens, a round event for every round, an update event for every "
      "step.\n\n"
      "Example:\n"
      "  hindsight trace experiments/paper.toml --learner mono-frank-wolfe --rounds 100 --seed 7");
  verb->callback([arguments] { run_trace(*arguments); });
}

}  // namespace hindsight::cli
