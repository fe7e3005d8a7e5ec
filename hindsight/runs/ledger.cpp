#include "hindsight/runs/ledger.hpp"

#include <cmath>

namespace hindsight {

double Ledger::record(const Suggestion& s, double worth) {
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

}  // namespace hindsight
