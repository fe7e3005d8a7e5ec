/// An unknown horizon, by doubling: a wrapper around any learner that wants to know its horizon.
///
/// Stage m plays a fresh learner for first_horizon 2^m rounds. If the inner regret is at most B
/// T^a, a > 0, the whole has at most 2^a / (2^a - 1) times that, up to the last unfinished stage,
/// whose bound is that of its full length (Cesa-Bianchi and Lugosi 2006, section 2.3).
#pragma once

#include <functional>

#include "hindsight/learners/learner.hpp"

namespace hindsight {

class Doubling final : public Learner {
 public:
  /// Makes the learner of a stage (from 0) for a known horizon. Stages should draw from different
  /// seeds.
  using Factory = std::function<LearnerPtr(Round horizon, int stage)>;

  Doubling(Round first_horizon, Factory make);

  std::string_view kind() const override { return inner_->kind(); }
  bool plays_sets() const override { return inner_->plays_sets(); }
  std::string_view oracle() const override { return inner_->oracle(); }
  bool needs_monotone() const override { return inner_->needs_monotone(); }
  bool asks_surrogates() const override { return inner_->asks_surrogates(); }
  Suggestion suggest() override;
  Round ready() const override;
  void observe(const Feedback& feedback) override;
  void lose(Round round) override;
  void watch(Watcher* watcher) override;

 private:
  void write(Writer& writer) const override;
  void read(Reader& reader) override;
  bool stage_is_over() const { return settled_ == horizon_; }
  void next_stage();

  Round first_horizon_;
  Factory make_;
  int stage_ = 0;
  Round before_ = 0;   // rounds of earlier stages
  Round horizon_;      // of this stage
  Round settled_ = 0;  // rounds of this stage
  LearnerPtr inner_;
  Watcher* watcher_ = nullptr;
};

}  // namespace hindsight
