#include "hindsight/runs/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "hindsight/core/rng.hpp"
#include "hindsight/functions/extension.hpp"
#include "hindsight/offline/linear_rows.hpp"

namespace hindsight {
namespace {

std::string show(PointView x) { return fmt::format("({:.12g})", fmt::join(x, ", ")); }
std::string show(const ItemSet& set) { return fmt::format("{{{}}}", fmt::join(set, ", ")); }

/// Looks at one function; every probe of a property may replace "none found" by a counterexample.
class Prober {
 public:
  Prober(std::vector<CheckResult>& results, Stream stream) : results_(results), rng_(stream) {}

  void probe_set_function(Round t, const SetFunction& f, int probes) {
    ItemSet all(static_cast<std::size_t>(f.dimension()));
    std::iota(all.begin(), all.end(), 0);
    const double tolerance = 1e-9 * std::max(f.max_value(), std::abs(f.value(all)));
    for (int n = 0; n < probes; ++n) {
      // Values are largest at the top, gains at the bottom.
      const ItemSet S = n == 0 ? all : n == 1 ? ItemSet{} : random_set(f.dimension());
      const std::optional<Item> i = item_outside(S, f.dimension());
      const double value = f.value(S);
      compare("bounded (M1)", "|f(S)| <= M1", std::abs(value), f.max_value() + tolerance, [&] {
        return Counterexample{.round = t, .set = S, .text = fmt::format("f({})", show(S))};
      });
      if (!i) continue;
      ItemSet Si = S;
      Si.push_back(*i);
      const double gain = f.value(Si) - value;
      compare("monotone", "f(S) <= f(S + i)", value, value + gain + tolerance, [&] {
        return Counterexample{
            .round = t,
            .set = S,
            .item = i,
            .text = fmt::format("S = {}, i = {}: f(S) = {:.12g}, f(S + i) = {:.12g}", show(S), *i,
                                value, value + gain)};
      });
      const std::optional<Item> j = item_outside(Si, f.dimension());
      if (!j) continue;
      ItemSet Sj = S, Sij = Si;
      Sj.push_back(*j);
      Sij.push_back(*j);
      const double later = f.value(Sij) - f.value(Sj);
      compare("diminishing returns", "f(i | S + j) <= f(i | S)", later, gain + tolerance, [&] {
        return Counterexample{
            .round = t,
            .set = S,
            .item = i,
            .other = j,
            .text =
                fmt::format("S = {}, i = {}, j = {}: f(i | S) = {:.12g}, f(i | S + j) = {:.12g}",
                            show(S), *i, *j, gain, later)};
      });
    }
  }

  void probe_continuous(Round t, const ContinuousFunction& F, PointView upper, int probes) {
    const FunctionFacts facts = F.facts();
    const auto d = upper.size();
    const double scale = std::max(facts.max_value, std::abs(F.value(upper)));
    const double tolerance = 1e-9 * scale;
    std::vector<std::size_t> movable;  // a domain may hold a coordinate at 0
    for (std::size_t i = 0; i < d; ++i)
      if (upper[i] > 0) movable.push_back(i);
    if (movable.empty()) return;
    double shortest = INFINITY;
    for (const std::size_t i : movable) shortest = std::min(shortest, upper[i]);
    Point gx(d), gy(d);
    for (int n = 0; n < probes; ++n) {
      const Point x = n == 0 ? Point(d, 0.0) : random_point(upper);
      const Point y = n == 0 ? Point(upper.begin(), upper.end()) : random_above(x, upper);
      const double Fx = F.value(x), Fy = F.value(y);
      F.gradient(x, gx);
      F.gradient(y, gy);
      const auto at = [&](std::string text) {
        return Counterexample{.round = t,
                              .x = x,
                              .y = y,
                              .text = fmt::format("x = {}, y = {}: {}", show(x), show(y), text)};
      };
      for (const auto& [z, Fz] : {std::pair(&x, Fx), std::pair(&y, Fy)})
        compare("bounded (M1), points", "|F(x)| <= M1", std::abs(Fz), facts.max_value + tolerance,
                [&, z = z] {
                  return Counterexample{
                      .round = t, .x = *z, .text = fmt::format("x = {}: |F(x)|", show(*z))};
                });
      if (facts.monotone)
        compare("monotone, points", "F(x) <= F(y) for x <= y", Fx, Fy + tolerance,
                [&] { return at(fmt::format("F(x) = {:.12g}, F(y) = {:.12g}", Fx, Fy)); });
      else  // all that the learners for such functions ask instead
        compare("at least 0, points", "0 <= F(y)", -Fy, tolerance,
                [&] { return at(fmt::format("F(y) = {:.12g}", Fy)); });
      for (const std::size_t i : movable)
        compare(
            "diminishing returns, points", "dF(y)/dx_i <= dF(x)/dx_i for x <= y", gy[i],
            gx[i] + tolerance / upper[i], [&] {
              return at(fmt::format("i = {}, dF(x) = {:.12g}, dF(y) = {:.12g}", i, gx[i], gy[i]));
            });
      probe_gradient(t, F, upper, movable[rng_.below(movable.size())], x, gx, scale);
      Point difference = y, gradient_difference = gy;
      add_scaled(difference, -1, x);
      add_scaled(gradient_difference, -1, gx);
      const double distance = norm(difference);
      if (facts.lipschitz)
        compare("Lipschitz (L1)", "|F(x) - F(y)| <= L1 |x - y|", std::abs(Fx - Fy),
                *facts.lipschitz * distance + tolerance, [&] { return at("|F(x) - F(y)|"); });
      if (facts.smoothness)
        compare("smooth (L2)", "|grad F(x) - grad F(y)| <= L2 |x - y|", norm(gradient_difference),
                *facts.smoothness * distance + tolerance / shortest,
                [&] { return at("|grad F(x) - grad F(y)|"); });
    }
  }

