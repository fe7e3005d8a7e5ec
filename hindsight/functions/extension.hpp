/// The multilinear extension F(x) = E f(S), where S holds item i with odds x_i, independently.
#pragma once

#include <cstdint>
#include <vector>

#include "hindsight/functions/function.hpp"

namespace hindsight {

struct SamplingOptions {
  int samples = 1024;      ///< sets drawn a value; at least 2, for a standard error
  std::uint64_t seed = 0;  ///< of the thresholds
};

/// The extension of f, exact where that is cheap: in closed form if f has one; else from the table
/// of all sets, if they are no more than `samples`; else a SampledExtension.
ContinuousFunctionPtr extend(SetFunctionPtr f, SamplingOptions options = {});

/// What holds for the extension of every monotone submodular f, from d + 2 values of f. With
/// g_i = f({i}) - f({}): L1 = |g| and L2 = max_i sum_{j != i} min(g_i, g_j), which are at most
/// M1 sqrt d and M1 (d-1) where f >= 0. (docs/functions.md derives them.)
FunctionFacts extension_facts(const SetFunction& f);

/// The average over sets S_s = {i : U_si < x_i} with thresholds U that are drawn once: the same x
/// gives the same answer, and near x see the same luck. The average is a step function, and its
/// gradient is the average of f(S_s + i) - f(S_s - i), which estimates the gradient of F; the facts
/// are those of F. The thresholds do not know x: where x was chosen by what they gave, estimates
/// are too hopeful, and another seed should judge.
class SampledExtension final : public ContinuousFunction {
 public:
  explicit SampledExtension(SetFunctionPtr f, SamplingOptions options = {});

  struct Estimate {
    double mean = 0;
    double standard_error = 0;
  };

  int dimension() const override { return f_->dimension(); }
  double value(PointView x) const override;
  void gradient(PointView x, PointRef out) const override;
  FunctionFacts facts() const override { return facts_; }

  Estimate estimate(PointView x) const;

 private:
  std::vector<ItemSet> draw(PointView x) const;

  SetFunctionPtr f_;
  PointTable thresholds_;  // a row for each sample
  FunctionFacts facts_;
};

}  // namespace hindsight
