/// Linear programs of tangents: an upper bound on every decision, and the best set for certain.
#pragma once

#include <memory>
#include <optional>

#include "hindsight/offline/greedy.hpp"
#include "hindsight/offline/linear_rows.hpp"
#include "hindsight/offline/majorant.hpp"

namespace hindsight {

/// A set and an upper bound on all of them.
struct ProvenSet {
  ItemSet set;
  double value = 0;
  double upper = 0;
};

/// Kelley's method: maximise the least of all tangents of the majorant found so far over K, by a
/// linear program (CLP), add the tangents at its optimum, and so on.
///
/// No bound rests on the solver. Whatever non-negative multipliers it gives to the cuts, made to
/// sum to 1 in each share, the combined cut a + <g, x> is above F, and so is a + max { <g, w> : w
/// in K }, which the domain's own maximiser tells.
class CuttingPlanes {
 public:
  /// Starts with the tangents at 0. Both must live as long as this.
  CuttingPlanes(const MixtureMajorant& majorant, const LinearRows& rows);
  ~CuttingPlanes();

  void add_tangents(PointView x);
  /// Adds tangents until there are no new ones, the bound is down to `lower`, or hardly falls any
  /// more. Returns the bound on max F over K.
  double bound(double lower);
  /// Where the last program was largest.
  const Point& point() const;

  /// Branch and cut, where K is a matroid polytope and the majorant is f on sets: the best set, and
  /// an upper bound on all sets that is at most 1e-9 above it, relatively. Every branch is closed
  /// by a bound as above, over the sets of the branch. None if it takes more than `seconds`.
  std::optional<ProvenSet> prove(const SetValue& f, ItemSet start, double seconds);

 private:
  class Program;
  class Search;
  std::unique_ptr<Program> program_;
};

}  // namespace hindsight
