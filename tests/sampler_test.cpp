// Samplers of bases: rounding in fresh order by enumeration, mirror steps against their optimality
// conditions, corner cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "hindsight/domains/graphic_matroid.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/learners/sampled_vertex.hpp"
#include "hindsight/learners/tsallis.hpp"
#include "hindsight/learners/vertex_sampler.hpp"
#include "hindsight/rounding/coin_tree.hpp"
#include "hindsight/rounding/fresh_pipage.hpp"

namespace hindsight {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

LaminarMatroidPtr nested() {
  return laminar_matroid(6, {{0, 1, 2}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4, 5}}, {1, 2, 3});
}

MatroidPtr triangle_and_tail() {
  return std::make_shared<GraphicMatroid>(
      std::vector<std::array<int, 2>>{{0, 1}, {1, 2}, {0, 2}, {0, 1}, {2, 3}});
}

/// Calls visit(set, probability) for every order and every coin.
template <class Visit>
void each_outcome(const LaminarMatroidPtr& matroid, PointView x, Visit visit) {
  FreshPipage pipage(matroid);
  ItemSet order(x.size()), set;
  std::iota(order.begin(), order.end(), 0);
  double orders = 1;
  for (std::size_t i = 2; i <= x.size(); ++i) orders *= static_cast<double>(i);
  do {
    CoinTree coins;
    do {
      pipage.draw_in_order(
          order, x, [&](double part, double whole) { return coins.coin(part / whole); }, set);
      visit(set, coins.probability() / orders);
    } while (coins.next());
  } while (std::next_permutation(order.begin(), order.end()));
}

struct Enumerated {
  LaminarMatroidPtr matroid;
  Point x;
};

std::vector<Enumerated> points_to_round() {
  return {{uniform_matroid(4, 2), {.3, .8, .25, .65}},
          {uniform_matroid(5, 1), {.1, .2, .3, .15, .25}},
          {partition_matroid({{0, 2, 4}, {1, 3}}, {2, 1}), {.9, .35, .6, .65, .5}},
          {nested(), {.2, .3, .1, .7, .7, 1}},
          {uniform_matroid(4, 2), {.3, .4, 0, .2}}};  // below the bases
}

TEST(FreshPipage, KeepsMarginalsAndIndependenceInEveryOrder) {
  for (const auto& [matroid, x] : points_to_round()) {
    SCOPED_TRACE(matroid->describe());
    Point mean(x.size(), 0.0);
    double total = 0;
    each_outcome(matroid, x, [&](const ItemSet& set, double probability) {
      ASSERT_TRUE(matroid->independent(set));
      for (const Item item : set) mean[at(item)] += probability;
      total += probability;
    });
    EXPECT_NEAR(total, 1, 1e-12);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(mean[i], x[i], 1e-12) << i;
  }
}

/// The broken twin: fair coins, whatever the fractions.
TEST(FreshPipage, AFairCoinInsteadOfTheRightOneIsNoticed) {
  const LaminarMatroidPtr matroid = uniform_matroid(3, 1);
  const Point x = {.2, .3, .5};
  FreshPipage pipage(matroid);
  const ItemSet order = {0, 1, 2};
  ItemSet set;
  Point mean(3, 0.0);
  CoinTree coins;
  do {
    pipage.draw_in_order(
        order, x, [&](double part, double) { return part > 0 && coins.coin(.5); }, set);
    for (const Item item : set) mean[at(item)] += coins.probability();
  } while (coins.next());
  EXPECT_GT(std::abs(mean[0] - x[0]), .04);
}

/// E f(S) >= F(x) for a submodular f (here coverage-like: 1 - prod), by enumeration.
TEST(FreshPipage, LosesNothing) {
  for (const auto& [matroid, x] : points_to_round()) {
    double rounded = 0, independent = 1;
    each_outcome(matroid, x, [&](const ItemSet& set, double probability) {
      double uncovered = 1;
      for (const Item item : set) uncovered *= 1 - .2 * (1 + item % 3);
      rounded += probability * (1 - uncovered);
    });
    for (std::size_t i = 0; i < x.size(); ++i)
      independent *= 1 - x[i] * .2 * (1 + static_cast<double>(i % 3));
    EXPECT_GE(rounded, 1 - independent - 1e-12);
  }
}

