#include "hindsight/offline/continuous_greedy.hpp"

#include "hindsight/core/error.hpp"

namespace hindsight {

Point continuous_greedy(const ContinuousFunction& function, const Domain& domain, int steps) {
  require(steps >= 1, "steps", steps, "must be at least 1");
  const Point lower = domain.lower();
  Point x = lower, gradient(x.size()), v(x.size());
  for (int k = 1; k <= steps; ++k) {
    function.gradient(x, gradient);
    domain.maximize(gradient, v);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += (v[i] - lower[i]) / steps;
  }
  return x;
}

}  // namespace hindsight
