/// Does the interval of best_fixed() hold the truth? A thousand small games of every kind of
/// function on every kind of domain, each solved a second time by means of the test's own: all sets
/// in one table, all independent sets by enumeration, points by search and by a grid. Beside the
/// interval stand twins, which the same check must reject: half of the certificate's gain, a
/// majorant that is too small, a constraint that is forgotten.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <numbers>
#include <numeric>

#include "hindsight/core/rng.hpp"
#include "hindsight/domains/box.hpp"
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
#include "hindsight/offline/best_fixed.hpp"
#include "hindsight/offline/certificate.hpp"
#include "hindsight/offline/continuous_greedy.hpp"
#include "hindsight/offline/cutting_planes.hpp"
#include "hindsight/offline/greedy.hpp"
#include "hindsight/offline/pair_bound.hpp"

namespace hindsight {
namespace {

using Mask = std::uint32_t;

bool small_scale() {
  const char* scale = std::getenv("HINDSIGHT_TEST_SCALE");
  return scale && std::string(scale) == "small";
}

int games() { return small_scale() ? 60 : 1000; }

ItemSet items_of(Mask mask) {
  ItemSet set;
  for (; mask != 0; mask &= mask - 1) set.push_back(std::countr_zero(mask));
  return set;
}

Mask mask_of(ItemView set) {
  Mask mask = 0;
  for (const Item i : set) mask |= Mask{1} << i;
  return mask;
}

Point indicator(std::size_t d, Mask mask) {
  Point x(d);
  for (std::size_t i = 0; i < d; ++i) x[i] = mask >> i & 1;
  return x;
}

// --- The functions -------------------------------------------------------------------------------

std::vector<std::vector<double>> uniform_rows(Stream& rng, std::size_t rows, std::size_t columns) {
  std::vector<std::vector<double>> out(rows, std::vector<double>(columns));
  for (auto& row : out)
    for (double& v : row) v = rng.uniform();
  return out;
}

SetFunctionPtr random_coverage(Stream& rng, int d) {
  const int m = 1 + static_cast<int>(rng.below(15));
  std::vector<double> weights;
  for (int e = 0; e < m; ++e) weights.push_back(rng.coin(0.3) ? 1.0 : rng.uniform());  // with ties
  std::vector<std::vector<int>> sets(static_cast<std::size_t>(d));
  for (auto& set : sets)
    for (int e = 0; e < m; ++e)
      if (rng.coin(0.3)) set.push_back(e);
  return std::make_shared<Coverage>(weights, sets);
}

SetFunctionPtr random_facility_location(Stream& rng, int d) {
  return std::make_shared<FacilityLocation>(uniform_rows(rng, 1 + rng.below(10), d));
}

SetFunctionPtr random_log_det(Stream& rng, int d) {
  const auto n = static_cast<std::size_t>(d);
  const std::size_t rank = 1 + rng.below(n);
  PointTable factor(n, rank);
  rng.fill_normal(factor.numbers());
  std::vector<std::vector<double>> kernel(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) kernel[i][j] = dot(factor.row(i), factor.row(j));
  return std::make_shared<LogDet>(kernel, 0.1 + rng.uniform());
}

SetFunctionPtr random_concave_over_modular(Stream& rng, int d) {
  const std::size_t groups = 1 + rng.below(4);
  const auto shape = static_cast<Concave>(rng.below(3));
  std::vector<double> coefficients(groups);
  for (double& c : coefficients) c = rng.uniform();
  return std::make_shared<ConcaveOverModular>(uniform_rows(rng, groups, d), coefficients, shape,
                                              0.5 + rng.uniform());
}

SetFunctionPtr random_influence(Stream& rng, int d) {
  InfluenceOptions options;
  options.nodes = d + static_cast<int>(rng.below(6));
  for (int edge = 0; edge < 2 * options.nodes; ++edge)
    options.edges.push_back({static_cast<int>(rng.below(options.nodes)),
                             static_cast<int>(rng.below(options.nodes)), rng.uniform()});
  options.graphs = 5;
  for (int i = 0; i < d; ++i) options.items.push_back(i);
  return std::make_shared<Influence>(Influence::sample(options, StreamFamily(rng.bits(), "live")));
}

SetFunctionPtr random_modular(Stream& rng, int d) {
  return std::make_shared<Modular>(uniform_rows(rng, 1, d).front());
}

/// A strictly concave function of the size, disturbed by less than its gains differ.
SetFunctionPtr random_table(Stream& rng, int d) {
  std::vector<double> values(std::size_t{1} << d);
  for (Mask mask = 1; mask < values.size(); ++mask) {
    const int n = std::popcount(mask);
    for (int k = 1; k <= n; ++k) values[mask] += static_cast<double>(d - k + 1) / d;
    values[mask] += rng.uniform() / (4 * d);
  }
  return std::make_shared<Table>(d, values);
}

struct NamedMaker {
  const char* name;
  SetFunctionPtr (*make)(Stream&, int);
};
constexpr NamedMaker set_makers[] = {
    {"coverage", random_coverage},   {"facility location", random_facility_location},
    {"log-det", random_log_det},     {"concave over modular", random_concave_over_modular},
    {"influence", random_influence}, {"modular", random_modular},
    {"table", random_table}};
constexpr std::size_t set_kinds = std::size(set_makers);
/// The set functions one by one, quadratics, several kinds of sets, and all kinds together.
constexpr std::size_t function_kinds_tried = set_kinds + 3;

// --- The domains, each with its own rules in the test's words ------------------------------------

struct Ground {
  std::string name;
  DomainPtr domain;
  std::function<bool(Mask)> independent;  // null: a polytope, given by the rows
  std::vector<Point> A;
  Point b, upper;
};

int capacity(Stream& rng, std::size_t size) { return 1 + static_cast<int>(rng.below(size)); }

std::function<bool(Mask)> at_most(std::vector<ItemSet> sets, std::vector<int> capacities) {
  return [=](Mask mask) {
    for (std::size_t j = 0; j < sets.size(); ++j)
      if (std::popcount(mask & mask_of(sets[j])) > capacities[j]) return false;
    return true;
  };
}

/// A partition of the items into parts that are not empty.
std::vector<ItemSet> random_parts(Stream& rng, int d) {
  std::vector<ItemSet> parts(1 + rng.below(std::min(d, 4)));
  for (Item i = 0; i < d; ++i) parts[rng.below(parts.size())].push_back(i);
  std::erase_if(parts, [](const ItemSet& part) { return part.empty(); });
  return parts;
}

Ground random_box(Stream& rng, int d) {
  Point upper(static_cast<std::size_t>(d));
  for (double& u : upper) u = rng.coin(0.3) ? 1.0 : 0.1 + 0.9 * rng.uniform();
  return {"box", std::make_shared<Box>(upper), nullptr, {}, {}, upper};
}

Ground random_uniform(Stream& rng, int d) {
  const int rank = static_cast<int>(rng.below(std::min(d, 6) + 1));
  return {"uniform", uniform_matroid(d, rank), [rank](Mask m) { return std::popcount(m) <= rank; }};
}

Ground random_partition(Stream& rng, int d) {
  const auto parts = random_parts(rng, d);
  std::vector<int> capacities;
  for (const ItemSet& part : parts) capacities.push_back(capacity(rng, part.size()));
  return {"partition", partition_matroid(parts, capacities), at_most(parts, capacities)};
}

/// Parts, a part of a part, and all parts but the last together.
Ground random_laminar(Stream& rng, int d) {
  std::vector<ItemSet> sets = random_parts(rng, d);
  ItemSet all;
  for (std::size_t j = 0; j + 1 < sets.size(); ++j)
    all.insert(all.end(), sets[j].begin(), sets[j].end());
  const ItemSet inner(sets.back().begin(), sets.back().begin() + (sets.back().size() + 1) / 2);
  const bool proper = inner.size() < sets.back().size();
  if (sets.size() > 2) sets.push_back(all);
  if (proper) sets.push_back(inner);
  std::vector<int> capacities;
  for (const ItemSet& set : sets) capacities.push_back(capacity(rng, (set.size() + 1) / 2));
  return {"laminar", laminar_matroid(d, sets, capacities), at_most(sets, capacities)};
}

Ground random_graphic(Stream& rng, int d) {
  const std::uint64_t nodes = 2 + rng.below(5);
  std::vector<std::array<int, 2>> edges;
  while (edges.size() < static_cast<std::size_t>(d)) {
    const int u = static_cast<int>(rng.below(nodes)), v = static_cast<int>(rng.below(nodes));
    if (u != v) edges.push_back({u, v});
  }
  const auto forest = [edges](Mask mask) {
    std::array<int, 8> root{};
    std::iota(root.begin(), root.end(), 0);
    for (const Item e : items_of(mask)) {
      const auto& edge = edges[static_cast<std::size_t>(e)];
      const int u = root[edge[0]], v = root[edge[1]];
      if (u == v) return false;
      std::replace(root.begin(), root.end(), u, v);
    }
    return true;
  };
  return {"graphic", std::make_shared<GraphicMatroid>(edges), forest};
}

Ground random_packing(Stream& rng, int d) {
  const auto n = static_cast<std::size_t>(d);
  const std::vector<Point> A = uniform_rows(rng, 1 + rng.below(3), n);
  Point b, upper(n);
  for (const Point& row : A)
    b.push_back((0.1 + 0.6 * rng.uniform()) * std::accumulate(row.begin(), row.end(), 0.0));
  for (double& u : upper) u = rng.coin(0.5) ? 1.0 : 0.2 + 0.8 * rng.uniform();
  return {"packing", packing_polytope(A, b, upper), nullptr, A, b, upper};
}

constexpr Ground (*grounds[])(Stream&, int) = {random_box,     random_uniform, random_partition,
                                               random_laminar, random_graphic, random_packing};

// --- A game, and the test's own view of it -------------------------------------------------------

struct SmallGame {
  std::string function;
  Ground ground;
  std::vector<WeightedFunction> functions;
  std::vector<double> table;  // sum_t f_t of every set
  std::vector<Point> H;       // the sum of the quadratics
  Point h;
  bool only_sets = true;

