/// Randomised pipage rounding in fresh random order, for points that change every round.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hindsight/domains/laminar_matroid.hpp"

namespace hindsight {

/// Lossless like RandomizedPipage, with the same moves; but the point needs no preparation, and the
/// order in which items meet is drawn anew each time, so that no pair of items is always played
/// against each other. One pass: O(d + sets), nothing allocated once `out` has the capacity.
///
/// E 1_S = x for every order. The order is uniform up to d / 2^24 and a coin is true to 2^-40.
class FreshPipage {
 public:
  explicit FreshPipage(LaminarMatroidPtr matroid);

  /// x lies in the polytope up to 1e-9; the set is independent whatever rounding noise does.
  void draw(PointView x, Stream& stream, ItemSet& out);

  /// The same in a given order. `chance(part, whole)` is true with probability part / whole.
  template <class Chance>
  void draw_in_order(std::span<const Item> order, PointView x, Chance chance, ItemSet& out);

 private:
  /// What is left of a set of the family: how many items it took, and who holds its fraction.
  struct Rest {
    int taken = 0;
    Item holder = -1;
    double fraction = 0;
  };

  template <class Chance>
  static void meet(Rest& rest, Item item, double fraction, Chance& chance, ItemSet& out);

  LaminarMatroidPtr matroid_;
  std::vector<int> innermost_;  // by item; items in no set belong to a last set of all items
  std::vector<int> parent_;     // by set
  std::vector<int> capacity_;
  std::vector<Rest> rests_;
  std::vector<std::uint64_t> words_;
  ItemSet order_;
};

/// Two fractions meet: their sum goes to one of them, or one is taken and the rest goes on.
template <class Chance>
inline void FreshPipage::meet(Rest& rest, Item item, double fraction, Chance& chance,
                              ItemSet& out) {
  const double p = rest.fraction, sum = p + fraction;
  if (sum < 1) {
    const bool stays = chance(p, sum);
    rest.holder = stays ? rest.holder : item;  // a conditional move: nobody can predict it
    rest.fraction = sum;
    return;
  }
  const bool holder_taken = chance(1 - fraction, 2 - sum);
  out.push_back(holder_taken ? rest.holder : item);
  rest.holder = holder_taken ? item : rest.holder;
  rest.fraction = sum - 1;
  ++rest.taken;
}

template <class Chance>
void FreshPipage::draw_in_order(std::span<const Item> order, PointView x, Chance chance,
                                ItemSet& out) {
  out.clear();
  for (Rest& rest : rests_) rest = Rest{};
  for (const Item item : order) {
    const double xi = x[static_cast<std::size_t>(item)];
    Rest& rest = rests_[static_cast<std::size_t>(innermost_[static_cast<std::size_t>(item)])];
    if (xi >= 1) {
      out.push_back(item);
      ++rest.taken;
    } else if (xi > 0) {
      meet(rest, item, xi, chance, out);
    }
  }
  for (std::size_t s = 0; s + 1 < rests_.size(); ++s) {  // inner sets come first
    const Rest& rest = rests_[s];
    Rest& outer = rests_[static_cast<std::size_t>(parent_[s])];
    outer.taken += rest.taken;
    // A fraction above the capacity is rounding noise.
    if (rest.fraction > 0 && rest.taken < capacity_[s])
      meet(outer, rest.holder, rest.fraction, chance, out);
  }
  const Rest& all = rests_.back();
  if (all.fraction > 0 && chance(all.fraction, 1)) out.push_back(all.holder);
}

}  // namespace hindsight
