/// What every function of hindsight/functions must obey, for its own tests and for a user's types:
///
///     expect_set_function_laws(my_set_function);
///     expect_continuous_function_laws(my_function);
///
/// The `find_*` functions return the first broken law, said in words, so that a test may also ask
/// that a broken function is found out.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "hindsight/core/rng.hpp"
#include "hindsight/functions/function.hpp"

namespace hindsight::laws {

using Finding = std::optional<std::string>;

struct LawOptions {
  int enumerate_up_to = 10;  ///< items up to which every set is tried
  int probes = 300;          ///< random sets, points or pairs otherwise
  std::uint64_t seed = 1;
  bool normalised = true;  ///< whether f({}) = 0 is asked for
  /// The box of a continuous function; empty: 1 in every coordinate.
  Point upper = {};
  double tolerance = 1e-9;  ///< relative to the largest value
};

namespace detail {

template <class... Parts>
std::string said(const Parts&... parts) {
  std::ostringstream out;
  out.precision(17);
  (out << ... << parts);
  return out.str();
}

template <class Numbers>
std::string listed(const Numbers& numbers) {
  std::string out = "(";
  for (const auto& v : numbers) out += (out.size() > 1 ? ", " : "") + said(v);
  return out + ")";
}

inline ItemSet items_of(std::uint64_t mask, int d) {
  ItemSet set;
  for (Item i = 0; i < d; ++i)
    if (mask >> i & 1) set.push_back(i);
  return set;
}

inline ItemSet random_set(int d, double odds, Stream& stream) {
  ItemSet set;
  for (Item i = 0; i < d; ++i)
    if (stream.coin(odds)) set.push_back(i);
  return set;
}

inline ItemSet with(ItemSet set, Item i) {
  set.push_back(i);
  return set;
}

/// A point of [0, upper] that often has coordinates at the ends, where formulas break.
inline Point random_point(PointView upper, Stream& stream) {
  Point x;
  for (const double u : upper) {
    const std::uint64_t where = stream.below(5);
    x.push_back(where == 0 ? 0.0 : where == 1 ? u : u * stream.uniform());
  }
  return x;
}

/// E f(S), S ~ x, from its definition: a sum over all 2^d sets.
inline double expected_value(const SetFunction& f, PointView x) {
  const int d = f.dimension();
  double total = 0;
  for (std::uint64_t mask = 0; mask < std::uint64_t{1} << d; ++mask) {
    double odds = 1;
    for (int i = 0; i < d; ++i) {
      const double p = x[static_cast<std::size_t>(i)];
      odds *= mask >> i & 1 ? p : 1 - p;
    }
    if (odds != 0) total += odds * f.value(items_of(mask, d));
  }
  return total;
}

/// dF/dx_i of a multilinear F: it is linear in x_i.
inline double exact_difference(const SetFunction& f, Point x, std::size_t i) {
  x[i] = 1;
  const double high = expected_value(f, x);
  x[i] = 0;
  return high - expected_value(f, x);
}

/// The laws that hold at one set S: bounded, order-free, monotone, submodular.
inline Finding find_broken_at(const SetFunction& f, const ItemSet& set, double slack) {
  const double value = f.value(set);
  if (!std::isfinite(value)) return said("f", listed(set), " = ", value, " is not finite");
  if (std::abs(value) > f.max_value() + slack)
    return said("|f", listed(set), "| = ", value, " exceeds max_value() = ", f.max_value());
  const ItemSet backwards(set.rbegin(), set.rend());
  if (std::abs(f.value(backwards) - value) > slack)
    return said("f", listed(set), " depends on the order of its items");
  if (f.value(set) != value) return said("f", listed(set), " changes from call to call");

  for (Item i = 0; i < f.dimension(); ++i) {
    if (std::find(set.begin(), set.end(), i) != set.end()) continue;
    const ItemSet with_i = with(set, i);
    const double gain = f.value(with_i) - value;
    if (gain < -slack) return said("not monotone: f", listed(set), " falls when ", i, " is added");
    for (Item j = 0; j < i; ++j) {
      if (std::find(set.begin(), set.end(), j) != set.end()) continue;
      const double later_gain = f.value(with(with_i, j)) - f.value(with(set, j));
      if (later_gain > gain + slack)
        return said("not submodular: ", i, " adds ", gain, " to ", listed(set), " but ", later_gain,
                    " after ", j);
    }
  }
  return std::nullopt;
}

/// Differences at S are those of values, and so are the gains while S grows.
inline Finding find_broken_gains(const SetFunction& f, ItemSet set, Stream& stream, double slack) {
  const auto contains = [&](Item i) { return std::find(set.begin(), set.end(), i) != set.end(); };
  Point differences(static_cast<std::size_t>(f.dimension()));
  f.differences(set, differences);
  for (Item i = 0; i < f.dimension(); ++i) {
    ItemSet without;
    std::copy_if(set.begin(), set.end(), std::back_inserter(without),
                 [=](Item j) { return j != i; });
    const double truth = f.value(with(without, i)) - f.value(without);
    if (std::abs(differences[static_cast<std::size_t>(i)] - truth) > slack)
      return said("difference ", i, " at ", listed(set), " is ",
                  differences[static_cast<std::size_t>(i)], ", not ", truth);
  }

  const auto growing = f.grow();
  const ItemSet order = [&] {
    stream.shuffle(std::span<Item>(set));
    return std::exchange(set, {});
  }();
  for (const Item next : order) {
    for (Item i = 0; i < f.dimension(); ++i) {
      if (contains(i) || stream.coin(.5)) continue;  // a gain may be asked for late, or never
      const double truth = f.value(with(set, i)) - f.value(set), gain = growing->gain(i);
      if (std::abs(gain - truth) > slack)
        return said("the gain of ", i, " at ", listed(set), " is ", gain, ", not ", truth);
    }
    growing->add(next);
    set.push_back(next);
  }
  return std::nullopt;
}

/// Averages over more sets than fit into a word are those of values and differences.
inline Finding find_broken_means(const SetFunction& f, Stream& stream, double slack) {
  std::vector<ItemSet> sets;
  for (int s = 0; s < 100; ++s) sets.push_back(random_set(f.dimension(), stream.uniform(), stream));
  double mean = 0;
  const auto d = static_cast<std::size_t>(f.dimension());
  Point sum(d, 0.0), differences(d), means(d);
  for (const ItemSet& set : sets) {
    mean += f.value(set) / static_cast<double>(sets.size());
    f.differences(set, differences);
    add_scaled(sum, 1.0 / static_cast<double>(sets.size()), differences);
  }
  if (std::abs(f.mean(sets) - mean) > slack) return said("mean() = ", f.mean(sets), ", not ", mean);
  f.mean_differences(sets, means);
  for (std::size_t i = 0; i < d; ++i)
    if (std::abs(means[i] - sum[i]) > slack)
      return said("mean difference ", i, " is ", means[i], ", not ", sum[i]);
  return std::nullopt;
}

}  // namespace detail

/// Monotone (or, if it says that it is not, at least 0), with diminishing returns, its gradient
/// that of its values, its facts true.
inline Finding find_broken_law(const ContinuousFunction& F, const LawOptions& options = {}) {
  using namespace detail;
  const auto d = static_cast<std::size_t>(F.dimension());
  const Point upper = options.upper.empty() ? Point(d, 1.0) : options.upper;
  const FunctionFacts facts = F.facts();
  const double slack = options.tolerance * std::max(facts.max_value, 1e-300);
  Stream stream = StreamFamily(options.seed, "continuous-laws").at(0);

  Point low_gradient(d);
  Point high_gradient(d);
  for (int probe = 0; probe < options.probes; ++probe) {
    // low <= high in every coordinate.
    Point low = random_point(upper, stream);
    Point high = random_point(upper, stream);
    for (std::size_t i = 0; i < d; ++i)
      if (low[i] > high[i]) std::swap(low[i], high[i]);
    const double low_value = F.value(low);
    const double high_value = F.value(high);
    F.gradient(low, low_gradient);
    F.gradient(high, high_gradient);

    if (!std::isfinite(low_value)) return said("F", listed(low), " is not finite");
    if (std::abs(low_value) > facts.max_value + slack)
      return said("|F", listed(low), "| = ", low_value, " exceeds M1 = ", facts.max_value);
    if (F.value(low) != low_value) return said("F", listed(low), " changes from call to call");
    if (!facts.monotone && std::min(low_value, high_value) < -slack)
      return said("F is below 0 at ", listed(low), " or ", listed(high));
    if (facts.monotone && high_value < low_value - slack)
      return said("not monotone: F", listed(high), " < F", listed(low));

    for (std::size_t i = 0; i < d; ++i) {
      if (facts.monotone && low_gradient[i] < -slack)
        return said("not monotone: the gradient at ", listed(low), " has ", low_gradient[i]);
      if (high_gradient[i] > low_gradient[i] + slack)
        return said("not DR: coordinate ", i, " of the gradient rises from ", listed(low), " to ",
                    listed(high));
      // Central differences of a quadratic or multilinear F are exact but for rounding; of others
      // they are off by h^2/6 times the third derivative. One-sided at the ends of the box.
      const double h = 1e-4 * upper[i];
      if (h == 0) continue;
      Point left = low;
      Point right = low;
      left[i] = std::max(0.0, low[i] - h);
      right[i] = std::min(upper[i], low[i] + h);
      const double slope = (F.value(right) - F.value(left)) / (right[i] - left[i]);
      const double one_sided =
          right[i] - left[i] < 1.5 * h ? facts.smoothness.value_or(0) * h : 0.0;
      if (std::abs(slope - low_gradient[i]) > 1e-6 * facts.max_value / upper[i] + one_sided)
        return said("coordinate ", i, " of the gradient at ", listed(low), " is ", low_gradient[i],
                    ", but differences give ", slope);
    }

    // Any pair will do for the constants; half of them are near each other, where they bite.
    Point other = random_point(upper, stream);
    if (probe % 2 == 0)
      for (std::size_t i = 0; i < d; ++i) other[i] = low[i] + 0.01 * (other[i] - low[i]);
    double distance = 0;
    for (std::size_t i = 0; i < d; ++i) distance += (other[i] - low[i]) * (other[i] - low[i]);
    distance = std::sqrt(distance);
    if (facts.concave) {  // the tangent at one point is above the function at any other
      const double tangent = low_value + dot(low_gradient, other) - dot(low_gradient, low);
      if (F.value(other) > tangent + slack)
        return said("not concave between ", listed(low), " and ", listed(other));
    }
    if (facts.lipschitz &&
        std::abs(F.value(other) - low_value) > *facts.lipschitz * distance + slack)
      return said("L1 = ", *facts.lipschitz, " is too small between ", listed(low), " and ",
                  listed(other));
    if (facts.smoothness) {
      F.gradient(other, high_gradient);
      add_scaled(high_gradient, -1, low_gradient);
      if (norm(high_gradient) > *facts.smoothness * distance + slack)
        return said("L2 = ", *facts.smoothness, " is too small between ", listed(low), " and ",
                    listed(other));
    }
  }
  return std::nullopt;
}

/// Normalised, monotone, submodular, bounded by max_value(), its gains those of its values; and a
/// closed extension, if there is one, is the expected value, has its gradient, and obeys the laws
/// of continuous functions.
inline Finding find_broken_law(const SetFunction& f, const LawOptions& options = {}) {
  using namespace detail;
  const int d = f.dimension();
  if (d < 1) return said("dimension() = ", d);
  const double slack = options.tolerance * std::max(f.max_value(), 1e-300);
  if (options.normalised && std::abs(f.value({})) > slack)
    return said("not normalised: f({}) = ", f.value({}));

  Stream stream = StreamFamily(options.seed, "set-laws").at(0);
  const bool enumerate = d <= options.enumerate_up_to;
  if (enumerate) {
    for (std::uint64_t mask = 0; mask < std::uint64_t{1} << d; ++mask)
      if (auto finding = find_broken_at(f, items_of(mask, d), slack)) return finding;
  } else {
    for (int probe = 0; probe < options.probes; ++probe)
      if (auto finding = find_broken_at(f, random_set(d, stream.uniform(), stream), slack))
        return finding;
  }

  Stream gains = StreamFamily(options.seed, "gain-laws").at(0);
  for (int probe = 0; probe < std::min(options.probes, 30); ++probe) {
    const ItemSet set = random_set(d, gains.uniform(), gains);
    if (auto finding = find_broken_gains(f, set, gains, slack)) return finding;
  }
  if (auto finding = find_broken_means(f, gains, slack)) return finding;

  const auto F = f.closed_extension();
  if (!F) return std::nullopt;
  if (F->dimension() != d) return said("the extension has dimension ", F->dimension());
  Point gradient(static_cast<std::size_t>(d));
  const Point ones(static_cast<std::size_t>(d), 1.0);
  if (enumerate) {
    for (int probe = 0; probe < std::min(options.probes, 20); ++probe) {
      const Point x = random_point(ones, stream);
      const double expected = expected_value(f, x);
      if (std::abs(F->value(x) - expected) > slack)
        return said("the extension at ", listed(x), " is ", F->value(x), ", not ", expected);
      F->gradient(x, gradient);
      for (std::size_t i = 0; i < x.size(); ++i)
        if (const double slope = exact_difference(f, x, i); std::abs(gradient[i] - slope) > slack)
          return said("coordinate ", i, " of the extension's gradient at ", listed(x), " is ",
                      gradient[i], ", not ", slope);
    }
  }
  // At the corners the extension is f itself, whatever the dimension.
  for (int probe = 0; probe < options.probes; ++probe) {
    const ItemSet set = random_set(d, stream.uniform(), stream);
    Point x(static_cast<std::size_t>(d), 0.0);
    for (const Item i : set) x[static_cast<std::size_t>(i)] = 1;
    if (std::abs(F->value(x) - f.value(set)) > slack)
      return said("the extension at the corner ", listed(x), " is not f", listed(set));
  }
  if (auto finding = find_broken_law(*F, options)) return said("the extension: ", *finding);
  return std::nullopt;
}

}  // namespace hindsight::laws

namespace hindsight {

inline void expect_set_function_laws(const SetFunction& f, const laws::LawOptions& options = {}) {
  const laws::Finding finding = laws::find_broken_law(f, options);
  EXPECT_FALSE(finding.has_value()) << *finding;
}

inline void expect_continuous_function_laws(const ContinuousFunction& F,
                                            const laws::LawOptions& options = {}) {
  const laws::Finding finding = laws::find_broken_law(F, options);
  EXPECT_FALSE(finding.has_value()) << *finding;
}

}  // namespace hindsight
