#include "hindsight/core/narrow.hpp"

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {

HINDSIGHT_WIDE
void narrow(PointView point, PointView lower, std::span<float> kept) {
  assert(point.size() == lower.size() && kept.size() == lower.size());
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

HINDSIGHT_WIDE
void widen(std::span<const float> kept, PointView lower, PointRef point) {
  assert(point.size() == lower.size() && kept.size() == lower.size());
  const float* const __restrict from = kept.data();
  const double* const __restrict low = lower.data();
  double* const __restrict to = point.data();
  const std::size_t n = lower.size();
  std::size_t i = 0;
#pragma GCC unroll 4
  for (; i + 4 <= n; i += 4) {
    Lanes at, distance;
    load(low + i, at);
    load(from + i, distance);
    store(to + i, at + distance);
  }
  for (; i < n; ++i) to[i] = low[i] + static_cast<double>(from[i]);
}

}  // namespace hindsight
