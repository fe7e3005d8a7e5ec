#include "hindsight/domains/capped_simplex.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/narrow.hpp"
#include "hindsight/core/narrow_step.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {
namespace {

/// One linear piece of the sum: sum(tau) = free_sum - free * tau + fixed.
struct Piece {
  double free_sum;  // of y over the coordinates strictly between their bounds
  double free;      // how many these are
  double fixed;     // what the others contribute
};

/// What Newton's method says at tau: that it has arrived, where to go on to, or that it is lost.
enum class Newton { arrived, goes_on, lost };

__attribute__((always_inline)) inline Newton newton(double capacity, double tau, const Piece& piece,
                                                    double& next) {
  const double excess = piece.free_sum + piece.fixed - capacity;
  next = excess / piece.free;
  if (next == tau && next > 0) return Newton::arrived;
  if ((tau == 0 && excess <= 0) || (piece.free == 0 && excess == 0)) return Newton::arrived;
  return next > 0 && piece.free > 0 ? Newton::goes_on : Newton::lost;
}
constexpr int newton_steps = 5;

/// The smallest tau >= 0 with sum(tau) <= capacity, from a first guess `tau` >= 0 and the `piece`
/// there. `is_on(next, piece, tau)` may say that `next` lies on the piece at tau, for less than it
/// takes to evaluate it. `highest` returns a tau at which the sum is 0.
template <class Evaluate, class IsOn, class Highest>
__attribute__((always_inline)) inline double find_shift(double capacity, double tau, Piece piece,
                                                        Evaluate evaluate, IsOn is_on,
                                                        Highest highest) {
  // Newton alone nearly always arrives within a few steps; the bracket below is for when it does
  // not.
  for (int step = 0; step < newton_steps; ++step) {
    double next;
    const Newton says = newton(capacity, tau, piece, next);
    if (says == Newton::arrived) return tau;
    if (says == Newton::lost) break;
    if (is_on(next, piece, tau)) return next;
    tau = next;
    piece = evaluate(tau);
  }
  double low = 0;  // the sum exceeds the capacity here, once low_is_known
  bool low_is_known = false;
  double high = std::numeric_limits<double>::infinity();
  while (true) {
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
    piece = evaluate(tau);
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

template <class Width>
using Eight = Pack<double, 8, Width>;
/// How often, lane by lane.
template <class Width>
using EightCounts = Pack<std::int64_t, 8, Width>;

/// A point y to be projected, as it stands.
struct Standing {
  const double* y;

  __attribute__((always_inline)) Standing at(std::size_t first) const { return {y + first}; }
  template <class Numbers>
  __attribute__((always_inline)) void read(std::size_t i, Numbers& some) const {
    load(y + i, some);
  }
  __attribute__((always_inline)) double read(std::size_t i) const { return y[i]; }
  template <class Numbers>
  __attribute__((always_inline)) void write(std::size_t, const Numbers&) const {}
};

/// The set is the simplex itself.
struct Itself {
  template <class Number>
  __attribute__((always_inline)) void to_base(Number&) const {}
  template <class Number>
  __attribute__((always_inline)) void from_base(Number&) const {}
};
/// Or its image.
struct Image {
  double scale, shift;
  double factor = 1 / scale;

  template <class Number>
  __attribute__((always_inline)) void to_base(Number& x) const {
    x = (x - shift) * factor;
  }
  template <class Number>
  __attribute__((always_inline)) void from_base(Number& w) const {
    w = shift + scale * w;
  }
};

/// y = from + step * along, on its way to where it is projected, which may be `from` itself.
template <class Kept, class Map>
struct Moving {
  Map map;
  const Kept* from;
  double step;
  const Kept* along;
  double* to;

  __attribute__((always_inline)) Moving at(std::size_t first) const {
    return {map, from + first, step, along + first, to + first};
  }
  __attribute__((always_inline)) void read(std::size_t i, Lanes& four) const {
    Lanes more;
    load(from + i, four);
    load(along + i, more);
    four += step * more;
    map.to_base(four);
  }
  template <class Width>
  __attribute__((always_inline)) void read(std::size_t i, Eight<Width>& eight) const {
    Eight<Width> more;
    load(from + i, eight);
    load(along + i, more);
    for (std::size_t j = 0; j < eight.count; ++j) {
      eight.part[j] += step * more.part[j];
      map.to_base(eight.part[j]);
    }
  }
  __attribute__((always_inline)) double read(std::size_t i) const {
    double one = static_cast<double>(from[i]) + step * static_cast<double>(along[i]);
    map.to_base(one);
    return one;
  }
  template <class Numbers>
  __attribute__((always_inline)) void write(std::size_t i, const Numbers& some) const {
    store(to + i, some);
  }
  __attribute__((always_inline)) void write(std::size_t i, double one) const { to[i] = one; }
};

/// What some coordinates have to say about the piece at tau.
struct Tally {
  double free_sum = 0;
  double free = 0;
  double below = 0;  // their upper bound

  __attribute__((always_inline)) void add(const Tally& others) {
    free_sum += others.free_sum;
    free += others.free;
    below += others.below;
  }
  /// If they are all n.
  __attribute__((always_inline)) Piece piece(std::size_t n, double upper) const {
    return {free_sum, free, (static_cast<double>(n) - below) * upper};
  }
};

/// Of n coordinates. Fetches half as many numbers from `soon` on, if any: those will be wanted.
template <class Width, class Source, class Number>
__attribute__((always_inline)) inline Tally tally(const Source& y, std::size_t n, double upper,
                                                  double tau, const Number* soon) {
  const Lanes zero = {0, 0, 0, 0};
  const Lanes floor = zero + tau, ceiling = zero + (tau + upper);
  Counts counts;
  Lanes sum = zero, more = zero, last = zero;
  if (n >= 4) y.read(n - 4, last);  // before any of them is written
  const auto count_four = [&](std::size_t i, Lanes & into) __attribute__((always_inline)) {
    Lanes v;
    y.read(i, v);
    y.write(i, v);
    counts.add(v, floor, ceiling, all, into);
  };
  std::size_t i = 0;
  std::int64_t free = 0, below = 0;  // among those that go in eights
  if (n >= 16) {
    Eight<Width> lows, highs, sums[4] = {};
    lows.fill(tau), highs.fill(tau + upper);
    EightCounts<Width> frees{}, belows{};
    const auto count_eight = [&](std::size_t at, Eight<Width> & into)
        __attribute__((always_inline)) {
      Eight<Width> v;
      y.read(at, v);
      y.write(at, v);
      for (std::size_t j = 0; j < v.count; ++j) {
        keep_between(lows.part[0], highs.part[0], v.part[j], frees.part[j], belows.part[j]);
        into.part[j] += v.part[j];
      }
    };
    // Many numbers in four sums side by side, as an addition waits for the one before.
    if (n >= 512) {
      for (; i + 32 <= n; i += 32) {
        if (soon) {
          __builtin_prefetch(soon + i / 2);
          __builtin_prefetch(soon + i / 2 + 8);
        }
#pragma GCC unroll 4
        for (std::size_t p = 0; p < 4; ++p) count_eight(i + 8 * p, sums[p]);
      }
      for (std::size_t j = 0; j < lows.count; ++j)
        sums[0].part[j] = (sums[0].part[j] + sums[1].part[j]) + (sums[2].part[j] + sums[3].part[j]);
    }
    for (; i + 16 <= n; i += 16) {
      if (soon) __builtin_prefetch(soon + i / 2);
      count_eight(i, sums[0]);
      count_eight(i + 8, sums[0]);
    }
    take_four(sums[0], 0, sum);
    take_four(sums[0], 4, more);
    free = total_of(frees);
    below = total_of(belows);
  }
  if (i + 8 <= n) {
    count_four(i, sum);
    count_four(i + 4, more);
    i += 8;
  }
  if (i + 4 <= n) {
    count_four(i, sum);
    i += 4;
  }
  double rest_sum = 0, rest_free = 0, rest_below = 0;
  if (i < n && n >= 4) {
    // The last four, of which some were counted before: branches on single numbers cost more.
    const Mask lane = {0, 1, 2, 3};
    y.write(n - 4, last);
    counts.add(last, floor, ceiling, lane >= static_cast<std::int64_t>(4 - (n - i)), more);
    i = n;
  }
  for (; i < n; ++i) {
    const double one = y.read(i);
    y.write(i, one);
    const bool is_below = one < tau + upper;
    const bool is_free = one > tau && is_below;
    rest_sum += is_free ? one : 0;
    rest_free += is_free ? 1 : 0;
    rest_below += is_below ? 1 : 0;
  }
  const auto total = [](const Lanes& of) { return (of[0] + of[1]) + (of[2] + of[3]); };
  rest_free += static_cast<double>(free);
  rest_below += static_cast<double>(below);
  const double all_below = total(counts.below - none_counted) + rest_below;
  return {total(sum + more) + rest_sum, total(counts.free - none_counted) + rest_free, all_below};
}

/// The piece at tau, of a point y. Long ones are gone through in parts, as threads would
/// (`ascend_together`), so that sums are the same.
///
/// `after`: as many numbers that will be wanted next, if any. The first half of them is fetched
/// here and the other by `counts_agree`, as too much at once would be waited for.
template <class Width, class Source, class Number>
__attribute__((always_inline)) inline Piece evaluate_flat(const Source& y, std::size_t n,
                                                          double upper, double tau,
                                                          const Number* after) {
  Tally all_of_them;
  for (std::size_t first = 0; first < n; first += columns_at_a_time)
    all_of_them.add(tally<Width>(y.at(first), std::min(columns_at_a_time, n - first), upper, tau,
                                 after ? after + first / 2 : nullptr));
  return all_of_them.piece(n, upper);
}

/// Do as many coordinates lie above their lower and below their upper bound at tau as on `piece`?
/// Then it is their piece: as tau moves, either set only grows or only shrinks.
__attribute__((always_inline)) inline bool agrees(std::int64_t above, std::int64_t below,
                                                  std::size_t n, double upper, const Piece& piece) {
  const auto full = static_cast<double>(static_cast<std::int64_t>(n) - below);
  return full * upper == piece.fixed && static_cast<double>(above) - full == piece.free;
}

template <class Width, class Number>
__attribute__((always_inline)) inline bool counts_agree(const double* y, std::size_t n,
                                                        double upper, double tau,
                                                        const Piece& piece, const Number* after) {
  Eight<Width> lows, highs;
  lows.fill(tau), highs.fill(tau + upper);
  EightCounts<Width> above{}, below{};
  const auto count_eight = [&](std::size_t at) __attribute__((always_inline)) {
    Eight<Width> v;
    load(y + at, v);
    for (std::size_t j = 0; j < v.count; ++j) {
      count_above(v.part[j], lows.part[0], above.part[j]);
      count_below(v.part[j], highs.part[0], below.part[j]);
    }
  };
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    if (after) __builtin_prefetch(after + n / 2 + i / 2);
    count_eight(i);
    count_eight(i + 8);
  }
  if (i + 8 <= n) {
    count_eight(i);
    i += 8;
  }
  std::int64_t all_above = total_of(above), all_below = total_of(below);
  for (; i < n; ++i) {
    all_above += y[i] > tau ? 1 : 0;
    all_below += y[i] < tau + upper ? 1 : 0;
  }
  return agrees(all_above, all_below, n, upper, piece);
}

/// Into [0, full]. `zero` is to be a number that the compiler does not know: from a constant it
/// would make two instructions of this comparison.
template <class Register>
__attribute__((always_inline)) inline void clip(const Register& z, const Register& zero,
                                                const Register& full, Register& clipped) {
  clipped = z > zero ? z : zero;
  clipped = clipped < full ? clipped : full;
}

template <class Width, class Map, class Kept>
__attribute__((always_inline)) inline void shift_and_clip(const Map& map, const double* y,
                                                          std::size_t n, double upper, double tau,
                                                          Kept* x) {
  Doubles<Width> zero, full;
  zero.fill(upper - upper), full.fill(upper);
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    Doubles<Width> z;
    load(y + i, z);
    for (std::size_t j = 0; j < z.count; ++j) {
      clip(z.part[j] - tau, zero.part[j], full.part[j], z.part[j]);
      map.from_base(z.part[j]);
    }
    keep(x + i, z);
  }
  Lanes none, most;
  take_four(zero, 0, none);
  take_four(full, 0, most);
  for (; i + 4 <= n; i += 4) {
    Lanes z;
    load(y + i, z);
    clip(z - tau, none, most, z);
    map.from_base(z);
    keep(x + i, z);
  }
  for (; i < n; ++i) {
    const double z = y[i] - tau, positive = z > 0 ? z : 0;
    double clipped = positive < upper ? positive : upper;
    map.from_base(clipped);
    keep(x + i, clipped);
  }
}

/// Worth a look if, of n coordinates spread over [0, upper], hardly one would change sides. Those
/// of an oracle crowd where they meet a bound: hence the sixteen.
__attribute__((always_inline)) inline bool hardly_moves(double from, double to, double upper,
                                                        std::size_t n) {
  return 16 * std::abs(to - from) * static_cast<double>(n) < upper;
}

/// Projects `source`, of which `y` is where it stands when it has been read once, into `x`.
template <class Width, class Map, class Source, class Kept>
__attribute__((always_inline)) inline double project_one(const Map& map, const Source& source,
                                                         const double* y, std::size_t n,
                                                         double upper, double capacity, double warm,
                                                         Kept* x, const Kept* after) {
  const double guess = std::max(warm, 0.0);
  const Piece first = evaluate_flat<Width>(source, n, upper, guess, after);
  const auto evaluate = [=](double t) __attribute__((always_inline)) {
    return evaluate_flat<Width>(Standing{y}, n, upper, t, static_cast<const Kept*>(nullptr));
  };
  const auto is_on = [=](double next, const Piece& piece, double t) __attribute__((always_inline)) {
    return hardly_moves(t, next, upper, n) && counts_agree<Width>(y, n, upper, next, piece, after);
  };
  const double tau = find_shift(capacity, guess, first, evaluate, is_on,
                                [=] { return *std::max_element(y, y + n); });
  shift_and_clip<Width>(map, y, n, upper, tau, x);
  return tau;
}

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

/// Points of at most this dimension are projected side by side: longer ones fill the lanes alone.
constexpr std::size_t short_point = longest_short_row;
constexpr std::size_t side_by_side = 4;

/// Four short points, a lane each. Adds up in the order of `evaluate_flat`, so that a point's shift
/// does not depend on who is beside it. `Fours` is how many fours of coordinates hold all of them:
/// a number, or for few a type that knows it, and then nothing is left of the loops.
template <class Fours>
struct Beside {
  Fours fours;
  std::size_t n;
  double upper;
  Lanes y[short_point];  // the first 4 * fours: coordinate by coordinate, in slots of four
  Counts counts;         // at the last tau

