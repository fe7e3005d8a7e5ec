/// The sum of a game's functions: what the best fixed decision maximises.
#pragma once

#include <vector>

#include "hindsight/games/game.hpp"

namespace hindsight {

/// sum_t F_t, aggregated: its size does not grow with the rounds.
class Mixture final : public ContinuousFunction {
 public:
  explicit Mixture(const std::vector<WeightedFunction>& functions);

  int dimension() const override { return functions_.front().function.continuous->dimension(); }
  double value(PointView x) const override;
  void gradient(PointView x, PointRef out) const override;
  FunctionFacts facts() const override;

  /// sum_t f_t(S), where every function is a set function.
  double value_of_set(ItemView set) const;
  bool has_sets() const;
  /// {}, to be grown for that sum.
  std::unique_ptr<GrowingSet> grow() const;

  /// Whether value() and gradient() are true everywhere: a SampledExtension estimates, except at
  /// the corners of the box.
  bool exact() const;
  /// At most sum_t F_t(x), and equal where the functions are exact. In the place of an estimate
  /// stands the Lovasz extension of f, the average of f over the level sets of x: the smallest
  /// expected value of a submodular f over sets drawn with the odds x.
  double sure_value(PointView x) const;

  const std::vector<WeightedFunction>& functions() const { return functions_; }

 private:
  std::vector<WeightedFunction> functions_;
};

}  // namespace hindsight
