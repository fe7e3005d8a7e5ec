/// Meta-Frank-Wolfe and its variance-reduced sibling: the baselines of the paper's Table 1. Every
/// round is a block of its own, with K gradients.
///
/// Meta-FW: Chen, Hassani, Karbasi, AISTATS 2018; K = T^{1/2} exact gradients, no averaging. VR-FW:
/// Chen, Harshaw, Hassani, Karbasi, ICML 2018; K = T^{3/2} stochastic gradients, averaged. Both:
/// (1-1/e)-regret O(sqrt T).
#pragma once

#include "hindsight/learners/frank_wolfe_blocks.hpp"

namespace hindsight {

class MetaFrankWolfe : public FrankWolfeBlocks {
 public:
  /// `domain` is convex, compact and contains 0, its lower corner. `plan` comes from `meta_plan`.
  MetaFrankWolfe(DomainPtr domain, FrankWolfePlan plan, const FrankWolfeOptions& options = {});

  std::string_view kind() const override { return "meta-frank-wolfe"; }

 private:
  Suggestion play(Round round, int k) override;
  void learn(const Feedback& feedback, int k) override;
};

/// The same algorithm, with a plan from `vr_plan`.
class VrFrankWolfe final : public MetaFrankWolfe {
 public:
  using MetaFrankWolfe::MetaFrankWolfe;
  std::string_view kind() const override { return "vr-frank-wolfe"; }
};

}  // namespace hindsight