  /// Calls with each slot and where its coordinates begin: the last four overlap those before them
  /// if they must. An odd slot at the end is added up with the second ones of all pairs, as a
  /// remainder is; where it is none the others change places.
  template <class Each>
  __attribute__((always_inline)) void each_slot(Each each) const {
    const std::size_t swapped = fours % 2 == 1 && n == 4 * fours ? 4 : 0;
    each(4 * fours - 4, n - 4);  // first, so that others write over what they share
    for (std::size_t slot = 0; slot + 4 < 4 * fours; slot += 4) each(slot, slot ^ swapped);
  }

  template <class Source>
  __attribute__((always_inline)) void read(const Source* sources) {
    each_slot([&](std::size_t slot, std::size_t i) __attribute__((always_inline)) {
      for (std::size_t p = 0; p < side_by_side; ++p) sources[p].read(i, y[slot + p]);
      transpose(y + slot);
    });
    // What the last four share with others is to count once: 0 is neither free nor full.
    for (std::size_t j = 0; j < 3; ++j)
      if (j < 4 * fours - n) y[4 * fours - 4 + j] = Lanes{0, 0, 0, 0};
  }

  /// Newton's step from tau. In which lanes does it stay where it is?
  __attribute__((always_inline)) void step(double capacity, Lanes& tau, Mask& settled) {
    const Lanes zero = {0, 0, 0, 0}, ceiling = tau + upper;
    Lanes sum[4] = {zero, zero, zero, zero}, more[4] = {zero, zero, zero, zero};
    counts = Counts{};
    const auto add_slot = [&](std::size_t slot, Lanes * into) __attribute__((always_inline)) {
      for (std::size_t j = 0; j < 4; ++j) counts.add(y[slot + j], tau, ceiling, all, into[j]);
    };
    for (std::size_t slot = 0; slot + 8 <= 4 * fours; slot += 8) {
      add_slot(slot, sum);
      add_slot(slot + 4, more);
    }
    if (fours % 2 == 1) add_slot(4 * fours - 4, more);
    for (std::size_t j = 0; j < 4; ++j) sum[j] += more[j];
    const Lanes full = static_cast<double>(4 * fours) - (counts.below - none_counted);
    const Lanes excess = (((sum[0] + sum[1]) + (sum[2] + sum[3])) + full * upper) - capacity;
    const Lanes root = excess / (counts.free - none_counted);
    settled = (root == tau) | ((tau == zero) & (excess <= zero));
    // A guess beyond the last coordinate, or where the capacity is met without any shift: from 0.
    tau = settled ? tau : (root > zero ? root : zero);
  }

