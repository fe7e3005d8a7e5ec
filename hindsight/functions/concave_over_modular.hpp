/// Concave over modular: every group of items has its own diminishing return.
#pragma once

#include <vector>

#include "hindsight/functions/function.hpp"

namespace hindsight {

enum class Concave { square_root, log1p, capped };

/// f(S) = sum_g coefficients[g] phi(sum_{i in S} weights[g][i]), with phi(z) = sqrt z, log(1 + z)
/// or min(cap, z). The extension has no closed form. A value costs O(groups |S|).
class ConcaveOverModular final : public SetFunction {
 public:
  /// A row of `weights` for each group, a column for each item. Groups with caps of their own share
  /// the cap 1: c min(cap, z) = (c cap) min(1, z / cap).
  ConcaveOverModular(const std::vector<std::vector<double>>& weights,
                     std::vector<double> coefficients, Concave shape, double cap = 1);

  int dimension() const override { return static_cast<int>(weights_.columns()); }
  double value(ItemView set) const override;
  double max_value() const override { return max_value_; }

  const PointTable& weights() const { return weights_; }
  const std::vector<double>& coefficients() const { return coefficients_; }
  double shaped(double z) const;  ///< phi(z)
  double slope(double z) const;   ///< phi'(z), z > 0; from the left where it jumps

 private:
  PointTable weights_;
  std::vector<double> coefficients_;
  Concave shape_;
  double cap_;
  double max_value_ = 0;
};

}  // namespace hindsight
