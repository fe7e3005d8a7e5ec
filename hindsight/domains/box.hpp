/// The box [0, upper].
#pragma once

#include "hindsight/domains/domain.hpp"

namespace hindsight {

/// D = R = |upper|, attained by the corners; r = min upper.
class Box final : public Domain {
 public:
  explicit Box(Point upper);

  int dimension() const override { return static_cast<int>(upper_.size()); }
  void maximize(PointView weights, PointRef out) const override;
  void project(PointRef x, std::span<double> warm = {}) const override;
  std::size_t shortest_shared() const override { return Workers::shortest_row; }
  bool contains(PointView x, double tolerance) const override;
  double inner_radius() const override;
  double diameter() const override { return norm(upper_); }
  double radius() const override { return norm(upper_); }
  DomainPtr erode(double delta) const override;
  std::string describe() const override;

 private:
  Point upper_;
};

}  // namespace hindsight
