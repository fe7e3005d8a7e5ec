/// Points kept in half the memory: as f32, by their distance from a lower corner, rounded down.
///
/// Rounding down keeps a point in every set that, with a point, holds all between it and the lower
/// corner; to the nearest number it would leave it by a few parts in 1e8.
#pragma once

#include "hindsight/core/point.hpp"

namespace hindsight {

/// How many numbers a row of a table of such points has: long ones are filled up with 0 to whole
/// packs of sixteen, each of which is a line of the cache, so that kernels see neither remainders
/// nor numbers that stand across two lines.
constexpr std::size_t longest_short_row = 32;
constexpr std::size_t narrow_length(std::size_t dimension) {
  return dimension <= longest_short_row ? dimension : (dimension + 15) / 16 * 16;
}

/// A point where it is kept.
struct NarrowPoint {
  std::size_t dimension;
  std::span<float> row;  ///< its distance from the corner
  const double* corner;  ///< as long; null where all its numbers are `level`
  double level;
};

/// Directions for such points, in rows as long, and as much room, where what moves along them
/// stands meanwhile; it may be the directions' own.
struct NarrowDirections {
  std::span<const float> rows;
  std::span<float> room;

  NarrowDirections part(std::size_t first, std::size_t count) const {
    return {rows.subspan(first, count), room.subspan(first, count)};
  }
};

/// In rows of at most so many numbers: those of a few steps are gone through at a time, which are
/// to stay in the nearest cache. Beyond, a sweep for each thing to be done takes less time.
constexpr std::size_t longest_row_along = 1536;

/// What a Frank-Wolfe learner does in sweeps over long rows, k after k. The point of oracle k has
/// moved along `average`, which becomes kept average + added gradient, what oracle k + 1 will move
/// along; `room` is for a row. And once each number v of the point is known, the iterate high + low
/// (core/narrow_step.hpp), of which `high` is kept, steps on to next_high + next_low, eta v
/// further; it may take the place of the gradient. Whoever finds the point in two sweeps does the
/// one in the first and the other in the second, and fetches what the sweeps to come will want.
struct NarrowStep {
  float* average;
  const float* gradient;
  float kept;
  float added;
  float* room;
  float eta;
  const float* high;
  const float* low;
  float* next_high;
  float* next_low;
  const float* soon_gradient;
  const float* soon_point;
};
/// With a point that has not moved. Returns the squared norm of the average.
double take_step(std::span<const float> point, const NarrowStep& step);

/// point >= lower in every coordinate. `kept` may be longer.
void narrow(PointView point, PointView lower, std::span<float> kept);
/// lower + kept, which may be longer; a null `lower` is 0. On the way the first half of as many
/// numbers from `soon` on is fetched, if any.
void widen(std::span<const float> kept, const double* lower, PointRef point,
           const float* soon = nullptr);

}  // namespace hindsight