/// What a stream draws has the marginals too: Hoeffding, 2e5 draws, 20 marginals: a frequency is
/// off by .011 with odds 2 exp(-2 * 2e5 * .011^2) < 2e-21 each.
TEST(FreshPipage, StreamsDrawTheSameLaw) {
  constexpr int n = 200000;
  for (const auto& [matroid, x] : points_to_round()) {
    FreshPipage pipage(matroid);
    const StreamFamily streams(3, "fresh");
    Point mean(x.size(), 0.0);
    ItemSet set;
    for (int i = 0; i < n; ++i) {
      Stream stream = streams.at(static_cast<std::uint64_t>(i));
      pipage.draw(x, stream, set);
      ASSERT_TRUE(matroid->independent(set));
      for (const Item item : set) mean[at(item)] += 1.0 / n;
    }
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(mean[i], x[i], .011);
  }
}

TEST(Tsallis, SharesAndScoresAreInverse) {
  for (const double x : {1e-6, .001, .2, .5, .7, .999}) {
    const double z = tsallis::score(x);
    EXPECT_NEAR(tsallis::share(z).x, x, 1e-12);
    const double h = 1e-5 * (1 + std::abs(z));
    const double slope = (tsallis::share(z + h).x - tsallis::share(z - h).x) / (2 * h);
    EXPECT_NEAR(tsallis::share(z).slope, slope, 1e-6 * (1 + slope));
    EXPECT_NEAR(tsallis::local_norm(x), tsallis::share(z).slope, 1e-9);
  }
}

/// y maximises <g, y> - Psi(y) over mixtures of bases exactly if <g - Psi'(y), base - y> <= 0 for
/// every base: the largest of these, at the base that greedy finds.
double improvement(const Matroid& matroid, PointView g, PointView y) {
  Point slope(y.size()), base(y.size());
  double lowest = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    slope[i] = g[i] - tsallis::score(std::clamp(y[i], 1e-12, 1 - 1e-12));
    lowest = std::min(lowest, slope[i]);
  }
  Point positive = slope;
  for (double& s : positive) s += 1 - lowest;
  matroid.maximize(positive, base);
  double gain = 0;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (y[i] > 1e-9 && y[i] < 1 - 1e-9) gain += slope[i] * (base[i] - y[i]);
  return gain;
}

TEST(NestedSampler, AStepMeetsItsOptimalityConditions) {
  Stream rng = StreamFamily(4, "step").at(0);
  // Only where no set is nested is one step allowed to be rough; here it must be right.
  const LaminarMatroidPtr matroid = nested();
  for (int trial = 0; trial < 200; ++trial) {
    const auto sampler = make_vertex_sampler(matroid);
    const Point centre(sampler->marginals().begin(), sampler->marginals().end());
    Point g(6);
    for (double& v : g) v = 3 * rng.normal();
    sampler->step(g, 0);
    const PointView y = sampler->marginals();
    ASSERT_TRUE(matroid->contains(y, 1e-9));
    // From the centre c the step maximises <g + Psi'(c), y> - Psi(y).
    Point target = g;
    for (std::size_t i = 0; i < 6; ++i)
      if (centre[i] < 1) target[i] += tsallis::score(centre[i]);
    EXPECT_LT(improvement(*matroid, target, y), 1e-6) << trial;
    // The broken twin: the step with its sign turned.
    Point turned = target;
    for (std::size_t i = 0; i < 6; ++i) turned[i] -= 2 * g[i];
    EXPECT_GT(improvement(*matroid, turned, y), 1e-3) << trial;
  }
}

TEST(VertexSampler, StaysInTheBasesAndAboveItsFloor) {
  for (const MatroidPtr& matroid :
       {MatroidPtr(uniform_matroid(10, 3)), MatroidPtr(uniform_matroid(7, 6)),
        MatroidPtr(partition_matroid({{0, 1, 2}, {3, 4}, {5}, {6, 7, 8}}, {1, 2, 1, 0})),
        MatroidPtr(nested()), triangle_and_tail()}) {
    SCOPED_TRACE(matroid->describe());
    const auto sampler = make_vertex_sampler(matroid);
    const Point centre(sampler->marginals().begin(), sampler->marginals().end());
    Stream rng = StreamFamily(5, "bases").at(0);
    ItemSet set;
    Point g(centre.size());
    for (std::uint64_t t = 0; t < 2000; ++t) {
      for (double& v : g) v = (t % 100 == 0 ? 300 : .3) * rng.normal();
      const double floor = 1e-4;
      sampler->step(g, floor);
      const PointView x = sampler->marginals();
      ASSERT_TRUE(matroid->contains(x, 1e-9)) << t;
      ASSERT_NEAR(std::accumulate(x.begin(), x.end(), 0.0), matroid->rank(), 1e-9) << t;
      for (std::size_t i = 0; i < x.size(); ++i) {
        ASSERT_GE(x[i], floor * centre[i] * .999) << t;
        ASSERT_LE(x[i], 1) << t;
      }
      Stream stream = StreamFamily(6, "draws").at(t);
      sampler->draw(stream, set);
      ASSERT_TRUE(matroid->independent(set)) << t;
      ASSERT_EQ(static_cast<int>(set.size()), matroid->rank()) << t;
    }
  }
}

