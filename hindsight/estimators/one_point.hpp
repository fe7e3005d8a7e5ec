/// Gradient estimates from values on a sphere (docs/estimators.md).
#pragma once

#include "hindsight/core/point.hpp"

namespace hindsight {

/// Flaxman, Kalai, McMahan 2005: g = (d / delta) F(x + delta u) u with u uniform on the sphere:
/// unbiased for the gradient at x of the delta-smoothed function E_v F(x + delta v), v uniform in
/// the ball. `value` may be less any number fixed before u is drawn, as E u = 0.
inline double one_point_factor(double value, double delta, std::size_t dimension) {
  return static_cast<double>(dimension) / delta * value;
}
inline void one_point_gradient(double value, double delta, PointView u, PointRef g) {
  const double factor = one_point_factor(value, delta, u.size());
  for (std::size_t i = 0; i < u.size(); ++i) g[i] = factor * u[i];
}

/// Antithetic pair: g = (d / (2 delta)) (F(x + delta u) - F'(x - delta u)) u, unbiased for the
/// smoothed gradient of (F + F') / 2. What F and F' have in common at x cancels.
inline double pair_factor(double above, double below, double delta, std::size_t dimension) {
  return one_point_factor((above - below) / 2, delta, dimension);
}
inline void pair_gradient(double above, double below, double delta, PointView u, PointRef g) {
  one_point_gradient((above - below) / 2, delta, u, g);
}

}  // namespace hindsight
