#include "hindsight/games/pool_game.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

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

std::size_t PoolGame::phase_of(Round t) const {
  std::size_t p = phases_.size() - 1;
  while (phases_[p].first > t) --p;
  return p;
}

Round PoolGame::last_of(std::size_t phase) const {
  return phase + 1 < phases_.size() ? phases_[phase + 1].first - 1
                                    : std::numeric_limits<Round>::max();
}

const RoundFunction& PoolGame::function(Round t) {
  if (t < ahead_from_ || t > ahead_to_) {
    ahead_phase_ = phase_of(t);
    ahead_from_ = t;
    ahead_to_ = t + std::min(static_cast<Round>(ahead_.size()) - 1, last_of(ahead_phase_) - t);
    draws_.fill_below(static_cast<std::uint64_t>(t), phases_[ahead_phase_].pool.size(), ahead_);
  }
  const std::vector<RoundFunction>& pool = phases_[ahead_phase_].pool;
  // What comes next is fetched while this round is played.
  if (t < ahead_to_)
    __builtin_prefetch(
        pool[ahead_[static_cast<std::size_t>(t + 1 - ahead_from_)]].continuous.get());
  return pool[ahead_[static_cast<std::size_t>(t - ahead_from_)]];
}

std::vector<WeightedFunction> PoolGame::mixture(Round horizon) {
  std::vector<WeightedFunction> mixture;
  std::array<std::uint32_t, 1024> drawn;
  for (std::size_t p = 0; p < phases_.size() && phases_[p].first <= horizon; ++p) {
    const Round last = std::min(horizon, last_of(p));
    const std::vector<RoundFunction>& pool = phases_[p].pool;
    const std::size_t start = mixture.size();
    for (const RoundFunction& f : pool) mixture.push_back({f, 0.0});
    for (Round t = phases_[p].first; t <= last; t += static_cast<Round>(drawn.size())) {
      const auto count = std::min(drawn.size(), static_cast<std::size_t>(last - t + 1));
      draws_.fill_below(static_cast<std::uint64_t>(t), pool.size(), std::span(drawn).first(count));
      for (const std::uint32_t n : std::span(drawn).first(count)) mixture[start + n].weight += 1;
    }
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
