#include "hindsight/domains/capped_simplex.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <limits>

// The kernels are compiled for plain x86-64 and for AVX2, chosen when the program starts. Lanes and
// the order of additions are fixed by the source, so every width gives the same sums. Sanitizers
// cannot follow the start-up choice.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define HINDSIGHT_WIDE __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define HINDSIGHT_WIDE
#endif

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
double find_shift(double capacity, double warm, Evaluate evaluate, Highest highest) {
  double low = 0;  // the sum exceeds the capacity here, once low_is_known
  bool low_is_known = false;
  double high = std::numeric_limits<double>::infinity();
  double tau = std::max(warm, 0.0);
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

HINDSIGHT_WIDE
Piece evaluate_flat(const double* y, std::size_t n, double upper, double tau) {
  Lanes free_sum = {0, 0, 0, 0}, more_sum = {0, 0, 0, 0};
  Mask free = {0, 0, 0, 0}, full = {0, 0, 0, 0};
  const Lanes zero = {0, 0, 0, 0};
  const double ceiling = tau + upper;
  const auto step = [&](const double* at, Lanes& sum) __attribute__((always_inline)) {
    Lanes v;
    std::memcpy(&v, at, sizeof v);
    const Mask above = v > (zero + tau);
    const Mask over = v >= (zero + ceiling);
    const Mask inside = above & ~over;
    sum += inside ? v : zero;
    free -= inside;
    full -= over;
  };
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    step(y + i, free_sum);
    step(y + i + 4, more_sum);
  }
  free_sum += more_sum;
  double sum = (free_sum[0] + free_sum[1]) + (free_sum[2] + free_sum[3]);
  std::int64_t count = free[0] + free[1] + free[2] + free[3];
  std::int64_t filled = full[0] + full[1] + full[2] + full[3];
  for (; i < n; ++i) {
    const bool over = y[i] >= ceiling;
    const bool inside = y[i] > tau && !over;
    sum += inside ? y[i] : 0;
    count += inside;
    filled += over;
  }
  return {sum, static_cast<double>(count), static_cast<double>(filled) * upper};
}

HINDSIGHT_WIDE
void shift_and_clip(double* x, std::size_t n, double upper, double tau) {
  for (std::size_t i = 0; i < n; ++i) {
    const double z = x[i] - tau;
    const double positive = z > 0 ? z : 0;
    x[i] = positive < upper ? positive : upper;
  }
}

}  // namespace

double project_capped_simplex(PointRef x, double upper, double capacity, double warm) {
  const double tau = find_shift(
      capacity, warm, [&](double t) { return evaluate_flat(x.data(), x.size(), upper, t); },
      [&] { return *std::max_element(x.begin(), x.end()); });
  shift_and_clip(x.data(), x.size(), upper, tau);
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
