/// What the comparator is made of: sums that are aggregated, concave majorants, pairs of items,
/// branch and cut on the p-median problems whose optima are published, and the time limit.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "hindsight/core/rng.hpp"
#include "hindsight/domains/clp_program.hpp"
#include "hindsight/domains/graphic_matroid.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/functions/concave_over_modular.hpp"
#include "hindsight/functions/coverage.hpp"
#include "hindsight/functions/extension.hpp"
#include "hindsight/functions/facility_location.hpp"
#include "hindsight/functions/influence.hpp"
#include "hindsight/functions/log_det.hpp"
#include "hindsight/functions/modular.hpp"
#include "hindsight/functions/quadratic.hpp"
#include "hindsight/functions/table.hpp"
#include "hindsight/games/pools.hpp"
#include "hindsight/offline/aggregate.hpp"
#include "hindsight/offline/best_fixed.hpp"
#include "hindsight/offline/cutting_planes.hpp"
#include "hindsight/offline/pair_bound.hpp"
#include "hindsight/runs/experiment.hpp"

namespace hindsight {
namespace {

Point random_point(Stream& rng, std::size_t d, double upper = 1) {
  Point x(d);
  for (double& v : x) v = upper * (rng.coin(0.2) ? std::round(rng.uniform()) : rng.uniform());
  return x;
}

std::vector<Point> random_rows(Stream& rng, std::size_t rows, std::size_t columns) {
  std::vector<Point> table(rows, Point(columns));
  for (Point& row : table)
    for (double& v : row) v = rng.uniform();
  return table;
}

// --- The functions, one of each kind, in dimension 6 ---------------------------------------------

constexpr int d = 6;

SetFunctionPtr coverage(Stream& rng) {
  std::vector<double> weights = {0, 1};  // an element that weighs nothing
  for (int e = 0; e < 6; ++e) weights.push_back(rng.uniform());
  std::vector<std::vector<int>> sets(d);
  for (auto& set : sets)
    for (std::size_t e = 0; e < weights.size(); ++e)
      if (rng.coin(0.3)) set.push_back(static_cast<int>(e));
  return std::make_shared<Coverage>(weights, sets);
}

SetFunctionPtr facility_location(Stream& rng) {
  auto benefits = random_rows(rng, 4, d);
  benefits[1] = benefits[0];    // a customer twice
  benefits[2] = Point(d, 0.5);  // one whom everybody serves alike
  return std::make_shared<FacilityLocation>(benefits, Point{1, 2, 0.5, 0});
}

SetFunctionPtr modular(Stream& rng) { return std::make_shared<Modular>(random_point(rng, d)); }

SetFunctionPtr influence(Stream& rng) {
  InfluenceOptions options{.nodes = d, .graphs = 4};
  for (int e = 0; e < 10; ++e)
    options.edges.push_back({static_cast<int>(rng.below(d)), static_cast<int>(rng.below(d)), 0.5});
  return std::make_shared<Influence>(Influence::sample(options, StreamFamily(rng.bits(), "live")));
}

SetFunctionPtr concave_over_modular(Stream& rng) {
  return std::make_shared<ConcaveOverModular>(random_rows(rng, 3, d), Point{1, 2, 0},
                                              static_cast<Concave>(rng.below(3)), 0.7);
}

SetFunctionPtr log_det(Stream& rng) {
  const auto factor = random_rows(rng, d, 3);
  std::vector<Point> kernel(d, Point(d));
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j) kernel[i][j] = dot(factor[i], factor[j]);
  return std::make_shared<LogDet>(kernel, 2.0);
}

SetFunctionPtr table(Stream& rng) {
  return std::make_shared<Table>(Table::of(dynamic_cast<const Coverage&>(*coverage(rng))));
}

constexpr SetFunctionPtr (*set_functions[])(Stream&) = {
    coverage, facility_location, modular, influence, concave_over_modular, log_det, table};

ContinuousFunctionPtr quadratic(Stream& rng) {
  std::vector<Point> H(d, Point(d));
  Point h(d);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j <= i; ++j) H[i][j] = H[j][i] = -rng.uniform();
  for (std::size_t i = 0; i < d; ++i)
    h[i] = rng.uniform() - 2 * std::accumulate(H[i].begin(), H[i].end(), 0.0);
  return std::make_shared<Quadratic>(H, h, Point(d, 2.0));
}

