/// D-optimal design with divisible experiments: how much repeating experiment i by x_i tells.
#pragma once

#include <vector>

#include "hindsight/functions/function.hpp"

namespace hindsight {

/// F(x) = log det(sum_i (1 + x_i) a_i a_i') - log det(sum_i a_i a_i') on [0, 1]^d for vectors a_i
/// that span their space: every experiment is made once, and x_i of it again. Monotone and concave;
/// its Hessian, -(a_i' M(x)^-1 a_j)^2, has no positive entry.
class Design final : public ContinuousFunction {
 public:
  explicit Design(const std::vector<std::vector<double>>& vectors);

  int dimension() const override { return static_cast<int>(vectors_.rows()); }
  double value(PointView x) const override;
  void gradient(PointView x, PointRef out) const override;
  FunctionFacts facts() const override;

 private:
  PointTable vectors_;  // whitened: sum_i a_i a_i' = I
};

}  // namespace hindsight
