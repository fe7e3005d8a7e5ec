#include "hindsight/rounding/randomized_pipage.hpp"

#include <cassert>
#include <cmath>
#include <utility>

#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/rounding/pipage_walk.hpp"

namespace hindsight {
namespace {

/// Pairs fractional items inside a set until at most one is left, which then stands for the set in
/// the set around it. A pair keeps its sum, so every set around both keeps its own; a set that is
/// done holds a whole number of items and one fraction, and so has room for that fraction to become
/// 1. Who carries the fraction is random, its size is not: a draw follows a fixed list of steps.
class LaminarPipage final : public LosslessRounding {
 public:
  LaminarPipage(MatroidPtr owner, const LaminarMatroid& matroid)
      : owner_(std::move(owner)), matroid_(matroid) {
    const auto items = static_cast<std::size_t>(matroid.dimension());
    certain_.reserve(items);
    slots_.reserve(items);
    holders_.reserve(items);
    steps_.reserve(items + matroid.family().size() + 1);
  }

  void prepare(PointView x) override {
    read_point(x, matroid_, x_);
    plan();
  }

  void draw(Stream& stream, ItemSet& out) override { follow(stream, out); }
  void draw_with(CoinTree& coins, ItemSet& out) override { follow(coins, out); }

 private:
  enum class Kind { pass_on, take, settle, last };
  /// `first` and `second` hold two fractional items; one of them, the chosen one, is the first with
  /// `probability`. The fraction that remains is held by `first` afterwards.
  struct Step {
    int first, second;
    double probability;
    Kind kind;
  };
  /// What is left of a set: how many items are taken, and who holds the fraction (-1: nobody).
  struct Rest {
    int taken = 0;
    int holder = -1;
    double fraction = 0;
  };

  /// Sums of fractions this close to 1 are 1.
  static constexpr double noise = 1e-12;

  void plan() {
    certain_.clear();
    slots_.clear();
    steps_.clear();
    const auto& family = matroid_.family();
    rests_.assign(family.size() + 1, Rest{});  // the last one is the set of all items
    const auto at = [&](int set) -> Rest& {
      return set < 0 ? rests_.back() : rests_[static_cast<std::size_t>(set)];
    };
    for (std::size_t i = 0; i < x_.size(); ++i) add_item(i, at(matroid_.innermost(Item(i))));
    for (std::size_t s = 0; s < family.size(); ++s) {  // inner sets come first
      assert(rests_[s].taken <= family[s].capacity);
      if (rests_[s].taken >= family[s].capacity) rests_[s].holder = -1;  // at most rounding noise
      add_rest(rests_[s], at(family[s].parent));
    }
    const Rest& all = rests_.back();
    if (all.holder >= 0) steps_.push_back({all.holder, all.holder, all.fraction, Kind::last});
  }

  void add_item(std::size_t i, Rest& into) {
    if (x_[i] <= noise) return;
    if (x_[i] >= 1 - noise) {
      certain_.push_back(static_cast<Item>(i));
      ++into.taken;
      return;
    }
    slots_.push_back(static_cast<Item>(i));
    add_rest({0, static_cast<int>(slots_.size()) - 1, x_[i]}, into);
  }

  void add_rest(const Rest& from, Rest& into) {
    into.taken += from.taken;
    if (from.holder < 0) return;
    if (into.holder < 0) {
      into.holder = from.holder;
      into.fraction = from.fraction;
      return;
    }
    const double p = into.fraction, q = from.fraction;
    Step step{into.holder, from.holder, p, Kind::settle};
    if (p + q < 1 - noise) {  // (p, q) becomes (p + q, 0) or (0, p + q)
      step.kind = Kind::pass_on;
      step.probability = p / (p + q);
      into.fraction = p + q;
    } else if (p + q > 1 + noise) {  // (1, p + q - 1) or (p + q - 1, 1)
      step.kind = Kind::take;
      step.probability = (1 - q) / ((1 - p) + (1 - q));
      into.fraction = p + q - 1;
      ++into.taken;
    } else {  // (1, 0) or (0, 1)
      into.holder = -1;
      ++into.taken;
    }
    steps_.push_back(step);
  }

  template <class Coins>
  void follow(Coins& coins, ItemSet& out) {
    out.assign(certain_.begin(), certain_.end());
    holders_.assign(slots_.begin(), slots_.end());
    for (const Step& step : steps_) {
      Item& first = holders_[static_cast<std::size_t>(step.first)];
      const Item second = holders_[static_cast<std::size_t>(step.second)];
      const bool heads = coins.coin(step.probability);
      const Item chosen = heads ? first : second;
      switch (step.kind) {
        case Kind::pass_on:
          first = chosen;
          break;
        case Kind::take:
          first = heads ? second : first;
          out.push_back(chosen);
          break;
        case Kind::settle:
          out.push_back(chosen);
          break;
        case Kind::last:
          if (heads) out.push_back(chosen);
          break;
      }
    }
  }

  MatroidPtr owner_;
  const LaminarMatroid& matroid_;
  Point x_;
  ItemSet certain_;  // items at 1
  ItemSet slots_;    // fractional items, each the first holder of its own fraction
  std::vector<Rest> rests_;
  std::vector<Step> steps_;
  ItemSet holders_;
};

/// For any matroid: a walk that goes forward with the probability that keeps the mean.
class GeneralPipage final : public LosslessRounding {
 public:
  explicit GeneralPipage(MatroidPtr matroid)
      : matroid_(std::move(matroid)), start_(*matroid_, matroid_->lower()), walk_(start_) {}

  void prepare(PointView x) override {
    Point in_polytope;
    read_point(x, *matroid_, in_polytope);
    start_ = PipageWalk(*matroid_, in_polytope);
  }
  void draw(Stream& stream, ItemSet& out) override { walk(stream, out); }
  void draw_with(CoinTree& coins, ItemSet& out) override { walk(coins, out); }

 private:
  template <class Coins>
  void walk(Coins& coins, ItemSet& out) {
    walk_ = start_;
    while (const auto& move = walk_.move())
      walk_.go(coins.coin(move->backward / (move->forward + move->backward)));
    walk_.read_vertex(out);
  }

  MatroidPtr matroid_;
  PipageWalk start_, walk_;
};

std::unique_ptr<LosslessRounding> choose_method(MatroidPtr matroid) {
  if (const auto* laminar = dynamic_cast<const LaminarMatroid*>(matroid.get()))
    return std::make_unique<LaminarPipage>(std::move(matroid), *laminar);
  return std::make_unique<GeneralPipage>(std::move(matroid));
}

}  // namespace

RandomizedPipage::RandomizedPipage(MatroidPtr matroid)
    : method_(choose_method(std::move(matroid))) {}

}  // namespace hindsight