  /// In which lanes do `counts_agree` at tau with those of the last step?
  __attribute__((always_inline)) void agree(const Lanes& tau, Mask& same) const {
    const Lanes ceiling = tau + upper;
    Mask above = {0, 0, 0, 0}, below = reinterpret_cast<Mask>(Counts{}.below);
    for (std::size_t i = 0; i < 4 * fours; ++i) {
      above -= y[i] > tau;
      below -= y[i] < ceiling;
    }
    const auto all_of_them = static_cast<std::int64_t>(4 * fours);
    const Mask as_many = reinterpret_cast<Mask>(counts.free) - below + all_of_them;
    same = (below == reinterpret_cast<Mask>(counts.below)) & (above == as_many);
  }

  template <class Map, class Kept>
  __attribute__((always_inline)) void write(const Map& map, const Lanes& tau, Kept* x) const {
    const Lanes zero = Lanes{0, 0, 0, 0} + (upper - upper), full = zero + upper;
    each_slot([&](std::size_t slot, std::size_t i) __attribute__((always_inline)) {
      Lanes four[side_by_side];
      for (std::size_t j = 0; j < 4; ++j) {
        clip(y[slot + j] - tau, zero, full, four[j]);
        map.from_base(four[j]);
      }
      transpose(four);
      for (std::size_t p = 0; p < side_by_side; ++p) keep(x + p * n + i, four[p]);
    });
  }
};

__attribute__((always_inline)) inline bool in_all_lanes(const Mask& holds) {
  return (holds[0] & holds[1]) & (holds[2] & holds[3]);
}

/// Newton's steps of `find_shift` on four points at once. False if some point needs its bracket;
/// then nothing has changed. `sources` are the points, `x` is where their projections go.
template <class Map, class Fours, class Source, class Kept>
__attribute__((always_inline)) inline bool project_beside(const Map& map, Fours fours,
                                                          const Source* sources, std::size_t n,
                                                          double upper, double capacity,
                                                          double* warm, Kept* x) {
  Beside<Fours> beside{.fours = fours, .n = n, .upper = upper};
  beside.read(sources);
  const Lanes zero = {0, 0, 0, 0};
  Lanes tau;
  load(warm, tau);
  tau = tau > zero ? tau : zero;
  for (int step = 0; step < 6; ++step) {
    Mask done;
    beside.step(capacity, tau, done);
    if (!in_all_lanes(done)) beside.agree(tau, done);  // or another step would only find that
    if (!in_all_lanes(done)) continue;
    store(warm, tau);
    beside.write(map, tau, x);
    return true;
  }
  return false;
}

/// All points of `x`. `source_of(p)` is what is projected into row p, `place_of(p)` where its
/// numbers are once they have been read.
template <class Width, class Map, class Kept, class SourceOf, class PlaceOf>
__attribute__((always_inline)) inline void project_all(const Map& map, std::span<Kept> x,
                                                       double upper, double capacity,
                                                       std::span<double> warm, SourceOf source_of,
                                                       PlaceOf place_of) {
  const std::size_t count = warm.size(), n = x.size() / count;
  // The first point from p on that is still to be projected.
  const auto after_those_beside = [&](std::size_t p, auto fours) __attribute__((always_inline)) {
    for (; p + side_by_side <= count; p += side_by_side) {
      const decltype(source_of(p)) sources[side_by_side] = {source_of(p), source_of(p + 1),
                                                            source_of(p + 2), source_of(p + 3)};
      if (!project_beside(map, fours, sources, n, upper, capacity, &warm[p], x.data() + p * n))
        break;
    }
    return p;
  };
  for (std::size_t p = 0; p < count; ++p) {
    if (n >= 4 && n <= few)
      with_few(
          n, [&](auto some)
                 __attribute__((always_inline)) { p = after_those_beside(p, some.count); });
    else if (n > few && n <= short_point)
      p = after_those_beside(p, (n + 3) / 4);
    if (p == count) return;
    Kept* const to = x.data() + p * n;
    warm[p] =
        project_one<Width>(map, source_of(p), place_of(p), n, upper, capacity, warm[p], to, to + n);
  }
}

template <class Width, class Map>
__attribute__((always_inline)) inline void ascend_all(const Map& map, std::span<double> points,
                                                      std::span<const double> steps,
                                                      PointView directions, double upper,
                                                      double capacity, std::span<double> warm) {
  const std::size_t n = points.size() / warm.size();
  const auto at = [=](std::size_t p) { return points.data() + p * n; };
  const auto moving = [=](std::size_t p) {
    return Moving<double, Map>{map, at(p), steps[p], directions.data() + p * n, at(p)};
  };
  project_all<Width>(map, points, upper, capacity, warm, moving, at);
}

template <class Width>
__attribute__((always_inline)) inline void project_rows(std::span<double> points, double upper,
                                                        double capacity, std::span<double> warm) {
  const std::size_t n = points.size() / warm.size();
  const auto at = [=](std::size_t p) { return points.data() + p * n; };
  project_all<Width>(
      Itself{}, points, upper, capacity, warm, [=](std::size_t p) { return Standing{at(p)}; }, at);
}

// --- Points kept in f32 --------------------------------------------------------------------------
// Short ones are worked out in f64. Long ones are moved, shifted and clipped in f32; what is
// written is added up with it, so that a shift is known to keep the capacity when it is accepted.

/// The largest f32 that is at most x >= 0.
float round_down(double x) {
  const auto nearest = static_cast<float>(x);
  return static_cast<double>(nearest) <= x
             ? nearest
             : std::bit_cast<float>(std::bit_cast<std::uint32_t>(nearest) - 1);
}

template <class Width>
using FloatCounts = Pack<std::int32_t, 16, Width>;

/// A long point z = from + step * along, on its way to `to`. It is a row as core/narrow.hpp says;
/// what fills it up is 0, and clipped stays so.
struct MovingFloats {
  const float* from;
  float step;
  const float* along;
  float* to;
};

/// The numbers x = clip(z - tau, 0, most) of a long point, and what they add up to. Up to eight are
/// added in f32 before they go on in f64: the sum is off by at most 7.01 * 2^-24 of itself.
template <class Width>
struct Clipping {
  Floats<Width> zero, full;
  float tau;
  Floats<Width> some = {};
  Doubles<Width> sums = {};

