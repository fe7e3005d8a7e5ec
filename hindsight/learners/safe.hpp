/// A learner without a guarantee and Slot-Boost, which has one, under a hedge.
///
/// Two experts: any set learner (as a rule `guarded`) and SlotBandit. With probability q = min(.05,
/// t^{-1/3} / 2) a round is one of three, each as likely: a trial of the slots, a play of the
/// slots, a play of the other expert. All other rounds go to the expert with probability pi =
/// sigmoid(3 + D / sqrt B), where D adds up importance-weighted differences of what both earn and B
/// their variances; 3 is a prior in favour of the expert.
///
/// With functions fixed in advance the (1-1/e)-regret is O(T^{2/3}): that of Slot-Boost trained
/// with probability q/3, plus the hedge's sqrt B = O(T^{2/3}) (docs/safe.md).
#pragma once

#include "hindsight/learners/slot_bandit.hpp"

namespace hindsight {

struct SafeOptions {
  Round ahead = 64;      ///< how many rounds may be out at once
  bool learning = true;  ///< false: the control
  std::uint64_t seed = 1;
};

class Safe final : public Learner {
 public:
  Safe(LearnerPtr expert, std::unique_ptr<SlotBandit> slots, const SafeOptions& options);

  std::string_view kind() const override { return "safe"; }
  bool plays_sets() const override { return true; }
  Suggestion suggest() override;
  Round ready() const override;
  void observe(const Feedback& feedback) override;
  void lose(Round round) override;

 private:
  enum class Role : std::int64_t { expert, slots, trial };
  struct Turn {
    Role role = Role::expert;
    Round round = 0;  // of that learner's own
    double probability = 1;
    double variance_rate = 0;  // 3/q
  };

  Learner& player_of(const Turn& turn) const;
  void write(Writer& writer) const override;
  void read(Reader& reader) override;

  LearnerPtr expert_;
  std::unique_ptr<SlotBandit> slots_;
  SafeOptions options_;
  StreamFamily coins_;
  RoundWindow window_;
  std::vector<Turn> turns_;  // by row
  RunningScale scale_;
  double lead_ = 0;    // D
  double spread_ = 0;  // B
};

}  // namespace hindsight
