/// Laws that every Domain and every Matroid must fulfil, for ours and for a user's own:
///
///   TEST(MyDomain, Laws) { expect_domain_laws(MyDomain(...), 7, 100); }
///
/// Feasibility is checked to 1e-9, and a projection is taken to be within 1e-9 of the nearest
/// point.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "hindsight/core/narrow.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/domains/domain.hpp"
#include "hindsight/domains/matroid.hpp"

namespace hindsight::laws {

constexpr double kTolerance = 1e-9;

inline Point difference(PointView a, PointView b) {
  Point c(a.begin(), a.end());
  add_scaled(c, -1, b);
  return c;
}

inline double distance(PointView a, PointView b) { return norm(difference(a, b)); }

inline Point moved(PointView x, double step, PointView direction) {
  Point y(x.begin(), x.end());
  add_scaled(y, step, direction);
  return y;
}

/// Gaussian weights, and every third time small whole ones, which tie and vanish.
inline Point random_weights(Stream& stream, std::size_t d) {
  Point w(d);
  stream.fill_normal(w);
  if (stream.below(3) == 0)
    for (double& value : w) value = static_cast<double>(stream.below(4)) - 1;
  return w;
}

/// A unit vector z >= 0; half of them live on few coordinates.
inline Point random_upward(Stream& stream, std::size_t d) {
  Point z(d, 0.0);
  const double density = stream.coin(0.5) ? 1.0 : stream.uniform();
  for (double& value : z)
    if (stream.coin(density)) value = std::abs(stream.normal());
  if (norm(z) == 0) z[stream.below(d)] = 1;
  const double length = norm(z);
  for (double& value : z) value /= length;
  return z;
}

inline Point maximizer(const Domain& domain, PointView weights) {
  Point x(weights.size(), std::nan(""));
  domain.maximize(weights, x);
  return x;
}

inline Point projection(const Domain& domain, PointView y) {
  Point x(y.begin(), y.end());
  domain.project(x);
  return x;
}

/// Points of K: vertices and random mixtures of three of them.
inline std::vector<Point> random_members(const Domain& domain, Stream& stream, int count) {
  const auto d = static_cast<std::size_t>(domain.dimension());
  std::vector<Point> members = {domain.lower()};
  for (int i = 0; i < count; ++i) {
    if (i % 2 == 0 || members.size() < 3) {
      members.push_back(maximizer(domain, random_weights(stream, d)));
      continue;
    }
    Point x(d, 0.0);
    double left = 1;
    for (int part = 0; part < 3; ++part) {
      const double share = part == 2 ? left : left * stream.uniform();
      add_scaled(x, share, members[stream.below(members.size())]);
      left -= share;
    }
    members.push_back(x);
  }
  return members;
}

inline void expect_maximizer_laws(const Domain& domain, const std::vector<Point>& members,
                                  Stream& stream, int trials) {
  const auto d = static_cast<std::size_t>(domain.dimension());
  for (int trial = 0; trial < trials; ++trial) {
    const Point w = random_weights(stream, d);
    const Point v = maximizer(domain, w);
    EXPECT_TRUE(domain.contains(v, kTolerance)) << "a maximiser is not in K";
    const double allowed = 1e-9 * (1 + norm(w) * domain.diameter());
    for (const Point& x : members)
      EXPECT_LE(dot(w, x), dot(w, v) + allowed) << "a point of K beats the maximiser";
    EXPECT_EQ(v, maximizer(domain, w)) << "asked again, another maximiser";
    for (const double scale : {1e-6, 3.0, 1e6}) {
      Point scaled = w;
      for (double& value : scaled) value *= scale;
      EXPECT_NEAR(dot(w, v), dot(w, maximizer(domain, scaled)), allowed)
          << "the maximum depends on the scale " << scale << " of the weights";
    }
  }
}

inline void expect_projection_laws(const Domain& domain, const std::vector<Point>& members,
                                   Stream& stream, int trials) {
  const auto d = static_cast<std::size_t>(domain.dimension());
  const double diameter = domain.diameter();
  const auto multipliers = static_cast<std::size_t>(domain.multipliers());
  Point last_y, last_p;
  std::vector<double> warm(multipliers, 0.0);
  Point all_y, all_p;
  Point all_from, steps, directions;
  for (int trial = 0; trial < trials; ++trial) {
    // From deep inside, over the border, to far away.
    const double spread = std::vector<double>{0, 0.03, 0.3, 1, 30}[stream.below(5)] * diameter;
    Point noise(d);
    stream.fill_normal(noise);
    const Point& from = members[stream.below(members.size())];
    const Point y = moved(from, spread / std::sqrt(static_cast<double>(d)), noise);
    const Point p = projection(domain, y);
    EXPECT_TRUE(domain.contains(p, kTolerance)) << "a projection is not in K";
    EXPECT_LE(distance(p, projection(domain, p)), 2 * kTolerance) << "projected twice, it moves";
    if (spread == 0) {
      EXPECT_LE(distance(y, p), 2 * kTolerance) << "a point of K moves when projected";
    }
    if (!last_y.empty()) {
      EXPECT_LE(distance(p, last_p), distance(y, last_y) + 2 * kTolerance)
          << "two projections are further apart than the points";
    }

    const Point away = difference(y, p);
    const double allowed = kTolerance * (norm(away) + diameter) + 1e-12;
    EXPECT_LE(dot(away, difference(maximizer(domain, away), p)), allowed)
        << "a vertex lies on the far side of the projection: it is not the nearest point";

    Point again = y;
    domain.project(again, warm);
    EXPECT_LE(distance(p, again), 2 * kTolerance) << "a warm start changes the result";
    last_y = y;
    last_p = p;
    Point alone = y;
    std::vector<double> cold(multipliers, 0.0);
    domain.project(alone, cold);
    all_y.insert(all_y.end(), y.begin(), y.end());
    all_p.insert(all_p.end(), alone.begin(), alone.end());
    all_from.insert(all_from.end(), from.begin(), from.end());
    steps.push_back(spread / std::sqrt(static_cast<double>(d)));
    directions.insert(directions.end(), noise.begin(), noise.end());
  }
  const std::vector<double> cold(multipliers * static_cast<std::size_t>(trials), 0.0);
  std::vector<double> all_warm = cold;
  domain.project_each(all_y, all_warm);
  EXPECT_EQ(all_y, all_p) << "who else is projected changes the result";
  Point ascended = all_from;
  all_warm = cold;
  domain.ascend_each(ascended, steps, directions, all_warm, nullptr);
  EXPECT_EQ(ascended, all_p) << "to ascend is not to move and to project";
  Workers two(2);
  Point shared = all_from;
  std::vector<double> shared_warm = cold;
  domain.ascend_each(shared, steps, directions, shared_warm, &two);
  EXPECT_EQ(shared, all_p) << "threads change the result";
  EXPECT_EQ(shared_warm, all_warm) << "threads change the multipliers";
  for (std::size_t p = 0; p < steps.size(); ++p) {
    Point alone(all_from.begin() + static_cast<std::ptrdiff_t>(p * d),
                all_from.begin() + static_cast<std::ptrdiff_t>((p + 1) * d));
    std::vector<double> own(multipliers, 0.0);
    domain.ascend_each(alone, {&steps[p], 1}, PointView(directions).subspan(p * d, d), own,
                       nullptr);
    EXPECT_TRUE(
        std::equal(alone.begin(), alone.end(), all_p.begin() + static_cast<std::ptrdiff_t>(p * d)))
        << "who else ascends changes the result";
  }

  // Kept in f32 the points begin a rounding away, move by as many roundings as they move far, and
  // end no further apart but for another one.
  const Point lower = domain.lower();
  const auto row = [d](auto& numbers, std::size_t p) {
    return std::span(numbers).subspan(p * d, d);
  };
  NumberTable<float> kept(steps.size(), narrow_length(d)), narrow_directions = kept;
  for (std::size_t p = 0; p < steps.size(); ++p) {
    Point inside(row(all_from, p).begin(), row(all_from, p).end());
    for (std::size_t i = 0; i < d; ++i) inside[i] = std::max(inside[i], lower[i]);
    narrow(inside, lower, kept.row(p));
    std::ranges::copy(row(directions, p), narrow_directions.row(p).begin());
  }
  const NumberTable<float> began = kept;
  for (const double scale : {1.0, .75}) {  // in K, and in a smaller image of it
    kept = began;
    if (scale < 1)
      for (float& x : kept.numbers()) x *= static_cast<float>(scale);
    std::vector<double> scaled = steps;
    for (double& step : scaled) step *= scale;
    all_warm = cold;
    NumberTable<float> room = narrow_directions, again = kept;
    domain.ascend_each(kept.numbers(), lower, scale, scaled,
                       {narrow_directions.numbers(), room.numbers()}, all_warm);
    all_warm = cold;
    room = narrow_directions;
    domain.ascend_each(again.numbers(), lower, scale, scaled, {room.numbers(), room.numbers()},
                       all_warm);
    EXPECT_TRUE(std::ranges::equal(kept.numbers(), again.numbers()))
        << "what ascends depends on where it stands meanwhile";
    for (std::size_t p = 0; p < steps.size(); ++p) {
      Point x(d), back(d);
      for (std::size_t i = 0; i < d; ++i)
        x[i] = lower[i] + static_cast<double>(kept.row(p)[i]) / scale;
      EXPECT_TRUE(domain.contains(x, kTolerance)) << "what ascended in f32 is not in K";
      const double moved_by = steps[p] * norm(row(directions, p));
      // Of a capacity up to 2^-16 + 2^-21 may be left, here by a single coordinate.
      double used = 0;
      for (std::size_t i = 0; i < d; ++i) used += row(all_p, p)[i] - lower[i];
      EXPECT_LE(distance(x, row(all_p, p)),
                0x1p-21 * (domain.radius() + moved_by) + 1.05 * 0x1p-16 * used + 2 * kTolerance)
          << "what ascended in f32 is elsewhere";
    }
  }
}

inline void expect_size_laws(const Domain& domain, const std::vector<Point>& members,
                             Stream& stream, int trials) {
  const auto d = static_cast<std::size_t>(domain.dimension());
  const Point lower = domain.lower();
  EXPECT_TRUE(domain.contains(lower, kTolerance)) << "the lower corner is not in K";
  for (const Point& x : members) {
    EXPECT_TRUE(domain.contains(x, kTolerance)) << "a mixture of vertices is not in K";
    for (std::size_t i = 0; i < d; ++i)
      EXPECT_GE(x[i], lower[i] - kTolerance) << "a point of K is below the lower corner";
    EXPECT_LE(distance(x, lower), domain.radius() + kTolerance);
    EXPECT_LE(distance(x, members[stream.below(members.size())]), domain.diameter() + kTolerance);
  }
  for (int trial = 0; trial < trials; ++trial)
    EXPECT_TRUE(
        domain.contains(moved(lower, domain.inner_radius(), random_upward(stream, d)), kTolerance))
        << "the inner radius is too large";
}

}  // namespace hindsight::laws

