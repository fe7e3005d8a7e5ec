// Box, uniform, partition and laminar domains against enumeration and an independent projection.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "domain_laws.hpp"
#include "hindsight/core/error.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/domains/box.hpp"
#include "hindsight/domains/capped_simplex.hpp"
#include "hindsight/domains/interior.hpp"
#include "hindsight/domains/laminar_matroid.hpp"

namespace hindsight {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

struct Instance {
  LaminarMatroidPtr matroid;
  std::vector<ItemSet> sets;
  std::vector<int> capacities;
};

/// A random laminar family: split the items again and again.
Instance random_instance(int d, Stream& rng) {
  std::vector<ItemSet> sets;
  std::vector<int> capacities;
  ItemSet all(index(d));
  std::iota(all.begin(), all.end(), 0);
  rng.shuffle(std::span<Item>(all));
  const std::function<void(ItemSet)> split = [&](ItemSet items) {
    const bool repeated = std::any_of(sets.begin(), sets.end(), [&](const ItemSet& s) {
      return s.size() == items.size() && s == items;
    });
    if (rng.coin(.7) && !repeated) {
      sets.push_back(items);
      capacities.push_back(static_cast<int>(rng.below(items.size() + 1)));
    }
    if (items.size() < 2 || rng.coin(.2)) return;
    const auto cut = static_cast<std::ptrdiff_t>(1 + rng.below(items.size() - 1));
    split(ItemSet(items.begin(), items.begin() + cut));
    split(ItemSet(items.begin() + cut, items.end()));
  };
  split(all);
  return {laminar_matroid(d, sets, capacities), sets, capacities};
}

bool independent_by_counting(const Instance& instance, unsigned bits) {
  for (std::size_t s = 0; s < instance.sets.size(); ++s) {
    int used = 0;
    for (const Item i : instance.sets[s]) used += bits >> i & 1;
    if (used > instance.capacities[s]) return false;
  }
  return true;
}

ItemSet items_of(unsigned bits) {
  ItemSet set;
  for (int i = 0; bits >> i; ++i)
    if (bits >> i & 1) set.push_back(i);
  return set;
}

/// Dykstra's alternating projections onto the box and each half-space, in long double.
Point projection_by_dykstra(const Instance& instance, const Point& y) {
  const std::size_t d = y.size(), m = instance.sets.size() + 1;
  std::vector<long double> x(y.begin(), y.end());
  std::vector<std::vector<long double>> correction(m, std::vector<long double>(d, 0));
  for (int sweep = 0; sweep < 20000; ++sweep) {
    long double moved = 0;
    for (std::size_t c = 0; c < m; ++c) {
      std::vector<long double> z(d);
      for (std::size_t i = 0; i < d; ++i) z[i] = x[i] + correction[c][i];
      std::vector<long double> p = z;
      if (c + 1 == m) {
        for (auto& v : p) v = std::clamp(v, 0.0L, 1.0L);
      } else {
        long double sum = 0;
        for (const Item i : instance.sets[c]) sum += z[index(i)];
        const long double excess = sum - instance.capacities[c];
        if (excess > 0)
          for (const Item i : instance.sets[c])
            p[index(i)] -= excess / static_cast<long double>(instance.sets[c].size());
      }
      for (std::size_t i = 0; i < d; ++i) {
        moved += std::abs(p[i] - x[i]);
        correction[c][i] = z[i] - p[i];
        x[i] = p[i];
      }
    }
    if (moved < 1e-17L) break;
  }
  return Point(x.begin(), x.end());
}

Point random_weights(int d, Stream& rng) {
  Point w(index(d));
  for (double& v : w)
    v = rng.coin(.2) ? 0.0 : rng.coin(.3) ? static_cast<double>(rng.below(5)) - 2 : rng.normal();
  return w;
}

/// Of all dimensions that kernels treat apart: below four, by fours and not, side by side and
/// alone.
constexpr int dimensions[] = {1,  2,  3,  4,  5,  7,  8,  10, 12, 13,
                              16, 18, 20, 21, 28, 31, 32, 33, 35, 47};

TEST(LaminarMatroid, FulfilsTheLaws) {
  for (const int d : dimensions)
    expect_matroid_laws(*uniform_matroid(d, (d + 2) / 3), static_cast<std::uint64_t>(d), 30);
  expect_matroid_laws(*partition_matroid({{0, 3, 4, 6}, {1, 2, 5}, {7}}, {2, 1, 1}), 1, 30);
  expect_matroid_laws(*laminar_matroid(9, {{0, 1, 2}, {0, 1, 2, 3, 4}, {5, 6}}, {1, 3, 1}), 2, 30);
}

TEST(Interior, FulfilsTheLaws) {
  for (const int d : dimensions) {
    const DomainPtr matroid = uniform_matroid(d, (d + 2) / 3);
    const double delta = .3 * matroid->inner_radius() / (std::sqrt(d) + 1);
    expect_domain_laws(*shrunk_interior(matroid, delta), static_cast<std::uint64_t>(d), 30);
  }
  const DomainPtr laminar = laminar_matroid(9, {{0, 1, 2}, {0, 1, 2, 3, 4}, {5, 6}}, {1, 3, 1});
  expect_domain_laws(*shrunk_interior(laminar, .05), 2, 30);
}

TEST(LaminarMatroid, MaximiserAndIndependenceAgreeWithEnumeration) {
  Stream rng = StreamFamily(1, "laminar").at(0);
  for (int trial = 0; trial < 4000; ++trial) {
    const int d = 1 + static_cast<int>(rng.below(8));
    const Instance instance = random_instance(d, rng);
    const Point w = random_weights(d, rng);
    double best = 0;
    int rank = 0;
    for (unsigned bits = 0; bits < 1u << d; ++bits) {
      const bool expected = independent_by_counting(instance, bits);
      const ItemSet set = items_of(bits);
      ASSERT_EQ(instance.matroid->independent(set), expected);
      if (!expected) continue;
      double value = 0;
      for (const Item i : set) value += w[index(i)];
      best = std::max(best, value);
      rank = std::max(rank, static_cast<int>(set.size()));
    }
    ASSERT_EQ(instance.matroid->rank(), rank);
    Point v(index(d));
    instance.matroid->maximize(w, v);
    ASSERT_TRUE(instance.matroid->contains(v, 0));
    ASSERT_NEAR(dot(w, v), best, 1e-12);
  }
}

TEST(LaminarMatroid, ProjectionAgreesWithDykstra) {
  Stream rng = StreamFamily(2, "laminar").at(0);
  for (int trial = 0; trial < 1500; ++trial) {
    const int d = 1 + static_cast<int>(rng.below(7));
    const Instance instance = random_instance(d, rng);
    Point y = random_weights(d, rng);
    const Point expected = projection_by_dykstra(instance, y);
    std::vector<double> warm(index(instance.matroid->multipliers()));
    for (double& m : warm) m = rng.coin(.5) ? 0 : 3 * rng.uniform();
    Point cold = y;
    instance.matroid->project(cold);
    instance.matroid->project(y, warm);
    ASSERT_TRUE(instance.matroid->contains(y, 1e-14));
    // Dykstra converges slowly on some families: 1e-7 is what it reaches, not what we reach.
    for (std::size_t i = 0; i < y.size(); ++i) {
      ASSERT_NEAR(y[i], expected[i], 1e-7) << "trial " << trial;
      ASSERT_NEAR(y[i], cold[i], 1e-14);
    }
  }
}

/// The exact optimality condition, at rounding precision: <y - p, v - p> <= 0 for the best v.
TEST(LaminarMatroid, ProjectionIsOptimalToRounding) {
  Stream rng = StreamFamily(3, "laminar").at(0);
  for (int trial = 0; trial < 5000; ++trial) {
    const int d = 1 + static_cast<int>(rng.below(60));
    const Instance instance = random_instance(d, rng);
    const Point y = random_weights(d, rng);
    Point p = y, direction(index(d)), v(index(d));
    instance.matroid->project(p);
    ASSERT_TRUE(instance.matroid->contains(p, 1e-13));
    for (std::size_t i = 0; i < p.size(); ++i) direction[i] = y[i] - p[i];
    instance.matroid->maximize(direction, v);
    ASSERT_LE(dot(direction, v) - dot(direction, p), 1e-12 * d);
  }
}

/// Sort and sweep, the textbook method, on one capped simplex.
double shift_by_sorting(Point y, double upper, double capacity) {
  std::vector<double> breaks;
  for (const double v : y) {
    breaks.push_back(v);
    breaks.push_back(v - upper);
  }
  std::sort(breaks.begin(), breaks.end());
  const auto sum = [&](double tau) {
    double s = 0;
    for (const double v : y) s += std::clamp(v - tau, 0.0, upper);
    return s;
  };
  if (sum(0) <= capacity) return 0;
  double low = 0, high = breaks.back();
  for (const double b : breaks)
    if (b > 0) (sum(b) > capacity ? low : high) = sum(b) > capacity ? b : std::min(high, b);
  // Between two breakpoints the sum is linear.
  double free = 0;
  for (const double v : y) free += v - (low + high) / 2 > 0 && v - (low + high) / 2 < upper ? 1 : 0;
  return free == 0 ? high : low + (sum(low) - capacity) / free;
}

TEST(CappedSimplex, AgreesWithSortAndSweep) {
  Stream rng = StreamFamily(4, "simplex").at(0);
  for (int trial = 0; trial < 20000; ++trial) {
    const auto d = 1 + rng.below(40);
    const double upper = rng.coin(.5) ? 1 : .1 + rng.uniform();
    const double capacity =
        rng.coin(.5) ? static_cast<double>(rng.below(d + 1)) : rng.uniform() * 3;
    Point y(d);
    const double scale = std::pow(10.0, static_cast<double>(rng.below(7)) - 3);
    for (double& v : y)
      v = scale * (rng.coin(.3) ? static_cast<double>(rng.below(4)) : rng.normal());
    const double expected = shift_by_sorting(y, upper, capacity);
    Point x = y;
    project_capped_simplex(x, upper, capacity, rng.coin(.5) ? 0 : scale * rng.uniform());
    for (std::size_t i = 0; i < d; ++i)
      ASSERT_NEAR(x[i], std::clamp(y[i] - expected, 0.0, upper), 1e-12 * std::max(1.0, scale))
          << "trial " << trial;
  }
}

/// Threads share the columns of long points and search for all their shifts side by side; a point
/// whose search is lost goes alone. Whatever it begins with, no digit depends on that.
TEST(CappedSimplex, ThreadsChangeNoDigitOfLongPoints) {
  constexpr std::size_t n = 3500, count = 12;  // four parts, the last one short
  Stream rng = StreamFamily(17, "long points").at(0);
  int shifted = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const double upper = rng.uniform() + .1;
    const double capacity = trial % 5 == 4 ? 0 : upper * n * rng.uniform();
    const AffineMap image = {trial % 2 == 0 ? 1 : .7, trial % 2 == 0 ? 0 : .01};  // or none
    Point from(count * n), directions(count * n), steps(count), guesses(count);
    for (double& x : from) x = image.shift + image.scale * upper * rng.uniform();
    // Smooth, with ties, and all the same; far and near; guesses of any size, some of which are
    // beyond all numbers, so that Newton's method is lost.
    for (std::size_t i = 0; i < directions.size(); ++i)
      directions[i] = i / n % 3 == 0   ? rng.uniform() - .5
                      : i / n % 3 == 1 ? static_cast<double>(rng.below(3)) - 1
                                       : 1;
    for (double& step : steps) step = std::pow(10, 6 * rng.uniform() - 4);
    for (double& guess : guesses) guess = rng.coin(.3) ? 0 : std::pow(10, 8 * rng.uniform() - 4);
    Point alone = from, alone_warm = guesses;
    if (trial % 2 == 0)
      ascend_capped_simplices(alone, steps, directions, upper, capacity, alone_warm, nullptr);
    else
      ascend_capped_simplices(image, alone, steps, directions, upper, capacity, alone_warm,
                              nullptr);
    for (const double tau : alone_warm) shifted += tau > 0 ? 1 : 0;
    for (const std::size_t threads : {2u, 3u}) {
      Workers workers(static_cast<int>(threads));
      // In the midst of larger tables; the directions' may be of whole rows.
      constexpr std::size_t before = 2, after = 1;
      PointTable points(before + count + after, n, threads);
      PointTable along(count + after, n, trial % 3 == 0 ? 1 : threads);
      for (std::size_t p = 0; p < count; ++p) {
        points.store(before + p, PointView(from).subspan(p * n, n));
        along.store(after + p, PointView(directions).subspan(p * n, n));
      }
      Point warm = guesses, seen(n);
      ascend_capped_strips(image, {&points, before}, steps, {&along, after}, upper, capacity, warm,
                           workers);
      EXPECT_TRUE(warm == alone_warm) << threads << " threads, trial " << trial;
      for (std::size_t p = 0; p < points.rows(); ++p) {
        points.load(p, seen);
        const bool is_it = p >= before && p < before + count;
        EXPECT_TRUE(is_it ? std::ranges::equal(seen, PointView(alone).subspan((p - before) * n, n))
                          : seen == Point(n, 0.0))
            << "row " << p << ", " << threads << " threads, trial " << trial;
      }
    }
  }
  EXPECT_GT(shifted, 200) << "of 480: the test would not see wrong shifts";
}

