// The README's example, whole: a shop window shows 3 of 10 items to every visitor. A visitor looks
// for one thing, which some of the items are; the gradient at x says what a little more weight on
// each item would have added.
#include <fmt/format.h>

#include <hindsight/core/rng.hpp>
#include <hindsight/domains/laminar_matroid.hpp>
#include <hindsight/learners/mono_frank_wolfe.hpp>
#include <vector>

using namespace hindsight;

namespace {

/// Visitor n finds what they look for if one of two or three items is shown; item 0 and item 1 are
/// popular.
std::vector<int> wanted(int visitor) {
  Stream stream = StreamFamily(1, "visitor").at(static_cast<std::uint64_t>(visitor));
  std::vector<int> items = {stream.coin(.6) ? 0 : static_cast<int>(stream.below(10)),
                            stream.coin(.5) ? 1 : static_cast<int>(stream.below(10))};
  if (items[0] == items[1]) items.pop_back();
  return items;
}

/// The chance that a visitor finds it, if item i is shown with probability x_i: 1 - prod (1 - x_i).
double found(int visitor, PointView x) {
  double missed = 1;
  for (const int i : wanted(visitor)) missed *= 1 - x[static_cast<std::size_t>(i)];
  return 1 - missed;
}

std::vector<double> what_each_item_would_add(int visitor, PointView x) {
  std::vector<double> gradient(x.size(), 0.0);
  const std::vector<int> items = wanted(visitor);
  for (const int i : items) {
    double others_miss = 1;
    for (const int j : items)
      if (j != i) others_miss *= 1 - x[static_cast<std::size_t>(j)];
    gradient[static_cast<std::size_t>(i)] = others_miss;
  }
  return gradient;
}

}  // namespace

int main() {
  double first = 0, last = 0;
  MonoFrankWolfe learner(uniform_matroid(10, 3), mono_plan(100'000), {.seed = 7});
  for (int visitor = 0; visitor < 100'000; ++visitor) {
    const Suggestion s = learner.suggest();
    if (visitor < 10'000) first += found(visitor, s.action.view());
    if (visitor >= 90'000) last += found(visitor, s.action.view());
    std::vector<double> gradient = what_each_item_would_add(visitor, s.probes[0]);
    learner.observe({.round = s.round, .gradients = {1, std::move(gradient)}});
  }
  fmt::print("found: {:.1f}% of the first 10,000 visitors, {:.1f}% of the last\n", first / 100,
             last / 100);
  return last > first ? 0 : 1;
}
