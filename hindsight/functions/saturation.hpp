/// Saturation: every customer responds less and less to what is spent on reaching him.
#pragma once

#include <vector>

#include "hindsight/functions/function.hpp"

namespace hindsight {

/// F(x) = sum_c weights[c] (1 - exp(-<rates[c], x>)) on the box [0, 1]^d. Concave, with diminishing
/// returns also from more of the same item: where a budget is to be spent the best point is
/// fractional. A value or a gradient costs O(customers x items).
class Saturation final : public ContinuousFunction {
 public:
  /// A row of `rates` for each customer, a column for each item.
  Saturation(const std::vector<std::vector<double>>& rates, std::vector<double> weights);

  int dimension() const override { return static_cast<int>(rates_.columns()); }
  double value(PointView x) const override;
  void gradient(PointView x, PointRef out) const override;
  /// M1 = F(1); L1 = |grad F(0)|, where the gradient is longest; L2 = sum_c w_c |rates_c|^2, the
  /// trace of the Hessian at 0, where it is largest.
  FunctionFacts facts() const override;

 private:
  PointTable rates_;
  std::vector<double> weights_;
};

}  // namespace hindsight
