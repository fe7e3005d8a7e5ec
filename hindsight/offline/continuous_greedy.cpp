#include "hindsight/offline/continuous_greedy.hpp"

#include "hindsight/core/error.hpp"

namespace hindsight {

Point continuous_greedy(const ContinuousFunction& function, const Domain& domain, int steps,
                        const std::function<void(int k, PointView x)>& visit) {
  require(steps >= 1, "steps", steps, "must be at least 1");
  const Point lower = domain.lower();
  Point x = lower, gradient(x.size()), v(x.size());
  for (int k = 1; k <= steps; ++k) {
    if (visit) visit(k, x);
    function.gradient(x, gradient);
    domain.maximize(gradient, v);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += (v[i] - lower[i]) / steps;
  }
  if (visit) visit(steps + 1, x);
  return x;
}

}  // namespace hindsight
