#include "hindsight/domains/graphic_matroid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "domain_laws.hpp"
#include "hindsight/core/error.hpp"
#include "hindsight/domains/min_norm_point.hpp"

namespace hindsight {
namespace {

using Edges = std::vector<std::array<int, 2>>;

Edges random_graph(Stream& stream, int nodes, int edges) {
  Edges graph;
  while (static_cast<int>(graph.size()) < edges) {
    const auto u = static_cast<int>(stream.below(static_cast<std::uint64_t>(nodes)));
    const auto v = static_cast<int>(stream.below(static_cast<std::uint64_t>(nodes)));
    if (u != v) graph.push_back({u, v});
  }
  return graph;
}

/// From one edge to twelve, from a bundle of parallels to a sparse forest.
Edges small_random_graph(Stream& stream, int most_edges) {
  const int nodes = 2 + static_cast<int>(stream.below(6));
  return random_graph(stream, nodes,
                      1 + static_cast<int>(stream.below(static_cast<std::uint64_t>(most_edges))));
}

Edges complete_graph(int nodes) {
  Edges graph;
  for (int u = 0; u < nodes; ++u)
    for (int v = u + 1; v < nodes; ++v) graph.push_back({u, v});
  return graph;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

// ---------------------------------------------------------------- laws

TEST(GraphicMatroid, Laws) {
  Stream stream = StreamFamily(1, "graphs").at(0);
  for (int graph = 0; graph < 300; ++graph)
    expect_matroid_laws(GraphicMatroid(small_random_graph(stream, 12)),
                        static_cast<std::uint64_t>(graph), 30);
}

TEST(GraphicMatroid, LawsOfNamedGraphs) {
  expect_matroid_laws(GraphicMatroid({{0, 1}}), 1, 50);
  expect_matroid_laws(GraphicMatroid({{0, 1}, {1, 0}, {0, 1}}), 2, 50);
  expect_matroid_laws(GraphicMatroid(complete_graph(5)), 3, 50);
  expect_matroid_laws(GraphicMatroid(complete_graph(6)), 4, 20);
  // Two components with labels far apart.
  expect_matroid_laws(GraphicMatroid({{7, 1000000}, {1000000, 3}, {3, 7}, {20, 21}, {21, 20}}), 5,
                      50);
}

TEST(GraphicMatroid, LawsOfLargerGraphs) {
  Stream stream = StreamFamily(2, "graphs").at(0);
  expect_matroid_laws(GraphicMatroid(random_graph(stream, 12, 40)), 6, 20);
  expect_matroid_laws(GraphicMatroid(random_graph(stream, 40, 60)), 7, 10);
}

// ---------------------------------------------------------------- what is accepted

TEST(GraphicMatroid, RejectsWhatIsNoEdge) {
  EXPECT_EQ(message_of([] {
              GraphicMatroid({{0, 1}, {1, 2}, {0, 2}, {2, 2}});
            }),
            "edges[3] = [2,2]: must join two different nodes");
  EXPECT_EQ(message_of([] {
              GraphicMatroid({{0, 1}, {1, -2}});
            }),
            "edges[1] = [1,-2]: must join nodes that count from 0");
  EXPECT_EQ(message_of([] { GraphicMatroid(Edges{}); }), "edges = []: must hold at least one edge");
}

TEST(GraphicMatroid, KnowsItself) {
  const GraphicMatroid matroid({{0, 1}, {1, 2}, {2, 0}, {5, 9}});
  EXPECT_EQ(matroid.dimension(), 4);
  EXPECT_EQ(matroid.rank(), 3);
  EXPECT_EQ(matroid.inner_radius(), 1);
  EXPECT_EQ(matroid.describe(), "graphic matroid, forests among 4 edges on 5 nodes");
  EXPECT_TRUE(matroid.independent(ItemSet{3, 0, 2}));
  EXPECT_FALSE(matroid.independent(ItemSet{0, 1, 2}));
}

TEST(GraphicMatroid, InnerRadiusIsThatOfTheWidestBundle) {
  // A triangle of m parallels each: the whole has 2/sqrt(3m), one side 1/sqrt(m), which is less.
  for (const int m : {1, 2, 3, 4}) {
    Edges graph;
    for (int copy = 0; copy < m; ++copy)
      for (const auto& side : Edges{{0, 1}, {1, 2}, {2, 0}}) graph.push_back(side);
    const GraphicMatroid matroid(graph);
    const std::vector<int> rank = laws::all_ranks(matroid);
    double r = 2;
    for (std::uint32_t set = 1; set < rank.size(); ++set)
      r = std::min(r, rank[set] / std::sqrt(std::popcount(set)));
    EXPECT_NEAR(matroid.inner_radius(), r, 1e-15);
    EXPECT_NEAR(matroid.inner_radius(), 1 / std::sqrt(m), 1e-15);
  }
}

// ---------------------------------------------------------------- maximise

TEST(GraphicMatroid, EqualWeightsTakeTheFirstItems) {
  const GraphicMatroid matroid({{0, 1}, {1, 2}, {2, 0}, {0, 1}});
  EXPECT_EQ(laws::maximizer(matroid, Point{1, 1, 1, 1}), (Point{1, 1, 0, 0}));
  EXPECT_EQ(laws::maximizer(matroid, Point{1, 1, 2, 1}), (Point{1, 0, 1, 0}));
  EXPECT_EQ(laws::maximizer(matroid, Point{0, -1, 0, 1e-300}), (Point{0, 0, 0, 1}));
  EXPECT_EQ(laws::maximizer(matroid, Point{0, 0, 0, 0}), (Point{0, 0, 0, 0}));
}

TEST(GraphicMatroid, MaximumIsThatOfEnumeration) {
  Stream stream = StreamFamily(3, "graphs").at(0);
  for (int graph = 0; graph < 1000; ++graph) {
    const GraphicMatroid matroid(small_random_graph(stream, 10));
    const auto d = static_cast<std::size_t>(matroid.dimension());
    const std::vector<int> rank = laws::all_ranks(matroid);
    for (int trial = 0; trial < 20; ++trial) {
      const Point w = laws::random_weights(stream, d);
      double best = 0;
      for (std::uint32_t set = 0; set < rank.size(); ++set) {
        if (rank[set] != std::popcount(set)) continue;
        double value = 0;
        for (std::size_t i = 0; i < d; ++i)
          if (set >> i & 1) value += w[i];
        best = std::max(best, value);
      }
      EXPECT_NEAR(dot(w, laws::maximizer(matroid, w)), best, 1e-13);
    }
  }
}

// ---------------------------------------------------------------- membership

/// The largest x(S) - rank(S) over all sets of items.
double enumerated_excess(const std::vector<int>& rank, PointView x) {
  double worst = 0;
  for (std::uint32_t set = 0; set < rank.size(); ++set) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (set >> i & 1) sum += x[i];
    worst = std::max(worst, sum - rank[set]);
  }
  return worst;
}

TEST(GraphicMatroid, MembershipIsThatOfEnumeration) {
  Stream stream = StreamFamily(4, "graphs").at(0);
  int inside = 0;
  int outside = 0;
  for (int graph = 0; graph < 1000; ++graph) {
    const GraphicMatroid matroid(small_random_graph(stream, 10));
    const auto d = static_cast<std::size_t>(matroid.dimension());
    const std::vector<int> rank = laws::all_ranks(matroid);
    for (int trial = 0; trial < 20; ++trial) {
      Point x(d);
      const double mean = 2.0 * matroid.rank() / static_cast<double>(d);
      for (double& value : x) value = mean * stream.uniform();
      if (stream.coin(0.5)) {  // just outside or just inside the border
        x = laws::projection(matroid, x);
        const double scale = stream.coin(0.5) ? 1 + 1e-6 : 1 - 1e-6;
        for (double& value : x) value *= scale;
      }
      const bool expected = enumerated_excess(rank, x) <= 1e-9;
      EXPECT_EQ(matroid.contains(x, 1e-9), expected);
      ++(expected ? inside : outside);
    }
  }
  EXPECT_GT(inside, 1000);
  EXPECT_GT(outside, 1000);
}

TEST(GraphicMatroid, NegativeAndUndefinedCoordinatesAreOutside) {
  const GraphicMatroid matroid({{0, 1}, {1, 2}});
  EXPECT_FALSE(matroid.contains(Point{-1e-8, 0.5}, 1e-9));
  EXPECT_TRUE(matroid.contains(Point{-1e-10, 0.5}, 1e-9));
  EXPECT_FALSE(matroid.contains(Point{std::nan(""), 0.5}, 1e-9));
}

// ---------------------------------------------------------------- projection

/// The price at which the items of a set, each buying max(0, y_i - price), share `capacity`; minus
/// infinity where they stay below it for free.
long double clearing_price(std::vector<long double> y, int capacity) {
  std::sort(y.begin(), y.end(), std::greater<>());
  if (capacity == 0) return std::max(y[0], 0.0L);
  long double sum = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    sum += y[k];
    const long double price = (sum - capacity) / static_cast<long double>(k + 1);
    const bool last = k + 1 == y.size() || y[k + 1] <= price;
    if (last) return price > 0 ? price : -1.0L;
  }
  return -1;
}

/// The projection by prices, an argument that has nothing in common with Wolfe's: under one common
/// price all items buy y_i - price. Lower the price from infinity; the first set S that fills its
/// rank is full for good, its items keep what they have, and the rest goes on with rank(. | S).
std::vector<long double> priced_projection(const std::vector<int>& rank, PointView y) {
  const std::size_t d = y.size();
  std::vector<long double> x(d);
  std::uint32_t full = 0;
  const auto all = static_cast<std::uint32_t>(rank.size() - 1);
  while (full != all) {
    long double highest = -1;
    std::uint32_t first = 0;
    for (std::uint32_t set = 1; set <= all; ++set) {
      if ((set & full) != 0) continue;
      std::vector<long double> wishes;
      for (std::size_t i = 0; i < d; ++i)
        if (set >> i & 1) wishes.push_back(std::max(y[i], 0.0));
      const long double price = clearing_price(wishes, rank[set | full] - rank[full]);
      if (price > highest) {
        highest = price;
        first = set;
      }
    }
    if (highest < 0) first = all & ~full;
    for (std::size_t i = 0; i < d; ++i)
      if (first >> i & 1) x[i] = std::max(0.0L, std::max(y[i], 0.0) - std::max(highest, 0.0L));
    full |= first;
  }
  return x;
}

/// Where rounding hurts: ties, decimals, almost-ties, large numbers.
Point awkward_point(Stream& stream, std::size_t d) {
  Point y(d);
  const auto kind = stream.below(6);
  for (double& value : y) {
    value = 0.5 + stream.normal();
    if (kind == 1) value = 0.1 * static_cast<double>(stream.below(15));
    if (kind == 2) value = static_cast<double>(stream.below(3));
    if (kind == 3) value = 0.6 + 1e-12 * stream.normal();
    if (kind == 4) value = 1e6 * stream.normal();
    if (kind == 5) value = static_cast<double>(stream.below(2)) + 1e-9 * stream.normal();
  }
  return y;
}

TEST(GraphicMatroid, ProjectionIsWithinItsPromiseOfTheNearestPoint) {
  Stream stream = StreamFamily(5, "graphs").at(0);
  int moved = 0;
  for (int graph = 0; graph < 3000; ++graph) {
    const GraphicMatroid matroid(small_random_graph(stream, 9));
    const auto d = static_cast<std::size_t>(matroid.dimension());
    const std::vector<int> rank = laws::all_ranks(matroid);
    for (int trial = 0; trial < 10; ++trial) {
      const Point y = awkward_point(stream, d);
      const std::vector<long double> nearest = priced_projection(rank, y);
      const Point p = laws::projection(matroid, y);
      long double squares = 0;
      for (std::size_t i = 0; i < d; ++i) squares += (p[i] - nearest[i]) * (p[i] - nearest[i]);
      EXPECT_LE(std::sqrt(squares), 1e-9L);
      moved += p != y;
    }
  }
  EXPECT_GT(moved, 20000);
}

TEST(GraphicMatroid, ProjectionOfPointsInsideLeavesThem) {
  const GraphicMatroid matroid(complete_graph(5));
  const Point inside(10, 0.39);
  EXPECT_EQ(laws::projection(matroid, inside), inside);
  const Point negative = {-1, 0.3, 0.3, -2, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3};
  EXPECT_EQ(laws::projection(matroid, negative),
            (Point{0, 0.3, 0.3, 0, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3}));
}

TEST(GraphicMatroid, WhatCannotBeProjectedIsAnError) {
  const GraphicMatroid matroid(complete_graph(4));
  EXPECT_THROW(laws::projection(matroid, Point{1, 1, std::nan(""), 1, 1, 1}), std::runtime_error);
}

TEST(GraphicMatroid, DecomposeRejectsPointsOutside) {
  const GraphicMatroid matroid({{0, 1}, {0, 1}});
  EXPECT_EQ(message_of([&] {
              matroid.decompose(Point{1, 0.5});
            }),
            "x[0] = 1: must be in the matroid polytope; the nearest point of it has 0.750000");
}

// ---------------------------------------------------------------- random bases

/// Pearson's statistic of `draws` bases against the uniform law on the bases of `matroid`, over the
/// value at which we raise an alarm. The statistic is close to a chi-square with k = bases - 1
/// degrees of freedom, which exceeds k + 2 sqrt(21 k) + 42 with probability < e^-21 < 1e-9 (Laurent
/// and Massart, 2000).
double unevenness(const GraphicMatroid& matroid, int draws,
                  const std::function<void(ItemSet&)>& draw) {
  const std::vector<int> rank = laws::all_ranks(matroid);
  std::map<std::uint32_t, int> count;
  for (std::uint32_t set = 0; set < rank.size(); ++set)
    if (rank[set] == matroid.rank() && std::popcount(set) == matroid.rank()) count[set] = 0;
  ItemSet base;
  for (int i = 0; i < draws; ++i) {
    draw(base);
    std::uint32_t set = 0;
    for (const Item item : base) set |= 1U << item;
    ++count.at(set);
  }
  const double expected = draws / static_cast<double>(count.size());
  double sum = 0;
  for (const auto& [set, seen] : count) sum += (seen - expected) * (seen - expected) / expected;
  const double k = static_cast<double>(count.size()) - 1;
  return sum / (k + 2 * std::sqrt(21 * k) + 42);
}

constexpr int kDraws = 100000;

TEST(GraphicMatroid, RandomBasesAreUniform) {
  Stream stream = StreamFamily(6, "bases").at(0);
  for (const Edges& graph : {
           complete_graph(4),
           Edges{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}, {0, 1}},  // a diamond with a double side
           Edges{{0, 1}, {0, 1}, {2, 3}, {3, 4}, {4, 2}},          // two components
           Edges{{0, 1}, {1, 0}, {0, 1}},
       }) {
    const GraphicMatroid matroid(graph);
    EXPECT_LT(unevenness(matroid, kDraws, [&](ItemSet& out) { matroid.random_base(stream, out); }),
              1)
        << matroid.describe();
  }
}