WeightedFunction weighted(const SetFunctionPtr& f, double weight) {
  return {{f, extend(f)}, weight};
}

// --- Aggregation ---------------------------------------------------------------------------------

TEST(Aggregate, IsTheSameSum) {
  Stream rng = StreamFamily(1, "aggregate").at(0);
  std::vector<WeightedFunction> functions;
  for (int round = 0; round < 3; ++round) {
    for (const auto make : set_functions) functions.push_back(weighted(make(rng), rng.uniform()));
    functions.push_back({{nullptr, quadratic(rng)}, rng.uniform()});
  }
  functions.push_back(weighted(modular(rng), 0.0));
  const auto sum = aggregate(functions);
  // One coverage, facility location, modular function and quadratic; 3 of each of the rest.
  EXPECT_EQ(sum.size(), 4 + 3 * 3u);
  for (int probe = 0; probe < 20; ++probe) {
    const Point x = random_point(rng, d);
    double expected = 0, value = 0;
    Point expected_gradient(d, 0.0), gradient(d, 0.0), g(d);
    for (const auto& [f, weight] : functions) {
      expected += weight * f.continuous->value(x);
      f.continuous->gradient(x, g);
      add_scaled(expected_gradient, weight, g);
    }
    for (const auto& [f, weight] : sum) {
      value += weight * f.continuous->value(x);
      f.continuous->gradient(x, g);
      add_scaled(gradient, weight, g);
      if (!f.set) continue;
      // The extension is that of the set function.
      const ItemSet set = {1, 4};
      EXPECT_NEAR(f.set->value(set), f.continuous->value(Point{0, 1, 0, 0, 1, 0}), 1e-12);
    }
    EXPECT_NEAR(value, expected, 1e-12 * expected);
    for (std::size_t i = 0; i < d; ++i) EXPECT_NEAR(gradient[i], expected_gradient[i], 1e-11);
  }
}

TEST(Aggregate, MergesWhatIsEqualAndDropsWhatWeighsNothing) {
  const auto cover = std::make_shared<Coverage>(
      Point{1, 2, 4, 0, 8}, std::vector<std::vector<int>>{{0, 1, 3}, {0, 1, 2}, {2, 3}});
  auto sum = aggregate({weighted(cover, 3.0), weighted(cover, 1.0)});
  ASSERT_EQ(sum.size(), 1u);
  EXPECT_EQ(sum[0].weight, 1);
  // Elements 0 and 1 are covered by {0,1}, element 2 by {1,2}; 3 weighs nothing, nobody covers 4.
  EXPECT_EQ(dynamic_cast<const Coverage&>(*sum[0].function.set).weights(), (Point{12, 16}));

  const auto facilities = std::make_shared<FacilityLocation>(
      std::vector<Point>{{1, 2}, {3, 0}, {1, 2}}, Point{1, 2, 5});
  sum = aggregate({weighted(facilities, 2.0)});
  ASSERT_EQ(sum.size(), 1u);
  EXPECT_EQ(dynamic_cast<const FacilityLocation&>(*sum[0].function.set).weights(), (Point{12, 4}));
}

TEST(Aggregate, RefusesASumBeyondAllNumbers) {
  const auto huge = std::make_shared<Modular>(Point{1e300, 1e300});
  EXPECT_NO_THROW(aggregate({weighted(huge, 1e7)}));
  EXPECT_THROW(aggregate({weighted(huge, 1e7), weighted(huge, 1e9)}), InputError);
}

// --- Majorants -----------------------------------------------------------------------------------