  std::size_t dimension() const { return h.size(); }

  /// Item after item is drawn, from the last: sum_t F_t(x) from the definition.
  double value(PointView x) const {
    static std::vector<double> left;
    left = table;
    for (std::size_t i = x.size(); i-- > 0;)
      for (std::size_t m = 0; m < std::size_t{1} << i; ++m)
        left[m] += x[i] * (left[m + (std::size_t{1} << i)] - left[m]);
    double sum = left.front();
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * (h[i] + dot(H[i], x) / 2);
    return sum;
  }

  /// F is linear in each x_i but for H_ii.
  Point gradient(PointView x) const {
    Point g(x.size()), y(x.begin(), x.end());
    for (std::size_t i = 0; i < x.size(); ++i) {
      y[i] = 1;
      const double high = value(y);
      y[i] = 0;
      g[i] = high - value(y) + H[i][i] * (x[i] - 0.5);
      y[i] = x[i];
    }
    return g;
  }

  double scale() const { return std::max(1e-300, value(Point(dimension(), 1.0))); }
};

SmallGame random_game(int n) {
  Stream rng = StreamFamily(2019, "certified").at(static_cast<std::uint64_t>(n));
  const std::size_t kind = static_cast<std::size_t>(n) % function_kinds_tried;
  const std::size_t ground =
      static_cast<std::size_t>(n) / function_kinds_tried % std::size(grounds);
  const int d = 1 + static_cast<int>(rng.below(12));
  const auto size = static_cast<std::size_t>(d);
  SmallGame game;
  game.ground = grounds[ground](rng, d);
  game.table.assign(std::size_t{1} << d, 0.0);
  game.H.assign(size, Point(size, 0.0));
  game.h.assign(size, 0.0);

  const auto add_set_function = [&](std::size_t which) {
    const SetFunctionPtr f = set_makers[which].make(rng, d);
    const double weight = 1 + static_cast<double>(rng.below(5));
    game.functions.push_back({{f, extend(f)}, weight});
    for (Mask mask = 0; mask < game.table.size(); ++mask)
      game.table[mask] += weight * f->value(items_of(mask));
  };
  const auto add_quadratic = [&] {
    std::vector<Point> H(size, Point(size));
    Point h(size);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j <= i; ++j) H[i][j] = H[j][i] = -rng.uniform();
    for (std::size_t i = 0; i < size; ++i)
      h[i] = rng.uniform() - std::accumulate(H[i].begin(), H[i].end(), 0.0);
    game.functions.push_back({{nullptr, std::make_shared<Quadratic>(H, h)}, 2.0});
    for (std::size_t i = 0; i < size; ++i) {
      add_scaled(game.H[i], 2, H[i]);
      game.h[i] += 2 * h[i];
    }
    game.only_sets = false;
  };

