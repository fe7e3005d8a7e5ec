#include "hindsight/estimators/averaging.hpp"

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {
namespace {

template <class Kept>
__attribute__((always_inline)) inline void average_columns(
    PointView before, std::span<const double> rho, std::span<const Kept> gradients,
    PointRef averages, std::span<double> squared_norms, Columns columns) {
  const std::size_t stride = before.size(), n = columns.count;
  const double* old = before.data() + columns.first;
  const Kept* g = gradients.data() + columns.first;
  double* to = averages.data() + columns.first;
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
      to[i] = (1 - weight) * old[i] + weight * static_cast<double>(g[i]);
      sum[0] += to[i] * to[i];
    }
    squared_norms[step] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    old = to;
    to += stride;
    g += stride;
  }
}

}  // namespace

HINDSIGHT_WIDE
void average(PointView before, std::span<const double> rho, std::span<const double> gradients,
             PointRef averages, std::span<double> squared_norms, Columns columns) {
  average_columns(before, rho, gradients, averages, squared_norms, columns);
}

HINDSIGHT_WIDE
void average(PointView before, std::span<const double> rho, std::span<const float> gradients,
             PointRef averages, std::span<double> squared_norms, Columns columns) {
  average_columns(before, rho, gradients, averages, squared_norms, columns);
}

}  // namespace hindsight
