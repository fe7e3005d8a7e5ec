/// The moves of pipage rounding: lines through a point of a matroid polytope along which every
/// multilinear extension is convex.
#pragma once

#include <optional>

#include "hindsight/core/item_set.hpp"
#include "hindsight/domains/matroid.hpp"

namespace hindsight {

/// y + t (e_up - e_down) is in K for -backward <= t <= forward, both positive, and at either end
/// lies on a smaller face of K than y: after at most d moves a point is a vertex.
struct PipageMove {
  Item up;
  Item down;  ///< -1: `up` moves alone
  double forward;
  double backward;

  void apply(double step, PointRef y) const;
};

/// The next move from y in K, always the same from the same point; none if every item is 0 or 1.
/// Sets items that are within rounding noise of 0 or 1 to that.
std::optional<PipageMove> next_move(const Matroid& matroid, PointRef y);

/// The items at 1 of a point without moves. Independent, whatever rounding noise has done.
void read_vertex(const Matroid& matroid, PointView y, ItemSet& out);

}  // namespace hindsight