  const int count = 1 + static_cast<int>(rng.below(3));
  if (kind < set_kinds) {
    game.function = set_makers[kind].name;
    for (int j = 0; j < count; ++j) add_set_function(kind);
  } else if (kind == set_kinds) {
    game.function = "quadratic";
    for (int j = 0; j < count; ++j) add_quadratic();
  } else {
    game.function = kind == set_kinds + 1 ? "mixed sets" : "sets and quadratics";
    for (int j = 0; j <= count; ++j) add_set_function(rng.below(set_kinds));
    if (kind == set_kinds + 2) add_quadratic();
  }
  return game;
}

// --- The truth, by the test's own means ----------------------------------------------------------

/// What is certain of the optimum: `low` is attained, nothing is above `high`.
struct Truth {
  double low = -INFINITY;
  double high = INFINITY;
};

/// All independent sets, their ranks, and membership in their hull by rank(S) >= x(S) for every S.
class Independence {
 public:
  explicit Independence(const Ground& ground, std::size_t d) : rank_(std::size_t{1} << d, 0) {
    for (Mask mask = 0; mask < rank_.size(); ++mask) {
      if (ground.independent(mask)) {
        rank_[mask] = std::popcount(mask);
        sets_.push_back(mask);
      }
      for (const Item i : items_of(mask))
        rank_[mask] = std::max(rank_[mask], rank_[mask ^ Mask{1} << i]);
    }
  }

