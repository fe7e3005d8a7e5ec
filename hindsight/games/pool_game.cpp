#include "hindsight/games/pool_game.hpp"

#include <cassert>
#include <cmath>
#include <numeric>

#include "hindsight/core/error.hpp"
#include "hindsight/functions/coverage.hpp"
#include "hindsight/functions/extension.hpp"

namespace hindsight {

PoolGame::PoolGame(std::vector<RoundFunction> pool, std::uint64_t seed, Noise noise)
    : Game(noise), pool_(std::move(pool)), draws_(seed, "function of a round") {
  assert(!pool_.empty());
}

std::vector<WeightedFunction> PoolGame::mixture(Round horizon) {
  std::vector<WeightedFunction> mixture;
  for (const RoundFunction& f : pool_) mixture.push_back({f, 0.0});
  for (Round t = 1; t <= horizon; ++t) mixture[index(t)].weight += 1;
  return mixture;
}

FunctionFacts PoolGame::facts() const {
  FunctionFacts facts = pool_.front().continuous->facts();
  for (const RoundFunction& f : pool_) facts = weaker(facts, f.continuous->facts());
  return facts;
}

std::vector<RoundFunction> coverage_pool(const CoveragePoolOptions& options, std::uint64_t seed) {
  require(options.dimension >= 1, "dimension", options.dimension, "must be at least 1");
  require(options.items >= 1, "items", options.items, "must be at least 1");
  require(options.pool >= 1, "pool", options.pool, "must be at least 1");
  const StreamFamily streams(seed, "coverage pool");
  std::vector<int> rank(static_cast<std::size_t>(options.dimension));
  std::iota(rank.begin(), rank.end(), 0);
  Stream popularity = streams.at(0);
  popularity.shuffle(std::span<int>(rank));

  std::vector<RoundFunction> pool;
  for (int n = 0; n < options.pool; ++n) {
    Stream stream = streams.at(static_cast<std::uint64_t>(n) + 1);
    std::vector<double> weights;
    double total = 0;
    for (int e = 0; e < options.items; ++e) {
      weights.push_back(-std::log(1 - stream.uniform()));
      total += weights.back();
    }
    for (double& w : weights) w /= total;
    std::vector<std::vector<int>> sets(rank.size());
    for (std::size_t i = 0; i < rank.size(); ++i) {
      const double share = rank[i] / static_cast<double>(options.dimension);
      const double probability = std::exp(-2.5 * share) / 3;
      for (int e = 0; e < options.items; ++e)
        if (stream.coin(probability)) sets[i].push_back(e);
    }
    const auto coverage = std::make_shared<Coverage>(std::move(weights), std::move(sets));
    pool.push_back({coverage, extend(coverage)});
  }
  return pool;
}

}  // namespace hindsight
