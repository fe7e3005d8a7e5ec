/// Games made of pools: independent draws from the pool of the phase.
#pragma once

#include <array>
#include <vector>

#include "hindsight/core/rng.hpp"
#include "hindsight/games/game.hpp"
#include "hindsight/games/pools.hpp"

namespace hindsight {

/// A pool and the first round it is drawn from; it lasts until the next one starts.
struct PoolPhase {
  Round first = 1;
  std::vector<RoundFunction> pool;
};

/// F_t is drawn uniformly from the pool of its phase, by the seed and t alone.
class PoolGame final : public Game {
 public:
  /// One phase for ever.
  PoolGame(std::vector<RoundFunction> pool, std::uint64_t seed, Noise noise);
  /// Phases in the order of their first rounds; the first starts at 1.
  PoolGame(std::vector<PoolPhase> phases, std::uint64_t seed, Noise noise);

  int dimension() const override;
  const RoundFunction& function(Round t) override;
  std::vector<WeightedFunction> mixture(Round horizon) override;
  bool has_sets() const override;
  FunctionFacts facts() const override;

 private:
  /// Which phase round t belongs to, and the last round of that phase.
  std::size_t phase_of(Round t) const;
  Round last_of(std::size_t phase) const;

  std::vector<PoolPhase> phases_;
  StreamFamily draws_;
  // The functions of the rounds ahead_from_ .. ahead_to_, all of phase ahead_phase_.
  std::array<std::uint32_t, 64> ahead_;
  Round ahead_from_ = 1;
  Round ahead_to_ = 0;
  std::size_t ahead_phase_ = 0;
};

}  // namespace hindsight
