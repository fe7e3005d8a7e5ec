/// Pipage rounding, step by step: a walk from a point of a matroid polytope to a vertex, along
/// lines on which the multilinear extension of every submodular function is convex.
#pragma once

#include <optional>
#include <vector>

#include "hindsight/core/item_set.hpp"
#include "hindsight/domains/matroid.hpp"

namespace hindsight {

/// y + t (e_up - e_down) is in K for -backward <= t <= forward, both positive, and at either end
/// lies on a smaller face of K than y.
struct PipageMove {
  Item up;
  Item down;  ///< -1: `up` moves alone
  double forward;
  double backward;

  void apply(double step, PointRef y) const;
};

/// Always the same from the same point, but for the ends that are chosen; at a vertex after at most
/// d moves, as each leads to a smaller face. A copy goes on by itself.
class PipageWalk {
 public:
  /// From a point in K. `matroid` must outlive the walk.
  PipageWalk(const Matroid& matroid, PointView start);

  PointView point() const { return y_; }
  /// None at a vertex.
  const std::optional<PipageMove>& move() const { return move_; }
  /// Moves to one end.
  void go(bool forward);
  /// The items at 1 of a vertex. Independent, whatever rounding noise has done.
  void read_vertex(ItemSet& out) const;

 private:
  void find_move();
  Item find_free(Item start);

  const Matroid* matroid_;
  Point y_;
  std::vector<char> tied_;  // known to be in a tight set; tight sets stay tight
  std::optional<PipageMove> move_;
};

}  // namespace hindsight