TEST(GraphicMatroid, TheTestOfRandomBasesRejectsRandomWeights) {
  // The best forest of random weights looks random but is not uniform: in a diamond it leaves the
  // chord out with probability 7/15, whereas half of the trees have no chord.
  Stream stream = StreamFamily(7, "bases").at(0);
  const GraphicMatroid matroid({{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}});
  const auto draw = [&](ItemSet& out) {
    Point w(5);
    for (double& value : w) value = 1 - stream.uniform();
    const Point tree = laws::maximizer(matroid, w);
    out.clear();
    for (std::size_t i = 0; i < tree.size(); ++i)
      if (tree[i] > 0.5) out.push_back(static_cast<Item>(i));
  };
  EXPECT_GT(unevenness(matroid, kDraws, draw), 2);
  EXPECT_LT(unevenness(matroid, kDraws, [&](ItemSet& out) { matroid.random_base(stream, out); }),
            1);
}

// ---------------------------------------------------------------- min-norm points

/// Vertices in a list: the algorithm needs no matroid.
class ListedVertices final : public VertexOracle {
 public:
  explicit ListedVertices(std::vector<std::vector<std::uint8_t>> vertices)
      : vertices_(std::move(vertices)) {}
  std::size_t dimension() const override { return vertices_[0].size(); }
  void best_vertex(std::span<const double> w, std::span<std::uint8_t> out) const override {
    best(w, out);
  }
  void best_vertex(std::span<const Quad> w, std::span<std::uint8_t> out) const override {
    best(w, out);
  }