TEST(LaminarMatroid, RandomBasesAreUniform) {
  // sets {0,1,2} <= 1 inside {0..4} <= 2, and item 5 free: bases of size 3.
  const auto matroid = laminar_matroid(6, {{0, 1, 2}, {0, 1, 2, 3, 4}}, {1, 2});
  std::vector<ItemSet> bases;
  for (unsigned bits = 0; bits < 64; ++bits)
    if (ItemSet set = items_of(bits); set.size() == 3 && matroid->independent(set))
      bases.push_back(set);
  ASSERT_EQ(bases.size(), 7u);  // 3 * 2 + 1
  const int draws = 200000;
  const StreamFamily family(5, "bases");
  const auto deviation = [&](auto draw) {
    std::map<ItemSet, int> seen;
    ItemSet set;
    for (int n = 0; n < draws; ++n) {
      Stream rng = family.at(static_cast<std::uint64_t>(n));
      draw(rng, set);
      std::sort(set.begin(), set.end());
      ++seen[set];
    }
    double worst = 0;
    for (const ItemSet& base : bases)
      worst = std::max(worst, std::abs(seen[base] / double(draws) - 1.0 / 7));
    return worst;
  };
  // Hoeffding: |frequency - 1/7| > .006 has probability < 2 exp(-2 * 2e5 * 3.6e-5) < 2e-6 a base.
  EXPECT_LT(deviation([&](Stream& rng, ItemSet& set) { matroid->random_base(rng, set); }), .006);
  // The broken twin: items in random order, each kept if it fits, favours the inner set's items
  // less.
  EXPECT_GT(deviation([&](Stream& rng, ItemSet& set) {
              ItemSet order = {0, 1, 2, 3, 4, 5};
              rng.shuffle(std::span<Item>(order));
              set.clear();
              for (const Item i : order) {
                set.push_back(i);
                if (!matroid->independent(set)) set.pop_back();
              }
            }),
            .006);
}

