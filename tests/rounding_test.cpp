/// Roundings, against their laws: Y independent, E 1_Y = x, E f(Y) >= F(x) for submodular f.
///
/// In few dimensions a law of sets is a table of 2^d probabilities. That of a LosslessRounding is
/// known exactly, by playing through all its coins; that of anything else is counted, and judged
/// with the slack that Hoeffding's inequality gives for all comparisons together.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <vector>

#include "hindsight/core/error.hpp"
#include "hindsight/domains/graphic_matroid.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/rounding/contention_resolution.hpp"
#include "hindsight/rounding/independent_rounding.hpp"
#include "hindsight/rounding/pipage.hpp"
#include "hindsight/rounding/pipage_walk.hpp"
#include "hindsight/rounding/randomized_pipage.hpp"
#include "hindsight/rounding/swap_rounding.hpp"

namespace {
std::size_t allocations = 0;
}

// Not inlined, as compilers warn of free() on memory from new where they see one of both alone.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace hindsight {
namespace {

using Mask = unsigned;               // bit i for item i
using Law = std::vector<double>;     // a probability for each set, by mask
using Values = std::vector<double>;  // a set function, by mask

constexpr double kExact = 1e-9;  // what decompose() promises a coordinate
constexpr double kFalseAlarm = 1e-6;

Mask mask_of(ItemView set) {
  Mask mask = 0;
  for (const Item item : set) mask |= 1u << item;
  return mask;
}

ItemSet set_of(Mask mask) {
  ItemSet set;
  for (Item i = 0; mask >> i; ++i)
    if (mask >> i & 1) set.push_back(i);
  return set;
}

Mask masks(int dimension) { return 1u << dimension; }

double expectation(const Law& law, const Values& f) { return dot(law, f); }

/// The law of RandRound(x): what F(x) is the expectation under.
Law independent_law(PointView x) {
  Law law = {1.0};
  for (const double xi : x) {
    const std::size_t half = law.size();
    law.resize(2 * half);
    for (std::size_t m = 0; m < half; ++m) {
      law[half + m] = law[m] * xi;
      law[m] *= 1 - xi;
    }
  }
  return law;
}

// --- Functions
// -------------------------------------------------------------------------------------

Values tabulate(int dimension, const std::function<double(Mask)>& f) {
  Values values(masks(dimension));
  for (Mask m = 0; m < masks(dimension); ++m) values[m] = f(m);
  return values;
}

/// Submodular functions with values in [0,1]: min(|S n A|, k)/k for all A and k (nonnegative sums
/// of those with k = 1 are all coverage functions), all directed cuts of one arc, which are not
/// monotone, and a few sums of coverage, cuts and a root of a modular function.
std::vector<Values> submodular_functions(int dimension, Stream stream) {
  std::vector<Values> all;
  for (Mask a = 1; a < masks(dimension); ++a)
    for (int k = 1; k <= std::popcount(a); ++k)
      all.push_back(tabulate(
          dimension, [&](Mask s) { return std::min(std::popcount(s & a), k) / double(k); }));
  for (int i = 0; i < dimension; ++i)
    for (int j = 0; j < dimension; ++j)
      if (i != j)
        all.push_back(
            tabulate(dimension, [&](Mask s) { return (s >> i & 1) && !(s >> j & 1) ? 1.0 : 0.0; }));
  for (int n = 0; n < 8; ++n) {
    Values sum(masks(dimension), 0.0);
    for (int terms = 0; terms < 6; ++terms)
      add_scaled(sum, stream.uniform(), all[stream.below(all.size())]);
    Point weights(dimension);
    for (double& w : weights) w = stream.uniform();
    add_scaled(sum, 3, tabulate(dimension, [&](Mask s) {
                 double total = 0;
                 for (const Item i : set_of(s)) total += weights[i];
                 return std::sqrt(total);
               }));
    const double most = *std::max_element(sum.begin(), sum.end());
    for (double& v : sum) v /= most;
    all.push_back(sum);
  }
  return all;
}

class Multilinear final : public ContinuousFunction {
 public:
  explicit Multilinear(Values values) : values_(std::move(values)) {}
  int dimension() const override { return std::bit_width(values_.size()) - 1; }
  double value(PointView x) const override { return expectation(independent_law(x), values_); }
  void gradient(PointView, PointRef) const override { FAIL() << "roundings need values alone"; }
  FunctionFacts facts() const override { return {.max_value = 1}; }

 private:
  Values values_;
};

// --- Matroids
// --------------------------------------------------------------------------------------

/// Sets of linearly independent columns over the field of two elements, everything by enumeration.
/// Neither laminar nor graphic in general (the Fano plane is one).
class BinaryMatroid final : public Matroid {
 public:
  explicit BinaryMatroid(std::vector<unsigned> columns) : columns_(std::move(columns)) {
    for (Mask m = 0; m < masks(dimension()); ++m) ranks_.push_back(rank_of(m));
  }

