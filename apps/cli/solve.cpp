// hindsight solve: the best fixed decision in hindsight, with a certified interval.
#include <fmt/format.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/verbs.hpp"
#include "hindsight/offline/best_fixed.hpp"
#include "hindsight/runs/world.hpp"

namespace hindsight::cli {
namespace {

struct SolveArguments {
  std::string file;
  std::vector<std::string> changes;
  bool json = false;
};

template <class Numbers>
std::string join(const Numbers& numbers) {
  return fmt::format("{:.6g}", fmt::join(numbers, ", "));
}

void print_set(const ItemSet& set, const std::vector<std::string>& names) {
  fmt::print("  best fixed set     {{{}}}\n", fmt::join(set, ", "));
  if (names.empty()) return;
  for (const Item i : set) fmt::print("    {}: {}\n", i, names[static_cast<std::size_t>(i)]);
}

void print_text(Round rounds, std::uint64_t seed, const World& world, const BestFixed& best,
                double seconds) {
  fmt::print("{} rounds, seed {}, {}\n", rounds, seed, world.domain->describe());
  if (best.set)
    print_set(*best.set, world.game->items().names);
  else
    fmt::print("  best point found   ({})\n", join(best.point));
  fmt::print("  worth at least     {:.10g}   by {}\n", best.lower, best.lower_by);
  fmt::print("  no decision beats  {:.10g}   by {}\n", best.upper, best.upper_by);
  if (best.lower == best.upper)
    fmt::print("  exact, found in {:.2g} s\n", seconds);
  else
    fmt::print("  the interval is {:.3g}% wide, found in {:.2g} s\n",
               100 * (best.upper - best.lower) / best.upper, seconds);
}

void print_json(Round rounds, std::uint64_t seed, const BestFixed& best, double seconds) {
  nlohmann::ordered_json row = {{"rounds", rounds},
                                {"seed", seed},
                                {"hindsight_lower", best.lower},
                                {"hindsight_upper", best.upper},
                                {"lower_by", best.lower_by},
                                {"upper_by", best.upper_by},
                                {"seconds", seconds},
                                {"point", best.point}};
  if (best.set) row["set"] = *best.set;
  std::cout << row.dump() << '\n';
}

void run_solve(const SolveArguments& arguments) {
  const Experiment experiment = read_experiment(arguments.file, arguments.changes);
  for (const Round rounds : experiment.rounds)
    for (const std::uint64_t seed : experiment.seeds) {
      const World world = make_world(experiment, rounds, seed);
      const auto start = std::chrono::steady_clock::now();
      const BestFixed best = best_fixed(Mixture(world.game->mixture(rounds)), world.domain,
                                        {.seconds = experiment.comparator_seconds});
      const double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (arguments.json)
        print_json(rounds, seed, best, seconds);
      else
        print_text(rounds, seed, world, best, seconds);
    }
  tell_skipped_rows(experiment);
}

}  // namespace

void add_solve(CLI::App& app) {
  auto arguments = std::make_shared<SolveArguments>();
  CLI::App* verb = app.add_subcommand(
      "solve", "The best fixed decision in hindsight, with a certified interval");
  verb->add_option("file", arguments->file, "experiment file (TOML)")->required();
  add_changes(*verb, arguments->changes);
  verb->add_flag("--json", arguments->json, "one JSON object a horizon and seed");
  verb->footer(
      "The interval holds the best fixed decision for certain: its lower end is attained by the\n"
      "decision shown, its upper end is a bound that one linear maximisation can check.\n\n"
      "Example:\n"
      "  hindsight solve experiments/paper.toml --set rounds=10000 --set seeds=1");
  verb->callback([arguments] { run_solve(*arguments); });
}

}  // namespace hindsight::cli
