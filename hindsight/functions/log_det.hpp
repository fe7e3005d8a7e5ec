/// Log-determinant: how much a set of items tells, or how different its items are.
#pragma once

#include <vector>

#include "hindsight/functions/function.hpp"

namespace hindsight {

/// f(S) = log det(I + scale M_SS) for a positive semidefinite kernel M: twice the information that
/// noisy readings of S give about a Gaussian with covariance scale M. Monotone, since what an item
/// adds is the logarithm of a Schur complement of I + scale M, which is at least 1. The extension
/// has no closed form. A value costs O(|S|^3), all differences O(d |S|^2); a gain of a growing set
/// O(|S|) for each item added since it was last asked for.
class LogDet final : public SetFunction {
 public:
  explicit LogDet(const std::vector<std::vector<double>>& kernel, double scale = 1);

  int dimension() const override { return static_cast<int>(matrix_.rows()); }
  double value(ItemView set) const override;
  double max_value() const override { return max_value_; }
  std::unique_ptr<GrowingSet> grow() const override;
  void differences(ItemView set, PointRef out) const override;

  const PointTable& matrix() const { return matrix_; }  ///< I + scale M

 private:
  PointTable matrix_;  // I + scale M
  double max_value_ = 0;
};

}  // namespace hindsight
