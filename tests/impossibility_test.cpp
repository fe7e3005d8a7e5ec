/// Lemma 3 of the paper on a grid of points: the example's arithmetic, and swap rounding beside it.
#include "examples/impossibility.hpp"

#include <gtest/gtest.h>

#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/rounding/randomized_pipage.hpp"
#include "hindsight/rounding/swap_rounding.hpp"

namespace hindsight::examples {
namespace {

std::vector<TwoItemPoint> grid() {
  std::vector<TwoItemPoint> points;
  for (int i = 0; i <= 10; ++i)
    for (int j = 0; j <= 10; ++j) points.push_back({i / 10.0, j / 10.0});
  return points;
}

TEST(Impossibility, TheFunctionsOfTheProofAreSubmodularWithTheProofsExtensions) {
  for (const auto& [a, b] : {std::pair{1.0, 2.0}, {1.0, 3.0}, {0.5, 4.0}})
    for (const TwoItemPoint x : grid()) {
      EXPECT_TRUE(second_rules(a, b).submodular());
      EXPECT_TRUE(first_rules(b, a).submodular());
      EXPECT_NEAR(second_rules(a, b).extension(x), a * x.x1 + b * x.x2 - a * x.x1 * x.x2, 1e-12);
      EXPECT_NEAR(first_rules(b, a).extension(x), b * x.x1 + a * x.x2 - a * x.x1 * x.x2, 1e-12);
    }
}

TEST(Impossibility, EachKindOfFunctionNeedsTheOddsOfTheProof) {
  for (const TwoItemPoint x : grid()) {
    const Contradiction c = contradiction_at(x);
    EXPECT_NEAR(c.first_kind.p1, x.x1 - x.x1 * x.x2, 1e-12);
    EXPECT_NEAR(c.first_kind.p2, x.x2, 1e-12);
    EXPECT_NEAR(c.other_kind.p1, x.x1, 1e-12);
    EXPECT_NEAR(c.other_kind.p2, x.x2 - x.x1 * x.x2, 1e-12);
  }
}

TEST(Impossibility, EitherKindAloneCouldBeServed) {
  for (const TwoItemPoint x : grid())
    for (const RoundingOdds& p : {contradiction_at(x).first_kind, contradiction_at(x).other_kind}) {
      EXPECT_GE(p.p1, -1e-12);
      EXPECT_GE(p.p2, -1e-12);
      EXPECT_LE(p.p1 + p.p2, 1 + 1e-12);
    }
}

TEST(Impossibility, NoOddsServeBothKindsWhereBothItemsAreInPlay) {
  const double unit = contradiction_at({1, 1}).error;
  ASSERT_GT(unit, 0.1);
  for (const TwoItemPoint x : grid())
    EXPECT_NEAR(contradiction_at(x).error, unit * x.x1 * x.x2, 1e-12);
}

TEST(Impossibility, NoOddsOnAFineGridComeCloserThanTheCompromise) {
  for (const TwoItemPoint x : {TwoItemPoint{0.5, 0.5}, {0.2, 0.7}, {1, 1}}) {
    const Contradiction c = contradiction_at(x);
    for (int i = 0; i <= 200; ++i)
      for (int j = 0; i + j <= 200; ++j) {
        const RoundingOdds p{i / 200.0, j / 200.0};
        double squares = 0;
        for (const TwoItemFunction& f : c.functions)
          squares += std::pow(p.expectation(f) - f.extension(x), 2);
        ASSERT_GE(std::sqrt(squares), c.error - 1e-12);
      }
  }
}

template <class Rounding>
void expect_gain_of_lossless_rounding() {
  Rounding rounding(uniform_matroid(2, 1));
  for (const TwoItemPoint x : grid()) {
    if (x.x1 + x.x2 > 1) continue;
    rounding.prepare(Point{x.x1, x.x2});
    RoundingOdds odds{0, 0};
    const ConvexCombination law = distribution(rounding);
    for (std::size_t j = 0; j < law.sets.size(); ++j) {
      ASSERT_LE(law.sets[j].size(), 1u);
      if (!law.sets[j].empty()) (law.sets[j][0] == 0 ? odds.p1 : odds.p2) += law.weights[j];
    }
    for (const TwoItemFunction& f : contradiction_at(x).functions)
      EXPECT_NEAR(odds.expectation(f) - f.extension(x), x.x1 * x.x2 * (f.f1 + f.f2 - f.f12), 1e-9);
  }
}

TEST(Impossibility, LosslessRoundingGainsWhereUnbiasedRoundingCannotBe) {
  expect_gain_of_lossless_rounding<SwapRounding>();
  expect_gain_of_lossless_rounding<RandomizedPipage>();
}

}  // namespace
}  // namespace hindsight::examples
