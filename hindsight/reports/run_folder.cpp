#include "hindsight/reports/run_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "hindsight/core/error.hpp"
#include "hindsight/learners/registry.hpp"
#include "hindsight/reports/files.hpp"

namespace hindsight {
namespace {

std::uint64_t read_seed(const CsvRow& row) {
  return static_cast<std::uint64_t>(row.integer("seed", 0));
}

double read_seconds(const CsvRow& row) {
  const double seconds = row.number("seconds");
  if (seconds < 0) row.refuse("seconds", "must not be negative");
  return seconds;
}

/// Reads both ends of the best fixed decision's interval.
void read_best(const CsvRow& row, double& lower, double& upper) {
  lower = row.number("hindsight_lower");
  upper = row.number("hindsight_upper");
  if (lower > upper) row.refuse("hindsight_lower", "must be at most hindsight_upper");
}

/// The columns that follow from others are not read.
ResultRow read_result(const CsvRow& row) {
  ResultRow result;
  result.learner = row.text("learner");
  const auto kinds = learner_kinds();
  if (std::none_of(kinds.begin(), kinds.end(),
                   [&](const LearnerKind& kind) { return kind.kind == result.learner; }))
    row.refuse("learner", "is not a learner");
  result.name = row.text("name");
  if (result.name.empty()) row.refuse("name", "must not be empty");
  result.schedule = row.text("schedule");
  result.oracle = row.text("oracle");
  result.learning = row.flag("learning");
  result.game = row.text("game");
  result.rounds = row.integer("rounds", 1);
  result.seed = read_seed(row);
  result.dimension = static_cast<int>(row.integer("dimension", 1));
  result.reward = row.number("reward");
  read_best(row, result.hindsight_lower, result.hindsight_upper);
  result.alpha = row.number("alpha");
  result.value_queries = row.integer("value_queries", 0);
  result.gradient_queries = row.integer("gradient_queries", 0);
  result.infeasible_plays = row.integer("infeasible_plays", 0);
  result.seconds = read_seconds(row);
  result.peak_bytes = row.integer("peak_bytes", 0);
  return result;
}

std::vector<ResultRow> read_results(const std::string& path) {
  const CsvTable table = read_csv(
      path, {"learner", "name", "schedule", "oracle", "learning", "game", "rounds", "seed",
             "dimension", "reward", "hindsight_lower", "hindsight_upper", "alpha", "value_queries",
             "gradient_queries", "infeasible_plays", "seconds", "peak_bytes"});
  if (table.rows.empty()) throw InputError(path + ": must have a line under its header");
  std::vector<ResultRow> results;
  std::set<std::tuple<std::string, Round, std::uint64_t>> cells;
  std::set<std::string> names;
  std::set<std::pair<Round, std::uint64_t>> worlds;
  for (const CsvRow& row : table.rows) {
    results.push_back(read_result(row));
    const ResultRow& r = results.back();
    if (!cells.insert({r.name, r.rounds, r.seed}).second)
      row.refuse("name", "must not be there twice with the same rounds and seed");
    names.insert(r.name);
    worlds.insert({r.rounds, r.seed});
  }
  for (const std::string& name : names)
    for (const auto& [rounds, seed] : worlds)
      if (!cells.contains({name, rounds, seed}))
        throw InputError(path + ": name = " + name +
                         ": must have a line with rounds = " + std::to_string(rounds) +
                         " and seed = " + std::to_string(seed) + ", as other learners do");
  return results;
}

std::vector<CurveRow> read_curves(const std::string& path) {
  const CsvTable table = read_csv(path, {"name", "rounds", "seed", "round", "reward",
                                         "value_queries", "gradient_queries", "seconds"});
  std::vector<CurveRow> curves;
  for (const CsvRow& row : table.rows) {
    const CurvePoint at{row.integer("round", 1), row.number("reward"),
                        row.integer("value_queries", 0), row.integer("gradient_queries", 0),
                        read_seconds(row)};
    curves.push_back({row.text("name"), row.integer("rounds", 1), read_seed(row), at});
    if (at.round > curves.back().rounds)
      row.refuse("round", "must be at most rounds = " + row.text("rounds"));
  }
  return curves;
}

std::vector<Comparator> read_comparators(const std::string& path,
                                         const std::vector<ResultRow>& results) {
  const CsvTable table = read_csv(path, {"rounds", "seed", "hindsight_lower", "hindsight_upper",
                                         "lower_by", "upper_by", "continuous_greedy"});
  std::vector<Comparator> comparators;
  std::set<std::pair<Round, std::uint64_t>> worlds;
  for (const CsvRow& row : table.rows) {
    Comparator c;
    c.rounds = row.integer("rounds", 1);
    c.seed = read_seed(row);
    read_best(row, c.lower, c.upper);
    c.lower_by = row.text("lower_by");
    c.upper_by = row.text("upper_by");
    c.continuous_greedy = row.number_if_any("continuous_greedy");
    comparators.push_back(std::move(c));
    if (!worlds.insert({comparators.back().rounds, comparators.back().seed}).second)
      row.refuse("seed", "must not be there twice with the same rounds");
  }
  for (const ResultRow& result : results)
    if (!worlds.contains({result.rounds, result.seed}))
      throw InputError(path + ": must have a line with rounds = " + std::to_string(result.rounds) +
                       " and seed = " + std::to_string(result.seed));
  return comparators;
}

}  // namespace

RunFolder read_run_folder(const std::string& path) {
  const auto file = [&](const char* name) { return (std::filesystem::path(path) / name).string(); };
  RunFolder folder;
  folder.path = path;
  folder.results = read_results(file("results.csv"));
  folder.curves = read_curves(file("curves.csv"));
  folder.comparators = read_comparators(file("comparators.csv"), folder.results);
  if (std::filesystem::exists(file("tuning.csv"))) folder.tuning = read_csv(file("tuning.csv"), {});
  folder.experiment = read_file(file("experiment.toml"));
  return folder;
}

}  // namespace hindsight