TEST(LaminarMatroid, DecomposesIntoIndependentSets) {
  Stream rng = StreamFamily(6, "laminar").at(0);
  for (int trial = 0; trial < 3000; ++trial) {
    const int d = 1 + static_cast<int>(rng.below(20));
    const Instance instance = random_instance(d, rng);
    Point x = random_weights(d, rng);
    instance.matroid->project(x);
    const ConvexCombination combination = instance.matroid->decompose(x);
    Point sum(x.size(), 0.0);
    double total = 0;
    for (std::size_t j = 0; j < combination.sets.size(); ++j) {
      ASSERT_GT(combination.weights[j], 0);
      ASSERT_TRUE(instance.matroid->independent(combination.sets[j]));
      total += combination.weights[j];
      for (const Item i : combination.sets[j]) sum[index(i)] += combination.weights[j];
    }
    ASSERT_NEAR(total, 1, 1e-12);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(sum[i], x[i], 1e-9);
  }
}

TEST(LaminarMatroid, RadiusDiameterAndInnerRadiusAgreeWithEnumeration) {
  Stream rng = StreamFamily(7, "laminar").at(0);
  for (int trial = 0; trial < 300; ++trial) {
    const int d = 1 + static_cast<int>(rng.below(7));
    const Instance instance = random_instance(d, rng);
    std::vector<unsigned> sets;
    for (unsigned bits = 0; bits < 1u << d; ++bits)
      if (independent_by_counting(instance, bits)) sets.push_back(bits);
    int farthest = 0, largest = 0;
    double r = INFINITY;
    for (const unsigned a : sets) {
      largest = std::max(largest, __builtin_popcount(a));
      for (const unsigned b : sets) farthest = std::max(farthest, __builtin_popcount(a ^ b));
    }
    for (unsigned bits = 1; bits < 1u << d; ++bits) {
      int rank = 0;
      for (const unsigned a : sets) rank = std::max(rank, __builtin_popcount(a & bits));
      r = std::min(r, rank / std::sqrt(__builtin_popcount(bits)));
    }
    ASSERT_DOUBLE_EQ(instance.matroid->diameter(), std::sqrt(farthest));
    ASSERT_DOUBLE_EQ(instance.matroid->radius(), std::sqrt(largest));
    ASSERT_NEAR(instance.matroid->inner_radius(), r, 1e-15);
  }
}

