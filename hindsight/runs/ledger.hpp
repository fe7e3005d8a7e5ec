/// What was earned, and what it cost to learn.
#pragma once

#include <cmath>

#include "hindsight/core/suggestion.hpp"
#include "hindsight/domains/matroid.hpp"

namespace hindsight {

/// Rewards are free of noise. A set outside the matroid earns 0 and is counted.
class Ledger {
 public:
  /// Without a matroid, sets are taken as feasible.
  explicit Ledger(MatroidPtr matroid = nullptr) : matroid_(std::move(matroid)) {}

  /// `worth` is what the play was worth without noise. Returns the reward.
  double record(const Suggestion& s, double worth) {
    const bool feasible = !s.set || !matroid_ || matroid_->independent(s.set->view());
    const double reward = feasible ? worth : 0;
    const double sum = reward_ + reward;
    correction_ +=
        std::abs(reward_) >= std::abs(reward) ? (reward_ - sum) + reward : (reward - sum) + reward_;
    reward_ = sum;
    ++rounds_;
    gradients_ += static_cast<Round>(s.probes.count);
    infeasible_ += feasible ? 0 : 1;
    return reward;
  }

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
