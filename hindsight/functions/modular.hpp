/// A modular function: every item has its own worth, whatever the others.
#pragma once

#include "hindsight/functions/function.hpp"

namespace hindsight {

/// f(S) = sum of weights[i] over i in S, weights >= 0. The extension is F(x) = <weights, x>.
class Modular final : public SetFunction {
 public:
  explicit Modular(std::vector<double> weights);

  int dimension() const override { return static_cast<int>(weights_.size()); }
  double value(ItemView set) const override;
  double max_value() const override { return max_value_; }
  std::unique_ptr<const ContinuousFunction> closed_extension() const override;

  const std::vector<double>& weights() const { return weights_; }

 private:
  std::vector<double> weights_;
  double max_value_;
};

}  // namespace hindsight