  const std::vector<Mask>& sets() const { return sets_; }
  int rank() const { return rank_.back(); }

  bool in_hull(PointView x) const {
    std::vector<double> sum(rank_.size(), 0.0);
    for (Mask mask = 1; mask < sum.size(); ++mask) {
      const int i = std::countr_zero(mask);
      sum[mask] = sum[mask & (mask - 1)] + x[static_cast<std::size_t>(i)];
      if (sum[mask] > rank_[mask] + 1e-9) return false;
    }
    return std::all_of(x.begin(), x.end(), [](double v) { return v >= -1e-9; });
  }

 private:
  std::vector<int> rank_;
  std::vector<Mask> sets_;
};

bool in_rows(const Ground& ground, PointView x, double tolerance) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] < -tolerance || x[i] > ground.upper[i] + tolerance) return false;
  for (std::size_t j = 0; j < ground.A.size(); ++j)
    if (dot(ground.A[j], x) > ground.b[j] + tolerance * norm(ground.A[j])) return false;
  return true;
}

/// Shrinks x into the polytope and then lifts what can still rise, in the given order.
void make_maximal(const Ground& ground, Point& x, const ItemSet& order) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(x[i], 0.0, ground.upper[i]);
  double shrink = 1;
  for (std::size_t j = 0; j < ground.A.size(); ++j)
    if (const double used = dot(ground.A[j], x); used > ground.b[j])
      shrink = std::min(shrink, ground.b[j] / used);
  for (double& v : x) v *= shrink;
  for (const Item item : order) {
    const auto i = static_cast<std::size_t>(item);
    double room = ground.upper[i] - x[i];
    for (std::size_t j = 0; j < ground.A.size(); ++j)
      if (ground.A[j][i] > 0)
        room = std::min(room, (ground.b[j] - dot(ground.A[j], x)) / ground.A[j][i]);
    x[i] += std::max(0.0, room);
  }
}

/// Several starts, each improved by moves along the gradient and at random.
double search_polytope(const SmallGame& game, Stream& rng) {
  const std::size_t d = game.dimension();
  ItemSet order(d);
  std::iota(order.begin(), order.end(), 0);
  double best = -INFINITY;
  for (int start = 0; start < 4; ++start) {
    Point x(d);
    for (double& v : x) v = start == 0 ? 0.0 : rng.uniform();
    make_maximal(game.ground, x, order);
    double value = game.value(x), step = 0.5;
    for (int move = 0; move < 60; ++move) {
      Point y = x, direction(d);
      rng.fill_normal(direction);
      if (move % 3 == 0) direction = game.gradient(x);
      add_scaled(y, step / std::max(1e-300, norm(direction)), direction);
      rng.shuffle(std::span<Item>(order));
      make_maximal(game.ground, y, order);
      const double moved = game.value(y);
      step *= moved > value ? 1.5 : 0.85;
      if (moved > value) {
        x = y;
        value = moved;
      }
    }
    EXPECT_TRUE(in_rows(game.ground, x, 1e-12));
    best = std::max(best, value);
  }
  return best;
}

/// Frank-Wolfe over all independent sets from several starts: every point is a mixture of sets.
double search_hull(const SmallGame& game, const Independence& independence, Stream& rng) {
  const std::size_t d = game.dimension();
  double best = -INFINITY;
  for (int start = 0; start < 3; ++start) {
    const auto& sets = independence.sets();
    Point x = indicator(d, sets[rng.below(sets.size())]);
    double value = game.value(x);
    for (int move = 0; move < 30; ++move) {
      const Point g = game.gradient(x);
      Mask top = 0;
      double reached = -1;
      for (const Mask mask : sets) {
        double sum = 0;
        for (Mask left = mask; left != 0; left &= left - 1) sum += g[std::countr_zero(left)];
        if (sum > reached) {
          reached = sum;
          top = mask;
        }
      }
      Point towards = indicator(d, top), next = x;
      add_scaled(towards, -1, x);
      double best_value = value;
      for (double share = 1; share > 1e-3; share *= 0.6) {
        Point y = x;
        add_scaled(y, share, towards);
        if (const double moved = game.value(y); moved > best_value) {
          best_value = moved;
          next = y;
        }
      }
      if (best_value <= value * (1 + 1e-9)) break;
      x = next;
      value = best_value;
    }
    best = std::max(best, value);
  }
  return best;
}

