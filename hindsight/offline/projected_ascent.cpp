#include "hindsight/offline/projected_ascent.hpp"

#include <cassert>
#include <cmath>

namespace hindsight {

double frank_wolfe_gap(const ContinuousFunction& function, const Domain& domain, PointView x) {
  Point g(x.size()), v(x.size());
  function.gradient(x, g);
  domain.maximize(g, v);
  return dot(g, v) - dot(g, x);
}

Point projected_ascent(const ContinuousFunction& function, const Domain& domain, Point start,
                       int steps) {
  const double L2 = function.facts().smoothness.value();
  if (L2 == 0) {  // linear
    Point g(start.size());
    function.gradient(start, g);
    domain.maximize(g, start);
    return start;
  }
  constexpr int between_gaps = 16;
  Point x = std::move(start), ahead = x, next(x.size()), g(x.size());
  double value = function.value(x), momentum = 1;
  for (int n = 0; n < steps; ++n) {
    function.gradient(ahead, g);
    copy(ahead, next);
    add_scaled(next, 1 / L2, g);
    domain.project(next);
    const double next_value = function.value(next);
    if (next_value < value) {
      if (momentum == 1) break;  // a plain step gains unless rounding is all that is left
      momentum = 1;
      ahead = x;
      continue;
    }
    const double next_momentum = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    for (std::size_t i = 0; i < x.size(); ++i)
      ahead[i] = next[i] + (momentum - 1) / next_momentum * (next[i] - x[i]);
    x.swap(next);
    value = next_value;
    momentum = next_momentum;
    if (n % between_gaps == 0 && frank_wolfe_gap(function, domain, x) <= 1e-9 * value) break;
  }
  return x;
}

}  // namespace hindsight
