/// Weighted coverage: a set of items is worth the weight of the elements that it covers.
#pragma once

#include <cstdint>
#include <vector>

#include "hindsight/functions/function.hpp"
#include "hindsight/functions/lists.hpp"

namespace hindsight {

/// f(S) = sum of weights[e] over the elements e that some item of S covers; sets[i] lists the
/// elements of item i. The extension is closed: F(x) = sum_e w_e (1 - prod_{i covers e} (1 - x_i)).
class Coverage final : public SetFunction {
 public:
  Coverage(std::vector<double> weights, const std::vector<std::vector<int>>& sets);

  int dimension() const override { return static_cast<int>(elements_.size()); }
  double value(ItemView set) const override;
  double max_value() const override { return max_value_; }
  std::unique_ptr<const ContinuousFunction> closed_extension() const override;

  const std::vector<double>& weights() const { return weights_; }
  std::span<const int> elements(Item i) const { return elements_[static_cast<std::size_t>(i)]; }

 private:
  /// Both add up in the same order.
  double value_by_masks(ItemView set) const;
  double value_by_lists(ItemView set) const;

  std::vector<double> weights_;
  Lists elements_;  // by item
  /// The same as bits, where there are at most 64 elements and every list is rising; else empty.
  std::vector<std::uint64_t> masks_;
  double max_value_ = 0;
};

}  // namespace hindsight
