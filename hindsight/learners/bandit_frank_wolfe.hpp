/// Bandit-Frank-Wolfe: only the value of the point played is seen.
///
/// Zhang, Chen, Hassani, Karbasi, NeurIPS 2019, Algorithm 2. With `bandit_plan`, a down-closed K
/// and its `shrunk_interior`, E[(1-1/e)-regret] <= N T^{8/9} + ... (Theorem 2); with
/// `general_interior_plan` and any interior that has a lower corner and d(K, K') <= c1 delta^gamma,
/// T^{(3+5m)/(3+6m)}, m = min(1, gamma) (Theorem 4). At horizons people have it learns
/// little and earns less than a constant point: docs/bandit-frank-wolfe.md has the figures.
///
/// Letters: docs/notation.md; lines 1 to 4 and 9: frank_wolfe_blocks.hpp.
#pragma once

#include "hindsight/learners/exploration.hpp"
#include "hindsight/learners/frank_wolfe_blocks.hpp"

namespace hindsight {

class BanditFrankWolfe : public FrankWolfeBlocks {
 public:
  /// `interior` is K': a ball of radius plan.radius around each of its points may be played.
  /// Without an `exploration`, the algorithm's own one-point estimate is used.
  BanditFrankWolfe(DomainPtr interior, FrankWolfePlan plan, const FrankWolfeOptions& options = {},
                   ExplorationPtr exploration = nullptr);

  std::string_view kind() const override { return "bandit-frank-wolfe"; }

 protected:
  Suggestion play(Round round, int k) override;
  void learn(const Feedback& feedback, int k) override;
  std::string_view exploration() const override { return exploration_->kind(); }
  void block_opened() override;
  void write_more(Writer& writer) const override;
  void read_more(Reader& reader) override;

 private:
  BanditFrankWolfe(ExplorationPtr exploration, DomainPtr interior, FrankWolfePlan plan,
                   const FrankWolfeOptions& options);
  // Apart from the rounds that exploit, of which there are more.
  [[gnu::noinline]] Suggestion explore(Round round, int k);
  [[gnu::noinline]] void learn_step(const Feedback& feedback, int k);

  ExplorationPtr exploration_;
  bool plays_rows_;  // are iterates used where they are kept in f32?
};

}  // namespace hindsight