/// The sum of the tangents of all shares.
Cut tangent(const MixtureMajorant& majorant, PointView x) {
  Cut sum{0, Point(x.size(), 0.0)}, cut;
  for (std::size_t s = 0; s < majorant.shares(); ++s) {
    majorant.tangent(s, x, cut);
    sum.constant += cut.constant;
    add_scaled(sum.slope, 1, cut.slope);
  }
  return sum;
}

double at(const Cut& cut, PointView x) { return cut.constant + dot(cut.slope, x); }

/// How many of 200 points lie above a tangent from elsewhere.
int points_above(const Mixture& mixture, const std::function<Cut(PointView)>& tangent_at,
                 double upper, Stream& rng) {
  int above = 0;
  for (int probe = 0; probe < 200; ++probe) {
    const Cut cut = tangent_at(random_point(rng, d, upper));
    const Point y = random_point(rng, d, upper);
    above += mixture.value(y) > at(cut, y) + 1e-9 ? 1 : 0;
  }
  return above;
}

TEST(Majorant, IsAboveAndIsTheFunctionOnSets) {
  for (std::size_t kind = 0; kind < std::size(set_functions); ++kind) {
    SCOPED_TRACE("kind " + std::to_string(kind));
    Stream rng = StreamFamily(2, "majorant").at(kind);
    for (int round = 0; round < 10; ++round) {
      const Mixture mixture({weighted(set_functions[kind](rng), 1.5)});
      const auto majorant = MixtureMajorant::of(mixture, Point(d, 1.0));
      ASSERT_TRUE(majorant);
      EXPECT_EQ(points_above(
                    mixture, [&](PointView x) { return tangent(*majorant, x); }, 1, rng),
                0);
      for (unsigned mask = 0; mask < 1u << d; ++mask) {
        ItemSet set;
        Point x(d, 0.0);
        for (Item i = 0; i < d; ++i)
          if (mask >> i & 1) {
            set.push_back(i);
            x[static_cast<std::size_t>(i)] = 1;
          }
        EXPECT_NEAR(at(tangent(*majorant, x), x), mixture.value_of_set(set), 1e-9);
      }
    }
  }
}

TEST(Majorant, McCormickIsAboveOnEveryBox) {
  Stream rng = StreamFamily(2, "mccormick").at(0);
  for (const double upper : {0.3, 1.0, 2.0})
    for (int round = 0; round < 10; ++round) {
      const Mixture mixture({{{nullptr, quadratic(rng)}, 1.0}});
      const auto majorant = MixtureMajorant::of(mixture, Point(d, upper));
      EXPECT_EQ(points_above(
                    mixture, [&](PointView x) { return tangent(*majorant, x); }, upper, rng),
                0);
      // Where all but one coordinate are 0 or u it is the function, and a tangent touches it.
      Point corner(d);
      for (double& v : corner) v = upper * std::round(rng.uniform());
      EXPECT_NEAR(at(tangent(*majorant, corner), corner), mixture.value(corner), 1e-9);
      corner[0] = upper / 3;
      EXPECT_NEAR(at(tangent(*majorant, corner), corner), mixture.value(corner), 1e-9);
    }
}

// The twin: McCormick with the box of another domain, and tangents that are a little too flat.
TEST(Majorant, ATooSmallOneIsSeen) {
  Stream rng = StreamFamily(2, "small").at(0);
  const Mixture mixture({{{nullptr, quadratic(rng)}, 1.0}, weighted(coverage(rng), 1.0)});
  const auto small_box = MixtureMajorant::of(mixture, Point(d, 0.5));
  EXPECT_GT(points_above(
                mixture, [&](PointView x) { return tangent(*small_box, x); }, 1, rng),
            0);
  const auto majorant = MixtureMajorant::of(mixture, Point(d, 1.0));
  const auto flat = [&](PointView x) {
    Cut cut = tangent(*majorant, x);
    for (double& slope : cut.slope) slope *= 0.8;
    return cut;
  };
  EXPECT_GT(points_above(mixture, flat, 1, rng), 0);
}

// --- Pairs of items ------------------------------------------------------------------------------

double at(const PairCut& cut, PointView x) {
  double sum = cut.constant + dot(cut.slope, x);
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * dot(cut.pairs.row(i), x);
  return sum;
}