  __attribute__((always_inline)) Clipping(float most, float shift) : tau(shift) {
    zero.fill(most - most), full.fill(most);
  }
  /// The `part`-th of up to eight packs.
  __attribute__((always_inline)) void clip_pack(std::size_t part, const Floats<Width>& z,
                                                Floats<Width>& x) {
    for (std::size_t j = 0; j < x.count; ++j)
      clip(z.part[j] - tau, zero.part[j], full.part[j], x.part[j]);
    for (std::size_t j = 0; j < x.count; ++j)
      some.part[j] = part == 0 ? x.part[j] : some.part[j] + x.part[j];
  }
  __attribute__((always_inline)) void add_up() {
    Doubles<Width> wide;
    widen_pack(some, wide);
    for (std::size_t j = 0; j < sums.count; ++j) sums.part[j] += wide.part[j];
  }
};

/// What goes with the sweeps over a long point: nothing, but that who comes next is fetched. Of
/// what stands behind the room the second half, as who has lent it will want that first, and then
/// of the next point the first; others fetch the other halves.
struct Alone {
  const float* behind_room;
  const float* next_point;

  template <class Width, class Move, class After>
  __attribute__((always_inline)) void first_sweep(const float* along, std::size_t n, Move move,
                                                  After after) {
    each_pack(
        n,
        [&](std::size_t i, std::size_t part) __attribute__((always_inline)) {
          if (part % 2 == 0) __builtin_prefetch(behind_room + (n + i) / 2);
          Floats<Width> more;
          load(along + i, more);
          move(i, part, more);
        },
        after);
  }
  template <class Width>
  __attribute__((always_inline)) void write(std::size_t i, std::size_t part,
                                            const Floats<Width>&) const {
    if (part % 2 == 0) __builtin_prefetch(next_point + i / 2);
  }
};
/// or a step (core/narrow.hpp), along whose average the point moves.
struct WithStep {
  NarrowStep step;  // here nothing that is written changes it
  double squared_norm = 0;

