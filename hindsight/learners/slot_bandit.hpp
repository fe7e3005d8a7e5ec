/// Slots with a Hedge distribution each: two bandit learners over feasible sets, with guarantees.
///
/// Slot s draws an item a_s from its own distribution x_s over the items P_s it may hold. Mostly
/// the set {a_1, .., a_k} is played. With probability p a random slot s explores: a uniform item j
/// of P_s is played with some of the other slots' items, and j gets the credit (k |P_s| / p) (f -
/// b).
///   slot-boost (uniform and partition matroids): each other a_i stays with probability Z, density
///     e^{z-1}/(1-1/e): (1-1/e)-regret O(k (n ln n)^{1/3} T^{2/3}) (docs/slot-boost.md).
///   online-greedy (uniform matroids): the slots before s stay. Streeter, Golovin, NIPS 2008: the
///     same rate.
/// Both with the theory's step; the default is measured, and larger. Every set played is feasible.
/// No horizon is needed: p = min(1/2, (k n ln n / t)^{1/3} / 2).
#pragma once

#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/learners/learner.hpp"
#include "hindsight/learners/round_window.hpp"
#include "hindsight/learners/running_scale.hpp"
#include "hindsight/learners/set_table.hpp"

namespace hindsight {

struct SlotBanditOptions {
  bool greedy = false;   ///< online-greedy; else slot-boost
  double step = 24;      ///< multiple of the step that the theory would take, measured
  Round ahead = 64;      ///< how many rounds may be out at once
  bool learning = true;  ///< false: the control
  std::uint64_t seed = 1;
};

class SlotBandit final : public Learner {
 public:
  /// A uniform or partition matroid.
  explicit SlotBandit(LaminarMatroidPtr matroid, const SlotBanditOptions& options = {});

  std::string_view kind() const override {
    return options_.greedy ? "online-greedy" : "slot-boost";
  }
  bool plays_sets() const override { return true; }
  Suggestion suggest() override;
  Round ready() const override { return window_.ready(); }
  void observe(const Feedback& feedback) override;
  void lose(Round round) override;

  /// The two halves of suggest(), for who chooses between them: a round that explores with this
  /// probability, and one that does not.
  Suggestion explore(double probability);
  Suggestion exploit() { return play(Trial{}, 1); }

 private:
  /// What a round that is out explored; slot = -1: nothing.
  struct Trial {
    int slot = -1;
    int choice = 0;     // position in the slot's part
    double credit = 0;  // of a value of 1
  };
  /// Slots of one part share its items.
  struct Slot {
    std::size_t items, count;  // where they are in items_, and how many
    std::size_t weights;       // in scores_ and odds_
    double energy = 0;         // sum over credits of odds * credit^2
  };

  double exploring_share(Round t) const;
  /// Plays the trial, if it is one, with the other slots' items as far as they stay.
  Suggestion play(Trial trial, double kept);
  std::size_t draw_choice(const Slot& slot, double u) const;
  void credit(const Trial& trial, double surprise);
  void write(Writer& writer) const override;
  void read(Reader& reader) override;

  LaminarMatroidPtr matroid_;
  SlotBanditOptions options_;
  StreamFamily coins_, trial_draws_, item_draws_;
  RoundWindow window_;
  ItemSet items_;    // of the parts, one after another
  ItemSet certain_;  // in no part: always played
  std::vector<Slot> slots_;
  Point scores_, odds_;  // by slot and item
  double most_choices_ = 0;
  RunningScale scale_;
  std::vector<Trial> trials_;  // by row
  PointTable members_;
  SetTable sets_;
  ItemSet drawn_;
};

}  // namespace hindsight