/// How many of 300 points lie above a pair tangent from elsewhere, whose pairs count `times`. Its
/// products need not be those of any point.
int points_above_pairs(const Mixture& mixture, double times, Stream& rng) {
  const auto majorant = MixtureMajorant::of(mixture, Point(d, 1.0));
  EXPECT_TRUE(majorant->has_pairs());
  int above = 0;
  PairCut cut;
  for (int probe = 0; probe < 300; ++probe) {
    PointTable products(d, d);
    for (double& product : products.numbers()) product = 0.5 * rng.uniform();
    majorant->pair_tangent(random_point(rng, d), products, cut);
    for (double& pair : cut.pairs.numbers()) pair *= times;
    const Point y = random_point(rng, d);
    above += mixture.value(y) > at(cut, y) + 1e-9 ? 1 : 0;
  }
  return above;
}

TEST(PairTangent, IsAboveWhateverTheProductsAre) {
  const auto mixtures = {
      +[](Stream& rng) { return Mixture({weighted(coverage(rng), 1.5)}); },
      +[](Stream& rng) { return Mixture({weighted(facility_location(rng), 2.0)}); },
      +[](Stream& rng) {
        return Mixture({{{nullptr, quadratic(rng)}, 1.0}});
      },
      +[](Stream& rng) {
        return Mixture({{{nullptr, quadratic(rng)}, 1.0},
                        weighted(influence(rng), 1.0),
                        weighted(log_det(rng), 1.0)});
      }};
  std::uint64_t kind = 0;
  for (const auto make : mixtures) {
    SCOPED_TRACE("kind " + std::to_string(kind));
    Stream rng = StreamFamily(4, "pairs").at(kind++);
    int twin_caught = 0;
    for (int round = 0; round < 10; ++round) {
      const Mixture mixture = make(rng);
      EXPECT_EQ(points_above_pairs(mixture, 1, rng), 0);
      twin_caught += points_above_pairs(mixture, 1.5, rng);
    }
    EXPECT_GT(twin_caught, 0);
  }
}

TEST(PairTangent, IsTheFunctionAtASetAndItsProducts) {
  Stream rng = StreamFamily(4, "touches").at(0);
  for (const auto make : {coverage, facility_location, influence}) {
    const Mixture mixture({weighted(make(rng), 1.0)});
    const auto majorant = MixtureMajorant::of(mixture, Point(d, 1.0));
    for (unsigned mask = 0; mask < 1u << d; ++mask) {
      Point x(d);
      for (unsigned i = 0; i < d; ++i) x[i] = mask >> i & 1;
      PointTable products(d, d);
      for (std::size_t i = 0; i < d; ++i) add_scaled(products.row(i), x[i], x);
      PairCut cut;
      majorant->pair_tangent(x, products, cut);
      EXPECT_NEAR(at(cut, x), mixture.value(x), 1e-9);
    }
  }
}

TEST(PairMaximum, IsNeverBelowABaseAndForPointsNeverBelowAMixtureOfBases) {
  int below_a_mixture = 0;  // of the twin: points, as if they were sets
  for (std::uint64_t round = 0; round < 200; ++round) {
    Stream rng = StreamFamily(4, "maximum").at(round);
    const int rank = 1 + static_cast<int>(rng.below(d));
    const auto matroid = uniform_matroid(d, rank);
    PairCut cut;
    cut.constant = rng.uniform();
    for (int i = 0; i < d; ++i) cut.slope.push_back(rng.uniform() - 0.5);
    cut.pairs = PointTable(d, d);
    for (double& pair : cut.pairs.numbers()) pair = rng.uniform() - 0.5;
    const double sets = PairMaximum(*matroid, Bases::sets).bound(cut);
    const double hull = PairMaximum(*matroid, Bases::hull).bound(cut);
    EXPECT_LE(sets, hull + 1e-12);
    for (unsigned mask = 0; mask < 1u << d; ++mask) {
      Point base(d);
      for (unsigned i = 0; i < d; ++i) base[i] = mask >> i & 1;
      if (std::accumulate(base.begin(), base.end(), 0.0) != rank) continue;
      EXPECT_GE(sets, at(cut, base) - 1e-12);
    }
    for (int probe = 0; probe < 50; ++probe) {
      ItemSet base;
      Point x(d, 0.0);
      for (int i = 0; i < 4; ++i) {
        matroid->random_base(rng, base);
        for (const Item item : base) x[static_cast<std::size_t>(item)] += 0.25;
      }
      EXPECT_GE(hull, at(cut, x) - 1e-12);
      below_a_mixture += sets < at(cut, x) - 1e-12 ? 1 : 0;
    }
    // Of linear functions it is the maximum.
    std::fill(cut.pairs.numbers().begin(), cut.pairs.numbers().end(), 0.0);
    Point sorted = cut.slope;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    EXPECT_NEAR(PairMaximum(*matroid, Bases::sets).bound(cut),
                std::accumulate(sorted.begin(), sorted.begin() + rank, cut.constant), 1e-12);
  }
  EXPECT_GT(below_a_mixture, 0);
}