/// F is monotone, so that it is at most F(a + h) on the cell above the grid point a; K is
/// down-closed, so that only cells with a in K count.
double grid_bound(const SmallGame& game, PointView upper,
                  const std::function<bool(PointView)>& inside) {
  const std::size_t d = game.dimension();
  const int cells = d == 1 ? 1000 : d == 2 ? 60 : d == 3 ? 16 : 8;
  std::vector<int> at(d, 0);
  double bound = -INFINITY;
  while (true) {
    Point low(d), high(d);
    for (std::size_t i = 0; i < d; ++i) {
      low[i] = upper[i] * at[i] / cells;
      high[i] = upper[i] * (at[i] + 1) / cells;
    }
    if (inside(low)) bound = std::max(bound, game.value(high));
    std::size_t i = 0;
    while (i < d && ++at[i] == cells) at[i++] = 0;
    if (i == d) return bound;
  }
}

Truth find_truth(const SmallGame& game, Stream& rng) {
  Truth truth;
  const std::size_t d = game.dimension();
  if (!game.ground.independent) {
    truth.low = search_polytope(game, rng);
    if (game.ground.A.empty()) truth.high = truth.low = game.value(game.ground.upper);
    if (d <= 4)
      truth.high = std::min(truth.high, grid_bound(game, game.ground.upper, [&](PointView x) {
                              return in_rows(game.ground, x, 1e-9);
                            }));
    return truth;
  }
  const Independence independence(game.ground, d);
  if (game.only_sets) {  // the extension can be rounded without loss
    for (const Mask set : independence.sets()) truth.low = std::max(truth.low, game.table[set]);
    truth.high = truth.low;
    return truth;
  }
  truth.low = search_hull(game, independence, rng);
  if (d <= 4)
    truth.high =
        grid_bound(game, Point(d, 1.0), [&](PointView x) { return independence.in_hull(x); });
  return truth;
}

// --- The check -----------------------------------------------------------------------------------

std::vector<std::string> complaints(const SmallGame& game, const Truth& truth, double lower,
                                    double upper) {
  const double slack = 1e-9 * game.scale();
  std::vector<std::string> list;
  const auto ask = [&](bool holds, const char* what) {
    if (!holds) list.emplace_back(what);
  };
  ask(lower <= upper, "lower > upper");
  ask(lower <= truth.high + slack, "lower is above the truth");
  ask(upper >= truth.low - slack, "upper is below the truth");
  return list;
}

std::string listed(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += text + "; ";
  return out;
}

/// Feasible, and worth what it says: exactly, or at least that where the extension was sampled.
void expect_attained(const SmallGame& game, const BestFixed& best, bool exact) {
  const double slack = 1e-9 * game.scale();
  ASSERT_EQ(best.point.size(), game.dimension());
  if (game.ground.independent) {
    EXPECT_TRUE(Independence(game.ground, game.dimension()).in_hull(best.point));
  } else {
    EXPECT_TRUE(in_rows(game.ground, best.point, 1e-9));
  }
  const double value = game.value(best.point);
  EXPECT_GE(value, best.lower - slack);
  if (exact || best.set) {
    EXPECT_LE(value, best.lower + slack);
  }
  if (best.set) {
    EXPECT_TRUE(game.ground.independent && game.ground.independent(mask_of(*best.set)));
    EXPECT_EQ(best.point, indicator(game.dimension(), mask_of(*best.set)));
  }
}

struct Mean {
  double sum = 0;
  int count = 0;
  void add(double value) {
    sum += value;
    ++count;
  }
};

double width(const BestFixed& best) {
  return best.upper > 0 ? (best.upper - best.lower) / best.upper : 0.0;
}

using Widths = std::map<std::string, std::map<std::string, Mean>>;

void print(const char* title, const Widths& widths) {
  const char* columns[] = {"box", "uniform", "partition", "laminar", "graphic", "packing"};
  std::printf("%s: mean (upper - lower) / upper, %%\n%-22s", title, "");
  for (const char* column : columns) std::printf("%11s", column);
  std::printf("\n");
  for (const auto& [function, row] : widths) {
    std::printf("%-22s", function.c_str());
    for (const char* column : columns) {
      const auto at = row.find(column);
      if (at == row.end())
        std::printf("%11s", "-");
      else
        std::printf("%11.3f", 100 * at->second.sum / at->second.count);
    }
    std::printf("\n");
  }
}

