/// Continuous greedy: Frank-Wolfe from the lower corner with step 1/K (the paper's eq. 1; Bian et
/// al. 2017).
#pragma once

#include <functional>

#include "hindsight/domains/domain.hpp"
#include "hindsight/functions/function.hpp"

namespace hindsight {

/// x^(1) = lower, v^(k) maximises <grad F(x^(k)), .>, x^(k+1) = x^(k) + (v^(k) - lower) / K. For a
/// monotone DR-submodular F with F(lower) >= 0, F(x^(K+1)) >= (1 - 1/e) max F - L2 D^2 / (2K).
/// `visit` sees every x^(k), k = 1 .. K+1.
Point continuous_greedy(const ContinuousFunction& function, const Domain& domain, int steps,
                        const std::function<void(int k, PointView x)>& visit = {});

}  // namespace hindsight