TEST(BestFixed, IsNearlyExactForManyQuadraticsOnAMatroid) {
  std::vector<WeightedFunction> functions;
  for (const RoundFunction& f : quadratic_pool({.dimension = 30, .pool = 40}, 7))
    functions.push_back({f, 1.0});
  const BestFixed best = best_fixed(Mixture(functions), uniform_matroid(30, 5));
  EXPECT_LE(best.lower, best.upper);
  EXPECT_LE(best.upper, best.lower * (1 + 1e-4));
  EXPECT_EQ(best.upper_by, "pairs of items");
}

// --- Rows of a domain ----------------------------------------------------------------------------

TEST(LinearRows, FindsABrokenForestConstraintWheneverThereIsOne) {
  Stream rng = StreamFamily(3, "forests").at(0);
  int outside = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::array<int, 2>> edges;
    for (const std::size_t count = 5 + rng.below(6); edges.size() < count;) {
      const int u = static_cast<int>(rng.below(5)), v = static_cast<int>(rng.below(5));
      if (u != v) edges.push_back({u, v});
    }
    const auto matroid = std::make_shared<GraphicMatroid>(edges);
    const auto rows = LinearRows::of(matroid);
    const Point x = random_point(rng, edges.size(), 0.8);
    const auto broken = rows->broken(x, 1e-9);
    EXPECT_EQ(broken.empty(), matroid->contains(x, 1e-9));
    outside += broken.empty() ? 0 : 1;
    for (const LinearRow& row : broken) {
      double sum = 0;
      for (const Item e : row.items) sum += x[static_cast<std::size_t>(e)];
      EXPECT_GT(sum, row.limit);
      Point weights(x.size(), 0.0), forest(x.size());
      for (const Item e : row.items) weights[static_cast<std::size_t>(e)] = 1;
      matroid->maximize(weights, forest);
      EXPECT_LE(std::inner_product(weights.begin(), weights.end(), forest.begin(), 0.0),
                row.limit);  // it holds for every forest
    }
  }
  EXPECT_GT(outside, 30);
  EXPECT_LT(outside, 270);
}

// --- p-median problems of the OR-Library (J. E. Beasley), with their published optima ------------

struct PMedian {
  int chosen = 0;
  std::vector<Point> distances;
};

/// Shortest paths over edges "u v cost"; where an edge is listed twice the last cost counts.
PMedian read_p_median(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::size_t n = 0, edges = 0, u = 0, v = 0;
  double cost = 0;
  PMedian problem;
  in >> n >> edges >> problem.chosen;
  auto& D = problem.distances;
  D.assign(n, Point(n, INFINITY));
  while (in >> u >> v >> cost) D[u - 1][v - 1] = D[v - 1][u - 1] = cost;
  for (std::size_t i = 0; i < n; ++i) D[i][i] = 0;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) D[i][j] = std::min(D[i][j], D[i][k] + D[k][j]);
  return problem;
}

