// The small things that learners and games do all the time.
#include <algorithm>
#include <memory>
#include <random>

#include "benchmarks/bench.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/functions/extension.hpp"
#include "hindsight/functions/influence.hpp"
#include "hindsight/functions/log_det.hpp"
#include "hindsight/games/pools.hpp"
#include "hindsight/rounding/fresh_pipage.hpp"
#include "hindsight/rounding/independent_rounding.hpp"
#include "hindsight/rounding/randomized_pipage.hpp"
#include "hindsight/rounding/swap_rounding.hpp"

namespace hindsight::bench {
namespace {

constexpr std::size_t rows = 64;  // a batch is one operation on each of so many rows

std::string at(const std::string& name, int d) { return name + "/d=" + std::to_string(d); }

LaminarMatroidPtr items(int d) { return uniform_matroid(d, std::max(1, 3 * d / 10)); }

/// Reading `bytes` once, out of the first cache.
Limit one_read(double bytes) { return {Sweep::read, Real::f64, bytes, std::size_t{16} << 10}; }
Limit one_read_of(int d) { return one_read(d * 8.0); }

// --- Projection and linear maximisation
// -----------------------------------------------------------

/// Points as an oracle projects them one after another: the last projection and a step. So few that
/// they stay in the nearer caches, as what is projected has just been computed; and so many that a
/// processor does not learn by heart how they are sorted, as it does two (23 us instead of 107).
constexpr std::size_t trail_rows = 16;
PointTable trail(const Domain& domain) {
  const auto d = static_cast<std::size_t>(domain.dimension());
  PointTable steps = random_rows(trail_rows, d), trail(trail_rows, d);
  Point x(d, .3);
  for (std::size_t n = 0; n < trail_rows; ++n) {
    add_scaled(x, .05, steps.row(n));
    copy(x, trail.row(n));
    domain.project(x);
  }
  return trail;
}

/// The rival: clip(y - tau, 0, 1), where tau comes from all places at which a coordinate meets 0 or
/// 1, sorted, by a sweep that keeps the sum and its slope.
void project_by_sorting(PointRef x, double capacity) {
  struct Bend {
    double tau;
    double slope;  // of the sum, more than before
  };
  thread_local std::vector<Bend> bends;
  bends.clear();
  double clipped = 0, sum = 0;
  for (const double y : x) clipped += std::clamp(y, 0.0, 1.0);
  if (clipped <= capacity) {
    for (double& y : x) y = std::clamp(y, 0.0, 1.0);
    return;
  }
  for (const double y : x) {
    bends.push_back({y - 1, 1});
    bends.push_back({y, -1});
  }
  std::sort(bends.begin(), bends.end(), [](const Bend& a, const Bend& b) { return a.tau > b.tau; });
  // From the largest tau, where the sum is 0, downwards.
  double slope = 0, tau = bends.front().tau;
  for (const Bend& bend : bends) {
    const double next = sum + slope * (tau - bend.tau);
    if (next >= capacity) break;
    sum = next;
    tau = bend.tau;
    slope -= bend.slope;
  }
  tau -= (capacity - sum) / slope;
  for (double& y : x) y = std::clamp(y - tau, 0.0, 1.0);
}

template <class Project>
void add_projection(const std::string& name, int d, Project project) {
  add(
      at(name, d), rows,
      [=] {
        const auto domain = items(d);
        return [=, points = trail(*domain), x = Point(static_cast<std::size_t>(d)),
                warm = std::vector<double>(1, 0.0)]() mutable {
          for (std::size_t n = 0; n < rows; ++n) {
            copy(points.row(n % trail_rows), x);
            project(*domain, x, warm);
          }
        };
      },
      one_read_of(d));
}

void add_domains() {
  for (const int d : {10, 100, 1000}) {
    add_projection("project", d, [](const Matroid& domain, Point& x, std::vector<double>& warm) {
      domain.project(x, warm);
    });
    add_projection("project by sorting", d,
                   [](const Matroid& domain, Point& x, std::vector<double>&) {
                     project_by_sorting(x, domain.rank());
                   });
    add(
        at("maximize", d), rows,
        [=] {
          return [domain = items(d), weights = random_rows(rows, static_cast<std::size_t>(d)),
                  x = Point(static_cast<std::size_t>(d))]() mutable {
            for (std::size_t n = 0; n < rows; ++n) domain->maximize(weights.row(n), x);
          };
        },
        one_read_of(d));
  }
}

// --- Random numbers and rounding
// ------------------------------------------------------------------

void add_normals() {
  constexpr std::size_t n = 1000;
  add("normal/1000 at a time", n, [] {
    return [x = Point(n), stream = StreamFamily(1, "normals").at(0)]() mutable {
      stream.fill_normal(x);
    };
  });
  add("direction/1000 numbers", n, [] {
    return [x = Point(n), stream = StreamFamily(1, "directions").at(0)]() mutable {
      stream.fill_sphere(x);
    };
  });
  add("normal/standard library", n, [] {
    return [x = Point(n), engine = std::mt19937_64(1),
            normal = std::normal_distribution<double>()]() mutable {
      for (double& z : x) z = normal(engine);
    };
  });
}

template <class Draw>
void add_drawing(const std::string& name, int d, Draw make) {
  add(
      at(name, d), rows,
      [=] {
        const auto domain = items(d);
        Point x = diagonal_point(*domain);
        add_scaled(x, .3, random_rows(1, x.size()).row(0));
        domain->project(x);
        return [x, draw = make(domain, x), set = ItemSet(),
                streams = StreamFamily(1, "rounding")]() mutable {
          for (std::size_t n = 0; n < rows; ++n) {
            Stream stream = streams.at(n);
            draw(x, stream, set);
          }
        };
      },
      one_read_of(d));
}

void add_rounding() {
  for (const int d : {10, 100, 1000}) {
    add_drawing("round independently", d, [](const auto&, const Point&) {
      return
          [](const Point& x, Stream& stream, ItemSet& set) { independent_round(x, stream, set); };
    });
    add_drawing("randomized pipage", d, [](const auto& domain, const Point& x) {
      auto rounding = std::make_shared<RandomizedPipage>(domain);
      rounding->prepare(x);
      return [=](const Point&, Stream& stream, ItemSet& set) { rounding->draw(stream, set); };
    });
    add_drawing("fresh pipage", d, [](const auto& domain, const Point&) {
      auto rounding = std::make_shared<FreshPipage>(domain);
      return [=](const Point& x, Stream& stream, ItemSet& set) { rounding->draw(x, stream, set); };
    });
    if (d > 100) continue;
    add_drawing("swap rounding", d, [](const auto& domain, const Point& x) {
      auto rounding = std::make_shared<SwapRounding>(domain);
      rounding->prepare(x);
      return [=](const Point&, Stream& stream, ItemSet& set) { rounding->draw(stream, set); };
    });
  }
}

// --- Extensions
// -----------------------------------------------------------------------------------

/// `bytes`: of the numbers that describe the function, each of which must be read.
void add_extension(const std::string& name, int d, std::vector<ContinuousFunctionPtr> functions,
                   double bytes) {
  const auto points = [=] {
    const auto domain = items(d);
    PointTable table = random_rows(rows, static_cast<std::size_t>(d));
    for (std::size_t n = 0; n < rows; ++n) domain->project(table.row(n));
    return table;
  };
  add(
      at("value of " + name, d), rows,
      [=] {
        return [=, x = points(), sum = 0.0]() mutable {
          for (std::size_t n = 0; n < rows; ++n)
            sum += functions[n % functions.size()]->value(x.row(n));
        };
      },
      one_read(bytes));
  add(
      at("gradient of " + name, d), rows,
      [=] {
        return [=, x = points(), g = Point(static_cast<std::size_t>(d))]() mutable {
          for (std::size_t n = 0; n < rows; ++n)
            functions[n % functions.size()]->gradient(x.row(n), g);
        };
      },
      one_read(bytes));
}

std::vector<ContinuousFunctionPtr> extensions(const std::vector<RoundFunction>& pool) {
  std::vector<ContinuousFunctionPtr> list;
  for (const RoundFunction& f : pool) list.push_back(f.continuous);
  return list;
}

/// A'A with A of `rank` rows.
std::vector<Point> kernel(int d, int rank) {
  const auto n = static_cast<std::size_t>(d);
  const PointTable factors = random_rows(n, static_cast<std::size_t>(rank));
  std::vector<Point> kernel(n, Point(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) kernel[i][j] = dot(factors.row(i), factors.row(j));
  return kernel;
}

/// Twenty nodes an item, five edges a node.
SetFunctionPtr cascades(int d) {
  InfluenceOptions options{.nodes = 20 * d, .graphs = 10, .reach_limit = 0};
  Stream rng = StreamFamily(1, "graph").at(0);
  const auto node = [&] {
    return static_cast<int>(rng.below(static_cast<std::uint64_t>(options.nodes)));
  };
  for (int i = 0; i < d; ++i) options.items.push_back(i);
  for (int e = 0; e < 5 * options.nodes; ++e) options.edges.push_back({node(), node(), .15});
  return std::make_shared<Influence>(Influence::sample(options, StreamFamily(1, "cascades")));
}

void add_extensions() {
  for (const int d : {10, 100}) {
    const PoolOptions options{.dimension = d, .items = 30, .pool = static_cast<int>(rows)};
    // A choice covers a thing with probability popularity / 3, and popularity averages .37.
    add_extension("coverage", d, extensions(coverage_pool(options, 1)), 30 * d * .12 * 4);
    add_extension("facility location", d, extensions(facility_location_pool(options, 1)),
                  30.0 * d * 16);
    add_extension("quadratic", d, extensions(quadratic_pool(options, 1)), 8.0 * d * d);
    add_extension("saturation", d, extensions(concave_budget_pool(options, 1)), 30 * d * .12 * 8);
  }
  for (const int things : {300, 3000})
    add_extension("coverage of " + std::to_string(things), 100,
                  extensions(coverage_pool({.dimension = 100, .items = things, .pool = 8}, 1)),
                  things * 100 * .12 * 4);
  const int d = 30;
  add_extension("log det, 1024 samples", d,
                {extend(std::make_shared<LogDet>(kernel(d, 8)), {.samples = 1024})},
                1024.0 * d * 8);
  add_extension("influence, 1024 samples", d, {extend(cascades(d), {.samples = 1024})},
                1024.0 * d * 8);
}

}  // namespace

void add_benchmarks() {
  add_domains();
  add_normals();
  add_rounding();
  add_extensions();
}

}  // namespace hindsight::bench
