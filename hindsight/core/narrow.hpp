/// Points kept in half the memory: as f32, by their distance from a lower corner, rounded down.
///
/// Rounding down keeps a point in every set that, with a point, holds all between it and the lower
/// corner; to the nearest number it would leave it by a few parts in 1e8.
#pragma once

#include "hindsight/core/point.hpp"

namespace hindsight {

/// point >= lower in every coordinate.
void narrow(PointView point, PointView lower, std::span<float> kept);
/// lower + kept; a null `lower` is 0. On the way as many numbers from `soon` on are fetched, if
/// any.
void widen(std::span<const float> kept, const double* lower, PointRef point,
           const float* soon = nullptr);

}  // namespace hindsight
