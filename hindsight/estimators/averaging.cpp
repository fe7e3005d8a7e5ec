#include "hindsight/estimators/averaging.hpp"

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {

HINDSIGHT_WIDE
void average(PointView before, std::span<const double> rho, PointView gradients, PointRef averages,
             std::span<double> squared_norms) {
  const std::size_t n = before.size();
  const double* old = before.data();
  const double* g = gradients.data();
  double* to = averages.data();
  for (std::size_t step = 0; step < rho.size(); ++step) {
    const double weight = rho[step];
    Lanes sum = {0, 0, 0, 0};  // squared_norm's own order of additions
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
      Lanes x, y;
      load(old + i, x);
      load(g + i, y);
      const Lanes d = (1 - weight) * x + weight * y;
      sum += d * d;
      store(to + i, d);
    }
    for (; i < n; ++i) {
      to[i] = (1 - weight) * old[i] + weight * g[i];
      sum[0] += to[i] * to[i];
    }
    squared_norms[step] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    old = to;
    to += n;
    g += n;
  }
}

}  // namespace hindsight
