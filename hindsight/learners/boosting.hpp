/// The random share of boosting (Zhang, Deng, Chen, Hu, Yang, ICML 2022).
#pragma once

#include <cmath>
#include <numbers>

namespace hindsight {

/// Z with density e^{z-1} / (1 - 1/e) on [0, 1], from a uniform number: P(Z <= z) = (e^z - 1) / (e
/// - 1).
inline double boosting_share(double uniform) { return std::log1p(uniform * (std::numbers::e - 1)); }

}  // namespace hindsight