  template <class Width, class Move, class After>
  __attribute__((always_inline)) void first_sweep(const float*, std::size_t n, Move move,
                                                  After after) {
    squared_norm = average_along<Width>(step, n, move, after);
  }
  template <class Width>
  __attribute__((always_inline)) void write(std::size_t i, std::size_t,
                                            const Floats<Width>& x) const {
    __builtin_prefetch(step.soon_point + i);
    step_along<Width>(step, i, x);
  }
};

/// Moves a point. Returns what its numbers would add up to at tau, and in `slope` how many of them
/// are free to follow tau (at 0 those that fill it up as well).
template <class Width, class Besides>
__attribute__((always_inline)) inline double move_floats(const MovingFloats& moving, std::size_t n,
                                                         float most, float tau, Besides& besides,
                                                         double& slope) {
  Clipping<Width> clipping(most, tau);
  Floats<Width> steps;
  steps.fill(moving.step);
  FloatCounts<Width> free{};
  besides.template first_sweep<Width>(
      moving.along, n,
      [&](std::size_t i, std::size_t part, const Floats<Width>& more)
          __attribute__((always_inline)) {
            Floats<Width> z, x;
            load(moving.from + i, z);
            for (std::size_t j = 0; j < z.count; ++j)
              multiply_add<Width>(steps.part[j], more.part[j], z.part[j], z.part[j]);
            store(moving.to + i, z);
            clipping.clip_pack(part, z, x);
            for (std::size_t j = 0; j < z.count; ++j)
              count_equal(x.part[j], z.part[j] - tau, free.part[j]);
          },
      [&]() __attribute__((always_inline)) { clipping.add_up(); });
  slope = static_cast<double>(total_of(free));
  return total_of(clipping.sums);
}

/// x = clip(z - tau, 0, most). Returns what they add up to.
template <class Width, class Besides>
__attribute__((always_inline)) inline double clip_floats(const float* z, std::size_t n, float most,
                                                         float tau, Besides& besides, float* x) {
  Clipping<Width> clipping(most, tau);
  each_pack(
      n,
      [&](std::size_t i, std::size_t part) __attribute__((always_inline)) {
        Floats<Width> some;
        load(z + i, some);
        clipping.clip_pack(part, some, some);
        store(x + i, some);
        besides.template write<Width>(i, part, some);
      },
      [&]() __attribute__((always_inline)) { clipping.add_up(); });
  return total_of(clipping.sums);
}

/// Projects into `x` in a set that is smaller by 2^-21, so that at most the capacity is used though
/// sums are rounded; no more than 2^-16 of it is left, if f32 has a shift for that. Returns the
/// shift.
template <class Width, class Besides>
__attribute__((always_inline)) inline double project_floats(const MovingFloats& moving,
                                                            std::size_t n, double upper,
                                                            double capacity, double warm, float* x,
                                                            Besides& besides) {
  constexpr double smaller = 1 - 0x1p-21;
  const float most = round_down(upper * smaller);
  const double target = capacity * smaller, enough = target * (1 - 0x1p-16);
  const float* const z = moving.to;
  constexpr float unknown = std::numeric_limits<float>::infinity();
  float low = -1;        // the sum is too large here
  float high = unknown;  // but not here
  auto tau = static_cast<float>(std::clamp(warm, 0.0, 1e38));
  double slope;
  double sum = move_floats<Width>(moving, n, most, tau, besides, slope);
  bool is_written = false;  // x, at tau
  for (int step = 1;; ++step) {
    const bool fits = sum <= target, arrived = fits && (tau == 0 || sum >= enough);
    if (arrived && is_written) return static_cast<double>(tau);
    (fits ? high : low) = tau;
    // Newton's step, then secants, to the middle between `enough` and `target`; or half-way, if
    // they lead astray.
    float next = tau + static_cast<float>((sum - (target + enough) / 2) / slope);
    if (next <= 0 && low < 0) next = 0;
    if (!(next > low && next < high) || step > 20) {
      if (high == unknown) high = *std::max_element(z, z + n);  // there the sum is 0
      const float from = std::max(low, 0.0f);
      next = from + (high - from) / 2;
      if (!(next > from && next < high)) next = high;  // no number lies between
    }
    if (arrived) next = tau;
    if (next == tau && is_written) return static_cast<double>(tau);
    const double before = sum;
    sum = clip_floats<Width>(z, n, most, next, besides, x);
    is_written = true;
    if (next != tau)
      slope = (before - sum) / (static_cast<double>(next) - static_cast<double>(tau));
    tau = next;
  }
}

template <class Width>
__attribute__((always_inline)) inline void ascend_floats(std::span<float> points,
                                                         std::span<const double> steps,
                                                         const NarrowDirections& directions,
                                                         double upper, double capacity,
                                                         std::span<double> warm) {
  const std::size_t n = points.size() / warm.size();
  if (n <= short_point) {
    double moved[short_point];
    const auto moving = [&](std::size_t p) {
      return Moving<float, Itself>{
          {}, points.data() + p * n, steps[p], directions.rows.data() + p * n, moved};
    };
    return project_all<Width>(Itself{}, points, upper, capacity, warm, moving,
                              [&](std::size_t) { return moved; });
  }
  for (std::size_t p = 0; p < warm.size(); ++p) {
    float *const x = points.data() + p * n, *const room = directions.room.data() + p * n;
    const MovingFloats moving{x, static_cast<float>(steps[p]), directions.rows.data() + p * n,
                              room};
    Alone alone{room + n, x + n};
    warm[p] = project_floats<Width>(moving, n, upper, capacity, warm[p], x, alone);
  }
}

template <class Width>
__attribute__((always_inline)) inline double ascend_and_step(std::span<float> point, double step,
                                                             double upper, double capacity,
                                                             double& warm,
                                                             const NarrowStep& along) {
  WithStep with{along};
  const MovingFloats moving{point.data(), static_cast<float>(step), along.average, along.room};
  warm = project_floats<Width>(moving, point.size(), upper, capacity, warm, point.data(), with);
  return with.squared_norm;
}
// --- End of points kept in f32 -------------------------------------------------------------------

// --- Long points that threads share --------------------------------------------------------------

/// Where the search for a point's shift is.
struct Search {
  double tau;
  double before = 0;  // from here it came
  Piece piece = {};   // which was there
  int step = 0;
  enum class State : std::uint8_t { goes_on, arrived, lost } state = State::goes_on;