/// A ball of radius delta around every point of the interior lies in K.
void expect_interior(const Domain& domain, const Domain& interior, double delta, Stream& rng) {
  const auto d = index(domain.dimension());
  Point w(d), v(d), u(d);
  EXPECT_TRUE(interior.contains(interior.lower(), 1e-12));
  for (int trial = 0; trial < 300; ++trial) {
    for (double& x : w) x = rng.normal();
    interior.maximize(w, v);
    ASSERT_TRUE(interior.contains(v, 1e-12));
    rng.fill_sphere(u);
    Point moved = v;
    add_scaled(moved, delta, u);
    ASSERT_TRUE(domain.contains(moved, 1e-12));
    // The worst direction for this vertex is w itself.
    moved = v;
    add_scaled(moved, delta / norm(w), w);
    ASSERT_TRUE(domain.contains(moved, 1e-12));
  }
}

TEST(Interior, LeavesRoomForTheBall) {
  Stream rng = StreamFamily(8, "interior").at(0);
  const std::vector<DomainPtr> domains = {std::make_shared<Box>(Point{1, .5, 2}),
                                          uniform_matroid(10, 3), uniform_matroid(1, 1),
                                          partition_matroid({{0, 3}, {1, 2, 4}}, {1, 2}),
                                          laminar_matroid(6, {{0, 1, 2}, {0, 1, 2, 3, 4}}, {1, 2})};
  for (const DomainPtr& domain : domains) {
    const double limit = domain->inner_radius() / (std::sqrt(domain->dimension()) + 1);
    for (const double share : {.01, .5, .99}) {
      const double delta = share * limit;
      const DomainPtr shrunk = shrunk_interior(domain, delta);
      expect_interior(*domain, *shrunk, delta, rng);
      EXPECT_EQ(shrunk->lower(), Point(index(domain->dimension()), delta));
      if (share < .4) {
        const DomainPtr eroded = domain->erode(delta);
        expect_interior(*domain, *eroded, delta, rng);
        Point w(index(domain->dimension()), 1.0), a = w, b = w;
        shrunk->maximize(w, a);
        EXPECT_TRUE(eroded->contains(a, 1e-12)) << "exact erosion is the largest interior";
        eroded->maximize(w, b);
        EXPECT_GE(dot(w, b), dot(w, a) - 1e-12);
      }
    }
    EXPECT_THROW(shrunk_interior(domain, limit), InputError);
    EXPECT_THROW(shrunk_interior(domain, 0), InputError);
    EXPECT_THROW(domain->erode(1.1), InputError);
  }
  // The broken twin: a set that is not shrunk is no interior.
  const auto domain = uniform_matroid(10, 3);
  Point v(10), w(10, 1.0);
  domain->maximize(w, v);
  add_scaled(v, .05 / norm(w), w);
  EXPECT_FALSE(domain->contains(v, 1e-12));
}

