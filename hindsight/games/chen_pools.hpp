/// The random functions of Chen, Hassani, Karbasi, "Online continuous submodular maximization"
/// (AISTATS 2018), which the experiments of later papers repeat.
#pragma once

#include "hindsight/games/pools.hpp"

namespace hindsight {

/// F(x) = (x/2 - 1)'Hx: H symmetric, H_ij uniform in [-100, 0].
std::vector<RoundFunction> nqp_pool(const PoolOptions& options, std::uint64_t seed);

/// D-optimal design: as many standard normal vectors as they are long.
std::vector<RoundFunction> design_pool(const PoolOptions& options, std::uint64_t seed);

}  // namespace hindsight