  /// As `find_shift` would, if `here` is what it evaluates at tau.
  void go_on(double upper, double capacity, std::size_t n, const Piece& here) {
    const bool is_on = step > 0 && hardly_moves(before, tau, upper, n) && here.free == piece.free &&
                       here.fixed == piece.fixed;
    if (is_on) {
      state = State::arrived;
      return;
    }
    double next;
    const Newton says = step == newton_steps ? Newton::lost : newton(capacity, tau, here, next);
    if (says != Newton::goes_on) {
      state = says == Newton::arrived ? State::arrived : State::lost;
      return;
    }
    before = tau;
    tau = next;
    piece = here;
    ++step;
  }
};

/// What a part of a point's columns has to say, as threads tell each other.
struct Told {
  double free_sum;
  float free, below;

  Tally tally() const { return {free_sum, free, below}; }
};

/// Some columns of all points: whole parts, of which each is told apart for every point.
struct ColumnsOfPoints {
  Strip<double> points;
  std::size_t count;  // of points
  Columns columns;

  double* of(std::size_t p) const { return points.row(p); }
  /// To `told`, of the first part of all; part by part. Fetches half as many numbers from `soon`
  /// on.
  template <class Width, class Source>
  __attribute__((always_inline)) void tell(std::size_t p, const Source& y, double upper, double tau,
                                           const double* soon, Told* told) const {
    Told* to = told + columns.first / columns_at_a_time * count + p;
    for (std::size_t first = 0; first < columns.count; first += columns_at_a_time, to += count) {
      const Tally some =
          tally<Width>(y.at(first), std::min(columns_at_a_time, columns.count - first), upper, tau,
                       soon ? soon + first / 2 : nullptr);
      *to = {some.free_sum, static_cast<float>(some.free), static_cast<float>(some.below)};
    }
  }
};

template <class Width>
__attribute__((always_inline)) inline void move_and_tally_columns(
    const Image& image, const ColumnsOfPoints& some, const double* steps,
    Strip<const double> directions, double upper, std::span<const Search> searches, Told* told) {
  for (std::size_t p = 0; p < some.count; ++p) {
    double* const at = some.of(p);
    const Moving<double, Image> moving{image, at, steps[p], directions.row(p), at};
    some.template tell<Width>(p, moving, upper, searches[p].tau, some.of(p + some.count), told);
  }
}

template <class Width>
__attribute__((always_inline)) inline void tally_standing_columns(const ColumnsOfPoints& some,
                                                                  double upper,
                                                                  std::span<const Search> searches,
                                                                  Told* told) {
  for (std::size_t p = 0; p < some.count; ++p) {
    if (searches[p].state != Search::State::goes_on) continue;
    // What those who moved have fetched half of.
    const double* const soon =
        searches[p].step == 1 ? some.of(p + some.count) + some.columns.count / 2 : nullptr;
    some.template tell<Width>(p, Standing{some.of(p)}, upper, searches[p].tau, soon, told);
  }
}

template <class Width>
__attribute__((always_inline)) inline void clip_columns_of(const Image& image,
                                                           const ColumnsOfPoints& some,
                                                           double upper,
                                                           std::span<const Search> searches) {
  for (std::size_t p = 0; p < some.count; ++p)
    if (searches[p].state == Search::State::arrived)
      shift_and_clip<Width>(image, some.of(p), some.columns.count, upper, searches[p].tau,
                            some.of(p));
}

HINDSIGHT_EACH_WIDTH(
    (move_and_tally_columns<Width>(image, some, steps, directions, upper, searches, told)),
    void move_and_tally(const Image& image, const ColumnsOfPoints& some, const double* steps,
                        Strip<const double> directions, double upper,
                        std::span<const Search> searches, Told* told))
HINDSIGHT_EACH_WIDTH((tally_standing_columns<Width>(some, upper, searches, told)),
                     void tally_standing(const ColumnsOfPoints& some, double upper,
                                         std::span<const Search> searches, Told* told))
HINDSIGHT_EACH_WIDTH((clip_columns_of<Width>(image, some, upper, searches)),
                     void clip_columns(const Image& image, const ColumnsOfPoints& some,
                                       double upper, std::span<const Search> searches))
// --- End of long points that threads share -------------------------------------------------------

HINDSIGHT_EACH_WIDTH((project_one<Width>(Itself{}, Standing{x}, x, n, upper, capacity, warm, x,
                                         static_cast<const double*>(nullptr))),
                     double project_point(double* x, std::size_t n, double upper, double capacity,
                                          double warm))
HINDSIGHT_EACH_WIDTH((project_rows<Width>(points, upper, capacity, warm)),
                     void project_points(std::span<double> points, double upper, double capacity,
                                         std::span<double> warm))
HINDSIGHT_EACH_WIDTH(
    (ascend_all<Width>(Itself{}, points, steps, directions, upper, capacity, warm)),
    void ascend_points(std::span<double> points, std::span<const double> steps,
                       PointView directions, double upper, double capacity, std::span<double> warm))
HINDSIGHT_EACH_WIDTH((ascend_all<Width>(image, points, steps, directions, upper, capacity, warm)),
                     void ascend_points(const Image& image, std::span<double> points,
                                        std::span<const double> steps, PointView directions,
                                        double upper, double capacity, std::span<double> warm))
HINDSIGHT_EACH_WIDTH((ascend_and_step<Width>(point, step, upper, capacity, warm, along)),
                     double ascend_point(std::span<float> point, double step, double upper,
                                         double capacity, double& warm, const NarrowStep& along))
HINDSIGHT_EACH_WIDTH((ascend_floats<Width>(points, steps, directions, upper, capacity, warm)),
                     void ascend_points(std::span<float> points, std::span<const double> steps,
                                        const NarrowDirections& directions, double upper,
                                        double capacity, std::span<double> warm))

/// Every thread has its own, of the points at hand; they stay until it begins others.
std::vector<Search>& searches_of_this_thread() {
  static thread_local std::vector<Search> searches;
  return searches;
}
std::span<Search> begin_searches(std::span<const double> guesses) {
  std::vector<Search>& searches = searches_of_this_thread();
  searches.clear();
  for (const double guess : guesses) searches.push_back({.tau = std::max(guess, 0.0)});
  return searches;
}

/// All searches go on, each from what all parts have told of its point. Does any still?
bool go_on(std::span<Search> searches, double upper, double capacity, std::size_t n,
           const Told* told) {
  bool any = false;
  for (std::size_t p = 0; p < searches.size(); ++p) {
    if (searches[p].state != Search::State::goes_on) continue;
    Tally sum;
    for (std::size_t part = 0; part < column_parts(n); ++part)
      sum.add(told[part * searches.size() + p].tally());
    searches[p].go_on(upper, capacity, n, sum.piece(n, upper));
    any = any || searches[p].state == Search::State::goes_on;
  }
  return any;
}

}  // namespace

