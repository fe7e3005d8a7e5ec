#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>
#include <thread>

#include "function_laws.hpp"
#include "hindsight/core/error.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/functions/concave_over_modular.hpp"
#include "hindsight/functions/coverage.hpp"
#include "hindsight/functions/design.hpp"
#include "hindsight/functions/facility_location.hpp"
#include "hindsight/functions/function_json.hpp"
#include "hindsight/functions/influence.hpp"
#include "hindsight/functions/log_det.hpp"
#include "hindsight/functions/modular.hpp"
#include "hindsight/functions/noise.hpp"
#include "hindsight/functions/quadratic.hpp"
#include "hindsight/functions/table.hpp"

namespace hindsight {
namespace {

using Rows = std::vector<std::vector<double>>;
using Sets = std::vector<std::vector<int>>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Stream stream_of(std::uint64_t test) { return StreamFamily(2024, "functions-test").at(test); }

/// The message of the InputError that `make` throws, or what happened instead.
template <class Make>
std::string error_of(Make make) {
  try {
    make();
  } catch (const InputError& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("another exception: ") + error.what();
  }
  return "no error";
}

struct CoverageInput {
  std::vector<double> weights;
  Sets sets;
};

CoverageInput random_coverage(int items, int elements, double density, Stream& stream) {
  CoverageInput input;
  for (int e = 0; e < elements; ++e) input.weights.push_back(stream.uniform());
  input.sets.resize(at(items));
  for (auto& set : input.sets)
    for (int e = 0; e < elements; ++e)
      if (stream.coin(density)) set.push_back(e);
  return input;
}

Rows random_rows(int rows, int columns, Stream& stream) {
  Rows out(at(rows), std::vector<double>(at(columns)));
  for (auto& row : out)
    // A third are 0 and a third are halves, so that ties are met.
    for (double& v : row) {
      const auto kind = stream.below(3);
      v = kind == 0 ? 0.0 : kind == 1 ? 0.5 : stream.uniform();
    }
  return out;
}

/// H <= 0 and h such that the gradient at `upper` is small and at least 0.
Quadratic random_quadratic(int d, const Point& upper, Stream& stream) {
  Rows H(at(d), std::vector<double>(at(d)));
  for (std::size_t i = 0; i < at(d); ++i)
    for (std::size_t j = 0; j <= i; ++j) H[i][j] = H[j][i] = -stream.uniform();
  std::vector<double> h;
  for (std::size_t i = 0; i < at(d); ++i) h.push_back(0.1 * stream.uniform() - dot(H[i], upper));
  return Quadratic(H, h, upper);
}

// ---- coverage

TEST(Coverage, CountsEachElementOnce) {
  const Coverage f({1, 2, 4, 8}, {{0, 1}, {1, 2}, {}});
  EXPECT_EQ(f.dimension(), 3);
  EXPECT_EQ(f.value({}), 0);
  EXPECT_EQ(f.value(ItemSet{0}), 3);
  EXPECT_EQ(f.value(ItemSet{1, 0}), 7);
  EXPECT_EQ(f.value(ItemSet{2}), 0);
  EXPECT_EQ(f.max_value(), 7);  // nothing covers the element of weight 8
}

TEST(Coverage, EqualsTheWeightOfTheUnion) {
  Stream stream = stream_of(1);
  for (const int elements : {30, 64, 65}) {  // up to 64 there is a bit for each
    const CoverageInput input = random_coverage(9, elements, 0.3, stream);
    const Coverage f(input.weights, input.sets);
    Sets backwards = input.sets;
    for (auto& list : backwards) std::reverse(list.begin(), list.end());
    const Coverage same(input.weights, backwards);
    for (std::uint64_t mask = 0; mask < 512; ++mask) {
      const ItemSet set = laws::detail::items_of(mask, 9);
      std::set<int> covered;
      for (const Item i : set) covered.insert(input.sets[at(i)].begin(), input.sets[at(i)].end());
      double total = 0;
      for (const int e : covered) total += input.weights[at(e)];
      ASSERT_NEAR(f.value(set), total, 1e-12);
      ASSERT_NEAR(same.value(set), total, 1e-12);
    }
  }
}

TEST(Coverage, ObeysTheLaws) {
  Stream stream = stream_of(2);
  for (const int d : {1, 2, 5, 10, 40})
    for (const double density : {0.0, 0.1, 0.5, 1.0}) {
      const CoverageInput input = random_coverage(d, 12, density, stream);
      expect_set_function_laws(Coverage(input.weights, input.sets));
    }
  expect_set_function_laws(Coverage({}, Sets(3)));
}

TEST(Coverage, GradientIsExactWhereItemsAreCertain) {
  // One element, covered by all: dF/dx_i is the product of the others' 1 - x.
  const auto F = Coverage({2}, {{0}, {0}, {0}}).closed_extension();
  Point g(3);
  F->gradient(Point{1, 0.5, 0.25}, g);
  EXPECT_EQ(g, (Point{2 * 0.5 * 0.75, 0, 0}));
  F->gradient(Point{1, 1, 0.25}, g);
  EXPECT_EQ(g, (Point{0, 0, 0}));
}

/// Lists of some length are unrolled, others go by fours and are filled up: all of them against the
/// definition. Element e is covered by e + 1 items, some of which are certain.
TEST(Coverage, ListsOfEveryLengthFollowTheDefinition) {
  constexpr int d = 23;
  Stream stream = stream_of(31);
  std::vector<double> weights;
  Sets sets(at(d));
  for (int e = 0; e < d; ++e) {
    weights.push_back(1 + stream.uniform());
    for (int i = 0; i <= e; ++i) sets[at((7 * e + 5 * i) % d)].push_back(e);
  }
  const auto F = Coverage(weights, sets).closed_extension();
  Point g(at(d));
  for (int certain = 0; certain < 3; ++certain) {
    Point x = laws::detail::random_point(Point(at(d), 1.0), stream);
    for (int n = 0; n < certain; ++n) x[stream.below(d)] = 1;
    Point expected(at(d), 0.0);
    double value = 0;
    for (int e = 0; e < d; ++e) {
      const auto covers = [&](int i) { return std::ranges::count(sets[at(i)], e) > 0; };
      const auto uncovered = [&](int but) {
        double product = weights[at(e)];
        for (int l = 0; l < d; ++l)
          if (l != but && covers(l)) product *= 1 - x[at(l)];
        return product;
      };
      value += weights[at(e)] - uncovered(-1);
      for (int i = 0; i < d; ++i)
        if (covers(i)) expected[at(i)] += uncovered(i);
    }
    EXPECT_NEAR(F->value(x), value, 1e-13 * value);
    F->gradient(x, g);
    for (int i = 0; i < d; ++i) EXPECT_NEAR(g[at(i)], expected[at(i)], 1e-14) << "item " << i;
  }
}

TEST(Coverage, GradientSurvivesProductsThatUnderflow) {
  // Dividing the product of all, (2^-53)^24 = 0 in double, by one factor would give 0 or NaN.
  const int d = 24;
  Point x(at(d), 1 - 0x1p-53);
  x[0] = 0;
  const auto F = Coverage({1}, Sets(at(d), {0})).closed_extension();
  Point g(at(d));
  F->gradient(x, g);
  for (const double v : g) EXPECT_TRUE(std::isfinite(v) && v >= 0);
  x.assign(at(d), 0.0);
  x[3] = 1 - 0x1p-53;
  F->gradient(x, g);
  EXPECT_EQ(g[3], 1);
  EXPECT_EQ(g[0], 0x1p-53);
}

TEST(Coverage, FactsAreTightAtTheOrigin) {
  // Two items that cover the same unit: F = x + y - xy.
  const FunctionFacts facts = Coverage({1}, {{0}, {0}}).closed_extension()->facts();
  EXPECT_EQ(facts.max_value, 1);
  EXPECT_DOUBLE_EQ(facts.lipschitz.value(), std::sqrt(2.0));
  EXPECT_EQ(facts.smoothness.value(), 1);
}

TEST(Coverage, RefusesBadInput) {
  EXPECT_EQ(error_of([] { Coverage({1, -1}, {{0}}); }), "weights[1] = -1: must be at least 0");
  EXPECT_EQ(error_of([] { Coverage({nan}, {{0}}); }), "weights[0] = nan: must be finite");
  EXPECT_EQ(error_of([] { Coverage({infinity}, {{0}}); }), "weights[0] = inf: must be finite");
  EXPECT_EQ(error_of([] { Coverage({1}, {}); }), "sets = []: must have at least one item");
  EXPECT_EQ(error_of([] {
              Coverage({1, 1}, {{0}, {1, 2}});
            }),
            "sets[1][1] = 2: must be at least 0 and below 2, the number of weights");
  EXPECT_EQ(error_of([] {
              Coverage({1, 1}, {{0}, {-1}});
            }),
            "sets[1][0] = -1: must be at least 0 and below 2, the number of weights");
  EXPECT_EQ(error_of([] {
              Coverage({1, 1}, {{0, 1, 0}});
            }),
            "sets[0][2] = 0: must not repeat an element of the same item");
  EXPECT_EQ(error_of([] {
              Coverage({1e308, 1e308}, {{0, 1}});
            }),
            "weights = inf: must have a finite total");
}

// ---- facility location

TEST(FacilityLocation, ServesEveryCustomerFromTheBestOpenItem) {
  const FacilityLocation f({{1, 5, 0}, {2, 0, 3}}, {1, 10});
  EXPECT_EQ(f.value({}), 0);
  EXPECT_EQ(f.value(ItemSet{0}), 21);
  EXPECT_EQ(f.value(ItemSet{1}), 5);
  EXPECT_EQ(f.value(ItemSet{2, 0}), 31);
  EXPECT_EQ(f.max_value(), 35);
  EXPECT_EQ(FacilityLocation({{1, 5, 0}, {2, 0, 3}}).max_value(), 8);
}

TEST(FacilityLocation, ObeysTheLaws) {
  Stream stream = stream_of(3);
  for (const int d : {1, 2, 6, 10, 40})
    for (const int customers : {1, 7}) {
      std::vector<double> weights;
      for (int c = 0; c < customers; ++c) weights.push_back(c == 3 ? 0.0 : stream.uniform());
      expect_set_function_laws(FacilityLocation(random_rows(customers, d, stream), weights));
    }
  expect_set_function_laws(FacilityLocation({{0, 0}}));
}

TEST(FacilityLocation, IsCoverageWhereBenefitsAreZeroOrOne) {
  Stream stream = stream_of(4);
  const CoverageInput input = random_coverage(10, 15, 0.3, stream);
  Rows benefits(15, std::vector<double>(10, 0.0));
  for (std::size_t i = 0; i < 10; ++i)
    for (const int e : input.sets[i]) benefits[at(e)][i] = 1;
  const auto by_customer = FacilityLocation(benefits, input.weights).closed_extension();
  const auto by_element = Coverage(input.weights, input.sets).closed_extension();
  EXPECT_NEAR(*by_customer->facts().lipschitz, *by_element->facts().lipschitz, 1e-12);
  EXPECT_NEAR(*by_customer->facts().smoothness, *by_element->facts().smoothness, 1e-12);
  Point a(10);
  Point b(10);
  for (int probe = 0; probe < 100; ++probe) {
    const Point x = laws::detail::random_point(Point(10, 1.0), stream);
    ASSERT_NEAR(by_customer->value(x), by_element->value(x), 1e-12);
    by_customer->gradient(x, a);
    by_element->gradient(x, b);
    for (std::size_t i = 0; i < 10; ++i) ASSERT_NEAR(a[i], b[i], 1e-12);
  }
}

TEST(FacilityLocation, RefusesBadInput) {
  EXPECT_EQ(error_of([] { FacilityLocation(Rows{}); }),
            "benefits = []: must have at least one row");
  EXPECT_EQ(error_of([] { FacilityLocation(Rows{{}}); }),
            "benefits[0] = []: must have at least one number");
  EXPECT_EQ(error_of([] {
              FacilityLocation({{1, 2}, {3}});
            }),
            "benefits[1] = a row of 1: must have 2 numbers, like benefits[0]");
  EXPECT_EQ(error_of([] {
              FacilityLocation({{1, 2}, {3, -4}});
            }),
            "benefits[1][1] = -4: must be at least 0");
  EXPECT_EQ(error_of([] { FacilityLocation({{1, nan}}); }), "benefits[0][1] = nan: must be finite");
  EXPECT_EQ(error_of([] {
              FacilityLocation({{1, 2}}, {1, 1});
            }),
            "weights = a list of 2: must have 1 numbers, one for each customer");
  EXPECT_EQ(error_of([] {
              FacilityLocation({{1, 2}}, {-1});
            }),
            "weights[0] = -1: must be at least 0");
}

// ---- modular

TEST(Modular, AddsWeights) {
  const Modular f({1, 0, 4});
  EXPECT_EQ(f.value(ItemSet{2, 0}), 5);
  EXPECT_EQ(f.max_value(), 5);
  EXPECT_EQ(f.closed_extension()->facts().smoothness.value(), 0);
  expect_set_function_laws(f);
  expect_set_function_laws(Modular({3}));
  EXPECT_EQ(error_of([] { Modular({}); }), "weights = []: must have at least one item");
  EXPECT_EQ(error_of([] { Modular({1, -2}); }), "weights[1] = -2: must be at least 0");
  EXPECT_EQ(error_of([] { Modular({1, infinity}); }), "weights[1] = inf: must be finite");
}

// ---- table

TEST(Table, IndexesByBits) {
  const Table f(2, {0, 3, 4, 5});
  EXPECT_EQ(f.value({}), 0);
  EXPECT_EQ(f.value(ItemSet{0}), 3);
  EXPECT_EQ(f.value(ItemSet{1}), 4);
  EXPECT_EQ(f.value(ItemSet{1, 0}), 5);
  EXPECT_EQ(f.max_value(), 5);
}

TEST(Table, HoldsAnyFunction) {
  Stream stream = stream_of(5);
  for (const int d : {1, 2, 3, 10}) {
    const CoverageInput input = random_coverage(d, 20, 0.3, stream);
    const Table f = Table::of(Coverage(input.weights, input.sets));
    expect_set_function_laws(f);
    EXPECT_FALSE(f.find_decrease().has_value());
    EXPECT_FALSE(f.find_increasing_return().has_value());
  }
}

TEST(Table, ExtensionIsExactWithoutAnyLaw) {
  // Random values, negative ones too: the extension and its facts assume nothing.
  Stream stream = stream_of(6);
  for (const int d : {1, 2, 5, 8}) {
    std::vector<double> values;
    for (int m = 0; m < 1 << d; ++m) values.push_back(2 * stream.uniform() - 1);
    const Table f(d, values);
    const auto F = f.closed_extension();
    const FunctionFacts facts = F->facts();
    Point g(at(d));
    Point other(at(d));
    for (int probe = 0; probe < 20; ++probe) {
      const Point x = laws::detail::random_point(Point(at(d), 1.0), stream);
      const Point y = laws::detail::random_point(Point(at(d), 1.0), stream);
      ASSERT_NEAR(F->value(x), laws::detail::expected_value(f, x), 1e-12);
      F->gradient(x, g);
      for (std::size_t i = 0; i < at(d); ++i)
        ASSERT_NEAR(g[i], laws::detail::exact_difference(f, x, i), 1e-12);
      F->gradient(y, other);
      add_scaled(other, -1, g);
      Point step = y;
      add_scaled(step, -1, x);
      ASSERT_LE(std::abs(F->value(y) - F->value(x)), *facts.lipschitz * norm(step) + 1e-12);
      ASSERT_LE(norm(other), *facts.smoothness * norm(step) + 1e-12);
    }
  }
}

TEST(Table, NamesWhatBreaksALaw) {
  // f({0,1}) = 3 > f({0}) + f({1}): the second item adds more than the first.
  const auto increasing = Table(2, {0, 1, 1, 3}).find_increasing_return();
  ASSERT_TRUE(increasing.has_value());
  EXPECT_TRUE(increasing->set.empty());
  EXPECT_EQ(increasing->excess, 1);
  EXPECT_EQ(increasing->text(),
            "S = {}, i = 1, j = 0: f(S + j + i) - f(S + j) exceeds f(S + i) - f(S) by 1");
  EXPECT_FALSE(Table(2, {0, 1, 1, 3}).find_decrease().has_value());

  const auto decrease = Table(2, {0, 2, 2, 1.5}).find_decrease();
  ASSERT_TRUE(decrease.has_value());
  EXPECT_EQ(decrease->text(), "S = {0}, i = 1: f(S) exceeds f(S + i) by 0.5");
  EXPECT_FALSE(Table(2, {0, 2, 2, 1.5}).find_increasing_return().has_value());
  EXPECT_FALSE(Table(2, {-1, 2, 2, 3}).find_decrease().has_value());
}

TEST(Table, RefusesBadInput) {
  EXPECT_EQ(error_of([] { Table(0, {1}); }), "dimension = 0: must be at least 1 and at most 20");
  EXPECT_EQ(error_of([] { Table(21, {1}); }), "dimension = 21: must be at least 1 and at most 20");
  EXPECT_EQ(error_of([] {
              Table(2, {1, 2, 3});
            }),
            "values = a list of 3: must have 2^dimension = 4 numbers");
  EXPECT_EQ(error_of([] { Table(1, {1, nan}); }), "values[1] = nan: must be finite");
  EXPECT_EQ(error_of([] { Table::of(Modular(std::vector<double>(21, 1.0))); }),
            "dimension = 21: must be at most 20 for a table");
}

// ---- log det

/// A'A for a random A with `rank` rows.
Rows random_kernel(int d, int rank, Stream& stream) {
  std::vector<Point> columns(at(d), Point(at(rank)));
  for (Point& column : columns) stream.fill_normal(column);
  Rows kernel(at(d), std::vector<double>(at(d)));
  for (std::size_t i = 0; i < at(d); ++i)
    for (std::size_t j = 0; j < at(d); ++j) kernel[i][j] = dot(columns[i], columns[j]);
  return kernel;
}

/// Laplace's expansion along the first row.
double determinant(const Rows& m) {
  if (m.empty()) return 1;
  double total = 0;
  for (std::size_t c = 0; c < m.size(); ++c) {
    Rows minor;
    for (std::size_t r = 1; r < m.size(); ++r) {
      minor.push_back(m[r]);
      minor.back().erase(minor.back().begin() + static_cast<std::ptrdiff_t>(c));
    }
    total += (c % 2 == 0 ? 1 : -1) * m[0][c] * determinant(minor);
  }
  return total;
}

TEST(LogDet, EqualsItsFormula) {
  Stream stream = stream_of(9);
  const Rows kernel = random_kernel(6, 4, stream);
  const LogDet f(kernel, 0.5);
  for (std::uint64_t mask = 0; mask < 64; ++mask) {
    const ItemSet set = laws::detail::items_of(mask, 6);
    Rows chosen(set.size(), std::vector<double>(set.size()));
    for (std::size_t i = 0; i < set.size(); ++i)
      for (std::size_t j = 0; j < set.size(); ++j)
        chosen[i][j] = (i == j ? 1 : 0) + 0.5 * kernel[at(set[i])][at(set[j])];
    ASSERT_NEAR(f.value(set), std::log(determinant(chosen)), 1e-10);
  }
}

TEST(LogDet, ObeysTheLaws) {
  Stream stream = stream_of(10);
  for (const int d : {1, 2, 8, 30})
    for (const int rank : {1, 4}) expect_set_function_laws(LogDet(random_kernel(d, rank, stream)));
  expect_set_function_laws(LogDet({{0, 0}, {0, 0}}));
}

TEST(LogDet, RefusesBadInput) {
  EXPECT_EQ(error_of([] { LogDet({{1, 2}}); }), "kernel = 1 rows: must be square, with 2 rows");
  EXPECT_EQ(error_of([] {
              LogDet({{1, 2}, {0, 1}});
            }),
            "kernel[1][0] = 0: must equal kernel[0][1], as the matrix is symmetric");
  EXPECT_EQ(error_of([] { LogDet({{1, nan}, {nan, 1}}); }), "kernel[0][1] = nan: must be finite");
  EXPECT_EQ(error_of([] { LogDet(Rows{{-2}}); }),
            "smallest eigenvalue of scale * kernel = -2: must be at least 0");
  EXPECT_EQ(error_of([] { LogDet(Rows{{1}}, -1); }), "scale = -1: must be finite and at least 0");
}

// ---- concave over modular

TEST(ConcaveOverModular, EqualsItsFormulas) {
  const Rows weights = {{1, 3, 0}, {0, 1, 8}};
  const ItemSet set = {2, 1};
  EXPECT_DOUBLE_EQ(ConcaveOverModular(weights, {2, 5}, Concave::square_root).value(set),
                   2 * std::sqrt(3.0) + 5 * std::sqrt(9.0));
  EXPECT_DOUBLE_EQ(ConcaveOverModular(weights, {2, 5}, Concave::log1p).value(set),
                   2 * std::log(4.0) + 5 * std::log(10.0));
  EXPECT_DOUBLE_EQ(ConcaveOverModular(weights, {2, 5}, Concave::capped, 4).value(set),
                   2 * 3 + 5 * 4);
}

TEST(ConcaveOverModular, ObeysTheLaws) {
  Stream stream = stream_of(11);
  for (const Concave shape : {Concave::square_root, Concave::log1p, Concave::capped})
    for (const int d : {1, 8, 30})
      expect_set_function_laws(
          ConcaveOverModular(random_rows(4, d, stream), {1, 0, 0.5, 3}, shape, 0.8));
}

TEST(ConcaveOverModular, RefusesBadInput) {
  EXPECT_EQ(error_of([] {
              ConcaveOverModular({{1}, {2, 3}}, {1, 1}, Concave::log1p);
            }),
            "weights[1] = a row of 2: must have 1 numbers, like weights[0]");
  EXPECT_EQ(error_of([] {
              ConcaveOverModular({{1, -2}}, {1}, Concave::log1p);
            }),
            "weights[0][1] = -2: must be at least 0");
  EXPECT_EQ(error_of([] { ConcaveOverModular({{1}}, {-1}, Concave::log1p); }),
            "coefficients[0] = -1: must be at least 0");
  EXPECT_EQ(error_of([] {
              ConcaveOverModular({{1}}, {1, 2}, Concave::log1p);
            }),
            "coefficients = a list of 2: must have 1 numbers, one for each group");
  EXPECT_EQ(error_of([] { ConcaveOverModular({{1}}, {1}, Concave::capped, 0); }),
            "cap = 0: must be finite and positive");
}

// ---- influence

InfluenceOptions random_network(int nodes, double density, double probability, Stream& stream) {
  InfluenceOptions options{.nodes = nodes, .graphs = 20};
  for (int u = 0; u < nodes; ++u)
    for (int v = 0; v < nodes; ++v)
      if (u != v && stream.coin(density)) options.edges.push_back({u, v, probability});
  return options;
}

const StreamFamily network_streams(7, "network");

TEST(Influence, FollowsCertainEdgesAndNoImpossibleOnes) {
  // 0 -> 1 -> 2 -> 0 is certain, 2 -> 3 impossible, 4 stands alone.
  const Influence f =
      Influence::sample({.nodes = 5,
                         .edges = {{2, 3, 0.0}, {2, 0, 1.0}, {0, 1, 1.0}, {1, 2, 1.0}},
                         .graphs = 3,
                         .items = {4, 1, 3},
                         .weights = {1, 2, 4, 8, 16}},
                        network_streams);
  EXPECT_EQ(f.dimension(), 3);
  EXPECT_EQ(f.value({}), 0);
  EXPECT_EQ(f.value(ItemSet{0}), 16);
  EXPECT_EQ(f.value(ItemSet{1}), 7);
  EXPECT_EQ(f.value(ItemSet{2, 1}), 15);
  EXPECT_EQ(f.max_value(), 31);
  expect_set_function_laws(f);
}

TEST(Influence, EstimatesTheCascade) {
  // 0 -> 1 -> 2 with odds p and q: the influence of {0} is 1 + p + pq. A graph's value is in [1,
  // 3]; Hoeffding over 1e5 graphs: off by 0.0173 with odds below 7e-7.
  const double p = 0.6;
  const double q = 0.3;
  const auto sampled = [&](double second) {
    return Influence::sample(
               {.nodes = 3, .edges = {{0, 1, p}, {1, 2, second}}, .graphs = 100000, .items = {0}},
               network_streams)
        .value(ItemSet{0});
  };
  EXPECT_NEAR(sampled(q), 1 + p + p * q, 0.0173);
  EXPECT_GT(std::abs(sampled(q + 0.08) - (1 + p + p * q)), 0.0173);  // the broken twin
}

TEST(Influence, ObeysTheLaws) {
  Stream stream = stream_of(12);
  for (const double probability : {0.1, 0.5}) {
    InfluenceOptions options = random_network(12, 0.2, probability, stream);
    options.items = {3, 1, 4, 11, 5, 9, 2};
    for (int v = 0; v < 12; ++v) options.weights.push_back(v % 4);
    const Influence f = Influence::sample(options, network_streams);
    ASSERT_NE(f.closed_extension(), nullptr);
    expect_set_function_laws(f);
  }
  expect_set_function_laws(
      Influence::sample(random_network(40, 0.05, 0.3, stream), network_streams), {.probes = 30});
}

TEST(Influence, HasNoClosedExtensionBeyondItsLimit) {
  Stream stream = stream_of(13);
  InfluenceOptions options = random_network(12, 0.2, 0.5, stream);
  options.reach_limit = 100;
  EXPECT_EQ(Influence::sample(options, network_streams).closed_extension(), nullptr);
}

TEST(Influence, IsSafeToShareBetweenThreads) {
  Stream stream = stream_of(14);
  const Influence f = Influence::sample(random_network(60, 0.1, 0.2, stream), network_streams);
  std::vector<double> alone;
  for (Item i = 0; i < 60; ++i) alone.push_back(f.value({&i, 1}));
  std::vector<double> together(60);
  std::vector<std::thread> threads;
  for (Item first = 0; first < 4; ++first)
    threads.emplace_back([&, first] {
      for (Item i = first; i < 60; i += 4) together[at(i)] = f.value({&i, 1});
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(alone, together);
}

TEST(Influence, RefusesBadInput) {
  const auto error = [](InfluenceOptions options) {
    return error_of([&] { Influence::sample(options, network_streams); });
  };
  EXPECT_EQ(error({.nodes = 0}), "nodes = 0: must be at least 1");
  EXPECT_EQ(error({.nodes = 2, .graphs = 0}), "graphs = 0: must be at least 1");
  EXPECT_EQ(error({.nodes = 2, .edges = {{0, 2, 0.5}}}),
            "edges[0].to = 2: must be at least 0 and below 2, the number of nodes");
  EXPECT_EQ(error({.nodes = 2, .edges = {{0, 1, 0.5}, {-1, 0, 0.5}}}),
            "edges[1].from = -1: must be at least 0 and below 2, the number of nodes");
  EXPECT_EQ(error({.nodes = 2, .edges = {{0, 1, 1.5}}}),
            "edges[0].probability = 1.5: must be at least 0 and at most 1");
  EXPECT_EQ(error({.nodes = 2, .edges = {{0, 1, nan}}}),
            "edges[0].probability = nan: must be at least 0 and at most 1");
  EXPECT_EQ(error({.nodes = 2, .items = {1, 1}}), "items[1] = 1: must not repeat a node");
  EXPECT_EQ(error({.nodes = 2, .items = {2}}),
            "items[0] = 2: must be at least 0 and below 2, the number of nodes");
  EXPECT_EQ(error({.nodes = 2, .weights = {1}}),
            "weights = a list of 1: must have 2 numbers, one for each node");
  EXPECT_EQ(error({.nodes = 2, .weights = {1, -1}}), "weights[1] = -1: must be at least 0");
}

// ---- quadratic

TEST(Quadratic, EqualsItsFormula) {
  const Quadratic F({{-2, -1}, {-1, 0}}, {3, 1});
  EXPECT_DOUBLE_EQ(F.value(Point{0.5, 0.25}), 0.5 * (-2 * 0.25 - 2 * 0.125) + 1.5 + 0.25);
  Point g(2);
  F.gradient(Point{0.5, 0.25}, g);
  EXPECT_EQ(g, (Point{3 - 1 - 0.25, 1 - 0.5}));
  EXPECT_EQ(F.facts().max_value, 2);  // F(1, 1)
  EXPECT_DOUBLE_EQ(*F.facts().lipschitz, std::sqrt(10.0));
  EXPECT_NEAR(*F.facts().smoothness, 1 + std::sqrt(2.0), 1e-12);
}

TEST(Quadratic, ObeysTheLaws) {
  Stream stream = stream_of(7);
  for (const int d : {1, 2, 5, 20}) {
    expect_continuous_function_laws(random_quadratic(d, Point(at(d), 1.0), stream));
    Point upper;
    for (int i = 0; i < d; ++i) upper.push_back(3 * stream.uniform());
    expect_continuous_function_laws(random_quadratic(d, upper, stream), {.upper = upper});
  }
}

TEST(Quadratic, RefusesBadInput) {
  EXPECT_EQ(error_of([] {
              Quadratic({{-1, 0}}, {1, 1});
            }),
            "H = 1 rows: must be square, with 2 rows");
  EXPECT_EQ(error_of([] {
              Quadratic({{-1, -2}, {0, -1}}, {5, 5});
            }),
            "H[1][0] = 0: must equal H[0][1], as the matrix is symmetric");
  EXPECT_EQ(error_of([] {
              Quadratic({{-1, 1}, {1, -1}}, {5, 5});
            }),
            "H[0][1] = 1: must be at most 0 for diminishing returns");
  EXPECT_EQ(error_of([] { Quadratic({{nan}}, {5}); }), "H[0][0] = nan: must be finite");
  EXPECT_EQ(error_of([] {
              Quadratic({{-1}}, {5, 5});
            }),
            "h = a list of 2: must have 1 numbers, one for each row of H");
  EXPECT_EQ(error_of([] { Quadratic({{-1}}, {infinity}); }), "h[0] = inf: must be finite");
  EXPECT_EQ(error_of([] { Quadratic({{-1}}, {0.5}); }),
            "(h + H * upper)[0] = -0.5: must be at least 0, for F to be monotone");
  EXPECT_EQ(error_of([] { Quadratic({{-1}}, {0.5}, {0.5}); }), "no error");
  EXPECT_EQ(error_of([] { Quadratic({{-1}}, {0.5}, {-1}); }), "upper[0] = -1: must be at least 0");
}

// ---- D-optimal design

TEST(Design, EqualsItsFormula) {
  // Orthogonal vectors do not meet: log det is the sum of log(1 + x_i), whatever their lengths.
  const Design F({{3, 0}, {0, 0.5}});
  EXPECT_NEAR(F.value(Point{0.25, 1}), std::log(1.25) + std::log(2.0), 1e-14);
  Point g(2);
  F.gradient(Point{0.25, 1}, g);
  EXPECT_NEAR(g[0], 1 / 1.25, 1e-14);
  EXPECT_NEAR(g[1], 1 / 2.0, 1e-14);
  // Three vectors in the plane: M(0) = [2 1; 1 2], and M(1, 0, 0) = [3 1; 1 2].
  const Design G({{1, 0}, {0, 1}, {1, 1}});
  EXPECT_NEAR(G.value(Point{1, 0, 0}), std::log((3.0 * 2 - 1) / (2.0 * 2 - 1)), 1e-14);
  EXPECT_NEAR(G.facts().max_value, G.value(Point{1, 1, 1}), 1e-14);
}

TEST(Design, ObeysTheLaws) {
  Stream stream = stream_of(21);
  for (const int d : {1, 3, 8})
    for (const int length : {1, (d + 1) / 2, d}) {
      std::vector<std::vector<double>> vectors(at(d), std::vector<double>(at(length)));
      for (auto& vector : vectors) stream.fill_normal(vector);
      expect_continuous_function_laws(Design(vectors));
    }
}

TEST(Design, RefusesBadInput) {
  EXPECT_EQ(error_of([] { Design({}); }),
            "vectors = 0: must have at least one vector of at least one number");
  EXPECT_EQ(error_of([] {
              Design({{1, 0}, {1}});
            }),
            "vectors[1] = 1: must have as many numbers as the first");
  EXPECT_EQ(error_of([] { Design(std::vector<std::vector<double>>{{nan}}); }),
            "vectors[0] = nan: must be finite");
  EXPECT_EQ(error_of([] { Design({{1, 2}, {2, 4}}); }), "vectors = 2: must span their space");
}

// ---- noise

/// Whether 1e5 errors have mean 0 and standard deviation s and stay within sqrt3 s. Hoeffding: the
/// mean of numbers of range 2 sqrt3 s is off by 0.03 s, and of their squares, of range 3 s^2, by
/// 0.026 s^2, with odds below 7e-7 each.
template <class Draw>
bool looks_like_noise(Draw draw, double s) {
  const int n = 100000;
  double sum = 0;
  double squares = 0;
  for (Round t = 1; t <= n; ++t) {
    const double error = draw(t);
    if (std::abs(error) > std::numbers::sqrt3 * s + 1e-12) return false;
    sum += error;
    squares += error * error;
  }
  return std::abs(sum / n) <= 0.03 * s && std::abs(squares / n - s * s) <= 0.026 * s * s;
}

TEST(Noise, IsUnbiasedBoundedAndHasItsDeviation) {
  const Noise noise(5, 0.5, 2.0);
  const auto value_error = [&](Round t) { return noise.value(t, 10) - 10; };
  EXPECT_TRUE(looks_like_noise(value_error, 0.5));
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_TRUE(looks_like_noise(
        [&](Round t) {
          Point g(3, 1.0);
          noise.gradient(t, 5, g);
          return g[i] - 1;
        },
        2.0));

  // Broken twins: a bias, a wrong deviation, a Gaussian.
  EXPECT_FALSE(looks_like_noise([&](Round t) { return 0.9 * value_error(t) + 0.04; }, 0.5));
  EXPECT_FALSE(looks_like_noise([&](Round t) { return 0.97 * value_error(t); }, 0.5));
  Stream stream = stream_of(8);
  EXPECT_FALSE(looks_like_noise([&](Round) { return 0.5 * stream.normal(); }, 0.5));
}

TEST(Noise, KeepsItsBounds) {
  const Noise noise(5, 0.5, 2.0);
  EXPECT_DOUBLE_EQ(noise.value_bound(), std::sqrt(3.0) * 0.5);
  EXPECT_DOUBLE_EQ(noise.gradient_bound(3), 6.0);
  for (Round t = 1; t <= 1000; ++t) {
    Point g(3, 0.0);
    noise.gradient(t, 0, g);
    ASSERT_LE(norm(g), noise.gradient_bound(3));
  }
}

TEST(Noise, IsDrawnAgainFromTheRound) {
  const Noise noise(5, 1, 1);
  EXPECT_EQ(noise.value(7, 1.5), Noise(5, 1, 1).value(7, 1.5));
  EXPECT_NE(noise.value(7, 0), noise.value(8, 0));
  EXPECT_NE(noise.value(7, 0), Noise(6, 1, 1).value(7, 0));
  Point a(4, 0.0);
  Point b(4, 0.0);
  Point c(4, 0.0);
  noise.gradient(7, 3, a);
  noise.gradient(7, 3, b);
  noise.gradient(7, 4, c);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
  EXPECT_NE(a[0], a[1]);
}

TEST(Noise, OfDeviationZeroIsNone) {
  const Noise noise(5, 0, 0);
  EXPECT_EQ(noise.value(1, 0.1), 0.1);
  Point g = {1, 2};
  noise.gradient(1, 0, g);
  EXPECT_EQ(g, (Point{1, 2}));
  EXPECT_EQ(error_of([] { Noise(1, -1, 0); }),
            "value_deviation = -1: must be finite and at least 0");
  EXPECT_EQ(error_of([] { Noise(1, 0, nan); }),
            "gradient_deviation = nan: must be finite and at least 0");
  EXPECT_EQ(error_of([] { Noise(1, 0, 1).gradient(1, 1u << 24, {}); }),
            "probe = 16777216: must be below 2^24");
}

// ---- JSON

RoundFunction parsed(const char* text, std::optional<int> d = std::nullopt) {
  return function_from_json(nlohmann::json::parse(text), d);
}

std::string parse_error(const char* text, std::optional<int> d = std::nullopt) {
  return error_of([&] { parsed(text, d); });
}

TEST(FunctionJson, BuildsEveryKind) {
  const Point x = {0.5, 0.25};
  const auto coverage = parsed(R"({"kind":"coverage","weights":[1,2],"sets":[[0],[0,1]]})");
  EXPECT_EQ(coverage.set->value(ItemSet{1}), 3);
  EXPECT_DOUBLE_EQ(coverage.continuous->value(x), 1 - 0.5 * 0.75 + 0.5);
  const auto facility =
      parsed(R"({"kind":"facility-location","benefits":[[1,2],[4,3]],"weights":[1,10]})", 2);
  EXPECT_EQ(facility.set->value(ItemSet{0}), 41);
  EXPECT_EQ(parsed(R"({"kind":"facility-location","benefits":[[1,2],[4,3]]})").set->max_value(), 6);
  const auto quadratic = parsed(R"({"kind":"quadratic","H":[[-1,0],[0,-1]],"h":[1,2]})");
  EXPECT_EQ(quadratic.set, nullptr);
  EXPECT_DOUBLE_EQ(quadratic.continuous->value(x), -0.125 - 0.03125 + 1);
  EXPECT_EQ(parsed(R"({"kind":"modular","weights":[1,2]})").continuous->value(x), 1);
  const auto table = parsed(R"({"kind":"table","dimension":2,"values":[0,1,2,2.5]})");
  EXPECT_EQ(table.set->value(ItemSet{1}), 2);
  EXPECT_DOUBLE_EQ(table.continuous->value(x), 0.375 * 1 + 0.125 * 2 + 0.125 * 2.5);
}

TEST(FunctionJson, KnowsTheKindsItLists) {
  EXPECT_EQ(function_kinds(),
            (std::vector<std::string>{"coverage", "facility-location", "quadratic", "saturation",
                                      "modular", "table"}));
}

TEST(FunctionJson, NamesKeyValueAndRule) {
  EXPECT_EQ(parse_error("3"), "function = 3: must be an object with a kind");
  EXPECT_EQ(parse_error("{}"), "kind = missing: must name a kind of function");
  EXPECT_EQ(parse_error(R"({"kind":7})"), "kind = 7: must be a string");
  EXPECT_EQ(parse_error(R"({"kind":"coverge"})"),
            "kind = \"coverge\": must be a known kind of function (did you mean `coverage`?)");
  EXPECT_EQ(parse_error(R"({"kind":"modular","weight":[1]})"),
            "weight = [1]: must be a key of \"modular\" (did you mean `weights`?)");
  EXPECT_EQ(parse_error(R"({"kind":"coverage","weights":[1]})"),
            "sets = missing: must be given for \"coverage\"");
  EXPECT_EQ(parse_error(R"({"kind":"modular","weights":3})"), "weights = 3: must be a list");
  EXPECT_EQ(parse_error(R"({"kind":"modular","weights":[1,"2"]})"),
            "weights[1] = \"2\": must be a number");
  EXPECT_EQ(parse_error(R"({"kind":"modular","weights":[1,null]})"),
            "weights[1] = null: must be a number");
  EXPECT_EQ(parse_error(R"({"kind":"coverage","weights":[1],"sets":[[0.5]]})"),
            "sets[0][0] = 0.5: must be a whole number");
  EXPECT_EQ(parse_error(R"({"kind":"coverage","weights":[1],"sets":[[4294967296]]})"),
            "sets[0][0] = 4294967296: must fit into 32 bits");
  EXPECT_EQ(parse_error(R"({"kind":"coverage","weights":[1],"sets":[[18446744073709551615]]})"),
            "sets[0][0] = 18446744073709551615: must fit into 32 bits");
  EXPECT_EQ(parse_error(R"({"kind":"coverage","weights":[1],"sets":[[1]]})"),
            "sets[0][0] = 1: must be at least 0 and below 1, the number of weights");
  EXPECT_EQ(parse_error(R"({"kind":"coverage","weights":[1],"sets":[0]})"),
            "sets[0] = 0: must be a list");
  EXPECT_EQ(parse_error(R"({"kind":"modular","weights":[1,2]})", 3),
            "dimension = 2: must be 3, as for the other rounds");
  EXPECT_EQ(parse_error(R"({"kind":"facility-location","benefits":[[1]],"weights":[]})"),
            "weights = []: must have a number for each customer");
  EXPECT_EQ(parse_error(R"({"kind":"table","dimension":2,"values":[0,1]})"),
            "values = a list of 2: must have 2^dimension = 4 numbers");
  nlohmann::json not_a_number = {{"kind", "modular"}, {"weights", {1.0, nan}}};
  EXPECT_EQ(error_of([&] { function_from_json(not_a_number); }),
            "weights[1] = nan: must be finite");
}

// ---- the laws find what is broken

/// A coverage function with one thing wrong.
enum class Flaw {
  none,
  falls,
  supermodular,
  bound,
  slope,
  value,
  lipschitz,
  smoothness,
  gain,
  difference,
  mean
};

class FlawedFunction final : public ContinuousFunction {
 public:
  explicit FlawedFunction(Flaw flaw) : flaw_(flaw) {}
  int dimension() const override { return 2; }
  // x + y - xy on the unit square
  double value(PointView x) const override {
    const double sign = flaw_ == Flaw::supermodular ? 1 : -1;
    const double value = x[0] + x[1] + sign * x[0] * x[1];
    if (flaw_ == Flaw::falls) return value - 0.5 * x[0];
    return flaw_ == Flaw::value ? value * value : value;
  }
  void gradient(PointView x, PointRef out) const override {
    const double sign = flaw_ == Flaw::supermodular ? 1 : -1;
    out[0] = 1 + sign * x[1];
    out[1] = 1 + sign * x[0];
    if (flaw_ == Flaw::falls) out[0] -= 0.5;
    if (flaw_ == Flaw::slope) out[1] += 1e-3;
  }
  FunctionFacts facts() const override {
    const double scale = flaw_ == Flaw::supermodular ? 3 : 1;
    return {.max_value = flaw_ == Flaw::bound ? 0.9 : scale,
            .lipschitz = flaw_ == Flaw::lipschitz ? 1.2 : scale * std::numbers::sqrt2,
            .smoothness = flaw_ == Flaw::smoothness ? 0.9 : 1.0};
  }

 private:
  Flaw flaw_;
};

/// Forgets what was added.
class ForgetfulGrowth final : public GrowingSet {
 public:
  explicit ForgetfulGrowth(const SetFunction& f) : f_(f) {}
  double gain(Item i) override { return f_.value({&i, 1}); }
  void add(Item) override {}

 private:
  const SetFunction& f_;
};

class FlawedSetFunction final : public SetFunction {
 public:
  FlawedSetFunction(std::vector<double> values, double max_value, Flaw flaw = Flaw::none)
      : table_(2, std::move(values)), max_value_(max_value), flaw_(flaw) {}
  int dimension() const override { return 2; }
  double value(ItemView set) const override { return table_.value(set); }
  double max_value() const override { return max_value_; }
  std::unique_ptr<const ContinuousFunction> closed_extension() const override {
    return std::make_unique<FlawedFunction>(flaw_);
  }
  std::unique_ptr<GrowingSet> grow() const override {
    if (flaw_ == Flaw::gain) return std::make_unique<ForgetfulGrowth>(*this);
    return SetFunction::grow();
  }
  void differences(ItemView set, PointRef out) const override {
    SetFunction::differences(set, out);
    if (flaw_ == Flaw::difference) out[0] += 1e-3;
  }
  double mean(std::span<const ItemSet> sets) const override {
    return SetFunction::mean(flaw_ == Flaw::mean ? sets.first(64) : sets);
  }

 private:
  Table table_;
  double max_value_;
  Flaw flaw_;
};

bool finds(const laws::Finding& finding, const std::string& words) {
  return finding && finding->find(words) != std::string::npos;
}

TEST(Laws, AcceptTheSoundTwin) {
  expect_continuous_function_laws(FlawedFunction(Flaw::none));
  expect_set_function_laws(FlawedSetFunction({0, 1, 1, 1}, 1));
}

TEST(Laws, FindBrokenContinuousFunctions) {
  const auto finding = [](Flaw flaw) { return laws::find_broken_law(FlawedFunction(flaw)); };
  EXPECT_TRUE(finds(finding(Flaw::falls), "not monotone"));
  EXPECT_TRUE(finds(finding(Flaw::supermodular), "not DR"));
  EXPECT_TRUE(finds(finding(Flaw::bound), "exceeds M1"));
  EXPECT_TRUE(finds(finding(Flaw::slope), "differences give"));
  EXPECT_TRUE(finds(finding(Flaw::value), "differences give"));
  EXPECT_TRUE(finds(finding(Flaw::lipschitz), "L1 = 1.2"));
  EXPECT_TRUE(finds(finding(Flaw::smoothness), "L2 = 0.9"));
}

TEST(Laws, FindBrokenSetFunctions) {
  const auto finding = [](std::vector<double> values, double max_value, Flaw flaw = Flaw::none) {
    return laws::find_broken_law(FlawedSetFunction(std::move(values), max_value, flaw));
  };
  EXPECT_TRUE(finds(finding({0.1, 1, 1, 1}, 1), "not normalised"));
  EXPECT_TRUE(finds(finding({0, 1, 1, 0.9}, 1), "not monotone"));
  EXPECT_TRUE(finds(finding({0, 0.4, 0.4, 1}, 1), "not submodular"));
  EXPECT_TRUE(finds(finding({0, 1, 1, 1}, 0.9), "exceeds max_value"));
  EXPECT_TRUE(finds(finding({0, 1, 1, 1}, 1, Flaw::gain), "the gain of"));
  EXPECT_TRUE(finds(finding({0, 1, 1, 1}, 1, Flaw::difference), "difference 0"));
  EXPECT_TRUE(finds(finding({0, 1, 1, 1}, 1, Flaw::mean), "mean() = "));
  EXPECT_TRUE(finds(finding({0, 1, 1, 1.5}, 2), "the extension at"));
  EXPECT_TRUE(finds(finding({0, 1, 1, 1}, 1, Flaw::slope), "extension's gradient"));
  EXPECT_TRUE(finds(finding({0, 1, 1, 1}, 1, Flaw::smoothness), "the extension: L2"));
}

}  // namespace
}  // namespace hindsight