TEST(BestFixed, HoldsTheTruthInEveryGame) {
  Widths defaults, certificates;
  int intervals = 0, exact_intervals = 0;
  for (int n = 0; n < games(); ++n) {
    const SmallGame game = random_game(n);
    SCOPED_TRACE("game " + std::to_string(n) + ": " + game.function + ", " +
                 game.ground.domain->describe());
    Stream rng = StreamFamily(2019, "truth").at(static_cast<std::uint64_t>(n));
    const Truth truth = find_truth(game, rng);
    ASSERT_LE(truth.low, truth.high + 1e-9 * game.scale()) << "the test contradicts itself";
    const Mixture mixture(game.functions);
    const int steps = mixture.exact() ? 200 : 20;  // a sampled gradient is dear
    for (const double most_bases : {BestFixedOptions{}.most_bases, 0.0}) {
      // No limit: what is tested must not depend on the machine's speed.
      const BestFixed best = best_fixed(mixture, game.ground.domain,
                                        {.most_bases = most_bases, .steps = steps, .seconds = 1e9});
      const auto wrong = complaints(game, truth, best.lower, best.upper);
      EXPECT_TRUE(wrong.empty()) << listed(wrong) << "truth " << truth.low << " to " << truth.high
                                 << ", interval " << best.lower << " to " << best.upper << " by "
                                 << best.lower_by << " and " << best.upper_by;
      expect_attained(game, best, mixture.exact());
      (most_bases > 0 ? defaults : certificates)[game.function][game.ground.name].add(width(best));
      // By enumeration where that is allowed, by branch and cut where it is not.
      if (game.ground.independent && game.only_sets) {
        EXPECT_EQ(best.lower, best.upper) << best.lower_by << ", " << best.upper_by;
      }
      if (most_bases > 0) {
        ++intervals;
        exact_intervals += best.upper <= best.lower * (1 + 1e-9) ? 1 : 0;
      }
    }
  }
  print("as it comes", defaults);
  print("without enumeration", certificates);
  std::printf("%d of %d intervals are exact\n", exact_intervals, intervals);
}

/// A set that grows by a table of values, and counts what it is asked.
class GrowingInTable final : public GrowingSet {
 public:
  explicit GrowingInTable(SetValue f) : f_(std::move(f)) {}
  double gain(Item i) override {
    ++calls;
    ItemSet larger = set_;
    larger.push_back(i);
    return f_(larger) - f_(set_);
  }
  void add(Item i) override { set_.push_back(i); }
  long calls = 0;

 private:
  SetValue f_;
  ItemSet set_;
};

/// The twin: f(S) + half of max sum f(i | S), the least over greedy sets.
double halved_certificate(const Matroid& matroid, const SetValue& f) {
  double bound = INFINITY;
  ItemSet prefix;
  GrowingInTable growing(f);
  const ItemSet greedy = lazy_greedy(matroid, growing);
  for (std::size_t n = 0; n <= greedy.size(); ++n) {
    bound = std::min(bound, (f(prefix) + set_certificate(matroid, f, prefix)) / 2);
    if (n < greedy.size()) prefix.push_back(greedy[n]);
  }
  return bound;
}

TEST(BestFixed, AHalvedGainIsCaught) {
  int tried = 0, caught = 0;
  for (int n = 0; n < games(); ++n) {
    const SmallGame game = random_game(n);
    const auto matroid = std::dynamic_pointer_cast<const Matroid>(game.ground.domain);
    if (!matroid || !game.only_sets || matroid->rank() == 0) continue;
    Stream rng = StreamFamily(2019, "truth").at(static_cast<std::uint64_t>(n));
    const Truth truth = find_truth(game, rng);
    const SetValue f = [&](ItemView set) { return game.table[mask_of(set)]; };
    const double whole = set_certificate(*matroid, f, {});
    EXPECT_TRUE(complaints(game, truth, f({}), whole).empty());
    ++tried;
    const double halved = halved_certificate(*matroid, f);
    caught += complaints(game, truth, std::min(f({}), halved), halved).empty() ? 0 : 1;
  }
  std::printf("half of the gain: caught in %d of %d games\n", caught, tried);
  EXPECT_GT(caught, tried / 2);
}

/// Branch and cut as best_fixed() uses it, from a bad start: a majorant of these functions, on this
/// domain, for that f.
ProvenSet branch_and_cut(const std::vector<WeightedFunction>& functions, const DomainPtr& domain,
                         const SetValue& f) {
  const auto rows = LinearRows::of(domain);
  const auto majorant = MixtureMajorant::of(Mixture(functions), rows->upper());
  return *CuttingPlanes(*majorant, *rows).prove(f, {}, 1e9);
}

