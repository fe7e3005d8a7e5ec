/// Mono-Frank-Wolfe: one stochastic gradient a function.
///
/// Zhang, Chen, Hassani, Karbasi, NeurIPS 2019, Algorithm 1. With `mono_plan` and Assumptions 1 to
/// 4 E[(1-1/e)-regret] <= (N + C + D^2) T^{4/5} + (L2 D^2 / 2) T^{2/5} (Theorem 1).
///
/// Full information: the gradient is asked for at x_q^(k'), while x_q is played.
/// Letters: docs/notation.md; lines 1 to 4 and 6: frank_wolfe_blocks.hpp.
#pragma once

#include "hindsight/learners/frank_wolfe_blocks.hpp"

namespace hindsight {

class MonoFrankWolfe final : public FrankWolfeBlocks {
 public:
  /// `domain` is convex, compact and contains 0, its lower corner.
  MonoFrankWolfe(DomainPtr domain, FrankWolfePlan plan, const FrankWolfeOptions& options = {});

  std::string_view kind() const override { return "mono-frank-wolfe"; }

 private:
  Suggestion play(Round round, int k) override;
  void learn(const Feedback& feedback, int k) override;
};

}  // namespace hindsight