/// Steps of a mixture are approximate, but repeated ones reach the same place as exact ones.
TEST(MixtureSampler, GoesWhereExactStepsGo) {
  // Uniform, written as a graph: four parallel edges, one of which is chosen.
  const auto graph = std::make_shared<GraphicMatroid>(
      std::vector<std::array<int, 2>>{{0, 1}, {0, 1}, {0, 1}, {0, 1}});
  const auto exact = make_vertex_sampler(uniform_matroid(4, 1));
  const auto mixture = make_vertex_sampler(graph);
  const Point g = {.2, -.1, 0, .05};
  for (int t = 0; t < 50; ++t) {
    exact->step(g, 1e-3);
    mixture->step(g, 1e-3);
  }
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(mixture->marginals()[i], exact->marginals()[i], .02);
  EXPECT_GT(exact->marginals()[0], .5);
}

/// Marginals of swap rounding with a share of the centre. Hoeffding, 1e5 draws, 5 marginals: off by
/// .015 with odds 2 exp(-2e5 * .015^2) < 1e-19 each.
TEST(MixtureSampler, DrawsItsMarginals) {
  constexpr int n = 100000;
  const auto sampler = make_vertex_sampler(triangle_and_tail());
  sampler->step(Point{.7, -.5, .1, .2, 0}, .2);
  Point mean(5, 0.0);
  ItemSet set;
  for (int i = 0; i < n; ++i) {
    Stream stream = StreamFamily(7, "draws").at(static_cast<std::uint64_t>(i));
    sampler->draw(stream, set);
    for (const Item item : set) mean[at(item)] += 1.0 / n;
  }
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(mean[i], sampler->marginals()[i], .015);
  EXPECT_NEAR(sampler->marginals()[4], 1, 1e-12) << "a bridge is in every base";
}

/// Nothing to choose: no items, all items, one item.
TEST(SampledVertex, PlaysWhereThereIsNothingToChoose) {
  for (const bool points : {false, true})
    for (const auto& [matroid, size] :
         {std::pair{uniform_matroid(1, 1), 1}, std::pair{uniform_matroid(1, 0), 0},
          std::pair{uniform_matroid(5, 5), 5}, std::pair{uniform_matroid(5, 0), 0},
          std::pair{partition_matroid({{0, 1}, {2}}, {2, 1}), 3}}) {
      SampledVertex learner(matroid, {.points = points});
      for (int t = 0; t < 300; ++t) {
        const Suggestion s = learner.suggest();
        ASSERT_EQ(std::accumulate(s.action.begin(), s.action.end(), 0.0), size);
        if (!points) {
          ASSERT_EQ(static_cast<int>(s.set->size()), size);
        }
        learner.observe({.round = s.round, .value = std::sin(t)});
      }
    }
}

/// The scale of the values changes nothing but rounding: a power of two changes not even that.
TEST(SampledVertex, IsScaleFree) {
  for (const bool points : {false, true}) {
    SampledVertex one(uniform_matroid(6, 2), {.points = points});
    SampledVertex large(uniform_matroid(6, 2), {.points = points});
    Stream rng = StreamFamily(8, "values").at(0);
    for (int t = 0; t < 2000; ++t) {
      const Suggestion a = one.suggest(), b = large.suggest();
      ASSERT_TRUE(std::equal(a.action.begin(), a.action.end(), b.action.begin())) << t;
      const double value = rng.uniform();
      one.observe({.round = a.round, .value = value});
      large.observe({.round = b.round, .value = 0x1p40 * value});
    }
  }
}

}  // namespace
}  // namespace hindsight
