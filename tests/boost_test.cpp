// Boosted gradient ascent: the inequality behind each of its four classes, that the learner plays
// and asks as its table says, traps, delays, functions that may fall, and surrogate ascent.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "hindsight/core/error.hpp"
#include "hindsight/domains/box.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/functions/quadratic.hpp"
#include "hindsight/games/pool_game.hpp"
#include "hindsight/games/trap.hpp"
#include "hindsight/learners/bandit_gradient_ascent.hpp"
#include "hindsight/learners/boosted_gradient_ascent.hpp"
#include "hindsight/learners/gradient_ascent.hpp"
#include "hindsight/learners/no_learning.hpp"
#include "hindsight/learners/surrogate_ascent.hpp"
#include "hindsight/learners/twin_gradient_ascent.hpp"
#include "hindsight/offline/best_fixed.hpp"
#include "hindsight/runs/grid.hpp"
#include "hindsight/runs/protocol.hpp"
#include "hindsight/runs/runner.hpp"

namespace hindsight {
namespace {

constexpr double e = std::numbers::e;

// ---- the inequality, by quadrature over Z

/// One row of the table, retold.
struct Row {
  const char* name;
  double alpha, beta;
  double (*density)(double z);
  std::function<Point(PointView w)> play;
  std::function<Point(PointView w, double z)> ask;
  std::function<double(PointView w, double z, std::size_t i)> factor;
};

Point mapped(PointView w, const std::function<double(std::size_t)>& entry) {
  Point x(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) x[i] = entry(i);
  return x;
}

double exponential_density(double z) { return std::exp(z - 1) / (1 - 1 / e); }
double cubic_density(double z) { return 1 / (3 * std::pow(1 - z / 2, 3)); }
double uniform_density(double) { return 1; }
double one(PointView, double, std::size_t) { return 1; }

Row monotone_row() {
  return {"monotone",
          1 - 1 / e,
          1 - 1 / e,
          exponential_density,
          [](PointView w) { return Point(w.begin(), w.end()); },
          [](PointView w, double z) { return mapped(w, [&](std::size_t i) { return z * w[i]; }); },
          one};
}

Row any_set_row() {
  return {"monotone-any-set",
          .5,
          .5,
          uniform_density,
          [](PointView w) { return Point(w.begin(), w.end()); },
          [](PointView w, double) { return Point(w.begin(), w.end()); },
          one};
}

Row falling_row() {
  return {"non-monotone",
          1 / e,
          1 - 1 / e,
          exponential_density,
          [](PointView w) { return mapped(w, [&](std::size_t i) { return 1 - std::exp(-w[i]); }); },
          [](PointView w, double z) {
            return mapped(w, [&](std::size_t i) { return 1 - std::exp(-z * w[i]); });
          },
          [](PointView w, double z, std::size_t i) { return std::exp(-z * w[i]); }};
}

Row falling_any_set_row(const Point& a) {
  return {"non-monotone-any-set",
          (1 - *std::max_element(a.begin(), a.end())) / 4,
          3.0 / 8,
          cubic_density,
          [a](PointView w) { return mapped(w, [&](std::size_t i) { return (a[i] + w[i]) / 2; }); },
          [a](PointView w, double z) {
            return mapped(w, [&](std::size_t i) { return a[i] + z * (w[i] - a[i]) / 2; });
          },
          one};
}

/// beta E<g, y - w> - alpha f(y) + f(h(w)), at least 0 by the theorem. Simpson's rule with 200
/// pieces, exact to 1e-8 for what is smooth in z.
double slack(const Row& row, const ContinuousFunction& f, PointView w, PointView y) {
  constexpr int pieces = 200;
  double expected = 0;
  Point g(w.size());
  for (int n = 0; n <= pieces; ++n) {
    const double z = n / double(pieces);
    const double weight = (n == 0 || n == pieces ? 1 : n % 2 == 1 ? 4 : 2) / (3.0 * pieces);
    f.gradient(row.ask(w, z), g);
    double along = 0;
    for (std::size_t i = 0; i < w.size(); ++i) along += g[i] * row.factor(w, z, i) * (y[i] - w[i]);
    expected += weight * row.density(z) * along;
  }
  return row.beta * expected - row.alpha * f.value(y) + f.value(row.play(w));
}

double least_slack(const Row& row, const std::vector<RoundFunction>& pool, int d) {
  Stream rng = StreamFamily(1, "slack").at(0);
  double least = INFINITY;
  for (const RoundFunction& f : pool)
    for (int n = 0; n < 40; ++n) {
      const auto point = [&] {
        Point x(static_cast<std::size_t>(d));
        for (double& v : x) v = rng.coin(.5) ? static_cast<double>(rng.below(2)) : rng.uniform();
        return x;
      };
      least = std::min(least, slack(row, *f.continuous, point(), point()));
    }
  return least;
}

TEST(Boost, TheInequalityOfEveryClassHolds) {
  constexpr int d = 5;
  const PoolOptions options = {.dimension = d, .items = 8, .pool = 10};
  PoolOptions may_fall = options;
  may_fall.monotone = false;
  const Point anchor = {.1, .3, 0, .2, .05};
  for (const Row& row : {monotone_row(), any_set_row()})
    for (const auto& pool : {coverage_pool(options, 1), facility_location_pool(options, 2),
                             quadratic_pool(options, 3), concave_budget_pool(options, 4)})
      EXPECT_GE(least_slack(row, pool, d), -1e-8) << row.name;
  for (const Row& row : {falling_row(), falling_any_set_row(anchor), falling_any_set_row(Point(d))})
    for (const auto& pool : {quadratic_pool(may_fall, 5), coverage_pool(options, 6)})
      EXPECT_GE(least_slack(row, pool, d), -1e-8) << row.name;
}

/// Broken twins. The trap of one pair (both items cover y, the second alone covers z) is where the
/// first two rows are tight, at w = the first item, y = the second; a linear function bounds alpha
/// of the others by beta.
TEST(Boost, TheInequalityIsNotTrueOfAnything) {
  const auto trap = trap_phases(1, 100)[1].pool;
  const ContinuousFunction& f = *trap.front().continuous;
  const Point w = {1, 0}, y = {0, 1};
  EXPECT_NEAR(slack(monotone_row(), f, w, y), 0, 1e-8);
  EXPECT_NEAR(slack(any_set_row(), f, w, y), 0, 1e-8);
  Row plain = any_set_row();  // gradients at the point played do not give 1 - 1/e
  plain.alpha = plain.beta = 1 - 1 / e;
  EXPECT_LT(slack(plain, f, w, y), -.2);

  const Quadratic line({{0}}, {1});
  for (Row row : {falling_row(), falling_any_set_row({0})}) {
    EXPECT_GE(slack(row, line, Point{0}, Point{1}), 0);
    row.alpha = row.beta + .01;
    EXPECT_LT(slack(row, line, Point{0}, Point{1}), 0);
  }
}

// ---- the learner plays and asks as the table says

/// The largest distance between an empirical distribution and P(Z <= z).
double distance_from(std::vector<double> draws, const std::function<double(double)>& below) {
  std::sort(draws.begin(), draws.end());
  double worst = 0;
  const auto n = static_cast<double>(draws.size());
  for (std::size_t i = 0; i < draws.size(); ++i)
    worst = std::max({worst, std::abs(below(draws[i]) - static_cast<double>(i) / n),
                      std::abs(below(draws[i]) - static_cast<double>(i + 1) / n)});
  return worst;
}

TEST(Boost, PlaysAndAsksAsTheTableSays) {
  const auto domain = uniform_matroid(5, 2);
  const Point anchor = {.1, .3, 0, .2, .05};
  constexpr int n = 100000;
  // Dvoretzky, Kiefer, Wolfowitz, Massart: farther than .01 with odds 2 exp(-2 n 1e-4) < 1e-8.
  constexpr double far = .01;
  const auto exponential = [](double z) { return std::expm1(z) / (e - 1); };
  const auto cubic = [](double z) { return (1 / ((1 - z / 2) * (1 - z / 2)) - 1) / 3; };
  const std::pair<BoostClass, Row> rows[] = {
      {BoostClass::monotone, monotone_row()},
      {BoostClass::non_monotone, falling_row()},
      {BoostClass::non_monotone_any_set, falling_any_set_row(anchor)}};
  for (const auto& [functions, row] : rows) {
    SCOPED_TRACE(row.name);
    const bool anchored = functions == BoostClass::non_monotone_any_set;
    BoostedGradientAscent learner(domain,
                                  {.functions = functions,
                                   .anchor = anchored ? std::optional(anchor) : std::nullopt,
                                   .ascent = {.learning = false, .seed = 4}});
    EXPECT_DOUBLE_EQ(learner.alpha(), row.alpha);
    EXPECT_DOUBLE_EQ(learner.beta(), row.beta);
    EXPECT_EQ(learner.needs_monotone(), functions == BoostClass::monotone);
    const Point w(5, .4);  // the diagonal point, where it stays
    std::vector<double> draws;
    for (int t = 0; t < n; ++t) {
      const Suggestion s = learner.suggest();
      const Point h = row.play(w);
      const double first = s.probes[0][0];
      const double z = functions == BoostClass::monotone       ? first / w[0]
                       : functions == BoostClass::non_monotone ? -std::log(1 - first) / w[0]
                                                               : (first - .1) / (w[0] - .1) * 2;
      const Point asked = row.ask(w, z);
      for (std::size_t i = 0; i < 5; ++i) {
        ASSERT_NEAR(s.action[i], h[i], 1e-12);
        ASSERT_NEAR(s.probes[0][i], asked[i], 1e-12);
      }
      draws.push_back(z);
      learner.lose(s.round);
    }
    EXPECT_LT(distance_from(draws, anchored ? std::function<double(double)>(cubic) : exponential),
              far);
    // The broken twin: the other row's density.
    EXPECT_GT(distance_from(draws, anchored ? std::function<double(double)>(exponential) : cubic),
              far);
  }
}

/// One step with a fixed length, worked out: what is fed is the gradient, times e^{-Zw} where
/// functions may fall.
TEST(Boost, FeedsTheGradientOfTheTable) {
  const auto box = std::make_shared<Box>(Point(2, 1.0));
  for (const BoostClass functions : {BoostClass::monotone, BoostClass::non_monotone}) {
    BoostedGradientAscent learner(
        box, {.functions = functions, .ascent = {.oracle = {.step = .1}, .seed = 4}});
    const Suggestion s = learner.suggest();  // w = (1, 1)
    const Point p(s.probes[0].begin(), s.probes[0].end());
    learner.observe({.round = 1, .gradients = {1, Lent<double>(std::vector<double>{-2, -1})}});
    const bool falls = functions == BoostClass::non_monotone;
    const Point w = {1 - .2 * (falls ? 1 - p[0] : 1), 1 - .1 * (falls ? 1 - p[1] : 1)};
    const Suggestion next = learner.suggest();
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_NEAR(next.action[i], falls ? 1 - std::exp(-w[i]) : w[i], 1e-12);
  }
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Boost, RefusesWhatItsClassDoesNotAllow) {
  const auto wide = std::make_shared<Box>(Point{1, 2});
  const auto make = [&](BoostClass functions, std::optional<Point> anchor) {
    return error_of(
        [&] { BoostedGradientAscent(wide, {.functions = functions, .anchor = anchor}); });
  };
  EXPECT_EQ(make(BoostClass::monotone, std::nullopt), "no error");
  EXPECT_EQ(make(BoostClass::non_monotone, std::nullopt),
            "class = for functions that may fall: needs a domain inside [0,1]^d");
  EXPECT_EQ(make(BoostClass::monotone, Point{0, 0}),
            "anchor = 0: belongs to class = \"non-monotone-any-set\" alone");
  EXPECT_EQ(make(BoostClass::non_monotone_any_set, Point{0}),
            "anchor = a list of 1: must have 2 numbers");
  EXPECT_EQ(make(BoostClass::non_monotone_any_set, Point{0, 3}),
            "anchor = 0: must be a point of the domain");
}

// ---- runs

double reward_of(Learner& learner, Game& game, Round rounds) {
  Ledger ledger;
  play(learner, game, ledger, rounds);
  return ledger.reward();
}

/// On the trap gradient ascent never leaves the bait, and boosting does. The game has no chance in
/// it; the share of the best fixed set is far from both limits.
TEST(Boost, LeavesTheTrap) {
  constexpr Round T = 10000;
  const auto domain = uniform_matroid(10, 5);
  PoolGame game(trap_phases(5, T), 1, Noise(1, 0, 0));
  const double best = best_fixed(Mixture(game.mixture(T)), domain).lower;
  GradientAscent plain(domain);
  BoostedGradientAscent boosted(domain);
  EXPECT_LT(reward_of(plain, game, T), .64 * best);
  EXPECT_GT(reward_of(boosted, game, T), .90 * best);
}

/// Gradients 40 rounds late, in disorder, still teach: nearly as much as in time.
TEST(Boost, LearnsFromLateGradients) {
  constexpr Round T = 4000;
  const auto domain = uniform_matroid(10, 2);
  const auto play_late = [&](std::size_t delay) {
    PoolGame game(coverage_pool({.pool = 50}, 3), 3, Noise(3, 0, 0));
    BoostedGradientAscent learner(domain, {.ascent = {.ahead = 2000, .seed = 3}});
    Stream rng = StreamFamily(3, "delay").at(0);
    std::vector<Suggestion> out;
    double reward = 0;
    for (Round t = 0; t < T; ++t) {
      out.push_back(learner.suggest());
      reward += game.answer(out.back()).worth;
      if (out.size() <= delay) continue;
      const auto which = static_cast<std::ptrdiff_t>(rng.below(out.size()));
      const Feedback f = game.answer(out[static_cast<std::size_t>(which)]).feedback;
      learner.observe(f);
      out.erase(out.begin() + which);
    }
    return reward;
  };
  const double in_time = play_late(0), late = play_late(40);
  EXPECT_GT(late, .97 * in_time);
  EXPECT_LT(late, in_time);
}

/// Where functions may fall, the two classes for it learn: more than their controls on every seed,
/// by far more than the seeds differ.
TEST(Boost, LearnsFunctionsThatMayFall) {
  constexpr Round T = 2000;
  const auto domain = uniform_matroid(8, 3);
  for (const BoostClass functions : {BoostClass::non_monotone, BoostClass::non_monotone_any_set})
    for (const std::uint64_t seed : {1, 2, 3}) {
      PoolGame game(quadratic_pool({.dimension = 8, .pool = 30, .monotone = false}, seed), seed,
                    Noise(seed, 0, 0));
      const double best = best_fixed(Mixture(game.mixture(T)), domain).lower;
      BoostedGradientAscent learner(domain, {.functions = functions});
      BoostedGradientAscent control(domain,
                                    {.functions = functions, .ascent = {.learning = false}});
      const double earned = reward_of(learner, game, T);
      EXPECT_GT(earned, reward_of(control, game, T) + .02 * best);
      EXPECT_GT(earned, learner.alpha() * best);
    }
}

/// Three kinds of games, and the twin that must lead: in the trap the boosted one, where the best
/// point is fractional the plain one. The other alone falls short of what the twins earn together.
TEST(TwinGradientAscent, FollowsTheTwinThatSuitsTheGame) {
  constexpr Round T = 10000;
  {
    const auto domain = uniform_matroid(10, 5);
    PoolGame game(trap_phases(5, T), 3, Noise(3, 0, 0));
    TwinGradientAscent twins(domain);
    const double best = best_fixed(Mixture(game.mixture(T)), domain).lower;
    EXPECT_GT(reward_of(twins, game, T), .9 * best);
    EXPECT_LT(twins.plain_share(), .01);
    GradientAscent plain(domain);
    EXPECT_LT(reward_of(plain, game, T), .64 * best);
  }
  const auto domain = uniform_matroid(10, 2);
  PoolGame game(concave_budget_pool({.pool = 50}, 3), 3, Noise(3, 0, 0));
  TwinGradientAscent twins(domain);
  BoostedGradientAscent boosted(domain);
  ConstantPoint constant(domain);
  const double best = best_fixed(Mixture(game.mixture(T)), domain).lower;
  const double nothing = reward_of(constant, game, T);
  EXPECT_GT(reward_of(twins, game, T) - nothing, .9 * (best - nothing));
  EXPECT_GT(twins.plain_share(), .99);
  EXPECT_LT(reward_of(boosted, game, T) - nothing, .85 * (best - nothing));
}

/// Its twins, run beside it: every round plays w or x and asks where one of the three reasons says.
/// Of 20,000 rounds the shares of the reasons are within .02 of theirs (more than 5 standard
/// errors) and the places on the segment have mean 1/2 and variance 1/12 (within 8 and 10 of
/// theirs).
TEST(TwinGradientAscent, PlaysATwinAndAsksForOneOfThreeReasons) {
  constexpr Round T = 20000;
  const auto domain = uniform_matroid(10, 2);
  PoolGame game(concave_budget_pool({.pool = 50}, 3), 3, Noise(3, 0, 0));
  TwinGradientAscent twins(domain, {.seed = 9});
  BoostedGradientAscent boosted(domain, {.ascent = {.seed = 9}});
  GradientAscent plain(domain, {.seed = 9});
  const auto equal = [](PointView a, PointView b) {
    return std::equal(a.begin(), a.end(), b.begin());
  };
  double boosts = 0, ascents = 0, compared = 0, places = 0, squares = 0;
  for (Round t = 1; t <= T; ++t) {
    const Suggestion s = twins.suggest(), b = boosted.suggest(), p = plain.suggest();
    const PointView w = b.action.view(), x = p.action.view();
    ASSERT_TRUE(equal(s.action.view(), w) || equal(s.action.view(), x));
    Feedback f = game.answer(s).feedback;
    const bool boosts_now = equal(s.probes[0], b.probes[0]), together = equal(w, x);
    // Where both twins stand together, ascent and comparison cannot be told apart: no gradient.
    if (!boosts_now && together) f.gradients = {1, Lent<double>(std::vector<double>(10, 0.0))};
    const bool ascends = !boosts_now && !together && equal(s.probes[0], x);
    if (!boosts_now && !ascends && !together) {
      Point segment(10), probe(s.probes[0].begin(), s.probes[0].end());
      for (std::size_t i = 0; i < 10; ++i) segment[i] = x[i] - w[i];
      add_scaled(probe, -1, w);
      const double place = dot(probe, segment) / squared_norm(segment);
      add_scaled(probe, -place, segment);
      ASSERT_LT(norm(probe), 1e-9);
      ++compared;
      places += place;
      squares += (place - .5) * (place - .5);
    }
    boosts += boosts_now;
    ascents += ascends;
    boosts_now ? boosted.observe(f) : boosted.lose(t);
    ascends ? plain.observe(f) : plain.lose(t);
    twins.observe(f);
  }
  EXPECT_NEAR(boosts / T, .4, .02);
  EXPECT_NEAR(ascents / T, .4, .02);
  EXPECT_NEAR(compared / T, .2, .02);
  EXPECT_NEAR(places / compared, .5, .04);
  EXPECT_NEAR(squares / compared, 1.0 / 12, .012);
}

/// Over a uniform place on the segment, <gradient, x - w> averages to F(x) - F(w): by the midpoint
/// rule with 1e4 nodes, for a quadratic exact up to rounding. At its end instead, it is off.
TEST(TwinGradientAscent, AGradientOnTheSegmentComparesItsEnds) {
  const Quadratic f({{-.5, -.3, -.1}, {-.3, -.4, -.2}, {-.1, -.2, -.6}}, {1.0, .9, 1.1});
  const Point w = {.9, .1, .3}, x = {.2, .7, .5};
  Point segment(3), probe(3), g(3);
  for (std::size_t i = 0; i < 3; ++i) segment[i] = x[i] - w[i];
  const auto seen_from = [&](double place) {
    for (std::size_t i = 0; i < 3; ++i) probe[i] = w[i] + place * segment[i];
    f.gradient(probe, g);
    return dot(g, segment);
  };
  constexpr int nodes = 10000;
  double mean = 0;
  for (int n = 0; n < nodes; ++n) mean += seen_from((n + .5) / nodes) / nodes;
  EXPECT_NEAR(mean, f.value(x) - f.value(w), 1e-10);
  EXPECT_GT(std::abs(seen_from(1) - (f.value(x) - f.value(w))), .01);
}

TEST(SurrogateAscent, AsksForTheSurrogateAndLearns) {
  constexpr Round T = 3000;
  const auto matroid = uniform_matroid(10, 2);
  PoolGame game(coverage_pool({.pool = 50}, 3), 3, Noise(3, 0, 0));
  SurrogateAscent learner(matroid), control(matroid, {.learning = false});
  EXPECT_TRUE(learner.plays_sets() && learner.asks_surrogates());
  const Suggestion s = learner.suggest();
  EXPECT_TRUE(s.surrogate);
  Point g(10);
  game.function(1).continuous->surrogate()->gradient(s.probes[0], g);
  const Answer answer = game.answer(s);
  EXPECT_EQ(
      Point(answer.feedback.gradients.numbers.begin(), answer.feedback.gradients.numbers.end()), g);
  learner.observe(answer.feedback);
  const double best = best_fixed(Mixture(game.mixture(T)), matroid).lower;
  const double earned = reward_of(learner, game, T - 1), nothing = reward_of(control, game, T - 1);
  EXPECT_GT((earned - nothing) / (best - nothing), .9);
}

TEST(BanditGradientAscent, PlaysOnTheSphereAroundItsPoint) {
  const auto domain = uniform_matroid(6, 2);
  const double radius = .05;
  BanditGradientAscent learner(domain->erode(radius), radius, {.seed = 2});
  const DomainPtr interior = domain->erode(radius);
  Point center(6);
  for (int t = 0; t < 500; ++t) {
    const Suggestion s = learner.suggest();
    ASSERT_NEAR(norm(s.direction.point()), 1, 1e-12);
    copy(s.action.view(), center);
    add_scaled(center, -radius, s.direction.point());
    ASSERT_TRUE(interior->contains(center, 1e-9));
    ASSERT_TRUE(domain->contains(s.action.view(), 1e-9));
    learner.observe({.round = s.round, .value = s.action[0] + .1 * s.action[1]});
  }
}

// ---- fitting learners to games

std::string refusal(const std::string& game, const std::string& learner) {
  const std::string text = "rounds = 10\n[game]\n" + game +
                           "\n[domain]\nkind = 'uniform-matroid'\nrank = 2\n[[learner]]\n" +
                           learner;
  return error_of([&] { prepare(parse_experiment(text, "x.toml")); });
}

TEST(Fitting, FunctionsThatMayFallAreRefusedByWhoNeedsMonotoneOnes) {
  const std::string falling = "kind = 'quadratic'\nmonotone = false";
  for (const char* kind : {"mono-frank-wolfe", "bandit-frank-wolfe", "gradient-ascent",
                           "boosted-gradient-ascent", "bandit-gradient-ascent"}) {
    const std::string error = refusal(falling, "kind = '" + std::string(kind) + "'");
    EXPECT_NE(error.find("learner.kind = " + std::string(kind) + ": needs monotone functions"),
              std::string::npos)
        << error;
    EXPECT_NE(error.find("boosted-gradient-ascent with class = \"non-monotone\""),
              std::string::npos)
        << error;
    EXPECT_EQ(refusal("kind = 'quadratic'", "kind = '" + std::string(kind) + "'"), "no error");
  }
  for (const char* fits :
       {"kind = 'boosted-gradient-ascent'\nclass = 'non-monotone'",
        "kind = 'boosted-gradient-ascent'\nclass = 'non-monotone-any-set'", "kind = 'constant'"})
    EXPECT_EQ(refusal(falling, fits), "no error");
}

TEST(Fitting, AGameWithoutSurrogatesIsRefusedByWhoAsksForThem) {
  EXPECT_EQ(refusal("kind = 'coverage'", "kind = 'surrogate-ascent'"), "no error");
  EXPECT_EQ(refusal("kind = 'trap'", "kind = 'surrogate-ascent'"), "no error");
  const std::string error = refusal("kind = 'concave-budget'", "kind = 'surrogate-ascent'");
  EXPECT_NE(error.find("plays sets"), std::string::npos) << error;
}

}  // namespace
}  // namespace hindsight