double project_capped_simplex(PointRef x, double upper, double capacity, double warm) {
  return project_point(x.data(), x.size(), upper, capacity, warm);
}

void project_capped_simplices(std::span<double> points, double upper, double capacity,
                              std::span<double> warm) {
  project_points(points, upper, capacity, warm);
}

void ascend_capped_simplices(std::span<double> points, std::span<const double> steps,
                             PointView directions, double upper, double capacity,
                             std::span<double> warm, Workers* workers) {
  const std::size_t n = points.size() / warm.size();
  share_rows(workers, warm.size(), [&](std::size_t first, std::size_t count) {
    ascend_points(points.subspan(first * n, count * n), steps.subspan(first, count),
                  directions.subspan(first * n, count * n), upper, capacity,
                  warm.subspan(first, count));
  });
}

void ascend_capped_simplices(const AffineMap& image, std::span<double> points,
                             std::span<const double> steps, PointView directions, double upper,
                             double capacity, std::span<double> warm, Workers* workers) {
  const std::size_t n = points.size() / warm.size();
  share_rows(workers, warm.size(), [&](std::size_t first, std::size_t count) {
    ascend_points(Image{image.scale, image.shift}, points.subspan(first * n, count * n),
                  steps.subspan(first, count), directions.subspan(first * n, count * n), upper,
                  capacity, warm.subspan(first, count));
  });
}