 private:
  template <class Scalar>
  void best(std::span<const Scalar> w, std::span<std::uint8_t> out) const {
    std::size_t winner = 0;
    Scalar most = 0;
    for (std::size_t v = 0; v < vertices_.size(); ++v) {
      Scalar value = 0;
      for (std::size_t i = 0; i < w.size(); ++i)
        if (vertices_[v][i]) value += w[i];
      if (v == 0 || value > most) {
        most = value;
        winner = v;
      }
    }
    std::copy(vertices_[winner].begin(), vertices_[winner].end(), out.begin());
  }

  std::vector<std::vector<std::uint8_t>> vertices_;
};

TEST(MinNormPoint, NearestPointOfASegmentAndATriangle) {
  MinNormPoint nearest;
  const ListedVertices segment({{1, 0}, {0, 1}});
  nearest.solve(segment, Point{0, 0});
  EXPECT_NEAR(nearest.point()[0], 0.5, 1e-15);
  EXPECT_LE(nearest.error_bound(), 1e-9);
  nearest.solve(segment, Point{5, 0});
  EXPECT_EQ(nearest.vertices(), 1U);
  EXPECT_EQ(nearest.point()[0], 1);

  const ListedVertices triangle({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  nearest.solve(triangle, Point{1, 1, 1});
  for (const double value : nearest.point()) EXPECT_NEAR(value, 1.0 / 3, 1e-15);
}

TEST(MinNormPoint, RandomVerticesFulfilTheVariationalInequality) {
  Stream stream = StreamFamily(8, "vertices").at(0);
  MinNormPoint nearest;
  for (int trial = 0; trial < 20000; ++trial) {
    const std::size_t d = 1 + stream.below(12);
    std::vector<std::vector<std::uint8_t>> vertices(1 + stream.below(30));
    for (auto& vertex : vertices) {
      vertex.resize(d);
      for (auto& bit : vertex) bit = stream.coin(0.5);
    }
    const Point y = awkward_point(stream, d);
    nearest.solve(ListedVertices(vertices), y);
    EXPECT_LE(nearest.error_bound(), 1e-9);

    // In long double and from the returned doubles: no vertex is on the far side.
    long double length = 0;
    for (std::size_t i = 0; i < d; ++i)
      length += std::abs(static_cast<long double>(y[i]) - nearest.point()[i]);
    for (const auto& vertex : vertices) {
      long double gap = 0;
      for (std::size_t i = 0; i < d; ++i)
        gap += (static_cast<long double>(y[i]) - nearest.point()[i]) *
               (static_cast<long double>(vertex[i]) - nearest.point()[i]);
      EXPECT_LE(gap, 1e-14L * (1 + length));
    }
    double total = 0;
    Point sum(d, 0.0);
    for (std::size_t j = 0; j < nearest.vertices(); ++j) {
      EXPECT_GT(nearest.weight(j), 0);
      total += nearest.weight(j);
      for (std::size_t i = 0; i < d; ++i) sum[i] += nearest.weight(j) * nearest.vertex(j)[i];
    }
    EXPECT_NEAR(total, 1, 1e-14);
    EXPECT_LE(laws::distance(sum, nearest.point()), 1e-14);
  }
}

}  // namespace
}  // namespace hindsight