  int dimension() const override { return static_cast<int>(columns_.size()); }
  int rank() const override { return ranks_.back(); }
  bool independent(ItemView set) const override {
    return ranks_[mask_of(set)] == static_cast<int>(set.size());
  }
  bool contains(PointView x, double tolerance) const override {
    for (const double xi : x)
      if (!(xi >= -tolerance)) return false;
    for (Mask m = 0; m < masks(dimension()); ++m)
      if (!(slack(x, m, 1) >= -tolerance)) return false;
    return true;
  }
  double room(PointView x, Item up, Item down) const override {
    double most = down < 0 ? 1 : x[down];
    for (Mask m = 0; m < masks(dimension()); ++m)
      if ((m >> up & 1) && !(down >= 0 && (m >> down & 1))) most = std::min(most, slack(x, m, 1));
    return std::max(most, 0.0);
  }

  /// Peels off one set after another that keeps all tight sets tight, as much of it as goes.
  ConvexCombination decompose(PointView x) const override {
    ConvexCombination out;
    Point rest(x.begin(), x.end());
    for (double left = 1; left > 1e-12;) {
      Mask best = 0;
      double most = -1;
      for (Mask s = 0; s < masks(dimension()); ++s)
        if (ranks_[s] == std::popcount(s))
          if (const double step = step_along(rest, s, left); step > most) best = s, most = step;
      out.weights.push_back(most);
      out.sets.push_back(set_of(best));
      for (const Item i : out.sets.back()) rest[i] -= most;
      left -= most;
    }
    return out;
  }

  void maximize(PointView, PointRef) const override { FAIL() << "not needed"; }
  /// Into the polytope, and near enough for points that are nearly there.
  void project(PointRef x, std::span<double>) const override {
    for (Item i = 0; i < dimension(); ++i) x[i] = columns_[i] ? std::max(x[i], 0.0) : 0.0;
    double excess = 0;
    for (Mask m = 0; m < masks(dimension()); ++m) excess = std::max(excess, -slack(x, m, 1));
    for (double& xi : x) xi /= 1 + excess;
  }
  void random_base(Stream&, ItemSet&) const override { FAIL() << "not needed"; }
  double inner_radius() const override { return 0; }
  std::string describe() const override { return "binary matroid"; }

 private:
  int rank_of(Mask m) const {
    std::vector<unsigned> basis;
    for (const Item i : set_of(m)) {
      unsigned column = columns_[i];
      for (const unsigned b : basis) column = std::min(column, column ^ b);
      if (column) basis.push_back(column);
    }
    return static_cast<int>(basis.size());
  }
  double slack(PointView x, Mask m, double scale) const {
    double sum = 0;
    for (Mask left = m; left; left &= left - 1) sum += x[std::countr_zero(left)];
    return scale * ranks_[m] - sum;
  }
  double step_along(PointView rest, Mask s, double left) const {
    double step = left;
    for (const Item i : set_of(s)) step = std::min(step, rest[i]);
    for (Mask m = 0; m < masks(dimension()); ++m)
      if (const int missing = ranks_[m] - std::popcount(m & s); missing > 0)
        step = std::min(step, slack(rest, m, left) / missing);
    return step;
  }