  void probe_domain(const Domain& domain, int probes) {
    const auto d = static_cast<std::size_t>(domain.dimension());
    const double r = domain.inner_radius();
    const Point lower = domain.lower();
    Point w(d), v(d), x(d);
    for (int n = 0; n < probes; ++n) {
      for (double& z : w) z = rng_.normal();
      domain.maximize(w, v);
      for (std::size_t i = 0; i < d; ++i) x[i] = lower[i] + share() * (v[i] - lower[i]);
      probe_membership("down-closed", "x <= y, y in K: x in K", domain, x, [&] {
        return Counterexample{
            .x = x, .y = v, .text = fmt::format("y = {} is in K, x = {} is not", show(v), show(x))};
      });
      fill_upward(n, w);
      if (n % 2 == 1) turn_to_face(domain, lower, w);
      const double length = norm(w);
      for (std::size_t i = 0; i < d; ++i) x[i] = lower[i] + r * w[i] / length;
      probe_membership("inner radius (r)", "lower + r z in K for z >= 0, |z| = 1", domain, x, [&] {
        return Counterexample{.x = x,
                              .text = fmt::format("r = {:.12g}, but {} is not in K", r, show(x))};
      });
    }
  }

 private:
  using Describe = std::function<Counterexample()>;

  CheckResult& result(const std::string& property, const std::string& rule) {
    const auto at = std::find_if(results_.begin(), results_.end(),
                                 [&](const CheckResult& r) { return r.property == property; });
    return at != results_.end() ? *at : results_.emplace_back(CheckResult{property, rule, 0, {}});
  }

  /// The rule is found <= allowed. Written so that a NaN breaks it.
  void compare(const std::string& property, const std::string& rule, double found, double allowed,
               const Describe& describe) {
    CheckResult& r = result(property, rule);
    ++r.probes;
    if (found <= allowed || r.counterexample) return;
    r.counterexample = describe();
    r.counterexample->found = found;
    r.counterexample->allowed = allowed;
    r.counterexample->text += fmt::format("; {:.12g} is above {:.12g}", found, allowed);
  }

  void probe_membership(const std::string& property, const std::string& rule, const Domain& domain,
                        const Point& x, const Describe& describe) {
    CheckResult& r = result(property, rule);
    ++r.probes;
    if (!domain.contains(x, 1e-9) && !r.counterexample) r.counterexample = describe();
  }

