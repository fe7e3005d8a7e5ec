/// Uniform, partition and laminar matroids: at most c_F items of each set F of a laminar family.
#pragma once

#include <limits>

#include "hindsight/domains/laminar_polytope.hpp"
#include "hindsight/domains/matroid.hpp"

namespace hindsight {

class LaminarMatroid final : public Matroid {
 public:
  /// The capacities of the family are whole numbers.
  LaminarMatroid(int dimension, std::vector<LaminarSet> family, std::string description);

  int dimension() const override { return polytope_.dimension(); }
  void maximize(PointView weights, PointRef out) const override {
    polytope_.maximize(weights, out);
  }
  void project(PointRef x, std::span<double> warm = {}) const override {
    polytope_.project(x, warm);
  }
  void project_each(std::span<double> points, std::span<double> warm) const override {
    polytope_.project_each(points, warm);
  }
  void ascend_each(std::span<double> points, std::span<const double> steps, PointView directions,
                   std::span<double> warm, Workers* workers) const override {
    polytope_.ascend_each(points, steps, directions, warm, workers);
  }
  void ascend_each_in(const AffineMap& image, std::span<double> points,
                      std::span<const double> steps, PointView directions, std::span<double> warm,
                      Workers* workers) const override {
    polytope_.ascend_each_in(image, points, steps, directions, warm, workers);
  }
  std::size_t shortest_shared() const override { return polytope_.shortest_shared(); }
  bool ascends_in_strips(std::size_t threads) const override {
    return polytope_.ascends_in_strips(threads);
  }
  void ascend_strips(const AffineMap& image, const TableRows& points, std::span<const double> steps,
                     const ConstTableRows& directions, std::span<double> warm,
                     Workers& workers) const override {
    polytope_.ascend_strips(image, points, steps, directions, warm, workers);
  }
  void ascend_each(std::span<float> distances, PointView lower, double scale,
                   std::span<const double> steps, const NarrowDirections& directions,
                   std::span<double> warm) const override {
    polytope_.ascend_each(distances, lower, scale, steps, directions, warm);
  }
  bool ascends_along() const override { return polytope_.ascends_along(); }
  double ascend_along(std::span<float> distance, double scale, double step, std::span<double> warm,
                      const NarrowStep& along) const override {
    return polytope_.ascend_along(distance, scale, step, warm, along);
  }
  int multipliers() const override { return polytope_.multipliers(); }
  bool contains(PointView x, double tolerance) const override {
    return polytope_.contains(x, tolerance);
  }
  double inner_radius() const override { return polytope_.inner_radius(); }
  /// Attained: a set with at most 2 c_F items of each F splits evenly into two independent sets.
  double diameter() const override { return polytope_.diameter(); }
  DomainPtr erode(double delta) const override { return polytope_.erode(delta); }
  std::string describe() const override { return description_; }

  bool independent(ItemView set) const override;
  int rank() const override { return rank_; }
  void random_base(Stream& stream, ItemSet& out) const override;
  ConvexCombination decompose(PointView x) const override;
  double room(PointView x, Item up, Item down) const override;

  /// Inner sets come before outer ones; `parent` links them.
  const std::vector<LaminarSet>& family() const { return polytope_.family(); }
  int innermost(Item item) const { return polytope_.innermost(item); }

 private:
  /// How to count and draw the independent subsets of one set, by size: it consists of inner sets
  /// and of items of its own. Counts are scaled by their maximum, as only their ratios matter.
  struct Counts {
    std::vector<int> inner;                   // positions in the family
    ItemSet own;                              // items in no inner set
    std::vector<std::vector<double>> prefix;  // prefix[j]: own items and the first j inner sets
  };

  void draw(const Counts& counts, int size, Stream& stream, ItemSet& out) const;

  LaminarPolytope polytope_;
  int rank_;
  double least_capacity_ = std::numeric_limits<double>::infinity();
  std::vector<Counts> counts_;  // one a set of the family
  ItemSet unbounded_;           // items in no set at all: in every base
  ItemSet depth_first_;         // items in an order in which every set is contiguous
  std::string description_;
};

using LaminarMatroidPtr = std::shared_ptr<const LaminarMatroid>;

/// Any `rank` of `dimension` items.
LaminarMatroidPtr uniform_matroid(int dimension, int rank);
/// At most capacities[j] items of parts[j]; the parts hold every item exactly once.
LaminarMatroidPtr partition_matroid(const std::vector<ItemSet>& parts,
                                    const std::vector<int>& capacities);
/// At most capacities[j] items of sets[j]; any two sets are nested or disjoint.
LaminarMatroidPtr laminar_matroid(int dimension, const std::vector<ItemSet>& sets,
                                  const std::vector<int>& capacities);

}  // namespace hindsight
