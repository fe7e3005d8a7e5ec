/// The one-point gradient estimate (Flaxman, Kalai, McMahan 2005).
#pragma once

#include "hindsight/core/point.hpp"

namespace hindsight {

/// g = (d / delta) F(x + delta u) u with u uniform on the sphere: unbiased for the gradient at x of
/// the delta-smoothed function E_v F(x + delta v), v uniform in the ball.
inline void one_point_gradient(double value, double delta, PointView u, PointRef g) {
  const double scale = static_cast<double>(u.size()) / delta * value;
  for (std::size_t i = 0; i < u.size(); ++i) g[i] = scale * u[i];
}

}  // namespace hindsight
