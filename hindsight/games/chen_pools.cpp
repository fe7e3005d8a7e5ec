#include "hindsight/games/chen_pools.hpp"

#include <numeric>

#include "hindsight/core/rng.hpp"
#include "hindsight/functions/design.hpp"
#include "hindsight/functions/quadratic.hpp"

namespace hindsight {
namespace {

std::uint64_t index_of(const PoolOptions& options, int n) {
  return (static_cast<std::uint64_t>(options.phase) << 32) + static_cast<std::uint64_t>(n);
}

}  // namespace

std::vector<RoundFunction> nqp_pool(const PoolOptions& options, std::uint64_t seed) {
  const StreamFamily streams(seed, "nqp pool");
  const auto d = static_cast<std::size_t>(options.dimension);
  std::vector<RoundFunction> pool;
  for (int n = 0; n < options.pool; ++n) {
    Stream stream = streams.at(index_of(options, n));
    std::vector<std::vector<double>> H(d, std::vector<double>(d, 0.0));
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j <= i; ++j) H[i][j] = H[j][i] = -100 * stream.uniform();
    std::vector<double> h;
    for (const auto& row : H) h.push_back(-std::accumulate(row.begin(), row.end(), 0.0));
    pool.push_back({nullptr, std::make_shared<Quadratic>(H, std::move(h))});
  }
  return pool;
}

std::vector<RoundFunction> design_pool(const PoolOptions& options, std::uint64_t seed) {
  const StreamFamily streams(seed, "design pool");
  std::vector<RoundFunction> pool;
  for (int n = 0; n < options.pool; ++n) {
    Stream stream = streams.at(index_of(options, n));
    std::vector<std::vector<double>> vectors(static_cast<std::size_t>(options.dimension));
    for (auto& vector : vectors) {
      vector.resize(static_cast<std::size_t>(options.dimension));
      stream.fill_normal(vector);
    }
    pool.push_back({nullptr, std::make_shared<Design>(vectors)});
  }
  return pool;
}

}  // namespace hindsight
