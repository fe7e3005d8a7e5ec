#include "hindsight/rounding/pipage_walk.hpp"

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

PipageWalk::PipageWalk(const Matroid& matroid, PointView start)
    : matroid_(&matroid), y_(start.begin(), start.end()), tied_(start.size(), false) {
  find_move();
}

void PipageWalk::go(bool forward) {
  move_->apply(forward ? move_->forward : -move_->backward, y_);
  find_move();
}

void PipageWalk::find_move() {
  move_.reset();
  for (double& yi : y_) snap(yi, noise);

  // Items in no tight set: two of them against each other, the last one alone. (One alone would do,
  // but a pair leaves less to chance.)
  if (const Item i = find_free(0); i >= 0) {
    const Item j = find_free(i + 1);
    if (j < 0)
      move_ = {i, -1, matroid_->room(y_, i, -1), y_[index(i)]};
    else
      move_ = {i, j, matroid_->room(y_, i, j), matroid_->room(y_, j, i)};
    return;
  }

  // Every fractional item i is in a smallest tight set T(i), and i can rise against j exactly if j
  // is in T(i). T(i) sums to a whole number, so it holds another fractional j. If j cannot rise
  // against i, T(j) is smaller than T(i): go on from there.
  const auto any = [](Item) { return true; };
  Item i = find_item(y_, 0, any);
  for (std::size_t descents = 0; i >= 0; ++descents) {
    double forward = 0;
    const Item j = find_item(y_, 0, [&](Item other) {
      return other != i && (forward = matroid_->room(y_, i, other)) > blocked;
    });
    if (j >= 0) {
      const double backward = matroid_->room(y_, j, i);
      if (backward > blocked) {
        move_ = {i, j, forward, backward};
        return;
      }
    }
    if ((j < 0 && !snap(y_[index(i)], stranded)) || descents > y_.size())
      throw std::logic_error("pipage: no pair of items can move, though some are fractional");
    i = j >= 0 ? j : find_item(y_, 0, any);
  }
}

Item PipageWalk::find_free(Item start) {
  return find_item(y_, start, [&](Item i) {
    char& tied = tied_[index(i)];
    tied = tied || matroid_->room(y_, i, -1) <= blocked;
    return !tied;
  });
}

void PipageWalk::read_vertex(ItemSet& out) const {
  out.clear();
  for (std::size_t i = 0; i < y_.size(); ++i)
    if (y_[i] > 0.5) out.push_back(static_cast<Item>(i));
  if (!matroid_->independent(out)) keep_independent(*matroid_, out);
}

}  // namespace hindsight
