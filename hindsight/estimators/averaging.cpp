#include "hindsight/estimators/averaging.hpp"

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {

HINDSIGHT_WIDE
void average(PointView before, std::span<const double> rho, PointView gradients,
             PointRef averages) {
  const std::size_t d = before.size();
  const double* __restrict old = before.data();
  const double* __restrict g = gradients.data();
  double* __restrict to = averages.data();
  for (const double weight : rho) {
    if (d < 4) {
      for (std::size_t i = 0; i < d; ++i) to[i] = (1 - weight) * old[i] + weight * g[i];
    } else {
      each_four(
          d, [=](std::size_t i) __attribute__((always_inline)) {
            Lanes x, y;
            load(old + i, x);
            load(g + i, y);
            store(to + i, (1 - weight) * x + weight * y);
          });
    }
    old = to;
    to += d;
    g += d;
  }
}

}  // namespace hindsight
