// hindsight check: probes a game and a domain for what the theory assumes.
#include "hindsight/runs/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/cli/verbs.hpp"
#include "hindsight/core/error.hpp"
#include "hindsight/runs/world.hpp"

namespace hindsight::cli {
namespace {

struct CheckArguments {
  std::string file;
  std::vector<std::string> changes;
  CheckOptions options;
};

/// What was read, and the parts that `parts = "game"` gives capacities to, in their order.
void print_data(const DataPool& pool) {
  fmt::print("read: {}\n", pool.summary);
  for (std::size_t j = 0; j < pool.items.parts.size(); ++j)
    fmt::print("part {}: {}, {} items\n", j, pool.items.part_names[j], pool.items.parts[j].size());
}

void run_check(const CheckArguments& arguments) {
  const Experiment experiment = read_experiment(arguments.file, arguments.changes);
  CheckOptions options = arguments.options;
  options.rounds = std::min(options.rounds, experiment.rounds.front());
  const World world = make_world(experiment, experiment.rounds.front(), options.seed);
  const std::vector<CheckResult> results = check_world(*world.game, *world.domain, options);
  tell_skipped_rows(experiment);
  for (const DataPoolPtr& pool : experiment.data->pools()) print_data(*pool);
  bool broken = false;
  for (const CheckResult& r : results) {
    fmt::print(
        "{:<28} {:<42} {}\n", r.property, r.rule,
        r.counterexample ? "BROKEN" : fmt::format("no counterexample in {} probes", r.probes));
    if (!r.counterexample) continue;
    broken = true;
    if (r.counterexample->round > 0) fmt::print("    round {}: ", r.counterexample->round);
    fmt::print("{}\n", r.counterexample->text);
  }
  std::fflush(stdout);
  if (broken)
    throw InputError(arguments.file +
                     ": breaks what the theory assumes; the counterexamples are above");
}

}  // namespace

void add_check(CLI::App& app) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* verb =
      app.add_subcommand("check", "Probes a game and a domain for what the theory assumes");
  verb->add_option("file", arguments->file, "experiment file (TOML)")->required();
  add_changes(*verb, arguments->changes);
  verb->add_option("--functions", arguments->options.rounds,
                   "how many rounds' functions are probed")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  verb->add_option("--probes", arguments->options.probes, "random probes a function and property")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  verb->add_option("--seed", arguments->options.seed, "seed of the game and of the probes")
      ->capture_default_str();
  verb->footer(
      "Monotonicity, diminishing returns, gradients against differences, the stated bounds M1, L1, "
      "L2, the\n"
      "domain's inner radius, and that it is down-closed. A broken rule is printed with numbers "
      "that can be\n"
      "evaluated by hand, and the command exits with 2. No counterexample is no proof.\n\n"
      "Example:\n"
      "  hindsight check experiments/paper.toml --functions 10");
  verb->callback([arguments] { run_check(*arguments); });
}

}  // namespace hindsight::cli
