// Schedules and bounds against the text of the theorems, retold here.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "hindsight/core/error.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/estimators/averaging.hpp"
#include "hindsight/schedules/bounds.hpp"
#include "hindsight/schedules/frank_wolfe_plan.hpp"

namespace hindsight {
namespace {

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

Round rounded_power(Round T, double exponent) {
  return std::max<Round>(1, std::llround(std::pow(static_cast<double>(T), exponent)));
}

TEST(Plan, OfAMillionRoundsOnTenItems) {
  const double r = uniform_matroid(10, 3)->inner_radius();
  EXPECT_DOUBLE_EQ(r, 3 / std::sqrt(10));
  const FrankWolfePlan bandit = bandit_plan(1000000, 10, r);
  EXPECT_EQ(bandit.schedule, "theorem");
  EXPECT_EQ(bandit.steps, 10000);
  EXPECT_EQ(bandit.block_length, 46416);
  EXPECT_EQ(bandit.blocks, 21);
  EXPECT_NEAR(bandit.radius, .0395925, 1e-7);
  EXPECT_DOUBLE_EQ(bandit.radius, r / (std::sqrt(10) + 2) * std::pow(1e6, -1.0 / 9));
  const FrankWolfePlan mono = mono_plan(1000000);
  EXPECT_EQ(mono.steps, 3981);
  EXPECT_EQ(mono.block_length, 3981);
  EXPECT_EQ(mono.blocks, 251);
  EXPECT_EQ(mono.radius, 0);
  const FrankWolfePlan meta = meta_plan(1000000);
  EXPECT_EQ(meta.steps, 1000);
  EXPECT_EQ(meta.block_length, 1);
  EXPECT_EQ(meta.blocks, 1000000);
  EXPECT_EQ(vr_plan(10000).steps, 1000000);
}

TEST(Plan, WeightsAndStepSizes) {
  const FrankWolfePlan mono = mono_plan(1000), bandit = bandit_plan(5000, 4, 1);
  const FrankWolfePlan meta = meta_plan(400), vr = vr_plan(100);
  for (const FrankWolfePlan* plan : {&mono, &bandit, &meta, &vr}) {
    ASSERT_EQ(plan->averaging.size(), static_cast<std::size_t>(plan->steps));
    ASSERT_EQ(plan->step_sizes.size(), static_cast<std::size_t>(plan->steps));
    for (int k = 1; k <= plan->steps; ++k) {
      const auto row = static_cast<std::size_t>(k - 1);
      EXPECT_DOUBLE_EQ(plan->step_sizes[row], 1.0 / plan->steps);
      const double rho = plan == &mono     ? mono_averaging_weight(k, plan->steps)
                         : plan == &bandit ? bandit_averaging_weight(k)
                         : plan == &vr     ? vr_averaging_weight(k)
                                           : 1;
      EXPECT_DOUBLE_EQ(plan->averaging[row], rho);
    }
  }
  for (const double rho : mono_plan(1000, {.averaging = false}).averaging) EXPECT_EQ(rho, 1);
}

/// Below 512 rounds the powers give L < 2K; at and above, only rounding can.
TEST(Plan, ABanditBlockExploresAtMostHalfOfItsRounds) {
  for (Round T = 1; T < 20000; T += T < 2000 ? 1 : 37) {
    const FrankWolfePlan plan = bandit_plan(T, 5, 1);
    const Round L = rounded_power(T, 7.0 / 9), K = rounded_power(T, 2.0 / 3);
    ASSERT_EQ(plan.block_length, L) << T;
    ASSERT_EQ(plan.blocks, T / L) << T;
    if (L >= 2) {
      ASSERT_GE(plan.block_length, 2 * plan.steps) << T;
    }
    const Round half = std::max<Round>(1, L / 2);
    if (T < 512) {
      ASSERT_EQ(plan.steps, half) << T;
    } else {
      ASSERT_EQ(plan.steps, std::min(K, half)) << T;
      ASSERT_GE(plan.steps, K - 1) << "only rounding is taken back; T = " << T;
    }
  }
  EXPECT_EQ(bandit_plan(512, 5, 1).steps, 64);
  EXPECT_EQ(bandit_plan(512, 5, 1).block_length, 128);
}

TEST(Plan, ShortHorizons) {
  struct Expected {
    Round T;
    int mono_steps;
    Round mono_blocks;
    Round length;
    int steps;
    Round blocks;
  };
  // 2^{3/5} = 1.52, 2^{7/9} = 1.71; 3^{3/5} = 1.93, 3^{7/9} = 2.35; 4^{3/5} = 2.30, 4^{7/9} = 2.94.
  for (const Expected& e : {Expected{1, 1, 1, 1, 1, 1}, Expected{2, 2, 1, 2, 1, 1},
                            Expected{3, 2, 1, 2, 1, 1}, Expected{4, 2, 2, 3, 1, 1}}) {
    SCOPED_TRACE(e.T);
    const FrankWolfePlan mono = mono_plan(e.T), bandit = bandit_plan(e.T, 3, 1);
    EXPECT_EQ(mono.steps, e.mono_steps);
    EXPECT_EQ(mono.blocks, e.mono_blocks);
    EXPECT_EQ(bandit.block_length, e.length);
    EXPECT_EQ(bandit.steps, e.steps);
    EXPECT_EQ(bandit.blocks, e.blocks);
    EXPECT_GE(meta_plan(e.T).steps, 1);
    EXPECT_GE(vr_plan(e.T).steps, 1);
  }
}

TEST(Plan, ByHand) {
  const FrankWolfePlan plan =
      bandit_plan(1000, 4, 1, {.steps = 10, .block_length = 64, .radius = .05});
  EXPECT_EQ(plan.schedule, "explicit");
  EXPECT_EQ(plan.steps, 10);
  EXPECT_EQ(plan.block_length, 64);
  EXPECT_EQ(plan.blocks, 15);
  EXPECT_EQ(plan.radius, .05);
  // Every round may explore if it is asked for.
  EXPECT_EQ(bandit_plan(1000, 4, 1, {.steps = 64, .block_length = 64}).steps, 64);
  // What is left out follows the theorem.
  const FrankWolfePlan length = bandit_plan(10000, 4, 1, {.block_length = 100});
  EXPECT_EQ(length.steps, 50);
  EXPECT_DOUBLE_EQ(length.radius, std::pow(1e4, -1.0 / 9) / 4);
  EXPECT_EQ(mono_plan(1000, {.steps = 16}).block_length, 16);
  EXPECT_EQ(mono_plan(1000, {.steps = 16}).blocks, 62);
  EXPECT_EQ(vr_plan(1000, {.max_steps = 20}).steps, 20);
  EXPECT_EQ(vr_plan(4, {.max_steps = 20}).steps, 8);
  EXPECT_EQ(meta_plan(1000, {.steps = 7}).steps, 7);
  // A horizon below one block: one short block.
  const FrankWolfePlan one = bandit_plan(20, 4, 1, {.steps = 16, .block_length = 64});
  EXPECT_EQ(one.block_length, 20);
  EXPECT_EQ(one.blocks, 1);
  EXPECT_EQ(one.steps, 16);
  EXPECT_EQ(mono_plan(10, {.steps = 16}).steps, 10);
}

TEST(Plan, RejectsWithNameValueAndRule) {
  EXPECT_EQ(error_of([] { bandit_plan(1000, 4, 1, {.steps = 80, .block_length = 64}); }),
            "steps = 80: must be at most block_length = 64");
  EXPECT_EQ(error_of([] { mono_plan(0); }), "rounds = 0: must be at least 1");
  EXPECT_EQ(error_of([] { bandit_plan(-5, 4, 1); }), "rounds = -5: must be at least 1");
  EXPECT_EQ(error_of([] { mono_plan(10, {.steps = 0}); }), "steps = 0: must be at least 1");
  EXPECT_EQ(error_of([] { vr_plan(10, {.max_steps = 0}); }), "max_steps = 0: must be at least 1");
  EXPECT_EQ(error_of([] { bandit_plan(10, 4, 1, {.block_length = 0}); }),
            "block_length = 0: must be at least 1");
  EXPECT_EQ(error_of([] { bandit_plan(10, 4, 1, {.radius = 0.0}); }),
            "radius = 0: must be positive and finite");
  EXPECT_THROW(bandit_plan(10, 4, 1, {.radius = NAN}), InputError);
  EXPECT_THROW(bandit_plan(10, 4, 1, {.radius = INFINITY}), InputError);
  EXPECT_EQ(error_of([] { general_interior_plan(10, 0, 1); }), "gamma = 0: must be positive");
  EXPECT_EQ(error_of([] { general_interior_plan(10, 1, -1); }), "c2 = -1: must be positive");
  // (1e7)^{3/2} = 3.2e10 oracles.
  EXPECT_THROW(vr_plan(10000000), InputError);
}

TEST(Plan, GeneralInterior) {
  // gamma = 1 has the powers of Theorem 2.
  for (const Round T : {1, 100, 512, 12345, 1000000}) {
    const FrankWolfePlan a = general_interior_plan(T, 1, .3), b = bandit_plan(T, 10, 1);
    EXPECT_EQ(a.steps, b.steps);
    EXPECT_EQ(a.block_length, b.block_length);
    EXPECT_DOUBLE_EQ(a.radius, .3 * std::pow(static_cast<double>(T), -1.0 / 9));
    EXPECT_EQ(general_interior_plan(T, 7, .3).steps, a.steps) << "min(1, gamma)";
  }
  // m = 1/2: delta = c2 T^{-1/6}, L = T^{5/6}, K = T^{3/4}.
  const FrankWolfePlan half = general_interior_plan(1000000, .5, 2);
  EXPECT_EQ(half.block_length, 100000);
  EXPECT_EQ(half.steps, 31623);
  EXPECT_NEAR(half.radius, .2, 1e-15);
}

TEST(Plan, Unaveraged) {
  const FrankWolfePlan mono = unaveraged_mono_plan(1000000);
  EXPECT_EQ(mono.schedule, "unaveraged");
  EXPECT_EQ(mono.steps, 100);
  EXPECT_EQ(mono.block_length, 100);
  EXPECT_EQ(mono.blocks, 10000);
  const double r = uniform_matroid(10, 3)->inner_radius();
  const FrankWolfePlan bandit = unaveraged_bandit_plan(1000000, 10, r);
  EXPECT_EQ(bandit.schedule, "unaveraged");
  EXPECT_EQ(bandit.block_length, 100);
  EXPECT_EQ(bandit.steps, 10);
  EXPECT_NEAR(bandit.radius, r / (std::sqrt(10) + 2) / 10, 1e-15);
  for (const FrankWolfePlan* plan : {&mono, &bandit})
    for (const double rho : plan->averaging) EXPECT_EQ(rho, 1);
  EXPECT_EQ(unaveraged_mono_plan(1000, {.steps = 7}).schedule, "explicit");
  for (Round T = 1; T < 200; ++T) {
    EXPECT_GE(unaveraged_mono_plan(T).steps, 1);
    const FrankWolfePlan plan = unaveraged_bandit_plan(T, 3, 1);
    EXPECT_LE(plan.steps, plan.block_length);
    EXPECT_GE(plan.blocks, 1);
  }
}

TEST(Plan, Practical) {
  const FrankWolfePlan plan = practical_plan(1000000, 10, 100, .05);
  EXPECT_EQ(plan.schedule, "practical");
  EXPECT_EQ(plan.steps, 10);
  EXPECT_EQ(plan.blocks, 10000);
  EXPECT_EQ(plan.radius, .05);
  EXPECT_EQ(plan.averaging.front(), 1);
  EXPECT_EQ(practical_plan(1000000, 10, 100, .05, {.steps = 4}).schedule, "explicit");
  EXPECT_NEAR(practical_radius(10, uniform_matroid(10, 2)->inner_radius()), .049, 1e-3);
  const FrankWolfePlan one = practical_plan(30, 10, 100, .05);
  EXPECT_EQ(one.block_length, 30);
  EXPECT_EQ(one.blocks, 1);
}

// ---- bounds

constexpr double e = std::numbers::e;

double between(Stream& rng, double low, double high) { return low + (high - low) * rng.uniform(); }

BoundConstants random_constants(Stream& rng) {
  BoundConstants c;
  c.d = 1 + static_cast<double>(rng.below(50));
  c.r = between(rng, .05, 1);
  c.R = between(rng, 1, 5);
  c.D = between(rng, 1, 7);
  c.M0 = between(rng, 0, 4);
  c.M1 = between(rng, .1, 4);
  c.L1 = between(rng, .1, 6);
  c.L2 = between(rng, 0, 9);
  c.sigma0 = between(rng, 0, 2);
  c.C = between(rng, 0, 9);
  return c;
}

/// "(N + C + D^2) T^{4/5} + (L2 D^2 / 2) T^{2/5}"
double retold_1(const BoundConstants& c, double T) {
  const double G = std::pow(c.L2 * c.R + 2 * c.L1, 2);
  const double L1s = c.L1 * c.L1 + c.sigma0 * c.sigma0;
  double N = std::cbrt(25.0) * (c.L1 + c.M0) * (c.L1 + c.M0);
  N = std::fmax(N, 4 * L1s + 32 * G);
  N = std::fmax(N, 2.25 * L1s + 7 * G / 3);
  return (N + c.C + c.D * c.D) * std::pow(T, .8) + c.L2 * c.D * c.D / 2 * std::pow(T, .4);
}

/// Theorem 2: N has six terms.
double retold_2(const BoundConstants& c, double T) {
  const double s = std::sqrt(c.d), q = s + 2, rho = c.R / c.r;
  double N = (1 - 1 / e) * c.r / q * (s * (rho + 1) + rho) * c.L1;
  N += (2 - 1 / e) * c.r / q * c.L1;
  N += 2 * c.M1;
  N += 3 * std::cbrt(2.0) * q * c.d * c.d * c.M1 * c.M1 / c.r;  // 4^{1/6} = 2^{1/3}
  N += 3 * q * c.D * c.D / (4 * c.r);
  N += c.C;
  const double bracket = 2 * c.L1 * c.L1 + std::pow(3 * c.L2 * c.R + 2 * c.L1, 2);
  return N * std::pow(T, 8.0 / 9) + 3 * c.r * bracket / (std::cbrt(4.0) * q) * std::cbrt(T * T) +
         c.L2 * c.D * c.D / 2 * std::cbrt(T);
}

/// Theorem 3: its own L1, L2, D, R.
double retold_3(const BoundConstants& c, double T) {
  const double s = std::sqrt(c.d), q = s + 2;
  const double L1 = 2 * c.M1 * s, L2 = 4 * c.M1 * std::sqrt(c.d * (c.d - 1));
  double N = (1 - 1 / e) * c.r / q * (c.d / c.r + s * (1 + 1 / c.r)) * L1;
  N += (2 - 1 / e) * c.r / q * L1;
  N += 3 * c.M1;
  N += 3 * std::cbrt(16.0) * q * c.d * c.d * c.M1 * c.M1 / c.r;  // 4^{2/3} = 16^{1/3}
  N += 3 * q * c.d / (4 * c.r);
  N += c.C;
  const double bracket = 2 * L1 * L1 + std::pow(3 * s * L2 + 2 * L1, 2);
  return N * std::pow(T, 8.0 / 9) + 3 * c.r * bracket / (std::cbrt(4.0) * q) * std::cbrt(T * T) +
         L2 * c.d / 2 * std::cbrt(T);
}

double retold_4(const BoundConstants& c, double gamma, double c1, double c2, double T) {
  const double m = gamma < 1 ? gamma : 1;
  double N = (1 - 1 / e) * c1 * std::pow(c2, gamma) * c.L1;
  N += (2 - 1 / e) * c2 * c.L1;
  N += 2 * c.M1;
  N += 3 * std::cbrt(2.0) * c.d * c.d * c.M1 * c.M1 / c2;
  N += 3 * c.D * c.D / (4 * c2);
  N += c.C;
  const double bracket = 2 * c.L1 * c.L1 + std::pow(3 * c.L2 * c.R + 2 * c.L1, 2);
  return N * std::pow(T, (3 + 5 * m) / (3 + 6 * m)) +
         3 * c2 * bracket / std::cbrt(4.0) * std::pow(T, (1 + 5 * m) / (3 + 6 * m)) +
         c.L2 * c.D * c.D / 2 * std::pow(T, m / (1 + 2 * m));
}

TEST(Bounds, AreThoseOfTheTheorems) {
  Stream rng = StreamFamily(1, "bounds").at(0);
  const auto expect_same = [](double a, double b) { ASSERT_NEAR(a, b, 1e-12 * b); };
  for (int trial = 0; trial < 2000; ++trial) {
    const BoundConstants c = random_constants(rng);
    const double T = std::pow(10, between(rng, 0, 30));
    const double gamma = between(rng, .05, 3), c1 = between(rng, .1, 9), c2 = between(rng, .01, 2);
    expect_same(evaluate(theorem_1(c), T), retold_1(c, T));
    expect_same(evaluate(theorem_2(c), T), retold_2(c, T));
    expect_same(evaluate(theorem_3(c), T), retold_3(c, T));
    expect_same(evaluate(theorem_4(c, gamma, c1, c2), T), retold_4(c, gamma, c1, c2, T));
    // Theorem 2 is Theorem 4 with the interior of Lemma 2.
    const double s = std::sqrt(c.d);
    expect_same(evaluate(theorem_2(c), T),
                retold_4(c, 1, s * (c.R / c.r + 1) + c.R / c.r, c.r / (s + 2), T));
    if (HasFatalFailure()) return;
  }
}

TEST(Bounds, EveryExponentIsBelowOne) {
  Stream rng = StreamFamily(2, "bounds").at(0);
  for (int trial = 0; trial < 100; ++trial) {
    const BoundConstants c = random_constants(rng);
    for (const Bound& bound :
         {theorem_1(c), theorem_2(c), theorem_3(c), theorem_4(c, between(rng, .1, 2), 1, 1)})
      for (const BoundTerm& term : bound) {
        EXPECT_LT(term.exponent, 1) << term.meaning;
        EXPECT_GE(term.coefficient, 0) << term.meaning;
      }
  }
}

TEST(Bounds, TheFirstTellingHorizonIsWhereTheBoundMeetsTheTrivialOne) {
  Stream rng = StreamFamily(3, "bounds").at(0);
  for (int trial = 0; trial < 300; ++trial) {
    const BoundConstants c = random_constants(rng);
    for (const Bound& bound :
         {theorem_1(c), theorem_2(c), theorem_3(c), theorem_4(c, 1.5, 1, .5)}) {
      const double T = first_telling_horizon(bound, c.M1);
      const double trivial = (1 - 1 / e) * c.M1;
      ASSERT_GT(T, 1);
      ASSERT_NEAR(evaluate(bound, T) / T, trivial, 1e-6 * trivial);
      ASSERT_LE(evaluate(bound, T * 1.00001) / (T * 1.00001), trivial);
      ASSERT_GT(evaluate(bound, T / 1.00001) / (T / 1.00001), trivial);
    }
  }
  EXPECT_EQ(first_telling_horizon({{"small", .1, .5}}, 1), 1) << "says something from the start";
  EXPECT_EQ(first_telling_horizon({{"slow", 1e9, .99}}, 1), INFINITY) << "beyond every double";
}

/// For ten items, any three of them, and values up to 1, the theorems say nothing at horizons
/// people have. L1, L2 range from those of a gentle function to those the paper gives the
/// extension.
TEST(Bounds, SayNothingAtHorizonsPeopleHave) {
  BoundConstants c;
  c.d = 10;
  c.r = 3 / std::sqrt(10);
  c.R = std::sqrt(3);
  c.D = std::sqrt(6);
  c.M1 = 1;
  const auto exponent = [](const Bound& bound) {
    return std::log10(first_telling_horizon(bound, 1));
  };
  const double s = std::sqrt(10);
  const std::pair<double, double> functions[] = {{1, 1}, {s, 9}, {2 * s, 4 * std::sqrt(90)}};
  const double theorem_1_exponents[] = {14.3, 21.9, 27.5};
  for (std::size_t i = 0; i < 3; ++i) {
    c.L1 = c.M0 = functions[i].first;
    c.L2 = functions[i].second;
    c.C = std::sqrt(2) * c.D * c.L1;  // scale-free gradient ascent
    EXPECT_NEAR(exponent(theorem_1(c)), theorem_1_exponents[i], .1);
    EXPECT_NEAR(exponent(theorem_2(c)), 31.7, .1);
    EXPECT_NEAR(exponent(theorem_3(c)), 34.4, .1);
  }
}

/// docs/unaveraged.md: the general inequality at any K, L, delta, of which the bounds are one case.
TEST(Bounds, UnaveragedAreTheirInequalitiesAtTheirPowers) {
  Stream rng = StreamFamily(6, "unaveraged").at(0);
  for (int n = 0; n < 50; ++n) {
    const BoundConstants c = random_constants(rng);
    const double T = std::pow(10, between(rng, 2, 12));
    const auto mono = [&](double K) {
      return c.C * std::sqrt(T * K) + c.L2 * c.R * c.R * T / (2 * K);
    };
    EXPECT_NEAR(evaluate(unaveraged_mono_bound(c), T), mono(std::cbrt(T)),
                1e-9 * mono(std::cbrt(T)));
    const double c1 = std::sqrt(c.d) * (c.R / c.r + 1) + c.R / c.r, c2 = c.r / (std::sqrt(c.d) + 2);
    const auto bandit = [&](double delta, double L, double K) {
      const double interior = ((2 - 1 / e) + (1 - 1 / e) * c1) * c.L1 * delta * T;
      const double oracles = std::sqrt(2.0) * c.D * c.d * c.M1 / delta * std::sqrt(T * L);
      return interior + oracles + T * K / L * c.M1 + T * c.L2 * c.R * c.R / (2 * K);
    };
    const double bound = bandit(c2 * std::pow(T, -1.0 / 6), std::cbrt(T), std::pow(T, 1.0 / 6));
    EXPECT_NEAR(evaluate(unaveraged_bandit_bound(c), T), bound, 1e-9 * bound);
    EXPECT_NEAR(evaluate(boosted_bound(c, .5), T), .5 * c.C * std::sqrt(T),
                1e-9 * c.C * std::sqrt(T));
  }
}

}  // namespace
}  // namespace hindsight
