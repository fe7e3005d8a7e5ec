/// A guard against traps: an incumbent that is challenged, again and again, by a fresh learner.
///
/// With probability q = min(.02, t^{-1/3} / 2) a round is played by the challenger, who learns from
/// its own rounds alone, as if the world had begun with it; all others are the incumbent's. Over
/// the second half of the challenger's life their means are compared; a challenger that is ahead
/// by 2.5 standard errors becomes the incumbent. Then a new one starts, for 1.5 times as long.
///
/// Measured: what a bad start did to a learner is undone, for 1 to 2% of the gain. Proved: nothing
/// beyond what the inner learner has; `safe` adds a guarantee.
#pragma once

#include <functional>

#include "hindsight/core/rng.hpp"
#include "hindsight/learners/learner.hpp"
#include "hindsight/learners/round_window.hpp"
#include "hindsight/learners/set_table.hpp"

namespace hindsight {

struct GuardedOptions {
  int dimension = 1;
  Round ahead = 64;      ///< how many rounds may be out at once
  bool learning = true;  ///< false: the control, no challenger ever wins
  std::uint64_t seed = 1;
};

class Guarded final : public Learner {
 public:
  /// Makes the learner of a generation, from 0; generations should draw from different seeds. It
  /// asks for no gradients and lets at least as many rounds be out as the guard.
  using Factory = std::function<LearnerPtr(int generation)>;

  Guarded(Factory make, const GuardedOptions& options);

  std::string_view kind() const override { return "guarded"; }
  bool plays_sets() const override { return incumbent_.learner->plays_sets(); }
  Suggestion suggest() override;
  Round ready() const override;
  void observe(const Feedback& feedback) override;
  void lose(Round round) override;

 private:
  struct Player {
    int generation = 0;
    LearnerPtr learner;
  };
  /// Who plays a round that is out, and which round of its own that is.
  struct Turn {
    Round round = 0;
    std::int64_t generation = 0;
  };
  /// Mean and spread of what a player earned in the second half of the challenger's life.
  struct Record {
    double count = 0, mean = 0, squares = 0;
    void add(double value);
    double squared_error() const;  // of the mean
  };

  bool challenges(Round t);
  Player* player_of(const Turn& turn);
  void compare();
  void write(Writer& writer) const override;
  void read(Reader& reader) override;

  Factory make_;
  GuardedOptions options_;
  UniformFamily coins_;
  RoundWindow window_;
  std::vector<Turn> turns_;  // by row
  PointTable points_;        // copies: a player may be gone before its round is observed
  SetTable sets_;
  Player incumbent_, challenger_;
  double life_;     // rounds the challenger has, of its own
  double age_ = 0;  // rounds of its own that were answered
  Record incumbents_, challengers_;
};

}  // namespace hindsight