  /// Central differences, with a step and a tolerance in the units of the box.
  void probe_gradient(Round t, const ContinuousFunction& F, PointView upper, std::size_t i,
                      const Point& x, const Point& g, double scale) {
    const double h = 1e-4 * upper[i];
    Point low = x, high = x;
    low[i] = std::max(0.0, x[i] - h);
    high[i] = std::min(upper[i], x[i] + h);
    const double slope = (F.value(high) - F.value(low)) / (high[i] - low[i]);
    // A concave function's slope lies between its derivatives at both ends.
    Point ends(x.size());
    F.gradient(low, ends);
    const double most = ends[i];
    F.gradient(high, ends);
    const double least = ends[i];
    const double tolerance = 1e-6 * scale / upper[i] + std::abs(most - least);
    compare(
        "gradient", "dF/dx_i agrees with differences of F", std::abs(slope - g[i]), tolerance, [&] {
          return Counterexample{
              .round = t,
              .x = x,
              .item = static_cast<Item>(i),
              .text = fmt::format("x = {}, i = {}: gradient {:.12g}, difference quotient {:.12g}",
                                  show(x), i, g[i], slope)};
        });
  }

  ItemSet random_set(int d) {
    const double p = rng_.uniform();
    ItemSet set;
    for (Item i = 0; i < d; ++i)
      if (rng_.coin(p)) set.push_back(i);
    return set;
  }

  std::optional<Item> item_outside(const ItemSet& set, int d) {
    if (set.size() == static_cast<std::size_t>(d)) return std::nullopt;
    while (true) {
      const auto i = static_cast<Item>(rng_.below(static_cast<std::uint64_t>(d)));
      if (std::find(set.begin(), set.end(), i) == set.end()) return i;
    }
  }

  /// In [0, 1], often at its ends, where rules break first.
  double share() {
    const std::uint64_t where = rng_.below(5);
    return where == 0 ? 0.0 : where == 1 ? 1.0 : rng_.uniform();
  }

  Point random_point(PointView upper) {
    Point x(upper.begin(), upper.end());
    for (double& z : x) z *= share();
    return x;
  }

  /// y >= x; half of the time close by, where L1 and L2 bite.
  Point random_above(const Point& x, PointView upper) {
    const double reach = rng_.coin(.5) ? 1.0 : .01;
    Point y = x;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += reach * share() * (upper[i] - x[i]);
    return y;
  }

  /// z >= 0, on few or many coordinates; first the diagonal.
  void fill_upward(int n, Point& z) {
    const double odds = n == 0 ? 1.0 : rng_.uniform();
    for (double& value : z) value = n == 0 ? 1.0 : rng_.coin(odds) ? std::abs(rng_.normal()) : 0.0;
    if (norm(z) == 0) z[rng_.below(z.size())] = 1;
  }

  /// Replaces z by the normal of the face through which the ray along z leaves K: K is thinnest
  /// towards one of its faces.
  static void turn_to_face(const Domain& domain, const Point& lower, Point& z) {
    Point outside(z.size());
    const auto reaches = [&](double s) {
      outside = lower;
      add_scaled(outside, s, z);
      return domain.contains(outside, 1e-12);
    };
    double low = 0, high = 2 * (domain.diameter() + 1) / norm(z);
    if (reaches(high)) return;  // a diameter that is no diameter
    while (high - low > 1e-3 * high) (reaches((low + high) / 2) ? low : high) = (low + high) / 2;
    reaches(high);
    Point nearest = outside;
    domain.project(nearest);
    Point normal(z.size());
    for (std::size_t i = 0; i < z.size(); ++i) normal[i] = std::max(0.0, outside[i] - nearest[i]);
    if (norm(normal) > 1e-6 * norm(outside)) z = normal;
  }

  std::vector<CheckResult>& results_;
  Stream rng_;
};

}  // namespace

std::vector<CheckResult> check_world(Game& game, const Domain& domain,
                                     const CheckOptions& options) {
  std::vector<CheckResult> results;
  const StreamFamily streams(options.seed, "check");
  const Point upper = upper_corner(domain);
  for (Round t = 1; t <= options.rounds; ++t) {
    Prober prober(results, streams.at(static_cast<std::uint64_t>(t)));
    const RoundFunction& f = game.function(t);
    if (f.set) prober.probe_set_function(t, *f.set, options.probes);
    // A sampled extension is a step function: what it estimates is probed by its sets.
    if (!dynamic_cast<const SampledExtension*>(f.continuous.get()))
      prober.probe_continuous(t, *f.continuous, upper, options.probes);
  }
  Prober(results, streams.at(0)).probe_domain(domain, options.probes);
  return results;
}

}  // namespace hindsight
