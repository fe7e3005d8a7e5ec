/// Why Responsive-Frank-Wolfe explores with sets outside the matroid: Lemma 3 of the paper, with
/// numbers, and what lossless rounding does at the same point.
#include "examples/impossibility.hpp"

#include <cstdio>

#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/rounding/swap_rounding.hpp"

using namespace hindsight;
using namespace hindsight::examples;

namespace {

/// The law of swap rounding at x, from all outcomes of its coins.
RoundingOdds swap_rounding_odds(TwoItemPoint x) {
  SwapRounding rounding(uniform_matroid(2, 1));
  rounding.prepare(Point{x.x1, x.x2});
  const ConvexCombination law = distribution(rounding);
  RoundingOdds odds{0, 0};
  for (std::size_t j = 0; j < law.sets.size(); ++j)
    if (!law.sets[j].empty()) (law.sets[j][0] == 0 ? odds.p1 : odds.p2) += law.weights[j];
  return odds;
}

void print_needs(const char* kind, std::span<const TwoItemFunction> functions, TwoItemPoint x,
                 RoundingOdds odds) {
  std::printf("%s\n", kind);
  for (const TwoItemFunction& f : functions)
    std::printf("  f({1}) = %g, f({2}) = %g, f({1,2}) = %g:   %g p1 + %g p2 = F(x) = %g\n", f.f1,
                f.f2, f.f12, f.f1, f.f2, f.extension(x));
  std::printf("  These two equations leave only p1 = %g, p2 = %g.\n\n", odds.p1, odds.p2);
}

}  // namespace

int main() {
  constexpr TwoItemPoint x{0.5, 0.5};
  std::printf(
      "The matroid holds {}, {1} and {2}. A rounding of x = (%g, %g) plays {1} with odds p1,\n"
      "{2} with odds p2, and {} otherwise. Unbiased means p1 f({1}) + p2 f({2}) = F(x).\n\n",
      x.x1, x.x2);

  const Contradiction c = contradiction_at(x);
  const std::span<const TwoItemFunction> all(c.functions);
  print_needs("Where item 1 adds nothing to item 2:", all.first(2), x, c.first_kind);
  print_needs("Where item 2 adds nothing to item 1:", all.last(2), x, c.other_kind);
  std::printf(
      "p1 = %g and p1 = %g cannot both be: no rounding is unbiased for all four functions.\n"
      "The odds that come closest, p1 = %g and p2 = %g, leave errors of %.3f in all.\n\n",
      c.first_kind.p1, c.other_kind.p1, c.compromise.p1, c.compromise.p2, c.error);

  const TwoItemFunction poor{1, 1, 1}, rich{1, 1, 2};
  std::printf(
      "The reason in one line: f({1,2}) is never seen, but it counts. With f({1}) = f({2}) = 1,\n"
      "F(x) = %g if f({1,2}) = 1 and F(x) = %g if f({1,2}) = 2; E f(Y) = p1 + p2 for both.\n\n",
      poor.extension(x), rich.extension(x));

  const RoundingOdds swap = swap_rounding_odds(x);
  std::printf("Swap rounding plays {1} with odds %g and {2} with odds %g, and loses nothing:\n",
              swap.p1, swap.p2);
  std::printf("  %-34s %8s %8s\n", "f({1}), f({2}), f({1,2})", "E f(Y)", "F(x)");
  for (const TwoItemFunction& f :
       {c.functions[0], c.functions[1], c.functions[2], c.functions[3], poor, rich})
    std::printf("  %-10g %-10g %-12g %8g %8g%s\n", f.f1, f.f2, f.f12, swap.expectation(f),
                f.extension(x), swap.expectation(f) > f.extension(x) ? "   more" : "   equal");
  std::printf(
      "It gains x1 x2 (f({1}) + f({2}) - f({1,2})), which is never negative: good for earning,\n"
      "useless for estimating F. So the algorithm estimates with independent rounding, whose\n"
      "sets may leave the matroid, and earns with lossless rounding.\n");
}
