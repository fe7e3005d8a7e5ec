/// What was earned, and what it cost to learn.
#pragma once

#include "hindsight/core/suggestion.hpp"
#include "hindsight/domains/matroid.hpp"

namespace hindsight {

/// Rewards are free of noise. A set outside the matroid earns 0 and is counted.
class Ledger {
 public:
  /// Without a matroid, sets are taken as feasible.
  explicit Ledger(MatroidPtr matroid = nullptr) : matroid_(std::move(matroid)) {}

  /// `worth` is what the play was worth without noise. Returns the reward.
  double record(const Suggestion& suggestion, double worth);

  Round rounds() const { return rounds_; }
  double reward() const { return reward_ + correction_; }
  Round value_queries() const { return rounds_; }
  Round gradient_queries() const { return gradients_; }
  Round infeasible_plays() const { return infeasible_; }

 private:
  MatroidPtr matroid_;
  Round rounds_ = 0;
  double reward_ = 0;  // Neumaier's sum: 1e9 rewards add up without drift
  double correction_ = 0;
  Round gradients_ = 0;
  Round infeasible_ = 0;
};

}  // namespace hindsight
