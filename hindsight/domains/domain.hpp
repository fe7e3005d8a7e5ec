/// What may be played: a convex, compact set K, as learners see it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "hindsight/core/narrow.hpp"
#include "hindsight/core/point.hpp"
#include "hindsight/core/workers.hpp"
#include "hindsight/domains/affine_map.hpp"

namespace hindsight {

/// A convex, compact set with a lower corner. Implementations are immutable and safe to share
/// between threads. No function allocates per call once a thread is warm, except where its own
/// comment says so.
///
/// A user's own set derives from this; tests/domain_laws.hpp checks what every Domain must fulfil.
class Domain {
 public:
  virtual ~Domain() = default;

  virtual int dimension() const = 0;

  /// Writes a maximiser of <weights, x> over K. Ties and zero weights may be resolved either way,
  /// but always the same way.
  virtual void maximize(PointView weights, PointRef out) const = 0;

  /// Replaces x by the nearest point of K. `warm` is memory for the multipliers of one projection:
  /// either empty or `multipliers()` numbers, 0 at first, kept by the caller between projections of
  /// points that lie near each other, scaled as steps are, or moved. It changes the speed, not the
  /// result.
  virtual void project(PointRef x, std::span<double> warm = {}) const = 0;
  virtual int multipliers() const { return 0; }
  /// Projects several points that stand one after another, as do their `multipliers()`.
  virtual void project_each(std::span<double> points, std::span<double> warm) const;
  /// Moves several points by steps[p] * (row p of `directions`) and projects them. `workers`, if
  /// there are any, share it; the same numbers without.
  virtual void ascend_each(std::span<double> points, std::span<const double> steps,
                           PointView directions, std::span<double> warm, Workers* workers) const;
  /// The same in the image of K under `image`, whose points these are.
  virtual void ascend_each_in(const AffineMap& image, std::span<double> points,
                              std::span<const double> steps, PointView directions,
                              std::span<double> warm, Workers* workers) const;
  /// The dimension from which on threads gain by sharing what is done here. Workers::shortest_row
  /// where that is a few sweeps over a point's numbers; this is for sets that take longer.
  virtual std::size_t shortest_shared() const { return 512; }
  /// May points stand in strips, one for each of so many threads? Then so many `workers` share, by
  /// columns, what `ascend_each` does in the image of K under `image`: with as many rows from
  /// `points` on as there are steps.
  virtual bool ascends_in_strips(std::size_t threads) const {
    static_cast<void>(threads);
    return false;
  }
  virtual void ascend_strips(const AffineMap& image, const TableRows& points,
                             std::span<const double> steps, const ConstTableRows& directions,
                             std::span<double> warm, Workers& workers) const {
    static_cast<void>(image), static_cast<void>(points), static_cast<void>(steps);
    static_cast<void>(directions), static_cast<void>(warm), static_cast<void>(workers);
    assert(false && "its points stand in whole rows");
  }
  /// `ascend_each` for points kept in f32: by their distance from lower(), which is `lower`,
  /// rounded down, in rows as core/narrow.hpp says; and that in lower + scale (K - lower).
  virtual void ascend_each(std::span<float> distances, PointView lower, double scale,
                           std::span<const double> steps, const NarrowDirections& directions,
                           std::span<double> warm) const;

  /// Is a long one of these found in a few sweeps over its numbers? Then it moves along the average
  /// of a step that they take with them, as `take_step` would do afterwards (core/narrow.hpp).
  virtual bool ascends_along() const { return false; }
  virtual double ascend_along(std::span<float> distance, double scale, double step,
                              std::span<double> warm, const NarrowStep& along) const {
    static_cast<void>(distance), static_cast<void>(scale), static_cast<void>(step);
    static_cast<void>(warm), static_cast<void>(along);
    assert(false && "takes more than sweeps");
    return 0;
  }

  /// Is x in K, with every constraint relaxed by `tolerance`?
  virtual bool contains(PointView x, double tolerance) const = 0;

  /// The corner u with u <= x for every x in K; in K itself.
  virtual Point lower() const { return Point(static_cast<std::size_t>(dimension()), 0.0); }

  /// Largest r such that lower() + { z >= 0, |z| <= r } lies in K. 0 if there is none.
  virtual double inner_radius() const = 0;

  /// D >= |x - y| and R >= |x - lower()| for all x, y in K; each class says where they are
  /// attained.
  virtual double diameter() const = 0;
  virtual double radius() const = 0;

  /// { x : the ball of radius delta around x lies in K } where that is a set we know, else null.
  /// Rejects a delta for which it is empty.
  virtual std::shared_ptr<const Domain> erode(double delta) const {
    static_cast<void>(delta);
    return nullptr;
  }

  /// One line for people: "uniform matroid, any 3 of 10 items".
  virtual std::string describe() const = 0;
};

using DomainPtr = std::shared_ptr<const Domain>;

/// The largest multiple of 1 above the lower corner that is in K (for a matroid of rank k on d
/// items without smaller obstacles, (k/d) 1): what `constant` plays and where every oracle starts.
Point diagonal_point(const Domain& domain);

/// Tells domains apart by what they do (maximisers of fixed weights, sizes): equal for equal
/// domains, different for different ones but for freak coincidence. A snapshot is bound to it.
std::uint64_t fingerprint(const Domain& domain);

}  // namespace hindsight
