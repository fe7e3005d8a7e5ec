/// Independent draws from a finite pool of functions.
#pragma once

#include <vector>

#include "hindsight/core/rng.hpp"
#include "hindsight/games/game.hpp"

namespace hindsight {

/// F_t is drawn uniformly from the pool, by the seed and t alone.
class PoolGame final : public Game {
 public:
  PoolGame(std::vector<RoundFunction> pool, std::uint64_t seed, Noise noise);

  int dimension() const override { return pool_.front().continuous->dimension(); }
  const RoundFunction& function(Round t) override { return pool_[index(t)]; }
  std::vector<WeightedFunction> mixture(Round horizon) override;
  FunctionFacts facts() const override;

 private:
  std::size_t index(Round t) const {
    return draws_.at(static_cast<std::uint64_t>(t)).below(pool_.size());
  }

  std::vector<RoundFunction> pool_;
  StreamFamily draws_;
};

struct CoveragePoolOptions {
  int dimension = 10;
  int items = 30;  ///< things there are to cover, in each function
  int pool = 200;  ///< functions
};

/// Weighted coverage with skewed popularity, so that learning pays: choice i covers each thing with
/// a probability that falls with its (shuffled) rank, from 1/3 for the most popular choice on;
/// weights are exponential; a function's total weight is 1.
std::vector<RoundFunction> coverage_pool(const CoveragePoolOptions& options, std::uint64_t seed);

}  // namespace hindsight
