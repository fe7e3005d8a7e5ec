// Functions that are concave, that have a concave surrogate, or that need not be monotone; and the
// best fixed point of such functions.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "function_laws.hpp"
#include "hindsight/core/error.hpp"
#include "hindsight/domains/box.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/functions/coverage.hpp"
#include "hindsight/functions/facility_location.hpp"
#include "hindsight/functions/modular.hpp"
#include "hindsight/functions/quadratic.hpp"
#include "hindsight/functions/saturation.hpp"
#include "hindsight/games/pools.hpp"
#include "hindsight/offline/best_fixed.hpp"
#include "hindsight/offline/projected_ascent.hpp"

namespace hindsight {
namespace {

template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// ---- saturation

TEST(Saturation, EqualsItsFormula) {
  const Saturation F({{1, 2}, {0, 3}}, {.5, 2});
  const Point x = {.25, .5};
  EXPECT_DOUBLE_EQ(F.value(x), .5 * (1 - std::exp(-1.25)) + 2 * (1 - std::exp(-1.5)));
  Point g(2);
  F.gradient(x, g);
  EXPECT_DOUBLE_EQ(g[0], .5 * std::exp(-1.25));
  EXPECT_DOUBLE_EQ(g[1], std::exp(-1.25) + 6 * std::exp(-1.5));
  EXPECT_TRUE(F.facts().concave);
  EXPECT_DOUBLE_EQ(*F.facts().smoothness, .5 * 5 + 2 * 9);
}

TEST(Saturation, ObeysTheLaws) {
  for (const RoundFunction& f : concave_budget_pool({.dimension = 7, .items = 9, .pool = 5}, 3))
    expect_continuous_function_laws(*f.continuous);
  expect_continuous_function_laws(Saturation({{4}}, {1}));
  expect_continuous_function_laws(Saturation({{0, 0}}, {1}));
}

TEST(Saturation, RefusesBadInput) {
  EXPECT_EQ(error_of([] { Saturation({{-1}}, {1}); }), "rates[0][0] = -1: must be at least 0");
  EXPECT_EQ(error_of([] { Saturation({{1}}, {-1}); }), "weights[0] = -1: must be at least 0");
  EXPECT_EQ(error_of([] {
              Saturation({{1}}, {1, 1});
            }),
            "weights = a list of 2: must have 1 numbers, one for each customer");
}

/// The laws notice a function that only claims to be concave.
TEST(Laws, AClaimOfConcavityIsTested) {
  class Claims final : public ContinuousFunction {
   public:
    explicit Claims(const ContinuousFunction& F) : F_(F) {}
    int dimension() const override { return F_.dimension(); }
    double value(PointView x) const override { return F_.value(x); }
    void gradient(PointView x, PointRef out) const override { F_.gradient(x, out); }
    FunctionFacts facts() const override {
      FunctionFacts facts = F_.facts();
      facts.concave = true;
      return facts;
    }

   private:
    const ContinuousFunction& F_;
  };
  // x + y - xy is convex along (1, -1).
  const Quadratic F({{0, -1}, {-1, 0}}, {1, 1});
  EXPECT_FALSE(laws::find_broken_law(F).has_value());
  EXPECT_TRUE(laws::find_broken_law(Claims(F)).has_value());
}

// ---- quadratics that may fall

TEST(FallingQuadratic, ObeysTheLawsOfFunctionsThatMayFall) {
  for (const int d : {1, 3, 8})
    for (const RoundFunction& f :
         quadratic_pool({.dimension = d, .pool = 5, .monotone = false}, 4)) {
      EXPECT_FALSE(f.continuous->facts().monotone);
      expect_continuous_function_laws(*f.continuous);
    }
  // x - x^2 falls from 1/2 on; x - 1.1 x^2 would be below 0 at 1.
  expect_continuous_function_laws(Quadratic({{-2}}, {1}, {}, Slope::any));
  EXPECT_EQ(error_of([] { Quadratic({{-2.5}}, {1}, {}, Slope::any); }),
            "(h + H * upper / 2)[0] = -0.25: must be at least 0, for F to be at least 0");
}

TEST(FallingQuadratic, IsFoundOutWhereItSaysThatItIsMonotone) {
  class Claims final : public ContinuousFunction {
   public:
    int dimension() const override { return 1; }
    double value(PointView x) const override { return x[0] - x[0] * x[0]; }
    void gradient(PointView x, PointRef out) const override { out[0] = 1 - 2 * x[0]; }
    FunctionFacts facts() const override { return {1, 1.0, 2.0}; }
  };
  EXPECT_TRUE(laws::find_broken_law(Claims()).has_value());
}

// ---- surrogates

/// The first broken law of a surrogate: the sandwich, equality at corners, and supergradients.
laws::Finding find_broken_surrogate(const ContinuousFunction& F, const ContinuousFunction& f,
                                    double factor = 1 - 1 / std::numbers::e) {
  const auto d = static_cast<std::size_t>(F.dimension());
  const double slack = 1e-12 * F.facts().max_value;
  const Point ones(d, 1.0);
  Stream rng = StreamFamily(2, "surrogate").at(d);
  Point g(d);
  for (int n = 0; n < 400; ++n) {
    Point x = laws::detail::random_point(ones, rng);
    if (n % 4 == 0)  // sums of exactly 1 are where the surrogate bends
      for (double& z : x) z = rng.below(3) / 2.0;
    const Point y = laws::detail::random_point(ones, rng);
    if (F.value(x) > f.value(x) + slack) return "below F";
    if (F.value(x) < factor * f.value(x) - slack) return "too far above F";
    f.gradient(x, g);
    if (f.value(y) > f.value(x) + dot(g, y) - dot(g, x) + slack) return "no supergradient";
    Point corner(d);
    for (double& z : corner) z = static_cast<double>(rng.below(2));
    if (std::abs(F.value(corner) - f.value(corner)) > slack) return "differs at a corner";
  }
  return std::nullopt;
}

TEST(Surrogate, OfCoverageFacilityLocationAndModularFunctions) {
  const PoolOptions options = {.dimension = 6, .items = 10, .pool = 5};
  for (const auto& pool : {coverage_pool(options, 1), facility_location_pool(options, 1)})
    for (const RoundFunction& f : pool) {
      ASSERT_TRUE(f.continuous->facts().surrogate);
      const auto finding = find_broken_surrogate(*f.continuous, *f.continuous->surrogate());
      EXPECT_FALSE(finding.has_value()) << *finding;
    }
  const auto modular = Modular({1, 0, 2}).closed_extension();
  EXPECT_FALSE(find_broken_surrogate(*modular, *modular->surrogate()).has_value());
  EXPECT_EQ(Quadratic({{-1}}, {1}).surrogate(), nullptr);
}

/// Broken twins: the extension itself is not concave, and the factor 1 - 1/e is not far too small.
TEST(Surrogate, LawsRejectWhatIsNone) {
  const Coverage f({1}, {{0}, {0}, {0}, {0}, {0}, {0}});
  const auto F = f.closed_extension();
  EXPECT_FALSE(find_broken_surrogate(*F, *F->surrogate()).has_value());
  EXPECT_EQ(find_broken_surrogate(*F, *F), "no supergradient");
  // 1 - (1 - 1/6)^6 = .665: at x = 1/6 nothing above that factor holds.
  const Point sixth(6, 1.0 / 6);
  EXPECT_NEAR(F->surrogate()->value(sixth), 1, 1e-12);
  EXPECT_NEAR(F->value(sixth), 1 - std::pow(5.0 / 6, 6), 1e-12);
  class Doubled final : public ContinuousFunction {
   public:
    explicit Doubled(const ContinuousFunction& F) : F_(F) {}
    int dimension() const override { return F_.dimension(); }
    double value(PointView x) const override { return 2 * F_.value(x); }
    void gradient(PointView x, PointRef out) const override {
      F_.gradient(x, out);
      for (double& z : out) z *= 2;
    }
    FunctionFacts facts() const override { return F_.facts(); }

   private:
    const ContinuousFunction& F_;
  };
  EXPECT_TRUE(find_broken_surrogate(*F, Doubled(*F->surrogate())).has_value());
}

TEST(Surrogate, OfOneCustomerByHand) {
  const auto F = FacilityLocation({{4, 1, 3}}).closed_extension();
  const ContinuousFunction& f = *F->surrogate();
  Point g(3);
  EXPECT_DOUBLE_EQ(f.value(Point{.5, 1, .25}), 2 + .75 + .25);
  f.gradient(Point{.5, 1, .25}, g);  // full at item 1, worth 1
  EXPECT_EQ(g, (Point{3, 0, 2}));
  f.gradient(Point{.5, .1, .25}, g);  // never full
  EXPECT_EQ(g, (Point{4, 1, 3}));
  f.gradient(Point{.5, 1, .75}, g);  // full at item 2
  EXPECT_EQ(g, (Point{1, 0, 0}));
}

// ---- the best fixed point

std::vector<WeightedFunction> mixture_of(const std::vector<RoundFunction>& pool) {
  std::vector<WeightedFunction> mixture;
  for (const RoundFunction& f : pool) mixture.push_back({f, 3});
  return mixture;
}

/// 1 - e^{-2x} + 2 (1 - e^{-2y}) with x + y <= 1: e^{-2x} = 2 e^{-2y}, so y - x = ln(2)/2.
TEST(BestFixed, OfAConcaveFunctionIsExactAndMayBeFractional) {
  const auto F = std::make_shared<Saturation>(std::vector<Point>{{2, 0}, {0, 2}}, Point{1, 2});
  const BestFixed best = best_fixed(Mixture({{{nullptr, F}, 1}}), uniform_matroid(2, 1));
  const double x = .5 - std::numbers::ln2 / 4, y = .5 + std::numbers::ln2 / 4;
  EXPECT_NEAR(best.point[0], x, 1e-5);
  EXPECT_NEAR(best.point[1], y, 1e-5);
  const double optimum = 3 - std::exp(-2 * x) - 2 * std::exp(-2 * y);
  EXPECT_LE(best.lower, optimum + 1e-12);
  EXPECT_GE(best.upper, optimum - 1e-12);
  EXPECT_LT(best.upper - best.lower, 1e-7);
  EXPECT_EQ(best.upper_by, "Frank-Wolfe gap");
}

TEST(BestFixed, OfAPoolOfConcaveFunctionsIsExact) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Mixture mixture(mixture_of(concave_budget_pool({.pool = 20}, seed)));
    const BestFixed best = best_fixed(mixture, uniform_matroid(10, 2));
    EXPECT_LT(best.upper - best.lower, 1e-6 * best.lower);
    EXPECT_NEAR(mixture.value(best.point), best.lower, 1e-9 * best.lower);
  }
}

/// On a grid of the box no point is better than the upper end, and the lower end is attained.
TEST(BestFixed, OfFunctionsThatMayFallHoldsTheOptimum) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const Mixture mixture(
        mixture_of(quadratic_pool({.dimension = 3, .pool = 4, .monotone = false}, seed)));
    const BestFixed best = best_fixed(mixture, std::make_shared<Box>(Point(3, 1.0)));
    double most = 0;
    for (int a = 0; a <= 20; ++a)
      for (int b = 0; b <= 20; ++b)
        for (int c = 0; c <= 20; ++c)
          most = std::max(most, mixture.value(Point{a / 20.0, b / 20.0, c / 20.0}));
    EXPECT_LE(most, best.upper * (1 + 1e-12));
    EXPECT_GE(best.lower, .99 * most);
    EXPECT_NEAR(mixture.value(best.point), best.lower, 1e-12 * best.lower);
  }
}

}  // namespace
}  // namespace hindsight
