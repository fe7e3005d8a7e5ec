#include "hindsight/domains/laminar_matroid.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "hindsight/core/error.hpp"

namespace hindsight {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

using Polynomial = std::vector<double>;  // coefficient j: how many subsets have j items

Polynomial times(const Polynomial& a, const Polynomial& b) {
  Polynomial product(a.size() + b.size() - 1, 0.0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) product[i + j] += a[i] * b[j];
  return product;
}

void rescale(Polynomial& p) {
  const double most = *std::max_element(p.begin(), p.end());
  for (double& c : p) c /= most;
}

/// The binomial coefficients of n, scaled.
Polynomial subsets_of(std::size_t n) {
  Polynomial p(n + 1);
  for (std::size_t j = 0; j <= n; ++j)
    p[j] = std::exp(
        std::lgamma(static_cast<double>(n) + 1) - std::lgamma(static_cast<double>(j) + 1) -
        std::lgamma(static_cast<double>(n - j) + 1) - static_cast<double>(n) * std::log(2.0));
  rescale(p);
  return p;
}

std::vector<double> as_numbers(const std::vector<int>& values) {
  return {values.begin(), values.end()};
}

/// `size` items of `from`, uniformly.
void draw_items(const ItemSet& from, int size, Stream& stream, ItemSet& out) {
  static thread_local ItemSet pool;
  pool.assign(from.begin(), from.end());
  for (std::size_t j = 0; j < index(size); ++j) {
    std::swap(pool[j], pool[j + stream.below(pool.size() - j)]);
    out.push_back(pool[j]);
  }
}

}  // namespace

LaminarMatroid::LaminarMatroid(int dimension, std::vector<LaminarSet> family,
                               std::string description)
    : polytope_(dimension, 1.0, std::move(family)),
      rank_(static_cast<int>(polytope_.largest_total(1))),
      counts_(polytope_.family().size()),
      description_(std::move(description)) {
  const auto& sets = polytope_.family();
  for (const LaminarSet& set : sets) least_capacity_ = std::min(least_capacity_, set.capacity);
  for (std::size_t s = 0; s < sets.size(); ++s)
    if (sets[s].parent >= 0) counts_[index(sets[s].parent)].inner.push_back(static_cast<int>(s));
  for (Item i = 0; i < dimension; ++i)
    (innermost(i) < 0 ? unbounded_ : counts_[index(innermost(i))].own).push_back(i);

  for (std::size_t s = 0; s < sets.size(); ++s) {
    Counts& c = counts_[s];
    c.prefix.push_back(subsets_of(c.own.size()));
    for (const int inner : c.inner)
      c.prefix.push_back(times(c.prefix.back(), counts_[index(inner)].prefix.back()));
    for (Polynomial& p : c.prefix) rescale(p);
    Polynomial& all = c.prefix.back();
    if (static_cast<double>(all.size()) > sets[s].capacity + 1)
      all.resize(static_cast<std::size_t>(sets[s].capacity) + 1);
  }

  // Inner sets come first in the family, so that outer ones can collect what is inside them.
  std::vector<ItemSet> below(sets.size());
  for (std::size_t s = 0; s < sets.size(); ++s) {
    below[s].insert(below[s].end(), counts_[s].own.begin(), counts_[s].own.end());
    ItemSet& outside = sets[s].parent < 0 ? depth_first_ : below[index(sets[s].parent)];
    outside.insert(outside.end(), below[s].begin(), below[s].end());
  }
  depth_first_.insert(depth_first_.end(), unbounded_.begin(), unbounded_.end());
}

bool LaminarMatroid::independent(ItemView set) const {
  if (static_cast<double>(set.size()) <= least_capacity_)
    return true;  // in a uniform matroid: always
  static thread_local std::vector<double> used;
  used.assign(family().size(), 0.0);
  for (const Item item : set)
    for (int s = innermost(item); s >= 0; s = family()[index(s)].parent)
      if (++used[index(s)] > family()[index(s)].capacity) return false;
  return true;
}

void LaminarMatroid::random_base(Stream& stream, ItemSet& out) const {
  out.assign(unbounded_.begin(), unbounded_.end());
  for (std::size_t s = 0; s < family().size(); ++s)
    if (family()[s].parent < 0)
      draw(counts_[s], static_cast<int>(counts_[s].prefix.back().size()) - 1, stream, out);
}

