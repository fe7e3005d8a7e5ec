/// Notices that rewards have fallen: the world has shifted.
#pragma once

#include <algorithm>
#include <cmath>

namespace hindsight {

/// A cumulative sum (Page 1954) of how far values fall short of their running mean, in standard
/// deviations, beyond the half of one that is allowed. One value counts for at most 2, so that a
/// single bad draw raises no alarm. Around a steady mean false alarms come after about e^h rounds,
/// h = 16 at first; each alarm makes the next one harder, so that a world that goes up and down
/// for ever does not keep a learner from learning.
class DropAlarm {
 public:
  /// `surprise` is a value less the mean of those before it, `variance` its usual square.
  bool raised_by(double surprise, double variance) {
    if (!(variance > 0)) return false;
    sum_ = std::max(0.0, sum_ + std::min(2.0, -surprise / std::sqrt(variance)) - .5);
    if (sum_ < threshold_) return false;
    sum_ = 0;
    threshold_ *= 1.25;
    return true;
  }

 private:
  double sum_ = 0;
  double threshold_ = 16;
};

}  // namespace hindsight
