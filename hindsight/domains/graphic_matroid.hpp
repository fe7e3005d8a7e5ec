/// Graphic matroids: the items are the edges of a graph, the independent sets its forests.
#pragma once

#include <array>
#include <cstdint>

#include "hindsight/domains/matroid.hpp"

namespace hindsight {

/// conv{ 1_F : F a forest } = { x >= 0, x(E[S]) <= |S| - 1 for every set S of nodes } (Edmonds).
///
/// Nodes count from 0; any that appear may be used, and edges may be parallel. r = 1/sqrt m, m the
/// largest number of parallel edges: a connected set of edges on n nodes has rank n-1 and at most
/// m n(n-1)/2 edges, so that rank/sqrt(size) >= sqrt(2(n-1)/(n m)) >= 1/sqrt m, with equality for
/// a pair of nodes; and unions of such sets do no better than the best of them.
class GraphicMatroid final : public Matroid {
 public:
  explicit GraphicMatroid(std::vector<std::array<int, 2>> edges);

  int dimension() const override { return static_cast<int>(edges_.size()); }
  /// Kruskal's greedy over positive weights; among equal weights the smaller item comes first.
  void maximize(PointView weights, PointRef out) const override;
  /// By Wolfe's algorithm, with a certified distance of at most 1e-9 to the nearest point.
  void project(PointRef x, std::span<double> warm = {}) const override;
  bool contains(PointView x, double tolerance) const override;
  double inner_radius() const override;
  std::string describe() const override;

  bool independent(ItemView set) const override;
  int rank() const override { return nodes_ - static_cast<int>(roots_.size()); }
  /// By Wilson's algorithm, "Generating random spanning trees more quickly than the cover time",
  /// STOC 1996.
  void random_base(Stream& stream, ItemSet& out) const override;
  ConvexCombination decompose(PointView x) const override;
  double room(PointView x, Item up, Item down) const override;

  const std::vector<std::array<int, 2>>& edges() const { return edges_; }

  /// x(edges) <= limit, one of Edmonds' constraints: the edges among limit + 1 nodes.
  struct Constraint {
    ItemSet edges;
    int limit;
  };
  /// Constraints that x >= 0 breaks by more than `tolerance`: for each node the one broken most, if
  /// any. None are found only where none are broken. Allocates.
  std::vector<Constraint> broken_constraints(PointView x, double tolerance) const;

 private:
  class Forests;

  struct Incidence {
    Item edge;
    int other;  // the node at its other end
  };

  template <class Scalar>
  void best_forest(std::span<const Scalar> weights, std::span<std::uint8_t> out) const;

  std::vector<std::array<int, 2>> edges_;  // as given
  std::vector<std::array<int, 2>> ends_;   // the same with nodes renumbered 0, ..., nodes_ - 1
  int nodes_ = 0;
  std::vector<int> roots_;  // one node a connected component
  std::vector<std::size_t> first_incidence_;
  std::vector<Incidence> incidences_;  // those of node v start at first_incidence_[v]
  int most_parallel_ = 1;
};

using GraphicMatroidPtr = std::shared_ptr<const GraphicMatroid>;

}  // namespace hindsight
