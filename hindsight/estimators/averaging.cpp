#include "hindsight/estimators/averaging.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/narrow_step.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {
namespace {

constexpr Lanes zero = {0, 0, 0, 0};

/// Whatever it stands in.
template <class Number, class Given>
__attribute__((always_inline)) inline Number number_at(const Given* at) {
  Given number;
  std::memcpy(&number, at, sizeof number);
  return static_cast<Number>(number);
}

/// Few columns stay in registers from step to step.
template <std::size_t Fours, class Number, class Given>
__attribute__((always_inline)) inline void average_few(Few<Fours> d, std::size_t n,
                                                       const Number* before, PointView rho,
                                                       PointView taken, Strip<const Given> g,
                                                       Strip<Number> to, double* squared_norms) {
  using Each = Few<Fours>;
  Each::each(
      n, [&](std::size_t j, std::size_t i)
             __attribute__((always_inline)) { load(before + i, d.four[j]); });
  for (std::size_t step = 0; step < rho.size(); ++step) {
    const double kept = 1 - rho[step], added = taken[step];
    Lanes sum = zero;
    Each next;  // all of it before an average may take its place: the last four overlap
    Each::each(
        n, [&](std::size_t j, std::size_t i)
               __attribute__((always_inline)) { load(g.row(step) + i, next.four[j]); });
    Each::each(
        n, [&](std::size_t j, std::size_t i) __attribute__((always_inline)) {
          d.four[j] = kept * d.four[j] + added * next.four[j];
          store(to.row(step) + i, d.four[j]);
          Each::add_squares(j, n, d.four[j], sum);
        });
    squared_norms[step] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
}

/// `Steps` of them go through the columns together: what one writes the next need not read. From
/// `old`. `soon` comes next.
template <class Width, std::size_t Steps, class Number, class Given>
__attribute__((always_inline)) inline void average_rows(
    std::size_t n, const Number* old, const double* rho, const double* taken, Strip<const Given> g,
    Strip<const Number> soon, Strip<Number> averages, double* squared_norms) {
  using Numbers = Pack<Number, 16, Width>;
  // Sums in so many packs side by side, as an addition waits for the one before.
  constexpr std::size_t packs = std::is_same_v<Number, float> ? 4 : 1;
  Number kept[Steps], added[Steps];
  Numbers sums[Steps][packs] = {};
  for (std::size_t s = 0; s < Steps; ++s) {
    kept[s] = static_cast<Number>(1 - rho[s]);
    added[s] = static_cast<Number>(taken[s]);
  }
  const auto average_pack = [&](std::size_t i, std::size_t p) __attribute__((always_inline)) {
    Numbers d, next;
    load(old + i, d);
#pragma GCC unroll 4
    for (std::size_t s = 0; s < Steps; ++s) {
      // Half of what is averaged when these are done, each line once.
      if (std::is_same_v<Number, double> || p % 2 == 0) __builtin_prefetch(soon.row(s) + i / 2);
      load(g.row(s) + i, next);
      for (std::size_t j = 0; j < d.count; ++j)
        average_numbers<Width>(kept[s], added[s], next.part[j], d.part[j], sums[s][p].part[j]);
      store(averages.row(s) + i, d);
    }
  };
  std::size_t i = 0;
  for (; i + 16 * packs <= n; i += 16 * packs)
#pragma GCC unroll 4
    for (std::size_t p = 0; p < packs; ++p) average_pack(i + 16 * p, p);
#pragma GCC unroll 4
  for (std::size_t p = 0; p + 1 < packs; ++p)
    if (i + 16 <= n) average_pack(i, p), i += 16;
  for (std::size_t s = 0; s < Steps; ++s) {
    const Given* const given = g.row(s);
    Number* const to = averages.row(s);
    for (std::size_t p = 1; p < packs; ++p)
      for (std::size_t j = 0; j < sums[s][0].count; ++j) sums[s][0].part[j] += sums[s][p].part[j];
    Fours fours(sums[s][0]);
    std::size_t r = i;
    for (; r + 4 <= n; r += 4) {
      Lanes d, next;
      load(old + r, d);
      load(given + r, next);
      d = (1 - rho[s]) * d + taken[s] * next;
      fours.a += d * d;
      store(to + r, d);
    }
    double rest = 0;
    for (; r < n; ++r) {
      to[r] = kept[s] * old[r] + added[s] * number_at<Number>(given + r);
      rest += static_cast<double>(to[r]) * static_cast<double>(to[r]);
    }
    squared_norms[s] = certain_norm<Width>(fours.total() + rest, n, to);
    old = to;
  }
}

/// Gradients of type `Given` stand in rows for numbers of type `Number`.
template <class Width, class Given, class Number>
__attribute__((always_inline)) inline void average_columns(std::size_t n, const Number* old,
                                                           PointView rho, PointView taken,
                                                           Strip<const Number> rows,
                                                           Strip<Number> to,
                                                           std::span<double> squared_norms) {
  const auto given = [=](std::size_t step) __attribute__((always_inline)) {
    return Strip<const Given>{reinterpret_cast<const Given*>(rows.row(step)),
                              rows.stride * (sizeof(Number) / sizeof(Given))};
  };
  if (n >= 4 && n <= few)
    return with_few(
        n, [&](auto fours) __attribute__((always_inline)) {
          average_few(fours, n, old, rho, taken, given(0), to, squared_norms.data());
        });
  std::size_t step = 0;
  const auto average_some = [&](auto steps) __attribute__((always_inline)) {
    for (; step + steps <= rho.size(); step += steps) {
      average_rows<Width, steps>(n, old, &rho[step], &taken[step], given(step),
                                 {rows.row(rho.size() + step), rows.stride},
                                 {to.row(step), to.stride}, &squared_norms[step]);
      old = to.row(step + steps - 1);
    }
  };
  if (std::is_same_v<Number, double>) average_some(std::integral_constant<std::size_t, 4>{});
  average_some(std::integral_constant<std::size_t, 2>{});
  average_some(std::integral_constant<std::size_t, 1>{});
}

HINDSIGHT_EACH_WIDTH((average_columns<Width, double>(columns, before, rho, taken, gradients,
                                                     averages, squared_norms)),
                     void average_wide(std::size_t columns, const double* before, PointView rho,
                                       PointView taken, Strip<const double> gradients,
                                       Strip<double> averages, std::span<double> squared_norms))

HINDSIGHT_EACH_WIDTH((average_columns<Width, float>(columns, before, rho, taken, gradients,
                                                    averages, squared_norms)),
                     void average_halved(std::size_t columns, const double* before, PointView rho,
                                         PointView taken, Strip<const double> gradients,
                                         Strip<double> averages, std::span<double> squared_norms))

HINDSIGHT_EACH_WIDTH((average_columns<Width, float>(columns, before, rho, taken, gradients,
                                                    averages, squared_norms)),
                     void average_narrow(std::size_t columns, const float* before, PointView rho,
                                         PointView taken, Strip<const float> gradients,
                                         Strip<float> averages, std::span<double> squared_norms))

}  // namespace

void average(PointView before, PointView rho, PointView taken, Strip<const double> gradients,
             Strip<double> averages, std::span<double> squared_norms) {
  average_wide(before.size(), before.data(), rho, taken, gradients, averages, squared_norms);
}

void average_halves(PointView before, PointView rho, PointView taken, Strip<const double> gradients,
                    Strip<double> averages, std::span<double> squared_norms) {
  assert(before.size() <= columns_at_a_time);
  average_halved(before.size(), before.data(), rho, taken, gradients, averages, squared_norms);
}

void average(std::span<const float> before, PointView rho, PointView taken,
             Strip<const float> gradients, Strip<float> averages, std::span<double> squared_norms) {
  average_narrow(before.size(), before.data(), rho, taken, gradients, averages, squared_norms);
}

}  // namespace hindsight