namespace hindsight {

inline void expect_domain_laws(const Domain& domain, std::uint64_t seed, int trials);

namespace laws {

inline void expect_erosion_laws(const Domain& domain, std::uint64_t seed, Stream& stream,
                                int trials) {
  const auto d = static_cast<std::size_t>(domain.dimension());
  // So small that Lemma 2 promises a point.
  const double delta = 0.2 * domain.inner_radius() / (std::sqrt(static_cast<double>(d)) + 1);
  if (!(delta > 0)) return;
  const DomainPtr eroded = domain.erode(delta);
  if (!eroded) return;
  // An erosion may be eroded again; a quarter of the trials each time, until none is left.
  if (trials >= 4) expect_domain_laws(*eroded, seed + 1, trials / 4);
  Point u(d);
  for (const Point& x : random_members(*eroded, stream, trials)) {
    stream.fill_sphere(u);
    EXPECT_TRUE(domain.contains(moved(x, delta, u), kTolerance)) << "a ball sticks out of K";
  }
}

}  // namespace laws

/// Maximiser, projection, lower corner, radii and erosion.
inline void expect_domain_laws(const Domain& domain, std::uint64_t seed, int trials) {
  SCOPED_TRACE(domain.describe());
  Stream stream = StreamFamily(seed, "domain-laws").at(0);
  const auto members = laws::random_members(domain, stream, trials);
  laws::expect_maximizer_laws(domain, members, stream, trials);
  laws::expect_projection_laws(domain, members, stream, trials);
  laws::expect_size_laws(domain, members, stream, trials);
  laws::expect_erosion_laws(domain, seed, stream, trials);
}

namespace laws {

inline ItemSet items_of(std::uint32_t mask) {
  ItemSet set;
  for (; mask != 0; mask &= mask - 1) set.push_back(std::countr_zero(mask));
  return set;
}

inline Point indicator(std::size_t d, ItemView set) {
  Point x(d, 0.0);
  for (const Item item : set) x[static_cast<std::size_t>(item)] = 1;
  return x;
}

/// The rank of every set of items, by enumeration; item i is bit i.
inline std::vector<int> all_ranks(const Matroid& matroid) {
  std::vector<int> rank(std::size_t{1} << matroid.dimension());
  for (std::uint32_t mask = 0; mask < rank.size(); ++mask) {
    if (matroid.independent(items_of(mask))) rank[mask] = std::popcount(mask);
    for (std::uint32_t left = mask; left != 0; left &= left - 1)
      rank[mask] = std::max(rank[mask], rank[mask ^ (left & (~left + 1))]);
  }
  return rank;
}

/// For few items: the axioms, the maximum, and r = min_S rank(S)/sqrt|S|, all by enumeration.
inline void expect_enumerated_laws(const Matroid& matroid, Stream& stream, int trials) {
  const auto d = static_cast<std::size_t>(matroid.dimension());
  const std::vector<int> rank = all_ranks(matroid);
  const auto is_independent = [&](std::uint32_t mask) { return rank[mask] == std::popcount(mask); };
  EXPECT_TRUE(matroid.independent({})) << "the empty set is not independent";
  EXPECT_EQ(rank.back(), matroid.rank());

  double r = std::sqrt(static_cast<double>(d));
  std::vector<std::uint32_t> sets;
  for (std::uint32_t mask = 0; mask < rank.size(); ++mask) {
    if (mask != 0) r = std::min(r, rank[mask] / std::sqrt(std::popcount(mask)));
    if (!is_independent(mask)) continue;
    sets.push_back(mask);
    for (std::uint32_t left = mask; left != 0; left &= left - 1)
      EXPECT_TRUE(is_independent(mask ^ (left & (~left + 1))))
          << "a subset of an independent set is not independent";
  }
  EXPECT_NEAR(r, matroid.inner_radius(), 1e-12) << "r is not min rank(S)/sqrt|S|";

  if (d <= 9)
    for (const std::uint32_t small : sets)
      for (const std::uint32_t large : sets) {
        if (std::popcount(small) >= std::popcount(large)) continue;
        bool grows = false;
        for (std::uint32_t left = large & ~small; left != 0 && !grows; left &= left - 1)
          grows = is_independent(small | (left & (~left + 1)));
        EXPECT_TRUE(grows) << "no item of a larger set can join a smaller one";
      }

  for (int trial = 0; trial < trials; ++trial) {
    const Point w = random_weights(stream, d);
    double best = 0;
    for (const std::uint32_t set : sets) best = std::max(best, dot(w, indicator(d, items_of(set))));
    EXPECT_NEAR(best, dot(w, maximizer(matroid, w)), 1e-12 * (1 + best)) << "not the best set";
  }
}

inline void expect_decomposition(const Matroid& matroid, PointView x) {
  const ConvexCombination mixture = matroid.decompose(x);
  ASSERT_EQ(mixture.weights.size(), mixture.sets.size());
  Point sum(x.size(), 0.0);
  double total = 0;
  for (std::size_t j = 0; j < mixture.sets.size(); ++j) {
    EXPECT_GT(mixture.weights[j], 0);
    EXPECT_TRUE(matroid.independent(mixture.sets[j])) << "a part is not independent";
    total += mixture.weights[j];
    add_scaled(sum, mixture.weights[j], indicator(x.size(), mixture.sets[j]));
  }
  EXPECT_NEAR(total, 1, 1e-12);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(sum[i], x[i], kTolerance) << "the parts do not add up to x";
}

/// With the step that room() promises x stays in K, and with a little more it does not.
inline void expect_tight_room(const Matroid& matroid, PointView x, Item up, Item down) {
  const double room = matroid.room(x, up, down);
  Point direction(x.size(), 0.0);
  direction[static_cast<std::size_t>(up)] = 1;
  if (down >= 0) direction[static_cast<std::size_t>(down)] = -1;
  EXPECT_GE(room, 0);
  EXPECT_TRUE(matroid.contains(moved(x, room, direction), kTolerance))
      << "room(" << up << ", " << down << ") = " << room << " is too much";
  EXPECT_FALSE(matroid.contains(moved(x, room + 1e-7, direction), kTolerance))
      << "room(" << up << ", " << down << ") = " << room << " is too little";
}

}  // namespace laws

/// Everything a matroid promises on top of the laws of a domain, which are checked too.
inline void expect_matroid_laws(const Matroid& matroid, std::uint64_t seed, int trials) {
  SCOPED_TRACE(matroid.describe());
  expect_domain_laws(matroid, seed, trials);
  Stream stream = StreamFamily(seed, "matroid-laws").at(0);
  const auto d = static_cast<std::size_t>(matroid.dimension());
  if (d <= 12) laws::expect_enumerated_laws(matroid, stream, trials);

  for (int trial = 0; trial < trials; ++trial) {
    const Point v = laws::maximizer(matroid, laws::random_weights(stream, d));
    ItemSet set;
    for (std::size_t i = 0; i < d; ++i) {
      EXPECT_TRUE(v[i] == 0 || v[i] == 1) << "a vertex is not a set";
      if (v[i] > 0.5) set.push_back(static_cast<Item>(i));
    }
    EXPECT_TRUE(matroid.independent(set)) << "a vertex is not independent";

    ItemSet base;
    matroid.random_base(stream, base);
    EXPECT_EQ(static_cast<int>(base.size()), matroid.rank()) << "a base of another size";
    EXPECT_TRUE(matroid.independent(base)) << "a base is not independent";
  }
  for (const Point& member : laws::random_members(matroid, stream, trials)) {
    const Point x = laws::projection(matroid, member);  // takes rounding back into K
    laws::expect_decomposition(matroid, x);
    const auto up = static_cast<Item>(stream.below(d));
    const auto down = static_cast<Item>(stream.below(d + 1)) - 1;
    if (up != down) laws::expect_tight_room(matroid, x, up, down);
  }
}

}  // namespace hindsight
