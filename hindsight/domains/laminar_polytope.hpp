/// { 0 <= x <= upper, x(F) <= c_F for every F of a laminar family }: the polymatroids behind the
/// uniform, partition and laminar matroids and behind their exact erosions.
#pragma once

#include <vector>

#include "hindsight/core/item_set.hpp"
#include "hindsight/domains/domain.hpp"

namespace hindsight {

/// One set of a laminar family: any two sets are disjoint or nested.
struct LaminarSet {
  ItemSet items;
  double capacity = 0;
  int parent = -1;  ///< the smallest set around it, -1 if there is none
};

/// Checks a family of item sets for range, repetition and laminarity, sorts it so that inner sets
/// come before outer ones, and links each set to its parent. Errors name `name[i]`.
std::vector<LaminarSet> laminar_family(int dimension, const std::vector<ItemSet>& sets,
                                       const std::vector<double>& capacities, const char* name);

/// Projection is exact: inner sets first, each finds the shift it needs on top of the shifts of the
/// sets inside it (docs/domains.md has the proof). R^2 = upper * max x(all) and D^2 = upper * max
/// z(all) with doubled capacities are upper bounds, attained where upper divides the capacities.
class LaminarPolytope final : public Domain {
 public:
  LaminarPolytope(int dimension, double upper, std::vector<LaminarSet> family);

  int dimension() const override { return dimension_; }
  void maximize(PointView weights, PointRef out) const override;
  void project(PointRef x, std::span<double> warm = {}) const override;
  void project_each(std::span<double> points, std::span<double> warm) const override;
  void ascend_each(std::span<double> points, std::span<const double> steps, PointView directions,
                   std::span<double> warm, Workers* workers) const override;
  void ascend_each_in(const AffineMap& image, std::span<double> points,
                      std::span<const double> steps, PointView directions, std::span<double> warm,
                      Workers* workers) const override;
  std::size_t shortest_shared() const override {
    return nested_ ? Domain::shortest_shared() : Workers::shortest_row;
  }
  bool ascends_in_strips(std::size_t threads) const override;
  void ascend_strips(const AffineMap& image, const TableRows& points, std::span<const double> steps,
                     const ConstTableRows& directions, std::span<double> warm,
                     Workers& workers) const override;
  void ascend_each(std::span<float> distances, PointView lower, double scale,
                   std::span<const double> steps, const NarrowDirections& directions,
                   std::span<double> warm) const override;
  bool ascends_along() const override { return one_simplex_; }
  double ascend_along(std::span<float> distance, double scale, double step, std::span<double> warm,
                      const NarrowStep& along) const override;
  int multipliers() const override { return static_cast<int>(family_.size()); }
  bool contains(PointView x, double tolerance) const override;
  double inner_radius() const override;
  double diameter() const override;
  double radius() const override;
  DomainPtr erode(double delta) const override;
  std::string describe() const override;

  const std::vector<LaminarSet>& family() const { return family_; }
  /// The innermost set around an item, -1 if there is none.
  int innermost(Item item) const { return innermost_[static_cast<std::size_t>(item)]; }
  /// max { x(all) : x in K } with every capacity multiplied by `factor`.
  double largest_total(double factor) const;

 private:
  int dimension_;
  double upper_;
  std::vector<LaminarSet> family_;
  std::vector<int> innermost_;
  bool nested_;       // some set has a parent
  bool one_simplex_;  // all items, in their natural order, under one capacity: nothing to gather
};

}  // namespace hindsight
