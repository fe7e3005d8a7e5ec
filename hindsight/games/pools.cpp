#include "hindsight/games/pools.hpp"

#include <cmath>
#include <numeric>

#include "hindsight/core/error.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/functions/coverage.hpp"
#include "hindsight/functions/extension.hpp"
#include "hindsight/functions/facility_location.hpp"
#include "hindsight/functions/quadratic.hpp"
#include "hindsight/functions/saturation.hpp"

namespace hindsight {
namespace {

/// What the functions of one pool share, and the stream of each.
class Draws {
 public:
  Draws(const PoolOptions& options, std::uint64_t seed, std::string_view name)
      : streams_(seed, name), phase_(static_cast<std::uint64_t>(options.phase)) {
    require(options.dimension >= 1, "dimension", options.dimension, "must be at least 1");
    require(options.items >= 1, "items", options.items, "must be at least 1");
    require(options.pool >= 1, "pool", options.pool, "must be at least 1");
    std::vector<int> rank(static_cast<std::size_t>(options.dimension));
    std::iota(rank.begin(), rank.end(), 0);
    Stream stream = streams_.at(phase_ << 32);
    stream.shuffle(std::span<int>(rank));
    for (const int r : rank)
      popularity_.push_back(std::exp(-2.5 * r / static_cast<double>(options.dimension)));
  }

  const std::vector<double>& popularity() const { return popularity_; }
  Stream function(int n) const {
    return streams_.at((phase_ << 32) + static_cast<std::uint64_t>(n) + 1);
  }

 private:
  StreamFamily streams_;
  std::uint64_t phase_;
  std::vector<double> popularity_;
};

}  // namespace

std::vector<RoundFunction> coverage_pool(const PoolOptions& options, std::uint64_t seed) {
  const Draws draws(options, seed, "coverage pool");
  std::vector<RoundFunction> pool;
  for (int n = 0; n < options.pool; ++n) {
    Stream stream = draws.function(n);
    std::vector<double> weights;
    double total = 0;
    for (int e = 0; e < options.items; ++e) {
      weights.push_back(-std::log(1 - stream.uniform()));
      total += weights.back();
    }
    for (double& w : weights) w /= total;
    std::vector<std::vector<int>> sets;
    for (const double popularity : draws.popularity()) {
      sets.emplace_back();
      for (int e = 0; e < options.items; ++e)
        if (stream.coin(popularity / 3)) sets.back().push_back(e);
    }
    const auto coverage = std::make_shared<Coverage>(std::move(weights), std::move(sets));
    pool.push_back({coverage, extend(coverage)});
  }
  return pool;
}

std::vector<RoundFunction> facility_location_pool(const PoolOptions& options, std::uint64_t seed) {
  const Draws draws(options, seed, "facility location pool");
  std::vector<RoundFunction> pool;
  for (int n = 0; n < options.pool; ++n) {
    Stream stream = draws.function(n);
    std::vector<std::vector<double>> benefits(static_cast<std::size_t>(options.items));
    for (auto& row : benefits)
      for (const double popularity : draws.popularity())
        row.push_back(popularity * stream.uniform() / options.items);
    const auto facility = std::make_shared<FacilityLocation>(benefits);
    pool.push_back({facility, extend(facility)});
  }
  return pool;
}

std::vector<RoundFunction> quadratic_pool(const PoolOptions& options, std::uint64_t seed) {
  const Draws draws(options, seed, "quadratic pool");
  const auto d = static_cast<std::size_t>(options.dimension);
  std::vector<RoundFunction> pool;
  for (int n = 0; n < options.pool; ++n) {
    Stream stream = draws.function(n);
    std::vector<std::vector<double>> H(d, std::vector<double>(d, 0.0));
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        H[i][j] = H[j][i] = -stream.uniform() / static_cast<double>(d);
    std::vector<double> h;
    for (std::size_t i = 0; i < d; ++i)
      h.push_back(draws.popularity()[i] * stream.uniform() / 2 -
                  (options.monotone ? 1 : .5) * std::accumulate(H[i].begin(), H[i].end(), 0.0));
    pool.push_back(
        {nullptr, std::make_shared<Quadratic>(H, std::move(h), Point(),
                                              options.monotone ? Slope::upward : Slope::any)});
  }
  return pool;
}

std::vector<RoundFunction> concave_budget_pool(const PoolOptions& options, std::uint64_t seed) {
  const Draws draws(options, seed, "concave budget pool");
  constexpr double rate = 4;
  const auto customers = static_cast<std::size_t>(options.items);
  std::vector<RoundFunction> pool;
  for (int n = 0; n < options.pool; ++n) {
    Stream stream = draws.function(n);
    std::vector<std::vector<double>> rates(customers);
    for (auto& row : rates)
      for (const double popularity : draws.popularity())
        row.push_back(stream.coin(popularity / 3) ? rate : 0);
    const std::vector<double> weights(customers, 1.0 / options.items);
    pool.push_back({nullptr, std::make_shared<Saturation>(rates, weights)});
  }
  return pool;
}

}  // namespace hindsight
