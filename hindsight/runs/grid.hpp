/// Learners x horizons x seeds: every cell is played on its own, so that neither order nor threads
/// matter.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hindsight/runs/world.hpp"

namespace hindsight {

/// One line of results.csv.
struct ResultRow {
  std::string learner;  ///< kind
  std::string name;
  std::string schedule;  ///< empty for learners without one
  std::string oracle;
  bool learning = true;
  std::string game;
  Round rounds = 0;
  std::uint64_t seed = 0;
  int dimension = 0;
  double reward = 0;
  double hindsight_lower = 0;
  double hindsight_upper = 0;
  double alpha = 0;
  Round value_queries = 0;
  Round gradient_queries = 0;
  Round infeasible_plays = 0;
  double seconds = 0;
  std::int64_t peak_bytes = 0;

  double regret_lower() const { return alpha * hindsight_lower - reward; }
  double regret_upper() const { return alpha * hindsight_upper - reward; }
  double ratio_lower() const { return ratio(hindsight_upper); }
  double ratio_upper() const { return ratio(hindsight_lower); }

 private:
  /// Where there was nothing to be had, all of it was had.
  double ratio(double best) const { return best == 0 && reward == 0 ? 1 : reward / best; }
};

/// What a cell had earned and asked for after `round` rounds.
struct CurvePoint {
  Round round = 0;
  double reward = 0;
  Round value_queries = 0;
  Round gradient_queries = 0;
  double seconds = 0;
};
using Curve = std::vector<CurvePoint>;

/// The rounds of a curve's points: about 16 a decade, evenly spaced in the logarithm, and the last.
std::vector<Round> checkpoints(Round rounds);

/// The best fixed decision of one horizon and seed, which all learners are compared with.
struct Comparator {
  Round rounds = 0;
  std::uint64_t seed = 0;
  double lower = 0;
  double upper = 0;
  std::string lower_by;
  std::string upper_by;
  std::optional<double> continuous_greedy;  ///< what it finds offline, where values are exact
};

/// One way to play a learner, on the tuning seeds.
struct Tuning {
  std::string name;
  std::string values;  ///< as in Candidate
  Round rounds = 0;
  std::size_t seeds = 0;
  double mean_reward = 0;
  bool chosen = false;
};

struct Results {
  std::vector<ResultRow> rows;  ///< in the order learner, horizon, seed
  std::vector<Curve> curves;    ///< of the rows
  std::vector<Comparator> comparators;
  std::vector<Tuning> tuning;  ///< empty where no table holds a list
};

struct Progress {
  std::size_t cells_done = 0;
  std::size_t cells = 0;
  double rounds_done = 0;
  double rounds_found = 0;  ///< of those done, played before and only found again
  double rounds = 0;
  std::size_t comparators_done = 0;
  std::size_t comparators = 0;
};

/// Keeps the finished parts of a run, so that it can be continued. Used by many threads at once.
class PartStore {
 public:
  virtual ~PartStore() = default;
  virtual std::optional<nlohmann::json> find(const nlohmann::json& key) const = 0;
  virtual void keep(const nlohmann::json& key, const nlohmann::json& part) = 0;
};

/// Plays all cells on `jobs` threads; their number changes no result. A table with lists is first
/// played in every combination on the tuning seeds, a horizon at a time; the best mean reward is
/// what the reported seeds are played with.
/// `report` is called a few times a second by every thread, one at a time. What it throws ends the
/// run, like a failure: all threads leave what they are at, and what was finished is in the store.
Results play_grid(const Experiment& experiment, int jobs,
                  const std::function<void(const Progress&)>& report = {},
                  PartStore* store = nullptr);

}  // namespace hindsight