/// Draws uniformly among the independent subsets with `size` items: the last inner set's share
/// first, with probability proportional to the ways on both sides, then what is left of the others.
void LaminarMatroid::draw(const Counts& counts, int size, Stream& stream, ItemSet& out) const {
  for (std::size_t j = counts.inner.size(); j > 0; --j) {
    const Counts& inner = counts_[index(counts.inner[j - 1])];
    const Polynomial& last = inner.prefix.back();
    const Polynomial& rest = counts.prefix[j - 1];
    const auto ways = [&](int share) {
      const int left = size - share;
      return left >= 0 && index(left) < rest.size() ? last[index(share)] * rest[index(left)] : 0.0;
    };
    const int most = std::min(size, static_cast<int>(last.size()) - 1);
    double total = 0;
    for (int share = 0; share <= most; ++share) total += ways(share);
    double target = stream.uniform() * total;
    int share = 0;
    while (share < most && (target >= ways(share) || ways(share) == 0)) target -= ways(share++);
    draw(inner, share, stream, out);
    size -= share;
  }
  draw_items(counts.own, size, stream, out);
}

ConvexCombination LaminarMatroid::decompose(PointView x) const {
  // Systematic sampling: lay the x_i end to end, with every set of the family contiguous, and take
  // the items hit by theta, theta + 1, ... for theta uniform in [0,1). A set F is hit floor(x(F))
  // or ceil(x(F)) times. The sets change only where theta passes the fractional part of a partial
  // sum.
  std::vector<double> ends;  // partial sums
  double sum = 0;
  for (const Item item : depth_first_) ends.push_back(sum += x[index(item)]);
  std::vector<double> cuts = {0.0, 1.0};
  for (const double end : ends) cuts.push_back(end - std::floor(end));
  std::sort(cuts.begin(), cuts.end());

  ConvexCombination combination;
  double kept = 0;
  for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
    const double weight = cuts[c + 1] - cuts[c];
    if (weight < 1e-12) continue;  // rounding of partial sums, not a set of its own
    const double theta = cuts[c] + weight / 2;
    ItemSet set;
    double start = 0;
    for (std::size_t j = 0; j < ends.size(); ++j) {
      // Is there a whole m with start <= theta + m < end?
      if (std::ceil(start - theta) + theta < ends[j]) set.push_back(depth_first_[j]);
      start = ends[j];
    }
    assert(independent(set));
    combination.weights.push_back(weight);
    combination.sets.push_back(std::move(set));
    kept += weight;
  }
  for (double& weight : combination.weights) weight /= kept;
  return combination;
}

double LaminarMatroid::room(PointView x, Item up, Item down) const {
  double most = 1 - x[index(up)];
  if (down >= 0) most = std::min(most, x[index(down)]);
  for (int s = innermost(up); s >= 0; s = family()[index(s)].parent) {
    const LaminarSet& set = family()[index(s)];
    double sum = 0;
    bool holds_down = false;
    for (const Item item : set.items) {
      sum += x[index(item)];
      holds_down = holds_down || item == down;
    }
    if (!holds_down) most = std::min(most, set.capacity - sum);
  }
  return std::max(most, 0.0);
}

LaminarMatroidPtr uniform_matroid(int dimension, int rank) {
  require(dimension >= 1, "dimension", dimension, "must be at least 1");
  require(rank >= 0 && rank <= dimension, "rank", rank,
          "must be from 0 to dimension = " + std::to_string(dimension));
  ItemSet all(index(dimension));
  std::iota(all.begin(), all.end(), 0);
  return std::make_shared<LaminarMatroid>(
      dimension, laminar_family(dimension, {all}, {static_cast<double>(rank)}, "sets"),
      "uniform matroid, any " + std::to_string(rank) + " of " + std::to_string(dimension) +
          " items");
}

LaminarMatroidPtr partition_matroid(const std::vector<ItemSet>& parts,
                                    const std::vector<int>& capacities) {
  std::size_t dimension = 0;
  for (const ItemSet& part : parts) dimension += part.size();
  require(dimension >= 1, "parts", "[]", "must hold at least one item");
  std::vector<int> owner(dimension, -1);
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (const Item item : parts[p]) {
      require(item >= 0 && index(item) < dimension, "parts[" + std::to_string(p) + "]", item,
              "must be below " + std::to_string(dimension) +
                  ", the number of items listed: parts hold every item from 0 on, each once");
      require(owner[index(item)] < 0, "parts[" + std::to_string(p) + "]", item,
              "must not be in parts[" + std::to_string(owner[index(item)]) + "] too");
      owner[index(item)] = static_cast<int>(p);
    }
  return std::make_shared<LaminarMatroid>(
      static_cast<int>(dimension),
      laminar_family(static_cast<int>(dimension), parts, as_numbers(capacities), "parts"),
      "partition matroid, " + std::to_string(parts.size()) + " parts of " +
          std::to_string(dimension) + " items");
}

LaminarMatroidPtr laminar_matroid(int dimension, const std::vector<ItemSet>& sets,
                                  const std::vector<int>& capacities) {
  return std::make_shared<LaminarMatroid>(
      dimension, laminar_family(dimension, sets, as_numbers(capacities), "sets"),
      "laminar matroid, " + std::to_string(sets.size()) + " sets on " + std::to_string(dimension) +
          " items");
}

}  // namespace hindsight
