#include "hindsight/estimators/averaging.hpp"

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {
namespace {

constexpr Lanes zero = {0, 0, 0, 0};

__attribute__((always_inline)) inline double total(const Lanes& sum) {
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// Few columns stay in registers from step to step.
template <std::size_t Fours, class Kept>
__attribute__((always_inline)) inline void average_few(Few<Fours> d, std::size_t n,
                                                       std::size_t stride, const double* before,
                                                       std::span<const double> rho, const Kept* g,
                                                       double* to, double* squared_norms) {
  using Each = Few<Fours>;
  Each::each(
      n, [&](std::size_t j, std::size_t i)
             __attribute__((always_inline)) { load(before + i, d.four[j]); });
  for (std::size_t step = 0; step < rho.size(); ++step, g += stride, to += stride) {
    const double weight = rho[step];
    Lanes sum = zero;
    Each::each(
        n, [&](std::size_t j, std::size_t i) __attribute__((always_inline)) {
          Lanes next;
          load(g + i, next);
          d.four[j] = (1 - weight) * d.four[j] + weight * next;
          store(to + i, d.four[j]);
          Each::add_squares(j, n, d.four[j], sum);
        });
    squared_norms[step] = total(sum);
  }
}

template <class Kept>
__attribute__((always_inline)) inline void average_columns(
    PointView before, std::span<const double> rho, std::span<const Kept> gradients,
    PointRef averages, std::span<double> squared_norms, Columns columns) {
  const std::size_t stride = before.size(), n = columns.count;
  const double* old = before.data() + columns.first;
  const Kept* g = gradients.data() + columns.first;
  double* to = averages.data() + columns.first;
  if (n >= 4 && n <= few)
    return with_few(
        n, [&](auto fours) __attribute__((always_inline)) {
          average_few(fours, n, stride, old, rho, g, to, squared_norms.data());
        });
  for (std::size_t step = 0; step < rho.size(); ++step, g += stride) {
    const double weight = rho[step];
    Lanes sums[4] = {zero, zero, zero, zero};  // as an addition waits for the one before
    const auto average_four = [&](std::size_t i, Lanes & sum) __attribute__((always_inline)) {
      Lanes x, y;
      load(old + i, x);
      load(g + i, y);
      const Lanes d = (1 - weight) * x + weight * y;
      sum += d * d;
      store(to + i, d);
    };
    std::size_t i = 0;
    for (; i + 16 <= n; i += 16)
      for (std::size_t j = 0; j < 4; ++j) average_four(i + 4 * j, sums[j]);
    for (; i + 4 <= n; i += 4) average_four(i, sums[0]);
    double rest = 0;
    for (; i < n; ++i) {
      to[i] = (1 - weight) * old[i] + weight * static_cast<double>(g[i]);
      rest += to[i] * to[i];
    }
    squared_norms[step] = total((sums[0] + sums[1]) + (sums[2] + sums[3])) + rest;
    old = to;
    to += stride;
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