  std::vector<unsigned> columns_;
  std::vector<int> ranks_;
};

struct NamedMatroid {
  std::string name;
  MatroidPtr matroid;
};

std::vector<NamedMatroid> laminar_matroids() {
  return {
      {"one item", uniform_matroid(1, 1)},
      {"one loop", uniform_matroid(1, 0)},
      {"rank 0", uniform_matroid(4, 0)},
      {"free", uniform_matroid(4, 4)},
      {"uniform 1 of 2", uniform_matroid(2, 1)},
      {"uniform 1 of 5", uniform_matroid(5, 1)},
      {"uniform 3 of 6", uniform_matroid(6, 3)},
      {"partition", partition_matroid({{0, 3, 5}, {1, 2}, {4}}, {2, 1, 1})},
      {"partition with a loop", partition_matroid({{0, 1, 2}, {3, 4}}, {1, 0})},
      {"laminar", laminar_matroid(6, {{0, 1, 2, 3, 4}, {0, 1, 2}, {0, 1}}, {3, 2, 1})},
      {"two trees", laminar_matroid(6, {{1, 4}, {0, 1, 4}, {2, 5}, {2, 3, 5}}, {1, 2, 1, 2})},
  };
}

std::vector<NamedMatroid> other_matroids() {
  using Edges = std::vector<std::array<int, 2>>;
  const auto graph = [](Edges edges) { return std::make_shared<GraphicMatroid>(std::move(edges)); };
  const auto binary = [](std::vector<unsigned> columns) {
    return std::make_shared<BinaryMatroid>(std::move(columns));
  };
  return {
      {"one edge", graph({{0, 1}})},
      {"triangle with a tail", graph({{0, 1}, {1, 2}, {2, 0}, {2, 3}})},
      {"complete graph on 4", graph({{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}})},
      {"parallel edges", graph({{0, 1}, {0, 1}, {1, 2}, {1, 2}, {0, 2}})},
      {"two components", graph({{0, 1}, {1, 2}, {2, 0}, {3, 4}, {3, 4}})},
      {"Fano", binary({1, 2, 3, 4, 5, 6, 7})},
      {"binary with a loop", binary({1, 2, 3, 0, 4, 7})},
  };
}

std::vector<NamedMatroid> all_matroids() {
  auto all = laminar_matroids();
  for (auto& matroid : other_matroids()) all.push_back(matroid);
  return all;
}

std::vector<Mask> independent_masks(const Matroid& matroid, int least_size) {
  std::vector<Mask> out;
  for (Mask m = 0; m < masks(matroid.dimension()); ++m)
    if (std::popcount(m) >= least_size && matroid.independent(set_of(m))) out.push_back(m);
  return out;
}

Point mean_of(const Matroid& matroid, const std::vector<Mask>& sets, Point weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  Point x(matroid.dimension(), 0.0);
  for (std::size_t j = 0; j < sets.size(); ++j)
    for (const Item i : set_of(sets[j])) x[i] += weights[j] / total;
  return x;
}

/// Vertices, 0, points of the base face, points below it, points with whole and with equal
/// coordinates, and points with sums that are whole numbers but for rounding.
std::vector<Point> points_of(const Matroid& matroid, Stream stream) {
  const auto bases = independent_masks(matroid, matroid.rank());
  const auto sets = independent_masks(matroid, 0);
  const auto pick = [&](const std::vector<Mask>& from, std::size_t n) {
    std::vector<Mask> some;
    for (std::size_t j = 0; j < n; ++j) some.push_back(from[stream.below(from.size())]);
    return some;
  };
  const auto weights = [&](std::size_t n) {
    Point w(n);
    for (double& wi : w) wi = 0.05 + stream.uniform();
    return w;
  };
  std::vector<Point> points;
  points.push_back(Point(matroid.dimension(), 0.0));
  points.push_back(mean_of(matroid, pick(bases, 1), {1}));
  points.push_back(mean_of(matroid, bases, Point(bases.size(), 1.0)));
  points.push_back(mean_of(matroid, sets, Point(sets.size(), 1.0)));
  points.push_back(diagonal_point(matroid));
  points.push_back(mean_of(matroid, pick(bases, 2), {1, 1}));
  points.push_back(mean_of(matroid, pick(bases, 3), weights(3)));
  points.push_back(mean_of(matroid, pick(sets, 3), weights(3)));
  points.push_back(mean_of(matroid, pick(bases, 10), Point(10, 1.0)));
  points.push_back(mean_of(matroid, pick(sets, 10), weights(10)));
  Point scaled = mean_of(matroid, bases, weights(bases.size()));
  for (double& xi : scaled) xi *= 0.9;
  points.push_back(scaled);
  return points;
}

// --- Laws
// ------------------------------------------------------------------------------------------

Law exact_law(LosslessRounding& rounding, int dimension) {
  const ConvexCombination all = distribution(rounding);
  Law law(masks(dimension), 0.0);
  for (std::size_t j = 0; j < all.sets.size(); ++j) law[mask_of(all.sets[j])] += all.weights[j];
  return law;
}

using Draw = std::function<void(Stream&, ItemSet&)>;

Law counted_law(const Draw& draw, int dimension, int draws, std::uint64_t seed) {
  const StreamFamily streams(seed, "draw");
  Law law(masks(dimension), 0.0);
  ItemSet set;
  for (int n = 0; n < draws; ++n) {
    Stream stream = streams.at(n);
    draw(stream, set);
    law[mask_of(set)] += 1.0 / draws;
  }
  return law;
}

/// Hoeffding: how far the mean of `draws` numbers in [0,1] is from its expectation, in any of
/// `comparisons`, but for the odds kFalseAlarm.
double hoeffding(int draws, double comparisons) {
  return std::sqrt(std::log(2 * comparisons / kFalseAlarm) / (2.0 * draws));
}

/// What a law breaks of losslessness by more than `slack`; empty if nothing.
std::string loss(const Matroid& matroid, PointView x, const Law& law,
                 const std::vector<Values>& functions, double slack) {
  for (Mask m = 0; m < law.size(); ++m)
    if (law[m] > 0 && !matroid.independent(set_of(m))) return "draws a dependent set";
  for (int i = 0; i < matroid.dimension(); ++i) {
    double mean = 0;
    for (Mask m = 0; m < law.size(); ++m) mean += (m >> i & 1) * law[m];
    if (std::abs(mean - x[i]) > slack)
      return "E 1_Y = " + std::to_string(mean) + " for x = " + std::to_string(x[i]);
  }
  const Law reference = independent_law(x);
  for (const Values& f : functions)
    if (const double gap = expectation(law, f) - expectation(reference, f); gap < -slack)
      return "E f(Y) - F(x) = " + std::to_string(gap);
  return {};
}

/// E f(Y) - F(x) beyond `slack` for some f; empty if none.
std::string bias(PointView x, const Law& law, const std::vector<Values>& functions, double slack) {
  const Law reference = independent_law(x);
  for (const Values& f : functions)
    if (const double gap = expectation(law, f) - expectation(reference, f); std::abs(gap) > slack)
      return "E f(Y) - F(x) = " + std::to_string(gap);
  return {};
}

using MakeRounding = std::function<std::unique_ptr<LosslessRounding>(MatroidPtr)>;
const MakeRounding kSwap = [](MatroidPtr m) { return std::make_unique<SwapRounding>(m); };
const MakeRounding kPipage = [](MatroidPtr m) { return std::make_unique<RandomizedPipage>(m); };

/// The losses of a rounding over all points of all matroids, exactly.
std::vector<std::string> exact_losses(const MakeRounding& make,
                                      const std::vector<NamedMatroid>& matroids) {
  std::vector<std::string> losses;
  for (const auto& [name, matroid] : matroids) {
    const int d = matroid->dimension();
    const auto functions = submodular_functions(d, StreamFamily(1, "functions").at(0));
    const auto rounding = make(matroid);
    int n = 0;
    for (const Point& x : points_of(*matroid, StreamFamily(2, "points").at(0))) {
      rounding->prepare(x);
      const auto lost = loss(*matroid, x, exact_law(*rounding, d), functions, 10 * kExact);
      if (!lost.empty()) losses.push_back(name + ", point " + std::to_string(n) + ": " + lost);
      ++n;
    }
  }
  return losses;
}

std::string text(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

// --- Broken twins
// ----------------------------------------------------------------------------------

/// A rounding whose draw is a function of the coins alone, for twins.
class Twin : public LosslessRounding {
 public:
  explicit Twin(MatroidPtr matroid) : matroid_(std::move(matroid)) {}
  void prepare(PointView x) override { x_.assign(x.begin(), x.end()); }
  void draw(Stream&, ItemSet&) override { FAIL() << "twins are judged by their exact law"; }

 protected:
  MatroidPtr matroid_;
  Point x_;
};

/// Pipage that goes to the nearer end instead of a random one.
class NearerEnd final : public Twin {
 public:
  using Twin::Twin;
  void draw_with(CoinTree&, ItemSet& out) override {
    PipageWalk walk(*matroid_, x_);
    while (const auto& move = walk.move()) walk.go(move->forward < move->backward);
    walk.read_vertex(out);
  }
};

/// Pipage that tosses a fair coin for the end.
class FairEnd final : public Twin {
 public:
  using Twin::Twin;
  void draw_with(CoinTree& coins, ItemSet& out) override {
    PipageWalk walk(*matroid_, x_);
    while (walk.move()) walk.go(coins.coin(0.5));
    walk.read_vertex(out);
  }
};

/// Draws a set of the convex combination and does not merge. E 1_Y = x holds.
class Unmerged final : public Twin {
 public:
  using Twin::Twin;
  void draw_with(CoinTree& coins, ItemSet& out) override {
    const auto [weights, sets] = matroid_->decompose(x_);
    double left = 1;
    std::size_t j = 0;
    while (j + 1 < sets.size() && !coins.coin(weights[j] / left)) left -= weights[j++];
    out = sets[j];
  }
};

template <class T>
MakeRounding make_twin() {
  return [](MatroidPtr m) { return std::make_unique<T>(m); };
}

// --- Independent rounding
// --------------------------------------------------------------------------

TEST(IndependentRounding, IsUnbiasedForEveryFunction) {
  // Hoeffding over all functions and points, 2e5 draws each: false alarm < 1e-6.
  constexpr int draws = 200'000;
  const std::vector<Point> points = {{0.3, 0.8, 0.5, 0.1}, {0, 1, 0.5, 1}, {0.99, 0.01, 0.6, 0.4}};
  const auto functions = submodular_functions(4, StreamFamily(1, "functions").at(0));
  const double slack = hoeffding(draws, static_cast<double>(functions.size() * points.size()));
  for (const Point& x : points) {
    const auto right = [&](Stream& s, ItemSet& out) { independent_round(x, s, out); };
    EXPECT_EQ(bias(x, counted_law(right, 4, draws, 3), functions, slack), "");

    Point squares;
    for (const double xi : x) squares.push_back(xi * xi);
    const auto wrong = [&](Stream& s, ItemSet& out) { independent_round(squares, s, out); };
    EXPECT_NE(bias(x, counted_law(wrong, 4, draws, 3), functions, slack), "");
  }
}

TEST(IndependentRounding, TakesWholeCoordinatesAtTheirWord) {
  ItemSet set;
  for (int n = 0; n < 1000; ++n) {
    Stream stream = StreamFamily(4, "draw").at(n);
    independent_round(Point{1, 0, 1, 0}, stream, set);
    EXPECT_EQ(set, (ItemSet{0, 2}));
  }
}

// --- Lossless roundings
// ----------------------------------------------------------------------------

TEST(SwapRounding, IsLosslessOnEveryMatroid) {
  EXPECT_EQ(text(exact_losses(kSwap, all_matroids())), "");
}

TEST(RandomizedPipage, IsLosslessOnEveryMatroid) {
  EXPECT_EQ(text(exact_losses(kPipage, all_matroids())), "");
}

TEST(LosslessTest, RejectsPipageToTheNearerEnd) {
  EXPECT_FALSE(exact_losses(make_twin<NearerEnd>(), laminar_matroids()).empty());
}

TEST(LosslessTest, RejectsPipageWithFairCoins) {
  EXPECT_FALSE(exact_losses(make_twin<FairEnd>(), laminar_matroids()).empty());
}

TEST(LosslessTest, RejectsDrawingFromTheCombinationUnmerged) {
  const auto losses = exact_losses(make_twin<Unmerged>(), laminar_matroids());
  ASSERT_FALSE(losses.empty());
  for (const std::string& lost : losses) EXPECT_NE(lost.find("E f(Y)"), std::string::npos) << lost;
}

TEST(LosslessRounding, DrawsFromAStreamWhatItsCoinsSay) {
  // Hoeffding over all sets of all cases, 1e5 draws each: false alarm < 1e-6.
  constexpr int draws = 100'000;
  struct Case {
    MakeRounding make;
    MatroidPtr matroid;
    Point x;
  };
  const MatroidPtr uniform = uniform_matroid(5, 2);
  const MatroidPtr laminar = laminar_matroid(5, {{0, 1, 2, 3}, {0, 1}}, {2, 1});
  const MatroidPtr triangle = std::make_shared<GraphicMatroid>(
      std::vector<std::array<int, 2>>{{0, 1}, {1, 2}, {2, 0}, {2, 3}});
  const std::vector<Case> cases = {
      {kPipage, uniform, {0.2, 0.3, 0.7, 0.4, 0.4}}, {kPipage, laminar, {0.5, 0.3, 0.7, 0.4, 0.9}},
      {kPipage, triangle, {0.5, 0.8, 0.7, 0.4}},     {kSwap, uniform, {0.2, 0.3, 0.7, 0.4, 0.4}},
      {kSwap, laminar, {0.5, 0.3, 0.7, 0.4, 0.9}},   {kSwap, triangle, {0.5, 0.8, 0.7, 0.4}},
  };
  const double slack = hoeffding(draws, 32.0 * cases.size());
  for (std::size_t n = 0; n < cases.size(); ++n) {
    const auto& [make, matroid, x] = cases[n];
    const int d = matroid->dimension();
    const auto rounding = make(matroid);
    rounding->prepare(x);
    const auto draw = [&](Stream& s, ItemSet& out) { rounding->draw(s, out); };
    const Law counted = counted_law(draw, d, draws, 5 + n);
    const Law exact = exact_law(*rounding, d);
    for (Mask m = 0; m < masks(d); ++m)
      EXPECT_NEAR(counted[m], exact[m], slack) << "case " << n << ", set " << m;

    // The twin: the same draws against the law of another point.
    Point other = x;
    std::swap(other[1], other[3]);
    if (!matroid->contains(other, 0)) continue;
    rounding->prepare(other);
    const Law wrong = exact_law(*rounding, d);
    double most = 0;
    for (Mask m = 0; m < masks(d); ++m) most = std::max(most, std::abs(counted[m] - wrong[m]));
    EXPECT_GT(most, slack) << "case " << n;
  }
}

/// Coverage on many items: element e is covered by the items of covers[e]; all weigh the same.
struct ManyElements {
  std::vector<ItemSet> covers;

  ManyElements(int items, int elements, int cover, Stream stream) {
    for (int e = 0; e < elements; ++e) {
      ItemSet all(items);
      std::iota(all.begin(), all.end(), 0);
      stream.shuffle(std::span<Item>(all));
      all.resize(cover);
      covers.push_back(all);
    }
  }
  double value(const std::vector<char>& has) const {
    int covered = 0;
    for (const ItemSet& items : covers)
      covered += std::any_of(items.begin(), items.end(), [&](Item i) { return has[i]; });
    return covered / double(covers.size());
  }
  double extension(PointView x) const {
    double sum = 0;
    for (const ItemSet& items : covers) {
      double missed = 1;
      for (const Item i : items) missed *= 1 - x[i];
      sum += 1 - missed;
    }
    return sum / double(covers.size());
  }
};

/// Losslessness by counting, for more items than can be enumerated.
std::string counted_loss(const Matroid& matroid, PointView x, const Draw& draw, int draws,
                         const std::vector<ManyElements>& functions, double comparisons) {
  const int d = matroid.dimension();
  std::vector<double> means(d, 0.0), values(functions.size(), 0.0);
  std::vector<char> has(d);
  ItemSet set;
  for (int n = 0; n < draws; ++n) {
    Stream stream = StreamFamily(6, "draw").at(n);
    draw(stream, set);
    if (!matroid.independent(set)) return "draws a dependent set";
    has.assign(d, false);
    for (const Item i : set) {
      if (has[i]) return "draws an item twice";
      has[i] = true;
      means[i] += 1.0 / draws;
    }
    for (std::size_t k = 0; k < functions.size(); ++k) values[k] += functions[k].value(has) / draws;
  }
  const double slack = hoeffding(draws, comparisons);
  for (int i = 0; i < d; ++i)
    if (std::abs(means[i] - x[i]) > slack) return "E 1_Y is not x at item " + std::to_string(i);
  for (std::size_t k = 0; k < functions.size(); ++k)
    if (values[k] < functions[k].extension(x) - slack) return "E f(Y) < F(x)";
  return {};
}

TEST(LosslessRounding, IsLosslessOnManyItems) {
  // Hoeffding over 3 matroids x 2 roundings x (30 items + 4 functions): false alarm < 1e-6.
  const double comparisons = 3 * 2 * (30 + 4);
  std::vector<std::array<int, 2>> edges;
  for (int u = 0; u < 15; ++u)
    edges.push_back({u, (u + 1) % 15}), edges.push_back({u, (u + 4) % 15});
  std::vector<ItemSet> nested;
  std::vector<int> capacities;
  for (int start = 0; start < 30; start += 10) {
    for (const int length : {3, 6, 10}) {
      nested.emplace_back(length);
      std::iota(nested.back().begin(), nested.back().end(), start);
      capacities.push_back(1 + length / 4);
    }
  }
  const std::vector<NamedMatroid> matroids = {{"uniform", uniform_matroid(30, 8)},
                                              {"laminar", laminar_matroid(30, nested, capacities)},
                                              {"graphic", std::make_shared<GraphicMatroid>(edges)}};
  std::vector<ManyElements> functions;
  for (int k = 0; k < 4; ++k)
    functions.emplace_back(30, 40, 2 + k, StreamFamily(7, "functions").at(k));

  for (const auto& [name, matroid] : matroids) {
    // The mean of random bases, some of them cut short: below the base face.
    Point x(30, 0.0);
    Stream stream = StreamFamily(8, "bases").at(0);
    ItemSet base;
    for (int n = 0; n < 12; ++n) {
      matroid->random_base(stream, base);
      if (n % 4 == 0) base.resize(base.size() - 2);
      for (const Item i : base) x[i] += 1.0 / 12;
    }
    const int draws = name == "graphic" ? 1'500 : 40'000;
    for (const auto& make : {kPipage, kSwap}) {
      const auto rounding = make(matroid);
      rounding->prepare(x);
      const auto draw = [&](Stream& s, ItemSet& out) { rounding->draw(s, out); };
      EXPECT_EQ(counted_loss(*matroid, x, draw, draws, functions, comparisons), "") << name;
    }
    // The twin, under the same odds.
    const auto lossy = [&](Stream& s, ItemSet& out) {
      contention_resolution_round(*matroid, x, s, out);
    };
    EXPECT_NE(counted_loss(*matroid, x, lossy, draws, functions, comparisons), "") << name;
  }
}

TEST(RandomizedPipage, RoundsTheSumOfEverySetOfTheFamily) {
  const auto matroid = laminar_matroid(7, {{0, 1, 2, 3, 4}, {0, 1, 2}, {5, 6}}, {3, 2, 1});
  const Point x = {0.5, 0.8, 0.3, 0.6, 0.4, 0.3, 0.45};  // 1.6, 2.6 and 0.75; 3.35 in all
  RandomizedPipage rounding(matroid);
  rounding.prepare(x);
  for (const ItemSet& set : distribution(rounding).sets) {
    EXPECT_TRUE(set.size() == 3 || set.size() == 4);
    for (const LaminarSet& family : matroid->family()) {
      double sum = 0;
      for (const Item i : family.items) sum += x[i];
      const auto in = std::popcount(mask_of(set) & mask_of(family.items));
      EXPECT_TRUE(in == std::floor(sum) || in == std::ceil(sum)) << in << " of " << sum;
    }
  }
}

TEST(LosslessRounding, RoundsNoisyPointsIntoIndependentSets) {
  for (const auto& [name, matroid] : all_matroids())
    for (const auto& make : {kPipage, kSwap})
      for (int n = 0; n < 20; ++n) {
        Stream stream = StreamFamily(9, "noise").at(n);
        const auto points = points_of(*matroid, stream);
        Point x = points[n % points.size()];
        for (double& xi : x) xi += (stream.uniform() - 0.5) * std::pow(10, -7.0 - stream.below(9));
        const auto rounding = make(matroid);
        rounding->prepare(x);
        ItemSet set;
        for (int k = 0; k < 20; ++k) {
          rounding->draw(stream, set);
          EXPECT_TRUE(matroid->independent(set)) << name;
        }
      }
}

TEST(LosslessRounding, DependsOnThePointAndTheStreamAlone) {
  for (const auto& [name, matroid] : all_matroids())
    for (const auto& make : {kPipage, kSwap}) {
      const auto points = points_of(*matroid, StreamFamily(10, "points").at(0));
      const auto used = make(matroid);
      for (const Point& x : points) {
        used->prepare(x);
        ItemSet first, second;
        for (int n = 0; n < 5; ++n) {
          Stream stream = StreamFamily(11, "draw").at(n);
          used->draw(stream, first);
        }
        const auto fresh = make(matroid);
        fresh->prepare(x);
        Stream stream = StreamFamily(11, "draw").at(4);
        fresh->draw(stream, second);
        EXPECT_EQ(first, second) << name;
      }
    }
}

TEST(LosslessRounding, RejectsPointsOutsideAndKeepsTheOneItHas) {
  const auto matroid = uniform_matroid(3, 1);
  for (const auto& make : {kPipage, kSwap}) {
    const auto rounding = make(matroid);
    ItemSet set = {7};
    Stream stream = StreamFamily(12, "draw").at(0);
    rounding->draw(stream, set);
    EXPECT_EQ(set, ItemSet{});  // the point is 0 at first
    rounding->prepare(Point{0, 1, 0});
    EXPECT_THROW(rounding->prepare(Point{0, 1}), InputError);
    EXPECT_THROW(rounding->prepare(Point{1, 1, 0}), InputError);
    EXPECT_THROW(rounding->prepare(Point{-0.1, 0, 0}), InputError);
    EXPECT_THROW(rounding->prepare(Point{std::nan(""), 0, 0}), InputError);
    rounding->draw(stream, set);
    EXPECT_EQ(set, ItemSet{1});
  }
}

TEST(LosslessRounding, DrawsWithoutAllocating) {
  for (const auto& [name, matroid] : laminar_matroids())
    for (const auto& make : {kPipage, kSwap}) {
      const auto rounding = make(matroid);
      rounding->prepare(points_of(*matroid, StreamFamily(13, "points").at(0)).back());
      Stream stream = StreamFamily(13, "draw").at(0);
      ItemSet set;
      set.reserve(matroid->dimension());
      for (int n = 0; n < 3; ++n) rounding->draw(stream, set);
      const std::size_t before = allocations;
      for (int n = 0; n < 100; ++n) rounding->draw(stream, set);
      EXPECT_EQ(allocations, before) << name;
    }
}

TEST(LosslessRounding, TheChoiceForAMatroidIsPipageOnNestedSetsAndSwapsElsewhere) {
  EXPECT_TRUE(dynamic_cast<RandomizedPipage*>(make_lossless_rounding(uniform_matroid(3, 1)).get()));
  const MatroidPtr fano =
      std::make_shared<BinaryMatroid>(std::vector<unsigned>{1, 2, 3, 4, 5, 6, 7});
  EXPECT_TRUE(dynamic_cast<SwapRounding*>(make_lossless_rounding(fano).get()));
}

// --- Pipage with a known function
// ------------------------------------------------------------------

TEST(Pipage, NeverLosesValue) {
  for (const auto& [name, matroid] : all_matroids()) {
    const int d = matroid->dimension();
    const auto functions = submodular_functions(d, StreamFamily(1, "functions").at(0));
    for (const Point& x : points_of(*matroid, StreamFamily(2, "points").at(0)))
      for (std::size_t k = 0; k < functions.size(); k += 7) {
        const Multilinear extension(functions[k]);
        const ItemSet set = pipage_round(*matroid, extension, x);
        EXPECT_TRUE(matroid->independent(set)) << name;
        EXPECT_GE(functions[k][mask_of(set)], extension.value(x) - kExact) << name;
      }
  }
}

TEST(Pipage, RejectsAnExtensionOfAnotherDimension) {
  const Multilinear two(Values{0, 1, 1, 1});
  EXPECT_THROW(pipage_round(*uniform_matroid(3, 1), two, Point{0, 0, 0}), InputError);
}

// --- Contention resolution
// -------------------------------------------------------------------------

TEST(ContentionResolution, KeepsMoreThanOneMinusOneOverEOnTheDiagonalOfUniformMatroids) {
  // Hoeffding over 3 x d means, 1e5 draws: false alarm < 1e-6. For x = (k/d) 1 the fraction is
  // E min(1, k / (1 + Bin(d-1, k/d))), which for k = 1 is 1 - (1 - 1/d)^d.
  constexpr int draws = 100'000, d = 12;
  for (const int rank : {1, 3, 12}) {
    const auto matroid = uniform_matroid(d, rank);
    const Point x(d, rank / double(d));
    const auto draw = [&](Stream& s, ItemSet& out) {
      contention_resolution_round(*matroid, x, s, out);
      EXPECT_TRUE(matroid->independent(out));
    };
    const Law law = counted_law(draw, d, draws, 14);
    const double slack = hoeffding(draws, 3 * d) / x[0];
    double expected = 0, odds = std::pow(1 - x[0], d - 1);
    for (int n = 0; n < d; ++n) {
      expected += odds * std::min(1.0, rank / (n + 1.0));
      if (x[0] < 1) odds *= (d - 1 - n) / (n + 1.0) * x[0] / (1 - x[0]);
    }
    if (x[0] == 1) expected = 1;
    if (rank == 1) {
      EXPECT_NEAR(expected, 1 - std::pow(1 - 1.0 / d, d), 1e-12);
    }
    for (int i = 0; i < d; ++i) {
      double kept = 0;
      for (Mask m = 0; m < masks(d); ++m) kept += (m >> i & 1) * law[m] / x[0];
      EXPECT_NEAR(kept, expected, slack);
      EXPECT_GE(kept, 1 - std::exp(-1) - slack);
    }
  }
}

/// How often `item` is in the set, of `draws` times.
double frequency(const Matroid& matroid, PointView x, Item item, int draws) {
  ItemSet set;
  double count = 0;
  for (int n = 0; n < draws; ++n) {
    Stream stream = StreamFamily(16, "draw").at(n);
    contention_resolution_round(matroid, x, stream, set);
    count += std::find(set.begin(), set.end(), item) != set.end();
  }
  return count / draws;
}

TEST(ContentionResolution, KeepsHardlyMoreThanHalfBesideOneLikelyItem) {
  // Hoeffding, 1e5 draws: false alarm < 1e-6. Item 0 survives alone, or by a fair coin.
  constexpr int draws = 100'000;
  const double kept = frequency(*uniform_matroid(2, 1), Point{0.1, 0.9}, 0, draws) / 0.1;
  EXPECT_NEAR(kept, 0.1 + 0.9 / 2, hoeffding(draws, 1) / 0.1);
}

TEST(ContentionResolution, KeepsNoConstantFractionOnGraphs) {
  // Hoeffding, 4000 draws: false alarm < 1e-6. An edge beside 30 paths of two edges at 1/2: it is
  // kept if it comes, at time t in [0,1], before any path is complete. Lossless rounding always
  // keeps it.
  constexpr int draws = 4'000, paths = 30;
  std::vector<std::array<int, 2>> edges = {{0, 1}};
  Point x = {1};
  for (int middle = 2; middle < 2 + paths; ++middle)
    for (const int end : {0, 1}) edges.push_back({end, middle}), x.push_back(0.5);
  const GraphicMatroid graph(edges);
  ASSERT_TRUE(graph.contains(x, 1e-9));
  double expected = 0;
  for (int step = 0; step < 1000; ++step)
    expected += std::pow(1 - std::pow((step + 0.5) / 1000, 2) / 4, paths) / 1000;
  EXPECT_LT(expected, 0.33);
  EXPECT_NEAR(frequency(graph, x, 0, draws), expected, hoeffding(draws, 1));
}

TEST(ContentionResolution, IsRejectedByTheTestOfLosslessness) {
  // The same test passes the lossless roundings with the same number of draws.
  constexpr int draws = 200'000;
  const auto matroid = uniform_matroid(5, 2);
  const Point x = {0.2, 0.3, 0.7, 0.4, 0.4};
  const auto functions = submodular_functions(5, StreamFamily(1, "functions").at(0));
  const double slack = hoeffding(draws, 3.0 * (functions.size() + 5));
  const auto lossy = [&](Stream& s, ItemSet& out) {
    contention_resolution_round(*matroid, x, s, out);
  };
  EXPECT_NE(loss(*matroid, x, counted_law(lossy, 5, draws, 15), functions, slack), "");
  for (const auto& make : {kPipage, kSwap}) {
    const auto rounding = make(matroid);
    rounding->prepare(x);
    const auto lossless = [&](Stream& s, ItemSet& out) { rounding->draw(s, out); };
    EXPECT_EQ(loss(*matroid, x, counted_law(lossless, 5, draws, 15), functions, slack), "");
  }
}

}  // namespace
}  // namespace hindsight
