#include "hindsight/core/narrow.hpp"

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/narrow_step.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {
namespace {

template <class Width>
__attribute__((always_inline)) inline void widen_packs(std::span<const float> kept,
                                                       const double* lower, PointRef point,
                                                       const float* soon) {
  const float* const __restrict from = kept.data();
  double* const __restrict to = point.data();
  const std::size_t n = point.size();
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    Doubles<Width> x, low;
    if (soon) __builtin_prefetch(soon + i / 2);
    load(from + i, x);
    if (lower) {
      load(lower + i, low);
      for (std::size_t j = 0; j < x.count; ++j) x.part[j] += low.part[j];
    }
    store(to + i, x);
  }
  for (; i + 4 <= n; i += 4) {
    Lanes x, low = {0, 0, 0, 0};
    load(from + i, x);
    if (lower) load(lower + i, low);
    store(to + i, low + x);
  }
  for (; i < n; ++i) to[i] = (lower ? lower[i] : 0) + static_cast<double>(from[i]);
}

HINDSIGHT_EACH_WIDTH((widen_packs<Width>(kept, lower, point, soon)),
                     void widen_numbers(std::span<const float> kept, const double* lower,
                                        PointRef point, const float* soon))

template <class Width>
__attribute__((always_inline)) inline double average_and_step(std::span<const float> point,
                                                              const NarrowStep& step) {
  const NarrowStep here = step;  // where nothing that is written changes it
  return average_along<Width>(
      here, point.size(),
      [&](std::size_t i, std::size_t, const Floats<Width>&) __attribute__((always_inline)) {
        Floats<Width> v;
        load(&point[i], v);
        step_along<Width>(here, i, v);
      },
      [] {});
}

HINDSIGHT_EACH_WIDTH((average_and_step<Width>(point, step)),
                     double average_with_step(std::span<const float> point, const NarrowStep& step))

}  // namespace

double take_step(std::span<const float> point, const NarrowStep& step) {
  return average_with_step(point, step);
}

HINDSIGHT_WIDE
void narrow(PointView point, PointView lower, std::span<float> kept) {
  assert(point.size() == lower.size() && kept.size() >= lower.size());
  const double* const __restrict x = point.data();
  const double* const __restrict low = lower.data();
  float* const __restrict to = kept.data();
  const std::size_t n = lower.size();
  std::size_t i = 0;
#pragma GCC unroll 4
  for (; i + 4 <= n; i += 4) {
    Lanes at, from;
    load(x + i, at);
    load(low + i, from);
    keep(to + i, at - from);
  }
  for (; i < n; ++i) keep(to + i, x[i] - low[i]);
}

void widen(std::span<const float> kept, const double* lower, PointRef point, const float* soon) {
  assert(kept.size() >= point.size());
  widen_numbers(kept, lower, point, soon);
}

}  // namespace hindsight
