#include "hindsight/rounding/swap_rounding.hpp"

#include <utility>

#include "hindsight/core/error.hpp"

namespace hindsight {

void SwapRounding::Marked::assign(const ItemSet& set) {
  for (const Item item : items) has[static_cast<std::size_t>(item)] = false;
  items = set;
  for (const Item item : items) has[static_cast<std::size_t>(item)] = true;
}

void SwapRounding::Marked::add(Item item) {
  has[static_cast<std::size_t>(item)] = true;
  items.push_back(item);
}

void SwapRounding::Marked::remove(std::size_t position) {
  has[static_cast<std::size_t>(items[position])] = false;
  items[position] = items.back();
  items.pop_back();
}

void SwapRounding::Marked::replace(std::size_t position, Item item) {
  has[static_cast<std::size_t>(items[position])] = false;
  has[static_cast<std::size_t>(item)] = true;
  items[position] = item;
}

SwapRounding::SwapRounding(MatroidPtr matroid) : matroid_(std::move(matroid)) {
  const auto rank = static_cast<std::size_t>(matroid_->rank());
  for (Marked* set : {&merged_, &next_}) {
    set->has.assign(static_cast<std::size_t>(matroid_->dimension()), false);
    set->items.reserve(rank + 1);  // one more while an item is tried
  }
}

void SwapRounding::prepare(PointView x) {
  read_point(x, *matroid_, x_);
  combination_ = matroid_->decompose(x_);
}

void SwapRounding::draw(Stream& stream, ItemSet& out) { merge_all(stream, combination_, out); }
void SwapRounding::draw_from(const ConvexCombination& mixture, Stream& stream, ItemSet& out) {
  merge_all(stream, mixture, out);
}
void SwapRounding::draw_with(CoinTree& coins, ItemSet& out) { merge_all(coins, combination_, out); }

template <class Coins>
void SwapRounding::merge_all(Coins& coins, const ConvexCombination& mixture, ItemSet& out) {
  const auto& [weights, sets] = mixture;
  merged_.assign(sets[0]);
  double weight = weights[0];
  for (std::size_t j = 1; j < sets.size(); ++j) {
    next_.assign(sets[j]);
    merge(coins, weight / (weight + weights[j]), merged_, next_);
    weight += weights[j];
  }
  out.assign(merged_.items.begin(), merged_.items.end());
}

template <class Coins>
void SwapRounding::merge(Coins& coins, double share, Marked& a, Marked& b) {
  level(coins, share, a, b);
  level(coins, 1 - share, b, a);
  // Of equal size now: bases of the matroid cut off at that size, where symmetric exchange holds.
  for (std::size_t p = 0; p < a.items.size(); ++p) {
    const Item e = a.items[p];
    if (b.has[static_cast<std::size_t>(e)]) continue;
    const std::size_t q = find_partner(a, p, b);
    if (coins.coin(share))
      b.replace(q, e);
    else
      a.replace(p, b.items[q]);
  }
}

/// Until `large` is no larger: an item that `small` could take is taken, or leaves `large`.
template <class Coins>
void SwapRounding::level(Coins& coins, double share_of_large, Marked& large, Marked& small) {
  for (std::size_t p = 0; large.items.size() > small.items.size();) {
    if (p == large.items.size())
      reject("matroid", matroid_->describe(),
             "must let a smaller independent set grow from a larger one");
    const Item e = large.items[p];
    if (small.has[static_cast<std::size_t>(e)]) {
      ++p;
      continue;
    }
    small.items.push_back(e);
    const bool fits = matroid_->independent(small.items);
    small.items.pop_back();
    // What does not fit now will not fit later, when `small` has grown.
    if (!fits) {
      ++p;
    } else if (coins.coin(share_of_large)) {
      small.add(e);
      ++p;
    } else {
      large.remove(p);
    }
  }
}

/// For a[p] outside b, the q with b[q] outside a such that both stay independent when they swap.
std::size_t SwapRounding::find_partner(Marked& a, std::size_t p, Marked& b) {
  const Item e = a.items[p];
  for (std::size_t q = 0; q < b.items.size(); ++q) {
    const Item f = b.items[q];
    if (a.has[static_cast<std::size_t>(f)]) continue;
    b.items[q] = e;
    bool both = matroid_->independent(b.items);
    b.items[q] = f;
    if (!both) continue;
    a.items[p] = f;
    both = matroid_->independent(a.items);
    a.items[p] = e;
    if (both) return q;
  }
  reject("matroid", matroid_->describe(), "must fulfil the symmetric exchange property");
}

}  // namespace hindsight
