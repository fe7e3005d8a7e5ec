#include "hindsight/domains/capped_simplex.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <limits>

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
    const double root = (piece.free_sum + piece.fixed - capacity) / piece.free;
    if (root == tau && root > 0) return tau;
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

typedef double Lanes __attribute__((vector_size(32)));
typedef std::int64_t Mask __attribute__((vector_size(32)));

__attribute__((always_inline)) inline Piece evaluate_flat(const double* y, std::size_t n,
                                                          double upper, double tau) {
  const Lanes zero = {0, 0, 0, 0}, one = {1, 1, 1, 1};
  const double ceiling = tau + upper;
  Lanes free_sum = zero, more_sum = zero, free = zero, full = zero;
  const auto step = [&](const double* at, Lanes& sum, const Mask& counts)
      __attribute__((always_inline)) {
    Lanes v;
    std::memcpy(&v, at, sizeof v);
    const Mask over = (v >= (zero + ceiling)) & counts;
    const Mask inside = (v > (zero + tau)) & ~over & counts;
    sum += inside ? v : zero;
    free += inside ? one : zero;
    full += over ? one : zero;
  };
  const Mask all = {-1, -1, -1, -1};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    step(y + i, free_sum, all);
    step(y + i + 4, more_sum, all);
  }
  if (i + 4 <= n) {
    step(y + i, free_sum, all);
    i += 4;
  }
  double rest_sum = 0, rest_free = 0, rest_full = 0;
  if (i < n && n >= 4) {
    // The last four, of which some were counted before: branches on single numbers cost more.
    const auto new_lanes = static_cast<std::int64_t>(n - i);
    const Mask lane = {0, 1, 2, 3};
    const Mask counts = lane >= Mask{4 - new_lanes, 4 - new_lanes, 4 - new_lanes, 4 - new_lanes};
    step(y + n - 4, more_sum, counts);
    i = n;
  }
  for (; i < n; ++i) {
    const bool over = y[i] >= ceiling;
    const bool inside = y[i] > tau && !over;
    rest_sum += inside ? y[i] : 0;
    rest_free += inside ? 1 : 0;
    rest_full += over ? 1 : 0;
  }
  free_sum += more_sum;
  const auto total = [](const Lanes& v) { return (v[0] + v[1]) + (v[2] + v[3]); };
  return {total(free_sum) + rest_sum, total(free) + rest_free, (total(full) + rest_full) * upper};
}

__attribute__((always_inline)) inline void shift_and_clip(double* x, std::size_t n, double upper,
                                                          double tau) {
  for (std::size_t i = 0; i < n; ++i) {
    const double z = x[i] - tau;
    const double positive = z > 0 ? z : 0;
    x[i] = positive < upper ? positive : upper;
  }
}

}  // namespace

HINDSIGHT_WIDE
double project_capped_simplex(PointRef x, double upper, double capacity, double warm) {
  double* const y = x.data();
  const std::size_t n = x.size();
  const auto evaluate = [=](double t) __attribute__((always_inline)) {
    return evaluate_flat(y, n, upper, t);
  };
  const double tau =
      find_shift(capacity, warm, evaluate, [=] { return *std::max_element(y, y + n); });
  shift_and_clip(y, n, upper, tau);
  return tau;
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
