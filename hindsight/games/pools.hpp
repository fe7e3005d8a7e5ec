/// Pools of random functions with skewed popularity, so that learning pays.
///
/// Choice i has a (shuffled) rank; its popularity falls with the rank like exp(-2.5 rank / d).
/// Another `phase` shuffles the ranks anew: what was popular is not any more.
#pragma once

#include <cstdint>
#include <vector>

#include "hindsight/functions/function_json.hpp"

namespace hindsight {

struct PoolOptions {
  int dimension = 10;
  int items = 30;  ///< things to cover, or customers; not used by quadratics
  int pool = 200;  ///< functions
  int phase = 0;
  bool monotone = true;  ///< false: quadratics that may fall
};

/// Weighted coverage: choice i covers each thing with a third of its popularity as probability;
/// weights are exponential; a function's total weight is 1.
std::vector<RoundFunction> coverage_pool(const PoolOptions& options, std::uint64_t seed);

/// Facility location: customer c values choice i at its popularity times a uniform number; divided
/// by the number of customers.
std::vector<RoundFunction> facility_location_pool(const PoolOptions& options, std::uint64_t seed);

/// Quadratics h'x + x'Hx/2: h is half the popularity plus what H takes at 1 (so that the function
/// is monotone on the box; half of that where it need not be), H_ij = -U/d symmetric.
std::vector<RoundFunction> quadratic_pool(const PoolOptions& options, std::uint64_t seed);

/// Saturation: every customer hears each choice with a third of its popularity as probability, and
/// at what he hears he saturates with rate 4; divided by the number of customers. The best point is
/// fractional.
std::vector<RoundFunction> concave_budget_pool(const PoolOptions& options, std::uint64_t seed);

}  // namespace hindsight
