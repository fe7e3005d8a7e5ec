// Estimates from the value of one random set, by enumeration: what each is unbiased for.
#include "hindsight/estimators/set_estimates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/rounding/coin_tree.hpp"
#include "hindsight/rounding/fresh_pipage.hpp"

namespace hindsight {
namespace {

constexpr std::size_t d = 4;
const Point x = {.3, .8, .25, .65};

/// Submodular and not symmetric: coverage of five things.
double f(unsigned set) {
  constexpr unsigned covers[5] = {0b0011, 0b0110, 0b1001, 0b1100, 0b0100};
  constexpr double weights[5] = {1, .7, .5, .9, .3};
  double total = 0;
  for (int e = 0; e < 5; ++e)
    if (set & covers[e]) total += weights[e];
  return total;
}

bool has(unsigned set, std::size_t i) { return (set >> i & 1u) != 0; }

/// A law of sets: calls visit(set, probability).
using Law = std::function<void(const std::function<void(unsigned, double)>&)>;

void independent(const std::function<void(unsigned, double)>& visit) {
  for (unsigned set = 0; set < 1u << d; ++set) {
    double probability = 1;
    for (std::size_t i = 0; i < d; ++i) probability *= has(set, i) ? x[i] : 1 - x[i];
    visit(set, probability);
  }
}

void pipage(const std::function<void(unsigned, double)>& visit) {
  FreshPipage rounding(uniform_matroid(d, 2));
  ItemSet order = {0, 1, 2, 3}, drawn;
  do {
    CoinTree coins;
    do {
      rounding.draw_in_order(
          order, x, [&](double part, double whole) { return coins.coin(part / whole); }, drawn);
      unsigned set = 0;
      for (const Item item : drawn) set |= 1u << item;
      visit(set, coins.probability() / 24);
    } while (coins.next());
  } while (std::next_permutation(order.begin(), order.end()));
}

Point gradient_of_extension() {
  Point g(d, 0.0);
  independent([&](unsigned set, double probability) {
    for (std::size_t i = 0; i < d; ++i)
      g[i] += probability * (f(set | 1u << i) - f(set & ~(1u << i)));
  });
  return g;
}

/// E[f | i in S] - E[f | i not in S].
Point conditional_difference(const Law& law) {
  Point in(d, 0.0), out(d, 0.0);
  law([&](unsigned set, double probability) {
    for (std::size_t i = 0; i < d; ++i) (has(set, i) ? in : out)[i] += probability * f(set);
  });
  for (std::size_t i = 0; i < d; ++i) in[i] = in[i] / x[i] - out[i] / (1 - x[i]);
  return in;
}

using Estimate = std::function<void(double value, PointView member, PointRef g)>;

Point mean_of(const Law& law, const Estimate& estimate, double baseline) {
  Point mean(d, 0.0), member(d), g(d);
  law([&](unsigned set, double probability) {
    for (std::size_t i = 0; i < d; ++i) member[i] = has(set, i) ? 1 : 0;
    estimate(f(set) - baseline, member, g);
    add_scaled(mean, probability, g);
  });
  return mean;
}

double distance(PointView a, PointView b) {
  double most = 0;
  for (std::size_t i = 0; i < d; ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

void score(double value, PointView member, PointRef g) { score_estimate(value, member, x, g); }

/// The twin counts the members only, and forgets what the others tell.
void members_only(double value, PointView member, PointRef g) {
  for (std::size_t i = 0; i < d; ++i) g[i] = value * member[i] / x[i];
}

TEST(SetEstimates, TheScoreFunctionIsUnbiasedForTheGradientOfTheExtension) {
  for (const double baseline : {0.0, 1.3, -20.0}) {
    EXPECT_LT(distance(mean_of(independent, score, baseline), gradient_of_extension()), 1e-12);
    EXPECT_GT(distance(mean_of(independent, members_only, baseline), gradient_of_extension()), .1);
  }
}

TEST(SetEstimates, ASampledVertexIsUnbiasedForTheConditionalDifference) {
  for (const double baseline : {0.0, 1.3, -20.0}) {
    EXPECT_LT(distance(mean_of(pipage, score, baseline), conditional_difference(pipage)), 1e-12);
    EXPECT_GT(distance(mean_of(pipage, members_only, baseline), conditional_difference(pipage)),
              .1);
  }
  // And that is another thing than the gradient: who is in tells who is out.
  EXPECT_GT(distance(conditional_difference(pipage), gradient_of_extension()), .05);
  EXPECT_LT(distance(conditional_difference(independent), gradient_of_extension()), 1e-12);
}

TEST(SetEstimates, ACoordinatePutInOrOutIsUnbiasedForTheGradientOfTheExtension) {
  const auto mean = [](double baseline, double factor) {
    Point sum(d, 0.0);
    independent([&](unsigned set, double probability) {
      for (std::size_t i = 0; i < d; ++i)
        for (const bool put_in : {false, true}) {
          const unsigned played = put_in ? set | 1u << i : set & ~(1u << i);
          sum[i] += probability / (2.0 * d) * factor *
                    coordinate_estimate(f(played) - baseline, d, put_in);
        }
    });
    return sum;
  };
  for (const double baseline : {0.0, 1.3, -20.0}) {
    EXPECT_LT(distance(mean(baseline, 1), gradient_of_extension()), 1e-12);
    EXPECT_GT(distance(mean(baseline, .5), gradient_of_extension()), .1);  // without the coin's 2
  }
}

TEST(SetEstimates, WhatIsCertainIsEstimatedByAFiniteNumber) {
  Point g(2);
  score_estimate(3, Point{1, 0}, Point{1, 0}, g);
  EXPECT_TRUE(std::isfinite(g[0]) && std::isfinite(g[1]));
}

}  // namespace
}  // namespace hindsight
