/// Facility location: every customer is served by the best item that is open.
#pragma once

#include <vector>

#include "hindsight/functions/function.hpp"

namespace hindsight {

/// f(S) = sum_c weights[c] max_{i in S} benefits[c][i], 0 for the empty set. The extension is
/// closed: with a customer's items sorted by falling benefit, F_c(x) = sum_j b_j x_j prod_{l<j} (1
/// - x_l).
class FacilityLocation final : public SetFunction {
 public:
  /// A row of `benefits` for each customer, a column for each item. No weights: 1 for every
  /// customer.
  explicit FacilityLocation(const std::vector<std::vector<double>>& benefits,
                            std::vector<double> weights = {});

  int dimension() const override { return static_cast<int>(benefits_.columns()); }
  double value(ItemView set) const override;
  double max_value() const override { return max_value_; }
  std::unique_ptr<const ContinuousFunction> closed_extension() const override;
  /// Keeps what every customer has: a gain is one sweep over the item's benefits. As large as f.
  std::unique_ptr<GrowingSet> grow() const override;

  const PointTable& benefits() const { return benefits_; }
  const std::vector<double>& weights() const { return weights_; }

 private:
  PointTable benefits_;
  std::vector<double> weights_;
  double max_value_ = 0;
};

}  // namespace hindsight
