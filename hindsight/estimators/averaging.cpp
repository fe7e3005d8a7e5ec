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
                                                       std::span<const double> rho, const Number* g,
                                                       Number* to, double* squared_norms) {
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

/// sums += numbers^2, in f64.
template <class Width>
__attribute__((always_inline)) inline void add_squares(const Doubles<Width>& numbers,
                                                       Doubles<Width>& sums) {
  for (std::size_t j = 0; j < sums.count; ++j) sums.part[j] += numbers.part[j] * numbers.part[j];
}
template <class Width>
__attribute__((always_inline)) inline void add_squares(const Floats<Width>& numbers,
                                                       Doubles<Width>& sums) {
  Doubles<Width> wide;
  widen_pack(numbers, wide);
  add_squares(wide, sums);
}

/// One step; returns the squared norm.
template <class Width, class Number>
__attribute__((always_inline)) inline double average_row(std::size_t n, const Number* old,
                                                         double rho, const Number* g, Number* to) {
  const Number kept = static_cast<Number>(1 - rho), taken = static_cast<Number>(rho);
  Doubles<Width> sums;  // sixteen, as an addition waits for the one before
  sums.fill(0);
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    Pack<Number, 16, Width> d, next;
    load(old + i, d);
    load(g + i, next);
    for (std::size_t j = 0; j < d.count; ++j) d.part[j] = kept * d.part[j] + taken * next.part[j];
    add_squares(d, sums);
    store(to + i, d);
  }
  Lanes four[4] = {};
  for (std::size_t j = 0; j < 4; ++j) take_four(sums, 4 * j, four[j]);
  for (; i + 4 <= n; i += 4) {
    Lanes d, next;
    load(old + i, d);
    load(g + i, next);
    d = (1 - rho) * d + rho * next;
    four[0] += d * d;
    store(to + i, d);
  }
  double rest = 0;
  for (; i < n; ++i) {
    to[i] = kept * old[i] + taken * g[i];
    rest += static_cast<double>(to[i]) * static_cast<double>(to[i]);
  }
  return total((four[0] + four[1]) + (four[2] + four[3])) + rest;
}

template <class Width, class Number>
__attribute__((always_inline)) inline void average_columns(
    std::span<const Number> before, std::span<const double> rho, std::span<const Number> gradients,
    std::span<Number> averages, std::span<double> squared_norms, Columns columns) {
  const std::size_t stride = before.size(), n = columns.count;
  const Number* old = before.data() + columns.first;
  const Number* g = gradients.data() + columns.first;
  Number* to = averages.data() + columns.first;
  if (n >= 4 && n <= few)
    return with_few(
        n, [&](auto fours) __attribute__((always_inline)) {
          average_few(fours, n, stride, old, rho, g, to, squared_norms.data());
        });
  for (std::size_t step = 0; step < rho.size(); ++step) {
    squared_norms[step] = average_row<Width>(n, old, rho[step], g, to);
    old = to;
    to += stride;
    g += stride;
  }
}

HINDSIGHT_EACH_WIDTH(
    (average_columns<Width, double>(before, rho, gradients, averages, squared_norms, columns)),
    void average_kept(PointView before, std::span<const double> rho, PointView gradients,
                      PointRef averages, std::span<double> squared_norms, Columns columns))

HINDSIGHT_EACH_WIDTH((average_columns<Width, float>(before, rho, gradients, averages, squared_norms,
                                                    columns)),
                     void average_kept(std::span<const float> before, std::span<const double> rho,
                                       std::span<const float> gradients, std::span<float> averages,
                                       std::span<double> squared_norms, Columns columns))

}  // namespace

void average(PointView before, std::span<const double> rho, PointView gradients, PointRef averages,
             std::span<double> squared_norms, Columns columns) {
  average_kept(before, rho, gradients, averages, squared_norms, columns);
}

void average(std::span<const float> before, std::span<const double> rho,
             std::span<const float> gradients, std::span<float> averages,
             std::span<double> squared_norms, Columns columns) {
  average_kept(before, rho, gradients, averages, squared_norms, columns);
}

}  // namespace hindsight
