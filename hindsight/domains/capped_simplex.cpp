#include "hindsight/domains/capped_simplex.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {
namespace {

/// One linear piece of the sum: sum(tau) = free_sum - free * tau + fixed.
struct Piece {
  double free_sum;  // of y over the coordinates strictly between their bounds
  double free;      // how many these are
  double fixed;     // what the others contribute
};

/// The smallest tau >= 0 with sum(tau) <= capacity. `highest` returns a tau at which the sum is 0.
template <class Evaluate, class Highest>
__attribute__((always_inline)) inline double find_shift(double capacity, double warm,
                                                        Evaluate evaluate, Highest highest) {
  double tau = std::max(warm, 0.0);
  // Newton alone nearly always arrives within a few steps; the bracket below is for when it does
  // not.
  for (int step = 0; step < 5; ++step) {
    const Piece piece = evaluate(tau);
    const double excess = piece.free_sum + piece.fixed - capacity;
    const double root = excess / piece.free;
    if (root == tau && root > 0) return tau;
    if ((tau == 0 && excess <= 0) || (piece.free == 0 && excess == 0)) return tau;
    if (!(root > 0) || !(piece.free > 0)) break;
    tau = root;
  }
  double low = 0;  // the sum exceeds the capacity here, once low_is_known
  bool low_is_known = false;
  double high = std::numeric_limits<double>::infinity();
  while (true) {
    const Piece piece = evaluate(tau);
    const double sum = piece.free_sum - piece.free * tau + piece.fixed;
    const double root = (piece.free_sum + piece.fixed - capacity) / piece.free;
    if (piece.free > 0 && root == tau) return tau;
    if (sum > capacity) {
      low = tau;
      low_is_known = true;
    } else {
      if (tau == 0 || (piece.free == 0 && sum == capacity)) return tau;
      high = tau;
    }
    double next = piece.free > 0 ? root : -1;
    if (!low_is_known && !(next > 0)) {
      next = 0;  // is the capacity met without any shift?
    } else if (!(next > low && next < high)) {
      if (high == std::numeric_limits<double>::infinity()) high = std::max(highest(), low);
      next = low + (high - low) / 2;
      if (!(next > low && next < high)) return high;  // no number lies between
    }
    tau = next;
  }
}

constexpr double none_counted = 0x1p52;

/// Counts, lane by lane, which coordinates are free at tau and which are below their upper bound:
/// in the last digits of 2^52 + count, so that they add up as whole numbers and are read as
/// numbers.
struct Counts {
  Lanes free = {none_counted, none_counted, none_counted, none_counted};
  Lanes below = free;

  /// Adds to `sum` those coordinates that are free. Only lanes of `counted` count.
  __attribute__((always_inline)) void add(const Lanes& v, const Lanes& tau, const Lanes& ceiling,
                                          const Mask& counted, Lanes& sum) {
    const Mask is_below = (v < ceiling) & counted;
    const Mask is_free = (v > tau) & is_below;
    sum += reinterpret_cast<Lanes>(reinterpret_cast<Mask>(v) & is_free);
    free = reinterpret_cast<Lanes>(reinterpret_cast<Mask>(free) - is_free);
    below = reinterpret_cast<Lanes>(reinterpret_cast<Mask>(below) - is_below);
  }
};

constexpr Mask all = {-1, -1, -1, -1};

__attribute__((always_inline)) inline Piece evaluate_flat(const double* y, std::size_t n,
                                                          double upper, double tau) {
  const Lanes zero = {0, 0, 0, 0};
  const Lanes floor = zero + tau, ceiling = zero + (tau + upper);
  Counts counts;
  Lanes sum = zero, more = zero, v;
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    __builtin_prefetch(y + n + i, 1);  // in a table, the point after this one
    load(y + i, v);
    counts.add(v, floor, ceiling, all, sum);
    load(y + i + 4, v);
    counts.add(v, floor, ceiling, all, more);
  }
  if (i + 4 <= n) {
    load(y + i, v);
    counts.add(v, floor, ceiling, all, sum);
    i += 4;
  }
  double rest_sum = 0, rest_free = 0, rest_below = 0;
  if (i < n && n >= 4) {
    // The last four, of which some were counted before: branches on single numbers cost more.
    const Mask lane = {0, 1, 2, 3};
    load(y + n - 4, v);
    counts.add(v, floor, ceiling, lane >= static_cast<std::int64_t>(4 - (n - i)), more);
    i = n;
  }
  for (; i < n; ++i) {
    const bool below = y[i] < tau + upper;
    const bool free = y[i] > tau && below;
    rest_sum += free ? y[i] : 0;
    rest_free += free ? 1 : 0;
    rest_below += below ? 1 : 0;
  }
  const auto total = [](const Lanes& of) { return (of[0] + of[1]) + (of[2] + of[3]); };
  const double below = total(counts.below - none_counted) + rest_below;
  return {total(sum + more) + rest_sum, total(counts.free - none_counted) + rest_free,
          (static_cast<double>(n) - below) * upper};
}