/// All points step by step at once: each thread has columns of its own, whose numbers stay near it;
/// what threads tell each other are sums, from which each works out the same. As each point alone
/// would, to the last digit.
void ascend_capped_strips(const AffineMap& image, const TableRows& points,
                          std::span<const double> steps, const ConstTableRows& directions,
                          double upper, double capacity, std::span<double> warm, Workers& workers) {
  static thread_local Aligned<Told> told;
  const std::size_t count = warm.size(), n = points.table->columns();
  assert(points.table->strips() == static_cast<std::size_t>(workers.threads()));
  told.resize(2 * column_parts(n) * count);
  workers.each(
      static_cast<std::size_t>(workers.threads()),
      [scale = image.scale, shift = image.shift, upper, capacity, count, &workers, to = told.data(),
       points, directions, step = steps.data(), guesses = warm.data()](std::size_t thread) {
        const Image map{scale, shift};
        const std::size_t d = points.table->columns();
        const auto threads = static_cast<std::size_t>(workers.threads());
        const Columns columns = columns_of(thread, threads, d);
        const ColumnsOfPoints some{points.strip(columns.first), count, columns};
        const std::span<Search> searches = begin_searches({guesses, count});
        move_and_tally(map, some, step, directions.strip(columns.first), upper, searches, to);
        // By turns to two places, as others may still read what was told last.
        Told *here = to, *next = to + column_parts(d) * count;
        for (workers.meet(thread); go_on(searches, upper, capacity, d, here);
             workers.meet(thread)) {
          std::swap(here, next);
          tally_standing(some, upper, searches, here);
        }
        clip_columns(map, some, upper, searches);
      });
  static thread_local Aligned<double> whole;
  const std::span<const Search> ended = searches_of_this_thread();
  for (std::size_t p = 0; p < count; ++p) {
    if (ended[p].state == Search::State::arrived) {
      warm[p] = ended[p].tau;
      continue;
    }
    whole.resize(n);  // is where it was moved to
    points.table->load(points.first + p, whole);
    warm[p] = project_point(whole.data(), n, upper, capacity, warm[p]);
    image.from_base(whole);
    points.table->store(points.first + p, whole);
  }
}

void ascend_capped_simplices(std::span<float> points, std::span<const double> steps,
                             const NarrowDirections& directions, double upper, double capacity,
                             std::span<double> warm) {
  ascend_points(points, steps, directions, upper, capacity, warm);
}

double ascend_capped_simplex(std::span<float> point, double step, double upper, double capacity,
                             double& warm, const NarrowStep& along) {
  return ascend_point(point, step, upper, capacity, warm, along);
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
  const double guess = std::max(warm, 0.0);
  const auto unknown = [](double, const Piece&, double) { return false; };
  return find_shift(capacity, guess, evaluate(guess), evaluate, unknown, highest);
}

}  // namespace hindsight