TEST(BranchAndCut, IsExactAndItsTwinsAreCaught) {
  int tried = 0, small_caught = 0, loose = 0, loose_caught = 0;
  for (int n = 0; n < games(); n += 2) {
    const SmallGame game = random_game(n);
    const auto matroid = std::dynamic_pointer_cast<const Matroid>(game.ground.domain);
    if (!matroid || !game.only_sets || matroid->rank() == 0) continue;
    SCOPED_TRACE("game " + std::to_string(n) + ": " + game.function + ", " + matroid->describe());
    Stream rng = StreamFamily(2019, "truth").at(static_cast<std::uint64_t>(n));
    const Truth truth = find_truth(game, rng);
    const SetValue f = [&](ItemView set) { return game.table[mask_of(set)]; };
    const auto wrong = [&](const ProvenSet& proven) {
      return !complaints(game, truth, proven.value, proven.upper).empty();
    };
    ++tried;
    const ProvenSet proven = branch_and_cut(game.functions, matroid, f);
    EXPECT_FALSE(wrong(proven)) << truth.low << ", " << proven.value << " to " << proven.upper;
    EXPECT_LE(proven.upper, proven.value * (1 + 1.001e-9));
    EXPECT_EQ(proven.value, f(proven.set));
    EXPECT_TRUE(game.ground.independent(mask_of(proven.set)));

    auto smaller = game.functions;  // bounds branches below what is in them
    for (WeightedFunction& function : smaller) function.weight *= 0.5;
    small_caught += wrong(branch_and_cut(smaller, matroid, f)) ? 1 : 0;

    const int d = matroid->dimension();
    if (matroid->rank() == d) continue;
    ++loose;  // one item more than the matroid allows
    loose_caught +=
        wrong(branch_and_cut(game.functions, uniform_matroid(d, matroid->rank() + 1), f)) ? 1 : 0;
  }
  std::printf("half of the majorant: caught in %d of %d games\n", small_caught, tried);
  std::printf("an item too many: caught in %d of %d games\n", loose_caught, loose);
  EXPECT_GT(small_caught, tried / 3);
  EXPECT_GT(loose_caught, loose / 2);
}

/// The bound from pairs as best_fixed() uses it, from a bad start.
double bound_from_pairs(const std::vector<WeightedFunction>& functions, const Matroid& matroid,
                        Bases bases, double lower) {
  const auto majorant = MixtureMajorant::of(Mixture(functions), upper_corner(matroid));
  const Point start(static_cast<std::size_t>(matroid.dimension()), 0.0);
  return pair_bound(*majorant, matroid, bases, start, lower);
}

TEST(PairBound, HoldsInEveryGameAndItsTwinsAreCaught) {
  int tried = 0, small_caught = 0, strict_caught = 0, points = 0, whole_caught = 0;
  for (int n = 0; n < games(); ++n) {
    const SmallGame game = random_game(n);
    const auto matroid = std::dynamic_pointer_cast<const Matroid>(game.ground.domain);
    if (!matroid || matroid->rank() == 0) continue;
    SCOPED_TRACE("game " + std::to_string(n) + ": " + game.function + ", " + matroid->describe());
    Stream rng = StreamFamily(2019, "truth").at(static_cast<std::uint64_t>(n));
    const Truth truth = find_truth(game, rng);
    const Bases bases = game.only_sets ? Bases::sets : Bases::hull;
    const auto wrong = [&](double bound) {
      return !complaints(game, truth, std::min(bound, truth.low), bound).empty();
    };
    ++tried;
    const double bound = bound_from_pairs(game.functions, *matroid, bases, truth.low);
    EXPECT_FALSE(wrong(bound)) << truth.low << ", " << bound;

    auto smaller = game.functions;
    for (WeightedFunction& function : smaller) function.weight *= 0.9;
    small_caught += wrong(bound_from_pairs(smaller, *matroid, bases, truth.low)) ? 1 : 0;
    const auto strict = uniform_matroid(matroid->dimension(), matroid->rank() - 1);
    strict_caught += wrong(bound_from_pairs(game.functions, *strict, bases, truth.low)) ? 1 : 0;
    if (game.only_sets) continue;
    ++points;  // as if every point were a set
    whole_caught +=
        wrong(bound_from_pairs(game.functions, *matroid, Bases::sets, truth.low)) ? 1 : 0;
  }
  std::printf("0.9 of the majorant: caught in %d of %d games\n", small_caught, tried);
  std::printf("an item too few: caught in %d of %d games\n", strict_caught, tried);
  std::printf("points taken for sets: caught in %d of %d games\n", whole_caught, points);
  EXPECT_GT(small_caught, tried * 3 / 4);
  EXPECT_GT(strict_caught, tried * 3 / 4);
  if (!small_scale()) {  // the best point is mostly a set
    EXPECT_GT(whole_caught, points / 20);
  }
}

