// How far a gradient estimate from one value (or one pair) is from the gradient: E|g - grad F(x)|^2
// at x = (k/d) 1, on coverage functions. docs/estimators.md has the table.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <span>

#include "hindsight/core/rng.hpp"
#include "hindsight/estimators/one_point.hpp"
#include "hindsight/estimators/set_estimates.hpp"
#include "hindsight/games/pools.hpp"
#include "hindsight/rounding/independent_rounding.hpp"

namespace {

using namespace hindsight;

constexpr double delta = .05;
constexpr int draws = 2000;  // for each of 10 functions

/// Draws once and writes the estimate; b is what is taken off the value.
using Estimate =
    std::function<void(const RoundFunction& f, PointView x, double b, Stream& rng, PointRef g)>;

Point shifted(PointView x, double by, PointView u) {
  Point y(x.begin(), x.end());
  add_scaled(y, by, u);
  return y;
}

void sphere(const RoundFunction& f, PointView x, double b, Stream& rng, PointRef g) {
  Point u(x.size());
  rng.fill_sphere(u);
  one_point_gradient(f.continuous->value(shifted(x, delta, u)) - b, delta, u, g);
}

void pair(const RoundFunction& f, PointView x, double, Stream& rng, PointRef g) {
  Point u(x.size());
  rng.fill_sphere(u);
  pair_gradient(f.continuous->value(shifted(x, delta, u)),
                f.continuous->value(shifted(x, -delta, u)), delta, u, g);
}

void rounded_sphere(const RoundFunction& f, PointView x, double b, Stream& rng, PointRef g) {
  Point u(x.size());
  rng.fill_sphere(u);
  ItemSet set;
  independent_round(shifted(x, delta, u), rng, set);
  one_point_gradient(f.set->value(set) - b, delta, u, g);
}

void coordinate(const RoundFunction& f, PointView x, double b, Stream& rng, PointRef g) {
  Point y(x.begin(), x.end());
  const std::size_t i = rng.below(x.size());
  const bool in = rng.coin(.5);
  y[i] = in ? 1 : 0;
  ItemSet set;
  independent_round(y, rng, set);
  for (double& v : g) v = 0;
  g[i] = coordinate_estimate(f.set->value(set) - b, x.size(), in);
}

void score(const RoundFunction& f, PointView x, double b, Stream& rng, PointRef g) {
  ItemSet set;
  independent_round(x, rng, set);
  Point member(x.size(), 0.0);
  for (const Item i : set) member[static_cast<std::size_t>(i)] = 1;
  score_estimate(f.set->value(set) - b, member, x, g);
}

double squared_error(const Estimate& estimate, bool centred, int d, int k) {
  const Point x(static_cast<std::size_t>(d), static_cast<double>(k) / d);
  Point exact(x.size()), g(x.size());
  Stream rng = StreamFamily(1, "estimator variance").at(static_cast<std::uint64_t>(d));
  double sum = 0;
  const auto pool = coverage_pool({.dimension = d, .pool = 10}, 1);
  for (const RoundFunction& f : pool) {
    f.continuous->gradient(x, exact);
    const double b = centred ? f.continuous->value(x) : 0;
    for (int n = 0; n < draws; ++n) {
      estimate(f, x, b, rng, g);
      add_scaled(g, -1, exact);
      sum += squared_norm(g);
    }
  }
  return sum / (draws * static_cast<double>(pool.size()));
}

/// A uniformly random base in the place of independent items. It estimates what an exchange is
/// worth, not the gradient, so that its error is counted from its own mean.
double spread_of_sampled_vertex(int d, int k) {
  const Point x(static_cast<std::size_t>(d), static_cast<double>(k) / d);
  Stream rng = StreamFamily(1, "sampled vertex variance").at(static_cast<std::uint64_t>(d));
  ItemSet items(x.size());
  std::iota(items.begin(), items.end(), 0);
  double sum = 0;
  const auto pool = coverage_pool({.dimension = d, .pool = 10}, 1);
  for (const RoundFunction& f : pool) {
    Point mean(x.size(), 0.0), g(x.size());
    double squares = 0;
    for (int n = 0; n < draws; ++n) {
      rng.shuffle(std::span<Item>(items));
      ItemSet base(items.begin(), items.begin() + k);
      std::sort(base.begin(), base.end());
      Point member(x.size(), 0.0);
      for (const Item i : base) member[static_cast<std::size_t>(i)] = 1;
      score_estimate(f.set->value(base) - f.continuous->value(x), member, x, g);
      add_scaled(mean, 1.0 / draws, g);
      squares += squared_norm(g) / draws;
    }
    sum += squares - squared_norm(mean);
  }
  return sum / static_cast<double>(pool.size());
}

}  // namespace

int main() {
  const struct {
    const char* name;
    Estimate estimate;
    bool centred;
  } rows[] = {
      {"one-point", sphere, false},
      {"one-point, centred", sphere, true},
      {"pairs", pair, false},
      {"one-point of a rounded set", rounded_sphere, false},
      {"one-point of a rounded set, centred", rounded_sphere, true},
      {"coordinate in/out", coordinate, false},
      {"coordinate in/out, centred", coordinate, true},
      {"score function", score, false},
      {"score function, centred", score, true},
  };
  std::printf("E|g - grad F|^2 at (k/d) 1, coverage, delta = %.2f; centred: b = F(x)\n", delta);
  std::printf("%-38s %14s %14s\n", "", "any 2 of 10", "any 10 of 50");
  for (const auto& row : rows)
    std::printf("%-38s %14.4g %14.4g\n", row.name, squared_error(row.estimate, row.centred, 10, 2),
                squared_error(row.estimate, row.centred, 50, 10));
  std::printf("%-38s %14.4g %14.4g\n", "sampled vertex, centred, own mean",
              spread_of_sampled_vertex(10, 2), spread_of_sampled_vertex(50, 10));
}