__attribute__((always_inline)) inline void shift_and_clip(double* x, std::size_t n, double upper,
                                                          double tau) {
  for (std::size_t i = 0; i < n; ++i) {
    const double z = x[i] - tau;
    const double positive = z > 0 ? z : 0;
    x[i] = positive < upper ? positive : upper;
  }
}

__attribute__((always_inline)) inline double project_one(double* y, std::size_t n, double upper,
                                                         double capacity, double warm) {
  const auto evaluate = [=](double t) __attribute__((always_inline)) {
    return evaluate_flat(y, n, upper, t);
  };
  const double tau =
      find_shift(capacity, warm, evaluate, [=] { return *std::max_element(y, y + n); });
  shift_and_clip(y, n, upper, tau);
  return tau;
}

/// Points of at most this dimension are projected side by side: longer ones fill the lanes alone.
constexpr std::size_t short_point = 32;
constexpr std::size_t side_by_side = 4;

/// Four rows of four become four columns.
__attribute__((always_inline)) inline void transpose(Lanes* rows) {
  const Lanes a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 2, 6);
  const Lanes b = __builtin_shufflevector(rows[0], rows[1], 1, 5, 3, 7);
  const Lanes c = __builtin_shufflevector(rows[2], rows[3], 0, 4, 2, 6);
  const Lanes d = __builtin_shufflevector(rows[2], rows[3], 1, 5, 3, 7);
  rows[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  rows[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  rows[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  rows[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/// Four points, a lane each: coordinate i of all of them is y[i]. Adds up in the order of
/// `evaluate_flat`, so that a point's shift does not depend on who is beside it.
__attribute__((always_inline)) inline void evaluate_beside(const Lanes* y, std::size_t n,
                                                           double upper, const Lanes& tau,
                                                           Lanes& free_and_fixed, Lanes& free) {
  const Lanes zero = {0, 0, 0, 0};
  const Lanes ceiling = tau + upper;
  Counts counts;
  Lanes sums[8] = {zero, zero, zero, zero, zero, zero, zero, zero};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (std::size_t j = 0; j < 8; ++j) counts.add(y[i + j], tau, ceiling, all, sums[j]);
  if (i + 4 <= n) {
    for (std::size_t j = 0; j < 4; ++j) counts.add(y[i + j], tau, ceiling, all, sums[j]);
    i += 4;
  }
  const Lanes* const last = y + n - 4;
  switch (n - i) {
    case 3:
      counts.add(last[1], tau, ceiling, all, sums[5]);
      [[fallthrough]];
    case 2:
      counts.add(last[2], tau, ceiling, all, sums[6]);
      [[fallthrough]];
    case 1:
      counts.add(last[3], tau, ceiling, all, sums[7]);
  }
  for (std::size_t j = 0; j < 4; ++j) sums[j] += sums[j + 4];
  free = counts.free - none_counted;
  const Lanes full = static_cast<double>(n) - (counts.below - none_counted);
  free_and_fixed = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + full * upper;
}

/// Newton's steps of `find_shift` on four points at once. False if some point needs its bracket;
/// then nothing has changed.
__attribute__((always_inline)) inline bool project_beside(double* points, std::size_t n,
                                                          double upper, double capacity,
                                                          double* warm) {
  const Lanes zero = {0, 0, 0, 0};
  Lanes y[short_point];
  each_four(
      n, [&](std::size_t i) __attribute__((always_inline)) {
        for (std::size_t p = 0; p < 4; ++p) load(points + p * n + i, y[i + p]);
        transpose(y + i);
      });
  Lanes tau;
  load(warm, tau);
  tau = tau > zero ? tau : zero;
  for (int step = 0;; ++step) {
    Lanes total, free;
    evaluate_beside(y, n, upper, tau, total, free);
    const Lanes excess = total - capacity;
    const Lanes root = excess / free;
    const Mask usable = (root > zero) & (free > zero);
    const Mask settled = ((root == tau) & usable) | ((tau == zero) & (excess <= zero)) |
                         ((free == zero) & (excess == zero));
    const Mask alive = usable | settled;
    if (!(alive[0] & alive[1] & alive[2] & alive[3]) || step == 5) return false;
    if (settled[0] & settled[1] & settled[2] & settled[3]) break;
    tau = settled ? tau : root;
  }
  store(warm, tau);
  const Lanes full = zero + upper;
  each_four(
      n, [&](std::size_t i) __attribute__((always_inline)) {
        Lanes x[4];
        for (std::size_t j = 0; j < 4; ++j) {
          const Lanes z = y[i + j] - tau;
          const Lanes positive = z > zero ? z : zero;
          x[j] = positive < full ? positive : full;
        }
        transpose(x);
        for (std::size_t p = 0; p < 4; ++p) store(points + p * n + i, x[p]);
      });
  return true;
}

}  // namespace

HINDSIGHT_WIDE
double project_capped_simplex(PointRef x, double upper, double capacity, double warm) {
  return project_one(x.data(), x.size(), upper, capacity, warm);
}

HINDSIGHT_WIDE
void project_capped_simplices(std::span<double> points, double upper, double capacity,
                              std::span<double> warm) {
  const std::size_t count = warm.size(), n = points.size() / count;
  std::size_t p = 0;
  if (n >= 4 && n <= short_point)
    for (; p + side_by_side <= count; p += side_by_side) {
      double* const first = points.data() + p * n;
      if (!project_beside(first, n, upper, capacity, &warm[p]))
        for (std::size_t q = 0; q < side_by_side; ++q)
          warm[p + q] = project_one(first + q * n, n, upper, capacity, warm[p + q]);
    }
  for (; p < count; ++p) warm[p] = project_one(points.data() + p * n, n, upper, capacity, warm[p]);
}

double capped_shift(PointView y, PointView floor, ItemView items, double upper, double capacity,
                    double warm) {
  const auto evaluate = [&](double tau) {
    Piece piece{0, 0, 0};
    for (const Item item : items) {
      const auto i = static_cast<std::size_t>(item);
      const double shift = std::max(tau, floor[i]);
      const double x = std::clamp(y[i] - shift, 0.0, upper);
      if (tau >= floor[i] && x > 0 && x < upper) {
        piece.free_sum += y[i];
        piece.free += 1;
      } else {
        piece.fixed += x;
      }
    }
    return piece;
  };
  const auto highest = [&] {
    double most = 0;
    for (const Item item : items) most = std::max(most, y[static_cast<std::size_t>(item)]);
    return most;
  };
  return find_shift(capacity, warm, evaluate, highest);
}

}  // namespace hindsight
