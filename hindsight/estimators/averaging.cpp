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
template <std::size_t Fours, class Number>
__attribute__((always_inline)) inline void average_few(Few<Fours> d, std::size_t n,
                                                       std::size_t stride, const Number* before,
                                                       PointView rho, PointView taken,
                                                       const Number* g, Number* to,
                                                       double* squared_norms) {
  using Each = Few<Fours>;
  Each::each(
      n, [&](std::size_t j, std::size_t i)
             __attribute__((always_inline)) { load(before + i, d.four[j]); });
  for (std::size_t step = 0; step < rho.size(); ++step, g += stride, to += stride) {
    const double kept = 1 - rho[step], added = taken[step];
    Lanes sum = zero;
    Each::each(
        n, [&](std::size_t j, std::size_t i) __attribute__((always_inline)) {
          Lanes next;
          load(g + i, next);
          d.four[j] = kept * d.four[j] + added * next;
          store(to + i, d.four[j]);
          Each::add_squares(j, n, d.four[j], sum);
        });
    squared_norms[step] = total(sum);
  }
}

/// Squares of f32 are added up in f32 where it can hold them, and else again in f64.
template <class Width>
__attribute__((always_inline)) inline double certain_norm(double squared_norm, std::size_t n,
                                                          const float* numbers) {
  if (squared_norm > 0x1p-80 && squared_norm < 0x1p120) [[likely]]
    return squared_norm;
  return sum_squares<Width>(numbers, n);
}
template <class Width>
__attribute__((always_inline)) inline double certain_norm(double squared_norm, std::size_t,
                                                          const double*) {
  return squared_norm;
}

/// One step; returns the squared norm.
template <class Width, class Number>
__attribute__((always_inline)) inline double average_row(std::size_t n, const Number* old,
                                                         double rho, double taken, const Number* g,
                                                         Number* to) {
  using Numbers = Pack<Number, 16, Width>;
  const Number kept = static_cast<Number>(1 - rho), added = static_cast<Number>(taken);
  Numbers sums;  // sixteen, as an addition waits for the one before
  sums.fill(0);
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    Numbers d, next;
    load(old + i, d);
    load(g + i, next);
    for (std::size_t j = 0; j < d.count; ++j) {
      d.part[j] = kept * d.part[j] + added * next.part[j];
      sums.part[j] += d.part[j] * d.part[j];
    }
    store(to + i, d);
  }
  Doubles<Width> squares;
  widen_pack(sums, squares);
  Lanes four[4] = {};
  for (std::size_t j = 0; j < 4; ++j) take_four(squares, 4 * j, four[j]);
  for (; i + 4 <= n; i += 4) {
    Lanes d, next;
    load(old + i, d);
    load(g + i, next);
    d = (1 - rho) * d + taken * next;
    four[0] += d * d;
    store(to + i, d);
  }
  double rest = 0;
  for (; i < n; ++i) {
    to[i] = kept * old[i] + added * g[i];
    rest += static_cast<double>(to[i]) * static_cast<double>(to[i]);
  }
  return certain_norm<Width>(total((four[0] + four[1]) + (four[2] + four[3])) + rest, n, to);
}

template <class Width, class Number>
__attribute__((always_inline)) inline void average_columns(std::span<const Number> before,
                                                           PointView rho, PointView taken,
                                                           std::span<const Number> gradients,
                                                           std::span<Number> averages,
                                                           std::span<double> squared_norms,
                                                           Columns columns) {
  const std::size_t stride = before.size(), n = columns.count;
  const Number* old = before.data() + columns.first;
  const Number* g = gradients.data() + columns.first;
  Number* to = averages.data() + columns.first;
  if (n >= 4 && n <= few)
    return with_few(
        n, [&](auto fours) __attribute__((always_inline)) {
          average_few(fours, n, stride, old, rho, taken, g, to, squared_norms.data());
        });
  for (std::size_t step = 0; step < rho.size(); ++step) {
    squared_norms[step] = average_row<Width>(n, old, rho[step], taken[step], g, to);
    old = to;
    to += stride;
    g += stride;
  }
}

HINDSIGHT_EACH_WIDTH((average_columns<Width, double>(before, rho, taken, gradients, averages,
                                                     squared_norms, columns)),
                     void average_kept(PointView before, PointView rho, PointView taken,
                                       PointView gradients, PointRef averages,
                                       std::span<double> squared_norms, Columns columns))

HINDSIGHT_EACH_WIDTH((average_columns<Width, float>(before, rho, taken, gradients, averages,
                                                    squared_norms, columns)),
                     void average_kept(std::span<const float> before, PointView rho,
                                       PointView taken, std::span<const float> gradients,
                                       std::span<float> averages, std::span<double> squared_norms,
                                       Columns columns))

}  // namespace

void average(PointView before, PointView rho, PointView taken, PointView gradients,
             PointRef averages, std::span<double> squared_norms, Columns columns) {
  average_kept(before, rho, taken, gradients, averages, squared_norms, columns);
}

void average(std::span<const float> before, PointView rho, PointView taken,
             std::span<const float> gradients, std::span<float> averages,
             std::span<double> squared_norms, Columns columns) {
  average_kept(before, rho, taken, gradients, averages, squared_norms, columns);
}

}  // namespace hindsight
