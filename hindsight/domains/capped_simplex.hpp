/// Projection onto { 0 <= x <= upper, sum x <= capacity } and onto nested sets of that kind.
///
/// The nearest point of y is clip(y - tau, 0, upper) with the smallest tau >= 0 that meets the
/// capacity. The sum is piecewise linear and decreasing in tau, so tau is found by Newton's method
/// inside a bracket: two or three passes over the vector from a warm start, no sorting. The answer
/// is exact: once two successive tau lie on the same linear piece, tau is that piece's root.
#pragma once

#include <span>

#include "hindsight/core/item_set.hpp"
#include "hindsight/core/narrow.hpp"
#include "hindsight/core/point.hpp"
#include "hindsight/core/workers.hpp"
#include "hindsight/domains/affine_map.hpp"

namespace hindsight {

/// Replaces x by its projection. `warm` is a guess at tau (0 if there is none). Returns tau.
double project_capped_simplex(PointRef x, double upper, double capacity, double warm);

/// The same for several points of equal dimension, one after another, with a guess for each; those
/// of low dimension side by side. Writes the tau over the guesses.
void project_capped_simplices(std::span<double> points, double upper, double capacity,
                              std::span<double> warm);

/// The same for points += steps * directions, row by row: what ascends is projected on its way.
/// `workers`, if there are any, share it.
void ascend_capped_simplices(std::span<double> points, std::span<const double> steps,
                             PointView directions, double upper, double capacity,
                             std::span<double> warm, Workers* workers);
/// In the image under `image`.
void ascend_capped_simplices(const AffineMap& image, std::span<double> points,
                             std::span<const double> steps, PointView directions, double upper,
                             double capacity, std::span<double> warm, Workers* workers);
/// The same, of points in strips, by threads that each have one.
void ascend_capped_strips(const AffineMap& image, const TableRows& points,
                          std::span<const double> steps, const ConstTableRows& directions,
                          double upper, double capacity, std::span<double> warm, Workers& workers);
/// For points kept in rows of f32 (core/narrow.hpp): no more than the capacity is used, and of it
/// up to 2^-16 + 2^-21 may be left (docs/oracles.md).
void ascend_capped_simplices(std::span<float> points, std::span<const double> steps,
                             const NarrowDirections& directions, double upper, double capacity,
                             std::span<double> warm);

/// The same for one long point, along the average of a step that its sweeps take with it
/// (`take_step`). Returns what that would.
double ascend_capped_simplex(std::span<float> point, double step, double upper, double capacity,
                             double& warm, const NarrowStep& along);

/// A tau >= 0 that meets the capacity, and exactly so if tau > 0: sum over `items` of clip(y_i -
/// max(tau, floor_i), 0, upper) <= capacity: one set of a laminar family whose inner sets have
/// already asked for the shifts `floor`.
double capped_shift(PointView y, PointView floor, ItemView items, double upper, double capacity,
                    double warm);

}  // namespace hindsight
