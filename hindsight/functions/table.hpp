/// A set function given by all its values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hindsight/functions/function.hpp"

namespace hindsight {

/// Where a set function breaks a law.
struct Violation {
  ItemSet set;
  Item item = 0;
  std::optional<Item> other = std::nullopt;  ///< the second item, for submodularity
  double excess = 0;                         ///< by how much

  std::string text() const;
};

/// values[m] is f of the set whose items are the bits of m: bit i for item i. Nothing but
/// finiteness is asked of the values; what the theory needs can be looked for. The extension is
/// closed, by enumeration: value and gradient both cost O(2^d).
class Table final : public SetFunction {
 public:
  static constexpr int max_dimension = 20;

  Table(int dimension, std::vector<double> values);
  /// All values of f, which must have at most max_dimension items.
  static Table of(const SetFunction& f);

  int dimension() const override { return dimension_; }
  double value(ItemView set) const override;
  double max_value() const override { return max_value_; }
  std::unique_ptr<const ContinuousFunction> closed_extension() const override;

  const std::vector<double>& values() const { return *values_; }

  /// A set S and an item i with f(S + i) < f(S), if there are any. Differences below
  /// `tolerance` * max_value() count as rounding.
  std::optional<Violation> find_decrease(double tolerance = 1e-12) const;
  /// A set S and items i, j with f(S + i) - f(S) < f(S + j + i) - f(S + j), if there are any.
  std::optional<Violation> find_increasing_return(double tolerance = 1e-12) const;

 private:
  int dimension_;
  std::shared_ptr<const std::vector<double>> values_;  // shared with the extensions
  double max_value_ = 0;
};

}  // namespace hindsight