TEST(Domain, DiagonalPointIsTheLargestMultipleOfOne) {
  EXPECT_NEAR(diagonal_point(*uniform_matroid(10, 3))[4], .3, 1e-12);
  EXPECT_NEAR(diagonal_point(*partition_matroid({{0, 1, 2}, {3, 4}}, {1, 2}))[4], 1 / 3.0, 1e-12);
  EXPECT_NEAR(diagonal_point(Box({1, .5, 2}))[0], .5, 1e-12);
  EXPECT_NEAR(diagonal_point(*shrunk_interior(uniform_matroid(10, 3), .05))[0],
              .05 + (1 - shrinkage(*uniform_matroid(10, 3), .05)) * .3, 1e-12);
}

TEST(LaminarMatroid, RejectsWhatIsNotOne) {
  EXPECT_THROW(uniform_matroid(3, 4), InputError);
  EXPECT_THROW(uniform_matroid(0, 0), InputError);
  EXPECT_THROW(uniform_matroid(3, -1), InputError);
  EXPECT_THROW(partition_matroid({{0, 1}, {1, 2}}, {1, 1}), InputError);
  EXPECT_THROW(partition_matroid({{0, 1}, {3}}, {1, 1}), InputError);
  EXPECT_THROW(partition_matroid({{0, 1}, {2}}, {1}), InputError);
  EXPECT_THROW(laminar_matroid(4, {{0, 1}, {1, 2}}, {1, 1}), InputError);
  EXPECT_THROW(laminar_matroid(4, {{0, 1}, {1, 0}}, {1, 1}), InputError);
  EXPECT_THROW(laminar_matroid(4, {{0, 0}}, {1}), InputError);
  EXPECT_THROW(laminar_matroid(4, {{0, 4}}, {1}), InputError);
  EXPECT_THROW(laminar_matroid(4, {{0, 1}}, {-1}), InputError);
  EXPECT_THROW(Box({1, 0}), InputError);
  EXPECT_THROW(Box({1, NAN}), InputError);
}

}  // namespace
}  // namespace hindsight