// The certificate holds from any point of the box, also outside K, and never below the optimum.
TEST(PointCertificate, HoldsFromRandomPoints) {
  for (int n = 0; n < games(); n += 3) {
    const SmallGame game = random_game(n);
    const Mixture mixture(game.functions);
    if (!mixture.exact()) continue;
    Stream rng = StreamFamily(2019, "truth").at(static_cast<std::uint64_t>(n));
    const Truth truth = find_truth(game, rng);
    const PointCertificate certificate(game.ground.domain);
    for (int probe = 0; probe < 20; ++probe) {
      Point x(game.dimension());
      for (double& v : x) v = rng.coin(0.2) ? std::round(rng.uniform()) : rng.uniform();
      EXPECT_GE(certificate.bound(mixture, x), truth.low - 1e-9 * game.scale())
          << "game " << n << ": " << game.function << ", " << game.ground.domain->describe();
    }
  }
}

// --- The methods it is made of -------------------------------------------------------------------

TEST(ContinuousGreedy, KeepsItsGuarantee) {
  double worst = INFINITY;
  for (int n = 0; n < games(); ++n) {
    const SmallGame game = random_game(n);
    const Mixture mixture(game.functions);
    if (!mixture.exact()) continue;  // the guarantee is about true gradients
    Stream rng = StreamFamily(2019, "truth").at(static_cast<std::uint64_t>(n));
    const Truth truth = find_truth(game, rng);
    const Domain& domain = *game.ground.domain;
    for (const int steps : {1, 20}) {
      const double value = game.value(continuous_greedy(mixture, domain, steps));
      const double loss = *mixture.facts().smoothness * domain.diameter() * domain.diameter() / 2;
      EXPECT_GE(value, (1 - 1 / std::numbers::e) * truth.low - loss / steps - 1e-9 * game.scale())
          << "game " << n << ": " << game.function << ", " << domain.describe();
      if (steps == 20 && truth.low > 0) worst = std::min(worst, value / truth.low);
    }
  }
  std::printf("continuous greedy, K = 20: at least %.4f of the optimum\n", worst);
}

TEST(LazyGreedy, IsPlainGreedy) {
  for (int n = 0; n < games(); ++n) {
    const SmallGame game = random_game(n);
    const auto matroid = std::dynamic_pointer_cast<const Matroid>(game.ground.domain);
    if (!matroid || !game.only_sets) continue;
    SCOPED_TRACE("game " + std::to_string(n) + ": " + game.function + ", " + matroid->describe());
    const auto is_plain = [&](const ItemSet& lazy) {
      EXPECT_EQ(static_cast<int>(lazy.size()), Independence(game.ground, game.dimension()).rank());
      // Every item in its turn has the largest gain of those that fit; ties may fall either way by
      // rounding.
      Mask set = 0;
      long plain_calls = 0;
      for (const Item chosen : lazy) {
        double largest = 0;
        for (Item i = 0; i < matroid->dimension(); ++i) {
          const Mask with = set | Mask{1} << i;
          if (with == set || !game.ground.independent(with)) continue;
          ++plain_calls;
          largest = std::max(largest, game.table[with] - game.table[set]);
        }
        const double gain = game.table[set | Mask{1} << chosen] - game.table[set];
        EXPECT_TRUE(game.ground.independent(set | Mask{1} << chosen));
        EXPECT_GE(gain, largest - 1e-12 * game.scale());
        set |= Mask{1} << chosen;
      }
      return plain_calls;
    };
    GrowingInTable growing([&](ItemView set) { return game.table[mask_of(set)]; });
    const long plain_calls = is_plain(lazy_greedy(*matroid, growing));
    EXPECT_LE(growing.calls, plain_calls + matroid->dimension())
        << "lazy, yet more work than plain";
    is_plain(lazy_greedy(*matroid, *Mixture(game.functions).grow()));
  }
}

TEST(LocalSearch, IsNeverWorse) {
  int better = 0;
  for (int n = 0; n < games(); ++n) {
    const SmallGame game = random_game(n);
    const auto matroid = std::dynamic_pointer_cast<const Matroid>(game.ground.domain);
    if (!matroid || !game.only_sets) continue;
    const SetValue f = [&](ItemView set) { return game.table[mask_of(set)]; };
    Stream rng = StreamFamily(2019, "starts").at(static_cast<std::uint64_t>(n));
    ItemSet base;
    matroid->random_base(rng, base);
    GrowingInTable growing(f);
    for (const ItemSet& start : {lazy_greedy(*matroid, growing), base}) {
      const ItemSet end = local_search(*matroid, f, start, 0, 1000);
      EXPECT_GE(f(end), f(start));
      EXPECT_TRUE(game.ground.independent(mask_of(end)));
      EXPECT_EQ(end.size(), start.size());
      EXPECT_EQ(static_cast<int>(end.size()), std::popcount(mask_of(end))) << "an item twice";
      better += f(end) > f(start) ? 1 : 0;
    }
  }
  EXPECT_GT(better, games() / 10) << "it did nothing";
}

}  // namespace
}  // namespace hindsight
