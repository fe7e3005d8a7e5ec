#include "hindsight/games/trap.hpp"

#include <algorithm>

#include "hindsight/core/error.hpp"
#include "hindsight/functions/coverage.hpp"
#include "hindsight/functions/extension.hpp"
#include "hindsight/functions/modular.hpp"

namespace hindsight {

std::vector<PoolPhase> trap_phases(int pairs, Round horizon) {
  require(pairs >= 1, "pairs", pairs, "must be at least 1");
  const auto n = static_cast<std::size_t>(pairs);
  std::vector<double> bait(2 * n, 0.0);
  std::fill_n(bait.begin(), n, 1.0);
  const auto modular = std::make_shared<Modular>(std::move(bait));

  std::vector<double> weights(2 * n, 1.0);  // y_1 .. y_n, z_1 .. z_n
  std::fill(weights.begin() + pairs, weights.end(), .9);
  std::vector<std::vector<int>> sets(2 * n);
  for (int i = 0; i < pairs; ++i) {
    sets[static_cast<std::size_t>(i)] = {i};
    sets[static_cast<std::size_t>(i + pairs)] = {i, i + pairs};
  }
  const auto coverage = std::make_shared<Coverage>(std::move(weights), sets);

  std::vector<PoolPhase> phases;
  const Round baited = horizon / 10;
  if (baited > 0) phases.push_back({1, {{modular, extend(modular)}}});
  phases.push_back({baited + 1, {{coverage, extend(coverage)}}});
  return phases;
}

}  // namespace hindsight
