#include "hindsight/games/trap.hpp"

#include <algorithm>

#include "hindsight/core/error.hpp"
#include "hindsight/functions/coverage.hpp"
#include "hindsight/functions/extension.hpp"
#include "hindsight/functions/modular.hpp"

namespace hindsight {
namespace {

/// The first tenth of the rounds is bait.
std::vector<PoolPhase> baited(const SetFunctionPtr& bait, const SetFunctionPtr& then,
                              Round horizon) {
  std::vector<PoolPhase> phases;
  const Round rounds = horizon / 10;
  if (rounds > 0) phases.push_back({1, {{bait, extend(bait)}}});
  phases.push_back({rounds + 1, {{then, extend(then)}}});
  return phases;
}

}  // namespace

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
  return baited(modular, coverage, horizon);
}

std::vector<PoolPhase> exchange_trap_phases(Round horizon) {
  return baited(std::make_shared<Modular>(std::vector<double>{0, 1, 0, 1}),
                std::make_shared<Coverage>(std::vector<double>{1, 1.1, .1},
                                           std::vector<std::vector<int>>{{0}, {1}, {1}, {2}}),
                horizon);
}

}  // namespace hindsight
