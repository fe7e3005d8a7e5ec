#include "hindsight/games/pool_game.hpp"

#include <algorithm>
#include <cassert>

namespace hindsight {
namespace {

std::vector<PoolPhase> for_ever(std::vector<RoundFunction> pool) {
  std::vector<PoolPhase> phases;
  phases.push_back({1, std::move(pool)});
  return phases;
}

}  // namespace

PoolGame::PoolGame(std::vector<RoundFunction> pool, std::uint64_t seed, Noise noise)
    : PoolGame(for_ever(std::move(pool)), seed, noise) {}

PoolGame::PoolGame(std::vector<PoolPhase> phases, std::uint64_t seed, Noise noise)
    : Game(noise), phases_(std::move(phases)), draws_(seed, "function of a round") {
  assert(!phases_.empty() && phases_.front().first == 1);
  for (const PoolPhase& phase : phases_) {
    static_cast<void>(phase);
    assert(!phase.pool.empty());
  }
}

int PoolGame::dimension() const { return phases_.front().pool.front().continuous->dimension(); }

const RoundFunction& PoolGame::function(Round t) {
  std::size_t p = phases_.size() - 1;
  while (phases_[p].first > t) --p;
  const std::vector<RoundFunction>& pool = phases_[p].pool;
  return pool[draws_.at(static_cast<std::uint64_t>(t)).below(pool.size())];
}

std::vector<WeightedFunction> PoolGame::mixture(Round horizon) {
  std::vector<WeightedFunction> mixture;
  for (std::size_t p = 0; p < phases_.size() && phases_[p].first <= horizon; ++p) {
    const Round last =
        p + 1 < phases_.size() ? std::min(horizon, phases_[p + 1].first - 1) : horizon;
    const std::vector<RoundFunction>& pool = phases_[p].pool;
    const std::size_t start = mixture.size();
    for (const RoundFunction& f : pool) mixture.push_back({f, 0.0});
    for (Round t = phases_[p].first; t <= last; ++t)
      mixture[start + draws_.at(static_cast<std::uint64_t>(t)).below(pool.size())].weight += 1;
  }
  return mixture;
}

bool PoolGame::has_sets() const {
  for (const PoolPhase& phase : phases_)
    for (const RoundFunction& f : phase.pool)
      if (!f.set) return false;
  return true;
}

FunctionFacts PoolGame::facts() const {
  FunctionFacts facts = phases_.front().pool.front().continuous->facts();
  for (const PoolPhase& phase : phases_)
    for (const RoundFunction& f : phase.pool) facts = weaker(facts, f.continuous->facts());
  return facts;
}

}  // namespace hindsight