TEST(BestFixed, SolvesThePMedianProblemsExactly) {
  const std::filesystem::path folder =
      std::filesystem::path(HINDSIGHT_SOURCE_DIR) / "../shared/data/orlib-pmed";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "there is no ../shared/data/orlib-pmed";
  const double optima[] = {5819, 4093, 4250, 3034, 1355};
  for (int problem = 1; problem <= 5; ++problem) {
    const std::string file = "pmed" + std::to_string(problem) + ".txt";
    const auto [chosen, distances] = read_p_median(folder / file);
    const std::size_t n = distances.size();
    double farthest = 0;
    for (const Point& row : distances)
      farthest = std::max(farthest, *std::max_element(row.begin(), row.end()));
    auto benefits = distances;
    for (Point& row : benefits)
      for (double& v : row) v = farthest - v;
    const BestFixed best =
        best_fixed(Mixture({weighted(std::make_shared<FacilityLocation>(benefits), 1.0)}),
                   uniform_matroid(static_cast<int>(n), chosen), {.seconds = 1e9});
    EXPECT_EQ(best.lower, best.upper) << file;
    double cost = 0;
    for (const Point& row : distances) {
      double nearest = INFINITY;
      for (const Item i : *best.set) nearest = std::min(nearest, row[static_cast<std::size_t>(i)]);
      cost += nearest;
    }
    EXPECT_EQ(cost, optima[problem - 1]) << file;
    EXPECT_EQ(static_cast<int>(best.set->size()), chosen);
  }
}

// --- The time limit ------------------------------------------------------------------------------

TEST(BestFixed, WhatBranchAndCutDoesNotFinishCountsForNothing) {
  std::vector<WeightedFunction> functions;
  for (const RoundFunction& f : coverage_pool({.dimension = 30, .items = 30, .pool = 40}, 7))
    functions.push_back({f, 1.0});
  const Mixture mixture(functions);
  const auto domain = uniform_matroid(30, 6);
  const auto solve = [&](double seconds) {
    return best_fixed(mixture, domain, {.most_bases = 0, .seconds = seconds});
  };
  const BestFixed none = solve(0), interrupted = solve(1e-9), finished = solve(1e9);
  EXPECT_LT(none.lower, none.upper) << "nothing is left for branch and cut";
  EXPECT_EQ(none.lower, interrupted.lower);
  EXPECT_EQ(none.upper, interrupted.upper);
  EXPECT_EQ(none.set, interrupted.set);
  EXPECT_EQ(none.upper_by, interrupted.upper_by);
  EXPECT_EQ(finished.lower, finished.upper);
  EXPECT_GE(finished.lower, none.lower);
  EXPECT_LE(finished.upper, none.upper);
  EXPECT_EQ(finished.upper_by, "branch and cut");
}

Experiment experiment(const std::string& comparator) {
  return parse_experiment("rounds = 10\n" + comparator +
                              "[game]\nkind = \"coverage\"\n[domain]\nkind = \"box\"\n[[learner]]\n"
                              "kind = \"constant\"\n",
                          "x.toml");
}

std::string error_of(const std::string& comparator) {
  try {
    experiment(comparator);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Experiment, SaysHowLongTheComparatorMayTake) {
  EXPECT_EQ(experiment("").comparator_seconds, BestFixedOptions{}.seconds);
  EXPECT_EQ(experiment("[comparator]\nseconds = 2.5\n").comparator_seconds, 2.5);
  EXPECT_EQ(experiment("[comparator]\nseconds = 0\n").comparator_seconds, 0);
  EXPECT_EQ(error_of("[comparator]\nseconds = -1\n"),
            "x.toml:3: comparator.seconds = -1: must be at least 0");
  EXPECT_EQ(
      error_of("[comparator]\nsecond = 1\n"),
      "x.toml:3: comparator.second = 1: is not a key of this table (did you mean `seconds`?)");
  EXPECT_EQ(error_of("comparator = 3\n"), "x.toml:2: comparator: must be a table, [comparator]");
}

}  // namespace
}  // namespace hindsight
