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

  typedef double Pair __attribute__((vector_size(16)));

  template <class Chance>
  static void meet(Rest& rest, Item item, double fraction, Chance& chance, Item*& end);

  LaminarMatroidPtr matroid_;
  std::vector<int> innermost_;  // by item; items in no set belong to a last set of all items
  std::vector<int> parent_;     // by set
  std::vector<int> capacity_;
  std::vector<Rest> rests_;
  bool one_set_ = false;  // is every item in the first set, and in no set inside another?
  std::vector<std::uint64_t> words_;
  ItemSet order_;
  ItemSet taken_;  // with room for one more
};

/// Two fractions meet: their sum goes to one of them, or one is taken and the rest goes on. Which
/// of these nobody can predict, so that nothing here is a branch.
template <class Chance>
inline void FreshPipage::meet(Rest& rest, Item item, double fraction, Chance& chance, Item*& end) {
  const double p = rest.fraction, sum = p + fraction;
  const bool full = sum >= 1;
  const Pair one = {1, 1}, zero = {0, 0}, sums = {sum, sum};
  const auto taken = sums >= one;  // the same as a mask
  const Pair below = {p, sum}, above = {1 - fraction, 2 - sum};
  const Pair odds = taken ? above : below;
  const bool holder_wins = chance(odds[0], odds[1]);
  *end = holder_wins ? rest.holder : item;  // overwritten by the next unless it is taken
  end += full;
  rest.taken += full;
  rest.holder = holder_wins != full ? rest.holder : item;
  const Pair left = sums - (taken ? one : zero);
  rest.fraction = left[0];
}

template <class Chance>
void FreshPipage::draw_in_order(std::span<const Item> order, PointView x, Chance chance,
                                ItemSet& out) {
  Item* end = taken_.data();
  for (Rest& rest : rests_) rest = Rest{};
  const auto join = [&](Item item, Rest& rest) {
    const double xi = x[static_cast<std::size_t>(item)];
    if (xi >= 1) {
      *end++ = item;
      ++rest.taken;
    } else if (xi > 0) {
      meet(rest, item, xi, chance, end);
    }
  };
  if (one_set_) {
    Rest rest;  // at hand, and not in memory
    for (const Item item : order) join(item, rest);
    rests_.front() = rest;
  } else {
    for (const Item item : order)
      join(item, rests_[static_cast<std::size_t>(innermost_[static_cast<std::size_t>(item)])]);
  }
  for (std::size_t s = 0; s + 1 < rests_.size(); ++s) {  // inner sets come first
    const Rest& rest = rests_[s];
    Rest& outer = rests_[static_cast<std::size_t>(parent_[s])];
    outer.taken += rest.taken;
    // A fraction above the capacity is rounding noise.
    if (rest.fraction > 0 && rest.taken < capacity_[s])
      meet(outer, rest.holder, rest.fraction, chance, end);
  }
  const Rest& all = rests_.back();
  if (all.fraction > 0 && chance(all.fraction, 1)) *end++ = all.holder;
  out.assign(taken_.data(), end);
}

}  // namespace hindsight
