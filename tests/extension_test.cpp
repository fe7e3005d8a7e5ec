#include "hindsight/functions/extension.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "function_laws.hpp"
#include "hindsight/core/error.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/functions/concave_over_modular.hpp"
#include "hindsight/functions/coverage.hpp"
#include "hindsight/functions/log_det.hpp"
#include "hindsight/functions/table.hpp"

namespace hindsight {
namespace {

using Rows = std::vector<std::vector<double>>;

Stream stream_of(std::uint64_t test) { return StreamFamily(2024, "extension-test").at(test); }

/// sqrt of a weighted count in three groups; no closed extension.
SetFunctionPtr square_roots(int d, std::uint64_t test) {
  Stream stream = stream_of(test);
  Rows weights(3, std::vector<double>(static_cast<std::size_t>(d)));
  for (auto& row : weights)
    for (double& w : row) w = stream.coin(0.6) ? stream.uniform() : 0;
  return std::make_shared<ConcaveOverModular>(weights, std::vector<double>{1, 2, 0.5},
                                              Concave::square_root);
}

Point random_point(int d, Stream& stream) {
  return laws::detail::random_point(Point(static_cast<std::size_t>(d), 1.0), stream);
}

// ---- the choice

TEST(Extend, TakesTheClosedForm) {
  const auto f = std::make_shared<Coverage>(std::vector<double>{1, 2},
                                            std::vector<std::vector<int>>{{0}, {0, 1}});
  const ContinuousFunctionPtr F = extend(f);
  EXPECT_EQ(dynamic_cast<const SampledExtension*>(F.get()), nullptr);
  EXPECT_DOUBLE_EQ(F->value(Point{0.5, 0.25}), 1 - 0.5 * 0.75 + 0.5);
}

TEST(Extend, EnumeratesWhenThatCostsNoMoreThanSampling) {
  const SetFunctionPtr f = square_roots(6, 1);
  Stream stream = stream_of(2);
  const ContinuousFunctionPtr exact = extend(f, {.samples = 64});
  EXPECT_EQ(dynamic_cast<const SampledExtension*>(exact.get()), nullptr);
  Point g(6);
  for (int probe = 0; probe < 20; ++probe) {
    const Point x = random_point(6, stream);
    ASSERT_NEAR(exact->value(x), laws::detail::expected_value(*f, x), 1e-12);
    exact->gradient(x, g);
    for (std::size_t i = 0; i < 6; ++i)
      ASSERT_NEAR(g[i], laws::detail::exact_difference(*f, x, i), 1e-12);
  }
  expect_continuous_function_laws(*exact);
  const ContinuousFunctionPtr sampled = extend(f, {.samples = 63});
  EXPECT_NE(dynamic_cast<const SampledExtension*>(sampled.get()), nullptr);
}

TEST(Extend, OutlivesTheFunctionItExtends) {
  const ContinuousFunctionPtr F = extend(square_roots(12, 3), {.samples = 16});
  EXPECT_EQ(F->value(Point(12, 0.0)), 0);
}

TEST(Extend, RefusesTooFewSamples) {
  for (const int samples : {1, 0, -5}) {
    EXPECT_THROW(extend(square_roots(3, 4), {.samples = samples}), InputError);
    EXPECT_THROW(SampledExtension(square_roots(3, 4), {.samples = samples}), InputError);
  }
}

// ---- facts of every extension

TEST(ExtensionFacts, HoldAndAreAtMostTheGeneralOnes) {
  for (const int d : {1, 2, 5, 9}) {
    const SetFunctionPtr f = square_roots(d, 5);
    const FunctionFacts facts = extension_facts(*f);
    const double M1 = f->max_value();
    EXPECT_EQ(facts.max_value, M1);
    EXPECT_LE(*facts.lipschitz, M1 * std::sqrt(d) + 1e-12);
    EXPECT_LE(*facts.smoothness, M1 * (d - 1) + 1e-12);

    // The exact extension under these facts obeys the laws, which try L1 and L2 on random pairs.
    const auto exact = Table::of(*f).closed_extension();
    class WithFacts final : public ContinuousFunction {
     public:
      WithFacts(const ContinuousFunction& F, FunctionFacts facts) : F_(F), facts_(facts) {}
      int dimension() const override { return F_.dimension(); }
      double value(PointView x) const override { return F_.value(x); }
      void gradient(PointView x, PointRef out) const override { F_.gradient(x, out); }
      FunctionFacts facts() const override { return facts_; }

     private:
      const ContinuousFunction& F_;
      FunctionFacts facts_;
    };
    expect_continuous_function_laws(WithFacts(*exact, facts));
  }
}

// ---- the sampled extension

TEST(SampledExtension, IsExactAtTheCorners) {
  const int d = 7;
  const SetFunctionPtr f = square_roots(d, 6);
  const SampledExtension F(f, {.samples = 20});
  Point g(d);
  for (std::uint64_t mask = 0; mask < 128; ++mask) {
    Point x(d, 0.0);
    const ItemSet set = laws::detail::items_of(mask, d);
    for (const Item i : set) x[static_cast<std::size_t>(i)] = 1;
    ASSERT_NEAR(F.value(x), f->value(set), 1e-12);
    ASSERT_NEAR(F.estimate(x).standard_error, 0, 1e-12);
    F.gradient(x, g);
    for (std::size_t i = 0; i < g.size(); ++i)
      ASSERT_NEAR(g[i], laws::detail::exact_difference(*f, x, i), 1e-12);
  }
}

TEST(SampledExtension, IsMonotoneWithDiminishingReturnsForEveryDraw) {
  // S_s grows with x under the same thresholds, so that both laws hold exactly, not on average.
  const SampledExtension F(square_roots(8, 7), {.samples = 10});
  Stream stream = stream_of(8);
  Point low_gradient(8);
  Point high_gradient(8);
  for (int probe = 0; probe < 200; ++probe) {
    Point low = random_point(8, stream);
    Point high = random_point(8, stream);
    for (std::size_t i = 0; i < 8; ++i)
      if (low[i] > high[i]) std::swap(low[i], high[i]);
    ASSERT_LE(F.value(low), F.value(high) + 1e-12);
    F.gradient(low, low_gradient);
    F.gradient(high, high_gradient);
    for (std::size_t i = 0; i < 8; ++i) {
      ASSERT_GE(high_gradient[i], -1e-12);
      ASSERT_GE(low_gradient[i], high_gradient[i] - 1e-12);
    }
  }
}

TEST(SampledExtension, DependsOnItsSeedAlone) {
  const Point x(9, 0.4);
  const SampledExtension F(square_roots(9, 9), {.samples = 50, .seed = 3});
  EXPECT_EQ(F.value(x), F.value(x));
  EXPECT_EQ(F.value(x), SampledExtension(square_roots(9, 9), {.samples = 50, .seed = 3}).value(x));
  EXPECT_NE(F.value(x), SampledExtension(square_roots(9, 9), {.samples = 50, .seed = 4}).value(x));
  EXPECT_EQ(F.value(x), F.estimate(x).mean);
}

/// Whether the averages of `samples` draws that `average` and `slope` give are near the exact
/// extension at 10 points, half of them near 0, where gains differ most. Hoeffding, for values in
/// [0, M1] and gains of i in [0, f({i})]: off by the range times sqrt(log(2/p) / 2n) with odds p =
/// 1e-9. False alarm below 10 (1 + d) p < 2e-7.
bool agrees_with_enumeration(const SetFunction& f, int samples,
                             const std::function<double(PointView)>& average,
                             const std::function<void(PointView, PointRef)>& slope) {
  const double off = std::sqrt(std::log(2e9) / (2.0 * samples));
  Stream stream = stream_of(10);
  const int d = f.dimension();
  const auto exact = Table::of(f).closed_extension();
  Point expected(static_cast<std::size_t>(d));
  Point g(static_cast<std::size_t>(d));
  for (int probe = 0; probe < 10; ++probe) {
    Point x = random_point(d, stream);
    if (probe % 2 == 1)
      for (double& v : x) v *= 0.2;
    if (std::abs(average(x) - exact->value(x)) > off * f.max_value()) return false;
    exact->gradient(x, expected);
    slope(x, g);
    for (Item i = 0; i < d; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (std::abs(g[at] - expected[at]) > off * f.value({&i, 1}) + 1e-12) return false;
    }
  }
  return true;
}

TEST(SampledExtension, AgreesWithEnumeration) {
  const int samples = 10000;
  Rows kernel(12, std::vector<double>(12, 9.0));
  for (std::size_t i = 0; i < 12; ++i) kernel[i][i] = 10;
  const std::vector<SetFunctionPtr> functions = {square_roots(1, 12), square_roots(12, 13),
                                                 std::make_shared<LogDet>(kernel)};
  for (const SetFunctionPtr& f : functions) {
    const SampledExtension F(f, {.samples = samples, .seed = 21});
    const auto value = [&](PointView x) { return F.value(x); };
    const auto gradient = [&](PointView x, PointRef out) { F.gradient(x, out); };
    EXPECT_TRUE(agrees_with_enumeration(*f, samples, value, gradient));

    // Broken twins: thresholds that are too small, by a tenth for the value, by half for the
    // gradient, which depends less on x (not at all for one item).
    const auto with_thresholds_times = [](double factor, PointView x) {
      Point y(x.begin(), x.end());
      for (double& v : y) v = std::min(1.0, v / factor);
      return y;
    };
    EXPECT_FALSE(agrees_with_enumeration(
        *f, samples, [&](PointView x) { return F.value(with_thresholds_times(0.9, x)); },
        gradient));
    if (f->dimension() == 1) continue;
    EXPECT_FALSE(agrees_with_enumeration(*f, samples, value, [&](PointView x, PointRef out) {
      F.gradient(with_thresholds_times(0.5, x), out);
    }));
  }
}

/// Whether the squared errors of 2000 estimates, in their own standard errors, average to 1. If the
/// errors are near Gaussian the average has deviation sqrt(2 / 2000) = 0.032; 0.2 is six of them
/// (false alarm near 1e-8).
bool standard_errors_are_honest(double exact,
                                const std::function<SampledExtension::Estimate(int)>& estimate) {
  double sum = 0;
  for (int seed = 0; seed < 2000; ++seed) {
    const auto [mean, standard_error] = estimate(seed);
    const double z = (mean - exact) / standard_error;
    sum += z * z;
  }
  return std::abs(sum / 2000 - 1) < 0.2;
}

TEST(SampledExtension, HasAnHonestStandardError) {
  const SetFunctionPtr f = square_roots(6, 14);
  const Point x = {0.5, 0.2, 0.8, 0.3, 0.6, 0.4};
  const double exact = Table::of(*f).closed_extension()->value(x);
  const auto estimate = [&](int seed) {
    return SampledExtension(f, {.samples = 200, .seed = static_cast<std::uint64_t>(seed)})
        .estimate(x);
  };
  EXPECT_TRUE(standard_errors_are_honest(exact, estimate));
  // Broken twins: each threshold used twice and counted as two; a value that is biased.
  EXPECT_FALSE(standard_errors_are_honest(exact, [&](int seed) {
    SampledExtension::Estimate e = estimate(seed);
    e.standard_error /= std::sqrt(2.0);
    return e;
  }));
  EXPECT_FALSE(standard_errors_are_honest(exact, [&](int seed) {
    SampledExtension::Estimate e = estimate(seed);
    e.mean += 0.7 * e.standard_error;
    return e;
  }));
}

}  // namespace
}  // namespace hindsight
