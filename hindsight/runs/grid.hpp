/// Learners x horizons x seeds: every cell is played on its own, so that neither order nor threads
/// matter.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hindsight/domains/domain.hpp"
#include "hindsight/games/game.hpp"
#include "hindsight/learners/learner.hpp"
#include "hindsight/runs/experiment.hpp"

namespace hindsight {

/// The game and the domain of one horizon and seed.
struct World {
  GamePtr game;
  DomainPtr domain;
};
World make_world(const Experiment& experiment, Round rounds, std::uint64_t seed);

/// The learner of a `[[learner]]` table for this world; rejects one that cannot play its game.
LearnerPtr make_fitting_learner(const Settings& settings, const World& world, Round rounds,
                                std::uint64_t seed);

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

struct Progress {
  std::size_t cells_done = 0;
  std::size_t cells = 0;
  Round rounds_done = 0;
  Round rounds = 0;
};

/// Builds one learner for every cell and throws the first error: before anything is played or
/// written.
void check_experiment(const Experiment& experiment);

/// Plays all cells on `jobs` threads. The rows come in the order learner, horizon, seed, whatever
/// the number of threads. `report` is called now and then, from one thread at a time.
std::vector<ResultRow> play_grid(const Experiment& experiment, int jobs,
                                 const std::function<void(const Progress&)>& report = {});

}  // namespace hindsight
