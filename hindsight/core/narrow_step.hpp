/// What is done between two blocks, a pack of numbers at a time: averages of gradients, in either
/// precision, and steps of iterates in f32; and both in the sweep that finds a point. Everything
/// here is inlined into kernels (core/lanes.hpp).
#pragma once

#include <algorithm>

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/narrow.hpp"
#include "hindsight/core/point.hpp"

namespace hindsight {

/// d = kept d + added g, and what its squares add to a sum.
template <class Width, class Register>
__attribute__((always_inline)) inline void average_numbers(double kept, double added,
                                                           const Register& g, Register& d,
                                                           Register& sum) {
  d = kept * d + added * g;
  sum += d * d;
}
template <class Width, class Register>
__attribute__((always_inline)) inline void average_numbers(float kept, float added,
                                                           const Register& g, Register& d,
                                                           Register& sum) {
  multiply_add<Width>(Register{} + added, g, kept * d, d);
  multiply_add<Width>(d, d, sum, sum);
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

/// Sums of squares, in sixteen lanes, by fours; and what these add up to.
struct Fours {
  Lanes a, b, c, d;

  template <class Width, class Number>
  __attribute__((always_inline)) explicit Fours(const Pack<Number, 16, Width>& sums) {
    Doubles<Width> squares;
    widen_pack(sums, squares);
    take_four(squares, 0, a);
    take_four(squares, 4, b);
    take_four(squares, 8, c);
    take_four(squares, 12, d);
  }
  __attribute__((always_inline)) double total() const {
    const Lanes sum = (a + b) + (c + d);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
};

/// In f32 an iterate is high + low, its distance from the corner: `high`, of all numbers the
/// nearest, is what is kept, and `low` what it leaves out.
template <class Width, class Numbers>
__attribute__((always_inline)) inline void step_narrow(float eta, const Numbers& v, Numbers& high,
                                                       Numbers& low) {
  Numbers rest;
  multiply_add<Width>(Numbers{} + eta, v, low, rest);
  const Numbers next = high + rest;
  low = rest - (next - high);
  high = next;
}

/// Calls with each pack of n numbers, where it begins and the how many-th of up to eight it is, and
/// calls after() behind each eight and behind the last.
template <class Each, class After>
__attribute__((always_inline)) inline void each_pack(std::size_t n, Each each, After after) {
  std::size_t i = 0;
  for (; i + 128 <= n; i += 128) {
#pragma GCC unroll 8
    for (std::size_t part = 0; part < 8; ++part) each(i + 16 * part, part);
    after();
  }
  if (i == n) return;
#pragma GCC unroll 7
  for (std::size_t part = 0; part < 7; ++part)
    if (i + 16 * part < n) each(i + 16 * part, part);
  after();
}

/// The average of a step in a sweep over n numbers: next(i, part, d) is told those from i on before
/// they change, and may write where the gradient is. `after` and `part` are those of `each_pack`.
/// Returns the new squared norm.
template <class Width, class Next, class After>
__attribute__((always_inline)) inline double average_along(const NarrowStep& step, std::size_t n,
                                                           Next next, After after) {
  const float kept = step.kept, added = step.added;
  const float* const gradient = step.gradient;
  const float* const soon = step.soon_gradient;
  float* const average = step.average;
  double squared_norm = 0;
  for (std::size_t first = 0; first < n; first += columns_at_a_time) {
    const std::size_t count = std::min(n - first, columns_at_a_time);
    Floats<Width> squares[4] = {};
    const auto average_pack = [&](std::size_t at, std::size_t part) __attribute__((always_inline)) {
      const std::size_t i = first + at;
      Floats<Width> d, g;
      __builtin_prefetch(soon + i);
      load(average + i, d);
      load(gradient + i, g);
      next(i, part, d);
      for (std::size_t j = 0; j < d.count; ++j)
        average_numbers<Width>(kept, added, g.part[j], d.part[j], squares[part % 4].part[j]);
      store(average + i, d);
    };
    each_pack(count, average_pack, after);
    for (std::size_t p = 1; p < 4; ++p)
      for (std::size_t j = 0; j < squares[0].count; ++j) squares[0].part[j] += squares[p].part[j];
    squared_norm += certain_norm<Width>(Fours(squares[0]).total(), count, average + first);
  }
  return squared_norm;
}

/// The iterate of a step, where `v` are the numbers of the point from i on.
template <class Width>
__attribute__((always_inline)) inline void step_along(const NarrowStep& step, std::size_t i,
                                                      const Floats<Width>& v) {
  Floats<Width> high, low;
  load(step.high + i, high);
  load(step.low + i, low);
  for (std::size_t j = 0; j < v.count; ++j)
    step_narrow<Width>(step.eta, v.part[j], high.part[j], low.part[j]);
  store(step.next_high + i, high);
  store(step.next_low + i, low);
}

}  // namespace hindsight
