/// Responsive-Frank-Wolfe: sets under a matroid, where infeasible sets answer but earn nothing.
///
/// Zhang, Chen, Hassani, Karbasi, NeurIPS 2019, Algorithm 3: Algorithm 2 on the multilinear
/// extension; exploring points are rounded by RandRound, exploited ones by LosslessRound. With
/// `bandit_plan` and the `shrunk_interior` of the matroid polytope E[(1-1/e)-regret] <= N T^{8/9} +
/// ... (Theorem 3). At horizons people have it learns little and earns less than a constant
/// point does: docs/responsive-frank-wolfe.md has the figures.
///
/// Departs from the paper in what "lossless" means. Pipage rounding that compares function values
/// needs f_t, which is unknown when Y_t is chosen, and contention resolution loses a constant
/// factor; used here are randomised pipage and swap rounding, for which E f(Y) >= F(y) holds for
/// every submodular f at once.
#pragma once

#include "hindsight/domains/matroid.hpp"
#include "hindsight/learners/bandit_frank_wolfe.hpp"
#include "hindsight/learners/set_table.hpp"
#include "hindsight/rounding/lossless_rounding.hpp"

namespace hindsight {

class ResponsiveFrankWolfe final : public BanditFrankWolfe {
 public:
  /// `interior` is an interior of the matroid's polytope, as for BanditFrankWolfe. Without a
  /// rounding, the one made for the matroid is used; without an exploration, which must draw sets,
  /// the algorithm's own.
  ResponsiveFrankWolfe(MatroidPtr matroid, DomainPtr interior, FrankWolfePlan plan,
                       const FrankWolfeOptions& options = {},
                       std::unique_ptr<LosslessRounding> rounding = nullptr,
                       ExplorationPtr exploration = nullptr);

  std::string_view kind() const override { return "responsive-frank-wolfe"; }
  bool plays_sets() const override { return true; }

 private:
  Suggestion play(Round round, int k) override;
  void block_opened() override;
  void read_more(Reader& reader) override;

  StreamFamily coins_;
  std::unique_ptr<LosslessRounding> lossless_;
  SetTable exploited_;  // by position in the block: independent sets
  ItemSet drawn_;
};

}  // namespace hindsight
