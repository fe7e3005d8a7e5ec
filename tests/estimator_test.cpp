// The one-point estimate, the sphere it draws from, and the averaging weights.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numbers>

#include "hindsight/core/rng.hpp"
#include "hindsight/estimators/averaging.hpp"
#include "hindsight/estimators/one_point.hpp"
#include "hindsight/estimators/set_estimates.hpp"
#include "hindsight/estimators/step_baselines.hpp"
#include "hindsight/games/pools.hpp"

namespace hindsight {
namespace {

/// Bernstein: the mean of n independent draws with this variance, each within `largest` of its
/// expectation, is farther than this from it with probability at most `odds`.
double bernstein(double n, double variance, double largest, double odds) {
  const double t = std::log(2 / odds);
  const double linear = largest * t / 3;
  return (linear + std::sqrt(linear * linear + 2 * n * t * variance)) / n;
}

/// Hoeffding, for draws in an interval of this width.
double hoeffding(double n, double width, double odds) {
  return width * std::sqrt(std::log(2 / odds) / (2 * n));
}

using Function = std::function<double(PointView)>;
using Estimate =
    std::function<void(const Function& F, PointView x, double delta, PointView u, PointRef g)>;

void one_point(const Function& F, PointView x, double delta, PointView u, PointRef g) {
  Point y(x.begin(), x.end());
  add_scaled(y, delta, u);
  one_point_gradient(F(y), delta, u, g);
}

Point mean_estimate(const Estimate& estimate, const Function& F, PointView x, double delta, int n) {
  Point sum(x.size(), 0.0), u(x.size()), g(x.size());
  Stream rng = StreamFamily(1, "estimates").at(x.size());
  for (int i = 0; i < n; ++i) {
    rng.fill_sphere(u);
    estimate(F, x, delta, u, g);
    add_scaled(sum, 1.0 / n, g);
  }
  return sum;
}

double largest_difference(PointView a, PointView b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// x'Hx/2 + h'x with its gradient. Smoothing over a ball adds a constant to a quadratic, so that
/// the gradient of the smoothed function is the gradient itself; H = 0: linear.
struct Quadratic {
  std::vector<Point> H;
  Point h;

  double operator()(PointView x) const {
    double value = dot(h, x);
    for (std::size_t i = 0; i < x.size(); ++i) value += .5 * x[i] * dot(H[i], x);
    return value;
  }
  Point gradient(PointView x) const {
    Point g = h;
    for (std::size_t i = 0; i < x.size(); ++i) g[i] += dot(H[i], x);
    return g;
  }
};

Quadratic example(std::size_t d, bool linear) {
  Quadratic q{std::vector<Point>(d, Point(d, 0.0)), Point(d)};
  for (std::size_t i = 0; i < d; ++i) {
    q.h[i] = 1 + .25 * static_cast<double>(i);
    for (std::size_t j = 0; j < d && !linear; ++j) q.H[i][j] = i == j ? -.5 : -.1;
  }
  return q;
}

/// In one dimension the sphere is {-1, 1}: the average of both is (F(x+delta) - F(x-delta)) /
/// (2 delta), which is the derivative of the mean of F over [x - delta, x + delta].
TEST(OnePoint, IsExactInOneDimension) {
  const Function F = [](PointView y) { return std::sin(3 * y[0]) + y[0] * y[0] * y[0]; };
  for (const double x : {-.5, .1, 2.0})
    for (const double delta : {.01, .3}) {
      Point up(1), down(1);
      one_point(F, Point{x}, delta, Point{1}, up);
      one_point(F, Point{x}, delta, Point{-1}, down);
      const double smoothed = (F(Point{x + delta}) - F(Point{x - delta})) / (2 * delta);
      EXPECT_NEAR((up[0] + down[0]) / 2, smoothed, 1e-12);
    }
}

TEST(OnePoint, IsUnbiasedForTheSmoothedFunction) {
  constexpr int n = 400000;
  for (const std::size_t d : {1u, 2u, 5u})
    for (const bool linear : {true, false}) {
      SCOPED_TRACE(d);
      const Quadratic F = example(d, linear);
      const Point x(d, .2);
      const double delta = .4;
      const Point exact = F.gradient(x);
      // |F| <= M on the ball, so that |g_i| <= d M / delta and Var g_i <= E g_i^2 <= (d M /
      // delta)^2 / d.
      double M = std::abs(F(x)) + norm(exact) * delta;
      for (const Point& row : F.H) M += norm(row) * delta * delta / 2;
      const double scale = static_cast<double>(d) * M / delta;
      // Odds a coordinate 1e-8, and there are 16 of them: false alarm < 1e-6.
      const double error = bernstein(n, scale * scale / static_cast<double>(d), 2 * scale, 1e-8);
      ASSERT_LT(error, .25) << "too wide to reject a twin";
      EXPECT_LT(largest_difference(mean_estimate(one_point, F, x, delta, n), exact), error);

      // Broken twins. Without the factor d: off by (1 - 1/d) of the gradient.
      const Estimate no_factor = [](const Function& f, PointView at, double r, PointView u,
                                    PointRef g) {
        one_point(f, at, r, u, g);
        for (double& v : g) v /= static_cast<double>(u.size());
      };
      if (d > 1) {
        EXPECT_GT(largest_difference(mean_estimate(no_factor, F, x, delta, n), exact), error);
      }
      // Clipping the play into x >= 0: the estimate divides by a step that was not made.
      const Estimate clipped = [](const Function& f, PointView at, double r, PointView u,
                                  PointRef g) {
        Point y(at.begin(), at.end());
        add_scaled(y, r, u);
        for (double& v : y) v = std::max(v, 0.0);
        one_point_gradient(f(y), r, u, g);
      };
      if (d <= 2) {
        EXPECT_GT(largest_difference(mean_estimate(clipped, F, x, delta, n), exact), error);
      }
    }
}

/// A function that is not quadratic, where smoothing does change the gradient: F = x_1^3 in two
/// dimensions has the smoothed derivative 3 E (x_1 + delta v_1)^2 = 3 x_1^2 + 3 delta^2 / 4.
TEST(OnePoint, EstimatesTheSmoothedGradientAndNotTheGradient) {
  constexpr int n = 400000;
  const Function F = [](PointView y) { return y[0] * y[0] * y[0]; };
  const Point x = {.2, 0};
  const double delta = .8;
  // |F| <= 1 on the ball: |g_i| <= 2.5, Var g_i <= 2.5^2 / 2. Odds 1e-8 for each of two.
  const double error = bernstein(n, 2.5 * 2.5 / 2, 5, 1e-8);
  const Point mean = mean_estimate(one_point, F, x, delta, n);
  EXPECT_LT(largest_difference(mean, Point{.12 + .48, 0}), error);
  EXPECT_GT(largest_difference(mean, Point{.12, 0}), error);
}

// ---- pairs, baselines and scores, by exact integration

/// E over u of an estimate in the plane: equally spaced angles integrate trigonometric polynomials
/// of a degree below their number exactly, and for quadratics the degree is at most 3.
Point mean_over_circle(const std::function<void(PointView u, PointRef g)>& estimate) {
  constexpr int angles = 12;
  Point mean(2, 0.0), g(2);
  for (int n = 0; n < angles; ++n) {
    const double angle = 2 * std::numbers::pi * (n + .3) / angles;
    const Point u = {std::cos(angle), std::sin(angle)};
    estimate(u, g);
    add_scaled(mean, 1.0 / angles, g);
  }
  return mean;
}

Point moved(PointView x, double by, PointView u) {
  Point y(x.begin(), x.end());
  add_scaled(y, by, u);
  return y;
}

/// For two different functions above and below: the mean of their gradients.
TEST(Pairs, AreUnbiasedForTheMeanOfBothFunctions) {
  const Quadratic F = example(2, false);
  Quadratic other = example(2, true);
  other.h = {-1, 3};
  const Point x = {.2, .4};
  const double delta = .3;
  Point expected = F.gradient(x);
  add_scaled(expected, 1, other.gradient(x));
  for (double& v : expected) v /= 2;
  const auto mean = mean_over_circle([&](PointView u, PointRef g) {
    pair_gradient(F(moved(x, delta, u)), other(moved(x, -delta, u)), delta, u, g);
  });
  EXPECT_LT(largest_difference(mean, expected), 1e-12);
  // The broken twin forgets that the points are 2 delta apart.
  const auto twice = mean_over_circle([&](PointView u, PointRef g) {
    one_point_gradient(F(moved(x, delta, u)) - other(moved(x, -delta, u)), delta, u, g);
  });
  EXPECT_GT(largest_difference(twice, expected), .1);
}

/// Any baseline fixed before u is drawn changes nothing in the mean; one that looks at u does.
TEST(Baseline, LeavesTheOnePointEstimateUnbiased) {
  const Quadratic F = example(2, false);
  const Point x = {.2, .4};
  for (const double b : {0.0, .7, -3.0}) {
    const auto mean = mean_over_circle(
        [&](PointView u, PointRef g) { one_point_gradient(F(moved(x, .3, u)) - b, .3, u, g); });
    EXPECT_LT(largest_difference(mean, F.gradient(x)), 1e-12) << b;
  }
  const auto biased = mean_over_circle([&](PointView u, PointRef g) {
    const double value = F(moved(x, .3, u));
    one_point_gradient(value - .1 * value, .3, u, g);
  });
  EXPECT_GT(largest_difference(biased, F.gradient(x)), .05);
}

/// By enumeration of all sets, against the gradient of the extension.
TEST(Score, IsUnbiasedForTheGradientOfTheExtension) {
  constexpr std::size_t d = 6;
  Stream rng = StreamFamily(5, "score").at(0);
  for (const RoundFunction& f : coverage_pool({.dimension = d, .items = 8, .pool = 3}, 2)) {
    Point x(d), exact(d), mean(d, 0.0), twin(d, 0.0), member(d), g(d);
    for (double& v : x) v = .02 + .96 * rng.uniform();
    f.continuous->gradient(x, exact);
    const double b = rng.uniform();
    for (unsigned mask = 0; mask < 1u << d; ++mask) {
      double odds = 1;
      ItemSet set;
      for (std::size_t i = 0; i < d; ++i) {
        member[i] = mask >> i & 1;
        odds *= member[i] == 1 ? x[i] : 1 - x[i];
        if (member[i] == 1) set.push_back(static_cast<Item>(i));
      }
      score_estimate(f.set->value(set) - b, member, x, g);
      add_scaled(mean, odds, g);
      for (std::size_t i = 0; i < d; ++i)  // the broken twin: no division by the variance of a coin
        twin[i] += odds * (f.set->value(set) - b) * (member[i] - x[i]);
    }
    EXPECT_LT(largest_difference(mean, exact), 1e-12);
    EXPECT_GT(largest_difference(twin, exact), .01);
  }
}

TEST(StepBaselines, AreMeansOfEarlierBlocksSmoothedOverNeighbours) {
  StepBaselines baselines(3);
  EXPECT_EQ(baselines.centred(1, 5), 0) << "nothing to compare with";
  baselines.note(0, 1);
  baselines.note(2, 3);
  EXPECT_EQ(baselines.centred(0, 5), 0) << "this block's values count from the next one on";
  baselines.next_block();
  EXPECT_DOUBLE_EQ(baselines.centred(0, 5), 4);
  EXPECT_DOUBLE_EQ(baselines.centred(1, 5), 3) << "(1 + 3) / 2";
  baselines.note(0, 3);
  baselines.note(1, 6);
  baselines.next_block();
  EXPECT_DOUBLE_EQ(baselines.centred(0, 0), -(2 * 2 + 6) / 3.0);
  EXPECT_DOUBLE_EQ(baselines.centred(1, 0), -(2 + 2 * 6 + 3) / 4.0);
}

// ---- the sphere

/// E u, E uu' and E u_1^4 = 3 / (d (d+2)), and the length; the largest deviation of the moments.
double deviation_from_sphere(std::size_t d, int n,
                             const std::function<void(Stream&, PointRef)>& fill) {
  Stream rng = StreamFamily(2, "sphere").at(d);
  Point u(d), first(d, 0.0), second(d * d, 0.0);
  double fourth = 0;
  for (int i = 0; i < n; ++i) {
    fill(rng, u);
    EXPECT_NEAR(norm(u), 1, 1e-14);
    for (std::size_t a = 0; a < d; ++a) {
      first[a] += u[a] / n;
      for (std::size_t b = 0; b < d; ++b) second[a * d + b] += u[a] * u[b] / n;
    }
    fourth += u[0] * u[0] * u[0] * u[0] / n;
  }
  const auto dd = static_cast<double>(d);
  double worst = std::abs(fourth - 3 / (dd * (dd + 2)));
  for (std::size_t a = 0; a < d; ++a) {
    worst = std::max(worst, std::abs(first[a]));
    for (std::size_t b = 0; b < d; ++b)
      worst = std::max(worst, std::abs(second[a * d + b] - (a == b ? 1 / dd : 0)));
  }
  return worst;
}

TEST(Sphere, HasTheMomentsOfTheUniformDistribution) {
  constexpr int n = 1000000;
  // Draws in [-1, 1], at most 35 means of them in each of 4 dimensions: odds 1e-9 a mean.
  const double error = hoeffding(n, 2, 1e-9);
  const auto ours = [](Stream& rng, PointRef u) { rng.fill_sphere(u); };
  for (const std::size_t d : {1u, 2u, 3u, 5u}) EXPECT_LT(deviation_from_sphere(d, n, ours), error);
  // The broken twin: a point of the cube, pulled to length 1, favours the diagonals.
  const auto cube = [](Stream& rng, PointRef u) {
    for (double& v : u) v = 2 * rng.uniform() - 1;
    const double length = norm(u);
    for (double& v : u) v /= length;
  };
  EXPECT_GT(deviation_from_sphere(2, n, cube), error);
}

/// Numbers of long directions are made sixteen at a time by as many generators: those of one, of
/// neighbours and of one step after another must not know of each other. In standard deviations,
/// how far the means of d u_i u_j and of (d u_i^2 - 1) (d u_j^2 - 1), j - i a fixed distance, are
/// from 0 and -2 / (d + 2), for the distance that is furthest.
double dependence(const std::function<void(Stream&, PointRef)>& fill) {
  constexpr std::size_t d = 320;
  constexpr int n = 20'000;
  const std::size_t distances[] = {1, 2, 15, 16, 17, 32, 48, 64, 128, 256};
  Point u(d), products(std::size(distances), 0.0), squares(std::size(distances), 0.0);
  Stream rng = StreamFamily(4, "long").at(0);
  for (int draw = 0; draw < n; ++draw) {
    fill(rng, u);
    for (std::size_t k = 0; k < std::size(distances); ++k)
      for (std::size_t i = 0; i + distances[k] < d; ++i) {
        const double product = d * u[i] * u[i + distances[k]];
        products[k] += product;
        squares[k] += product * product - d * u[i] * u[i] -
                      d * u[i + distances[k]] * u[i + distances[k]] + 1 + 2.0 / (d + 2);
      }
  }
  double worst = 0;
  for (std::size_t k = 0; k < std::size(distances); ++k) {
    const double root = std::sqrt(static_cast<double>(n) * static_cast<double>(d - distances[k]));
    worst = std::max({worst, std::abs(products[k]) / root, std::abs(squares[k]) / (2 * root)});
  }
  return worst;
}

TEST(Sphere, NumbersOfLongDirectionsDoNotKnowOfEachOther) {
  // Sums of more than a million nearly independent numbers of variance 1 and 4, normal by the
  // central limit theorem: 20 of them beyond 6 standard deviations have odds of 4e-8.
  EXPECT_LT(dependence([](Stream& rng, PointRef u) { rng.fill_sphere(u); }), 6);
  // Broken twins: a generator gives every number twice; and once more with another sign.
  for (const bool turned : {false, true})
    EXPECT_GT(dependence([&](Stream& rng, PointRef u) {
                rng.fill_sphere(u);
                for (std::size_t i = 0; i + 64 < u.size(); i += 128)
                  u[i + 64] = turned && rng.coin(.5) ? -u[i] : u[i];
              }),
              6);
}

TEST(Sphere, IsPlusOrMinusOneInOneDimension) {
  Stream rng = StreamFamily(3, "sphere").at(0);
  Point u(1);
  int up = 0;
  constexpr int n = 100000;
  for (int i = 0; i < n; ++i) {
    rng.fill_sphere(u);
    ASSERT_EQ(std::abs(u[0]), 1);
    up += u[0] > 0 ? 1 : 0;
  }
  EXPECT_LT(std::abs(up / double(n) - .5), hoeffding(n, 1, 1e-7));
}

// ---- averaging

TEST(Averaging, WeightsAreThoseOfTheTheorems) {
  // Theorem 1: 2/(k+3)^{2/3} up to K/2+1, then 1.5/(K-k+2)^{2/3}.
  EXPECT_DOUBLE_EQ(mono_averaging_weight(5, 8), 2.0 / 4);                // k = K/2 + 1: 8^{2/3} = 4
  EXPECT_DOUBLE_EQ(mono_averaging_weight(24, 60), 2.0 / 9);              // 27^{2/3} = 9
  EXPECT_DOUBLE_EQ(mono_averaging_weight(6, 8), 1.5 / std::cbrt(16.0));  // K - k + 2 = 4
  EXPECT_DOUBLE_EQ(mono_averaging_weight(14, 20), 1.5 / 4);              // 8^{2/3}
  EXPECT_DOUBLE_EQ(mono_averaging_weight(8, 8), 1.5 / std::cbrt(4.0));
  EXPECT_DOUBLE_EQ(mono_averaging_weight(1, 1), 2 / std::cbrt(16.0));
  EXPECT_DOUBLE_EQ(mono_averaging_weight(2, 2), 2 / std::cbrt(25.0));
  // Odd K: the switch is at floor(K/2) + 1.
  EXPECT_DOUBLE_EQ(mono_averaging_weight(5, 9), 2.0 / 4);
  EXPECT_DOUBLE_EQ(mono_averaging_weight(6, 9), 1.5 / std::cbrt(25.0));
  // Theorems 2, 3, 4: 2/(k+2)^{2/3}.
  EXPECT_DOUBLE_EQ(bandit_averaging_weight(1), 2 / std::cbrt(9.0));
  EXPECT_DOUBLE_EQ(bandit_averaging_weight(6), .5);
  EXPECT_DOUBLE_EQ(bandit_averaging_weight(25), 2.0 / 9);
  EXPECT_DOUBLE_EQ(vr_averaging_weight(5), .5);
}

TEST(Averaging, WeightsAreShares) {
  for (int K = 1; K <= 300; ++K)
    for (int k = 1; k <= K; ++k)
      for (const double rho :
           {mono_averaging_weight(k, K), bandit_averaging_weight(k), vr_averaging_weight(k)}) {
        ASSERT_GT(rho, 0);
        ASSERT_LE(rho, 1);
      }
}

/// Some columns of rows that stand one after another.
template <class Number>
void average_rows(std::span<const Number> before, PointView rho, PointView taken,
                  std::span<const Number> gradients, std::span<Number> averages,
                  std::span<double> squared_norms, Columns columns) {
  const auto [first, count] = columns;
  const std::size_t stride = before.size();
  average(before.subspan(first, count), rho, taken, Strip<const Number>{&gradients[first], stride},
          Strip<Number>{&averages[first], stride}, squared_norms);
}

TEST(Averaging, IsTheWeightedMean) {
  Point d(9), squared_norms(3);
  const Point before = {1, -2, 0}, rho = {.25, .5, 1}, gradients = {5, 2, 4, 4, 1, 0, 7, 8, 9};
  average_rows<double>(before, rho, rho, gradients, d, squared_norms, {0, 3});
  EXPECT_EQ(d, (Point{2, -1, 1, 3, 0, .5, 7, 8, 9}));
  EXPECT_EQ(squared_norms, (Point{6, 9.25, 194}));
  // The same by columns, whose squares add up; and in f32, where these numbers lose nothing.
  Point by_columns(9), first(3), rest(3);
  average_rows<double>(before, rho, rho, gradients, by_columns, first, {0, 1});
  average_rows<double>(before, rho, rho, gradients, by_columns, rest, {1, 2});
  EXPECT_EQ(by_columns, d);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(first[k] + rest[k], squared_norms[k]);
  const std::vector<float> narrow_before(before.begin(), before.end());
  const std::vector<float> narrow(gradients.begin(), gradients.end());
  std::vector<float> narrow_d(narrow.size());
  average_rows<float>(narrow_before, rho, rho, narrow, narrow_d, first, {0, 3});
  EXPECT_EQ(Point(narrow_d.begin(), narrow_d.end()), d);
  EXPECT_EQ(first, squared_norms);
  // Without weight a step carries on what is there.
  average_rows<double>(before, Point{0}, Point{0}, PointView(gradients).first(3), by_columns, first,
                       {0, 3});
  EXPECT_EQ(Point(by_columns.begin(), by_columns.begin() + 3), before);
  // Longer than a register, and in place.
  Point in_place = {1, -2, 0, 1, 1, 1, 4};
  average_rows<double>(in_place, Point{.25}, Point{.25}, PointView(Point{5, 2, 4, 1, 5, 9, 0}),
                       in_place, squared_norms, {0, 7});
  EXPECT_EQ(in_place, (Point{2, -1, 1, 1, 2, 3, 3}));
  EXPECT_EQ(squared_norms[0], 29);
  // Gradients that are still to be multiplied, here by 4.
  average_rows<double>(before, Point{.25}, Point{1}, PointView(Point{1.25, .5, 1}), by_columns,
                       first, {0, 3});
  EXPECT_EQ(Point(by_columns.begin(), by_columns.begin() + 3), (Point{2, -1, 1}));
}

/// Numbers whose squares f32 cannot hold have their squared norms all the same.
TEST(Averaging, KnowsTheLengthOfWhatIsTooLongOrTooShortForFloats) {
  for (const float size : {1e-30f, 1e-24f, 1e-18f, 1e-10f, 1e10f, 1e18f, 1e24f, 1e30f})
    for (const std::size_t n : {5u, 16u, 33u, 1000u}) {
      std::vector<float> d(n, 0.0f);
      const std::vector<float> gradient(n, size);
      Point squares(1);
      average_rows<float>(d, Point{1}, Point{1}, gradient, d, squares, {0, n});
      const double expected = static_cast<double>(n) * static_cast<double>(size) * size;
      EXPECT_NEAR(squares[0], expected, 1e-5 * expected) << size << ", n = " << n;
    }
}

/// Whatever is done sixteen at a time, four at a time or alone: number by number the same.
TEST(Averaging, IsTheSameInEveryDimension) {
  Stream rng = StreamFamily(12, "averaging").at(0);
  for (std::size_t n = 1; n <= 70; ++n) {
    Point before(n), gradients(2 * n), d(2 * n), squares(2);
    const Point rho = {.3, .6};
    rng.fill_normal(before);
    rng.fill_normal(gradients);
    const std::vector<float> narrow_before(before.begin(), before.end());
    const std::vector<float> narrow(gradients.begin(), gradients.end());
    std::vector<float> narrow_d(2 * n);
    Point narrow_squares(2);
    average_rows<double>(before, rho, rho, gradients, d, squares, {0, n});
    average_rows<float>(narrow_before, rho, rho, narrow, narrow_d, narrow_squares, {0, n});
    // Gradients of f32 in the room of f64, and what is left of these behind them.
    Point in_halves = gradients, rounded(narrow.begin(), narrow.end()), of_rounded(2 * n),
          of_halves(2 * n), rounded_squares(2), halves_squares(2);
    for (std::size_t k = 0; k < 2; ++k)
      std::memcpy(&in_halves[k * n], &narrow[k * n], n * sizeof(float));
    average_rows<double>(before, rho, rho, rounded, of_rounded, rounded_squares, {0, n});
    average_halves(before, rho, rho, {in_halves.data(), n}, {of_halves.data(), n}, halves_squares);
    ASSERT_EQ(of_halves, of_rounded) << n;
    ASSERT_EQ(halves_squares, rounded_squares) << n;
    for (std::size_t k = 0; k < 2; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double old = k == 0 ? before[i] : d[i];
        ASSERT_DOUBLE_EQ(d[k * n + i], (1 - rho[k]) * old + rho[k] * gradients[k * n + i]);
        ASSERT_NEAR(static_cast<double>(narrow_d[k * n + i]), d[k * n + i], 1e-6);
        sum += d[k * n + i] * d[k * n + i];
      }
      ASSERT_NEAR(squares[k], sum, 1e-12 * sum);
      ASSERT_NEAR(narrow_squares[k], sum, 1e-5 * (1 + sum));
    }
  }
}

}  // namespace
}  // namespace hindsight
