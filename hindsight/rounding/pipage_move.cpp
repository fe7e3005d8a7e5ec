#include "hindsight/rounding/pipage_move.hpp"

#include <cmath>
#include <stdexcept>

#include "hindsight/rounding/keep_independent.hpp"

namespace hindsight {
namespace {

/// A room below `blocked` is none; an item within `noise` of 0 or 1 is there. Projections may leave
/// a point outside K by a little more, which can strand an item within `stranded` of 0 or 1.
constexpr double blocked = 1e-11;
constexpr double noise = 1e-9;
constexpr double stranded = 1e-6;

std::size_t index(Item item) { return static_cast<std::size_t>(item); }

bool fractional(double y) { return y > 0 && y < 1; }

bool snap(double& y, double tolerance) {
  if (std::abs(y - std::round(y)) > tolerance) return false;
  y = std::round(y);
  return true;
}

/// The first fractional item from `start` on for which `wanted` holds, -1 if there is none.
template <class Predicate>
Item find_item(PointView y, Item start, Predicate wanted) {
  for (Item i = start; index(i) < y.size(); ++i)
    if (fractional(y[index(i)]) && wanted(i)) return i;
  return -1;
}

}  // namespace

void PipageMove::apply(double step, PointRef y) const {
  y[index(up)] += step;
  if (down >= 0) y[index(down)] -= step;
}

std::optional<PipageMove> next_move(const Matroid& matroid, PointRef y) {
  for (double& yi : y) snap(yi, noise);

  // Items in no tight set: two of them against each other, the last one alone. (One alone would do,
  // but a pair leaves less to chance.)
  const auto is_free = [&](Item i) { return matroid.room(y, i, -1) > blocked; };
  if (const Item i = find_item(y, 0, is_free); i >= 0) {
    const Item j = find_item(y, i + 1, is_free);
    if (j < 0) return PipageMove{i, -1, matroid.room(y, i, -1), y[index(i)]};
    return PipageMove{i, j, matroid.room(y, i, j), matroid.room(y, j, i)};
  }

  // Every fractional item i is in a smallest tight set T(i), and i can rise against j exactly if j
  // is in T(i). T(i) sums to a whole number, so it holds another fractional j. If j cannot rise
  // against i, T(j) is smaller than T(i): go on from there.
  const auto any = [](Item) { return true; };
  Item i = find_item(y, 0, any);
  for (std::size_t descents = 0; i >= 0; ++descents) {
    double forward = 0;
    const Item j = find_item(y, 0, [&](Item other) {
      return other != i && (forward = matroid.room(y, i, other)) > blocked;
    });
    if (j >= 0) {
      const double backward = matroid.room(y, j, i);
      if (backward > blocked) return PipageMove{i, j, forward, backward};
    }
    if ((j < 0 && !snap(y[index(i)], stranded)) || descents > y.size())
      throw std::logic_error("pipage: no pair of items can move, though some are fractional");
    i = j >= 0 ? j : find_item(y, 0, any);
  }
  return std::nullopt;
}

void read_vertex(const Matroid& matroid, PointView y, ItemSet& out) {
  out.clear();
  for (std::size_t i = 0; i < y.size(); ++i)
    if (y[i] > 0.5) out.push_back(static_cast<Item>(i));
  if (!matroid.independent(out)) keep_independent(matroid, out);
}

}  // namespace hindsight
