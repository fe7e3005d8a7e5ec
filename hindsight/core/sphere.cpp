// Directions, uniform on the unit sphere.
//
// A direction is a normalised Gaussian, whose numbers are made in f32 from 32 random bits each: a
// sphere needs them independent and alike, not to the last digit of f64 (docs/estimators.md).
// Counter n of a stream makes four of them, numbers n, m + n, 2 m + n and 3 m + n of m counters, so
// that lanes stay where they are. Long directions take the words of sixteen counters as the states
// of as many sequential generators, which make words for a fifth of what Philox takes.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <numbers>
#include <type_traits>
#include <utility>
#include <vector>

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/narrow.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {
namespace {

constexpr std::size_t counters_at_a_time = 16;
template <class Width>
using Whole = Pack<std::int32_t, counters_at_a_time, Width>;
template <class Width>
using Unsigned = Pack<std::uint32_t, counters_at_a_time, Width>;

/// The products of the lower halves of 64 bits, each lane.
template <class Width, class Register>
__attribute__((always_inline)) inline void multiply_halves(const Register& a, std::uint32_t factor,
                                                           Register& product) {
#ifdef HINDSIGHT_HAS_WIDTHS
  using Ints = typename Pack<int, Width::bytes / 4, Width>::Register;
  using Longs = typename Pack<long long, Width::bytes / 8, Width>::Register;
  const Ints halves = reinterpret_cast<Ints>(a);
  const Ints factors = reinterpret_cast<Ints>(Register{} + factor);
  if constexpr (std::is_same_v<Width, Avx512>) {
    product =
        reinterpret_cast<Register>(__builtin_ia32_pmuludq512_mask(halves, factors, Longs{}, 0xFF));
    return;
  } else if constexpr (std::is_same_v<Width, Avx2>) {
    product = reinterpret_cast<Register>(__builtin_ia32_pmuludq256(halves, factors));
    return;
  }
#endif
  product = (a & 0xFFFFFFFFu) * factor;
}

/// Upper halves become lower ones; a shuffle, as shifts wait for the port that multiplies.
template <class Width, class Register>
__attribute__((always_inline)) inline void take_upper_halves(const Register& x, Register& upper) {
  using Ints = typename Pack<int, Width::bytes / 4, Width>::Register;
  const Ints halves = reinterpret_cast<Ints>(x);
  if constexpr (Width::bytes == 64)
    upper = reinterpret_cast<Register>(__builtin_shufflevector(halves, halves, 1, 1, 3, 3, 5, 5, 7,
                                                               7, 9, 9, 11, 11, 13, 13, 15, 15));
  else
    upper =
        reinterpret_cast<Register>(__builtin_shufflevector(halves, halves, 1, 1, 3, 3, 5, 5, 7, 7));
}

/// Which counter of a group a lane of 64 bits holds: so that `join_lower_halves` puts them in order
/// without a number that crosses the middle of a register. In two registers of four lanes 0, 1, 4,
/// 5 and 2, 3, 6, 7.
template <class Lane>
constexpr std::size_t counter_of(std::size_t lane) {
  if (Lane::lanes != 4) return lane;
  return lane / 8 * 8 + lane % 8 / 4 * 2 + lane % 4 / 2 * 4 + lane % 2;
}
template <class Width, class Register, class Halves>
__attribute__((always_inline)) inline void join_lower_halves(const Register* pair, Halves& joined) {
  const Halves left = reinterpret_cast<Halves>(pair[0]), right = reinterpret_cast<Halves>(pair[1]);
  if constexpr (Width::bytes == 64)
    joined = __builtin_shufflevector(left, right, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26,
                                     28, 30);
  else
    joined = __builtin_shufflevector(left, right, 0, 2, 8, 10, 4, 6, 12, 14);
}

/// The keys of Philox's rounds.
struct RoundKeys {
  std::uint64_t a[10], b[10];

  explicit RoundKeys(std::uint64_t key) {
    for (std::uint64_t round = 0; round < 10; ++round) {
      a[round] = key + round * 0x9E3779B9u;
      b[round] = (key >> 32) + round * 0xBB67AE85u;
    }
  }
};

/// Counters of many streams, wherever each stands.
struct Listed {
  const std::uint64_t* high;
  const std::uint64_t* low;

  template <class Lane>
  __attribute__((always_inline)) void read(std::size_t j, Lane& upper, Lane& lower) const {
    read(high + j, upper);
    read(low + j, lower);
  }

 private:
  template <class Lane>
  __attribute__((always_inline)) static void read(const std::uint64_t* at, Lane& lane) {
    load(at, lane);
    if constexpr (Lane::lanes == 4)
      for (std::size_t r = 0; r < lane.count; r += 2) {
        const auto left = lane.part[r], right = lane.part[r + 1];
        lane.part[r] = __builtin_shufflevector(left, right, 0, 1, 4, 5);
        lane.part[r + 1] = __builtin_shufflevector(left, right, 2, 3, 6, 7);
      }
  }
};
/// Those of one stream, one after another.
struct Following {
  std::uint64_t high, low;

  template <class Lane>
  __attribute__((always_inline)) void read(std::size_t j, Lane& upper, Lane& lower) const {
    upper.fill(high);
    Lane each{};
    for (std::size_t n = 0; n < counters_at_a_time; ++n)
      each.part[n / each.lanes][n % each.lanes] = counter_of<Lane>(n);
    for (std::size_t r = 0; r < each.count; ++r) lower.part[r] = each.part[r] + (low + j);
  }
};

/// Philox4x32-10 of so many counters from j on: words[w] has the w-th word of each.
template <class Width, class Counters>
__attribute__((always_inline)) inline void philox_words(const RoundKeys& keys,
                                                        const Counters& counters, std::size_t j,
                                                        Unsigned<Width>* words) {
  // All side by side, as each round waits for the last.
  using Lane = Pack<std::uint64_t, counters_at_a_time, Width>;
  typedef typename Lane::Register Register;
  // Only lower halves count, whatever gathers in the upper ones.
  Lane a, b, c, d;
  counters.read(j, c, a);
  for (std::size_t r = 0; r < a.count; ++r) {
    take_upper_halves<Width>(a.part[r], b.part[r]);
    take_upper_halves<Width>(c.part[r], d.part[r]);
  }
#pragma GCC unroll 10
  for (int round = 0; round < 10; ++round)
    for (std::size_t r = 0; r < a.count; ++r) {
      Register left, right, upper_left, upper_right;
      multiply_halves<Width>(a.part[r], 0xD2511F53u, left);
      multiply_halves<Width>(c.part[r], 0xCD9E8D57u, right);
      take_upper_halves<Width>(left, upper_left);
      take_upper_halves<Width>(right, upper_right);
      a.part[r] = upper_right ^ (b.part[r] ^ keys.a[round]);
      b.part[r] = right;
      c.part[r] = upper_left ^ (d.part[r] ^ keys.b[round]);
      d.part[r] = left;
    }
  for (std::size_t r = 0; r < a.count; r += 2) {
    join_lower_halves<Width>(&a.part[r], words[0].part[r / 2]);
    join_lower_halves<Width>(&b.part[r], words[1].part[r / 2]);
    join_lower_halves<Width>(&c.part[r], words[2].part[r / 2]);
    join_lower_halves<Width>(&d.part[r], words[3].part[r / 2]);
  }
}

/// c[0] + c[1] x + ... of N registers side by side, as each waits for its own last result.
template <std::size_t Terms, std::size_t N, class Register>
__attribute__((always_inline)) inline void polynomial(const float (&c)[Terms],
                                                      const Register (&x)[N], Register (&sum)[N]) {
  for (std::size_t g = 0; g < N; ++g) sum[g] = Register{} + c[Terms - 1];
#pragma GCC unroll 8
  for (std::size_t j = Terms - 1; j > 0; --j)
    for (std::size_t g = 0; g < N; ++g) sum[g] = sum[g] * x[g] + c[j - 1];
}

/// Largest errors, as shares of the results: 1.5e-7 for log(1 + x) = x - x^2 / 2 + x^3 (...) with
/// sqrt(1/2) <= 1 + x <= sqrt 2, 4e-9 for sin x = x + x^3 (...) and 1e-7 for cos x = 1 - x^2 / 2 +
/// x^4 (...), (...) in x^2, with |x| <= pi / 4. Fitted to the least of these errors.
constexpr float log_terms[] = {0x1.5556d8p-2f, -0x1.000382p-2f, 0x1.98d7fp-3f, -0x1.53824cp-3f,
                               0x1.31747p-3f,  -0x1.2432aap-3f, 0x1.645de2p-4f};
constexpr float sine_terms[] = {-0x1.555546p-3f, 0x1.11076p-7f, -0x1.994eb2p-13f};
constexpr float cosine_terms[] = {0x1.554a08p-5f, -0x1.65e408p-10f};

template <class Register>
__attribute__((always_inline)) inline void square_root(const Register& x, Register& root) {
  for (std::size_t j = 0; j < sizeof x / sizeof x[0]; ++j) root[j] = std::sqrt(x[j]);
}

/// Box, Muller: words 0 and 1 become a pair of normal numbers, and so do words 2 and 3. All
/// registers go through it side by side.
template <class Width>
__attribute__((always_inline)) inline void make_pairs(const Unsigned<Width>* words,
                                                      Floats<Width>* made) {
  typedef typename Floats<Width>::Register Register;
  typedef typename Whole<Width>::Register Ints;
  typedef typename Unsigned<Width>::Register Bits;
  constexpr std::size_t each = Floats<Width>::count, N = 2 * each;
  const auto a = [&](std::size_t g) __attribute__((always_inline)) {
    return words[2 * (g / each)].part[g % each];
  };
  const auto b = [&](std::size_t g) __attribute__((always_inline)) {
    return words[2 * (g / each) + 1].part[g % each];
  };
  Register radius[N];
  {
    Register e[N], x[N], series[N];
    for (std::size_t g = 0; g < N; ++g) {
      // u in (0, 1]: whole numbers below 2^31, moved by a half.
      const Ints whole = reinterpret_cast<Ints>(a(g) >> 1);
      const Register u = (__builtin_convertvector(whole, Register) + 0.5f) * 0x1p-31f;
      // u = 2^e m with m near 1.
      constexpr std::int32_t root_of_half = 0x3F3504F3;
      const Ints digits = reinterpret_cast<Ints>(u);
      const Ints exponent = (digits - root_of_half) >> 23;
      x[g] = reinterpret_cast<Register>(digits - (exponent << 23)) - 1;
      e[g] = __builtin_convertvector(exponent, Register);
    }
    polynomial(log_terms, x, series);
    for (std::size_t g = 0; g < N; ++g) {
      const Register square = x[g] * x[g];
      const Register log_m = (x[g] - 0.5f * square) + x[g] * square * series[g];
      const Register log = e[g] * std::numbers::ln2_v<float> + log_m;
      square_root(-2 * log, radius[g]);
    }
  }
  Register angle[N], square[N], sine[N], cosine[N];
  for (std::size_t g = 0; g < N; ++g) {
    // The upper two bits are the quarter, the others turn by at most half of one either way.
    const Ints turn = reinterpret_cast<Ints>(b(g) << 2);
    angle[g] = __builtin_convertvector(turn, Register) * (std::numbers::pi_v<float> * 0x1p-33f);
    square[g] = angle[g] * angle[g];
  }
  polynomial(sine_terms, square, sine);
  polynomial(cosine_terms, square, cosine);
  for (std::size_t g = 0; g < N; ++g) {
    const Register s = square[g];
    sine[g] = angle[g] + angle[g] * s * sine[g];
    cosine[g] = (1 - 0.5f * s) + s * s * cosine[g];
    const Bits quarter = b(g) >> 30;
    const Bits odd = -(quarter & 1);
    const Bits swap = (reinterpret_cast<Bits>(sine[g]) ^ reinterpret_cast<Bits>(cosine[g])) & odd;
    // Signs: of the sine in the last two quarters, of the cosine in the middle two.
    const Bits sine_sign = (quarter & 2) << 30, cosine_sign = ((quarter + 1) & 2) << 30;
    Floats<Width>* const pair = made + 2 * (g / each);
    pair[0].part[g % each] =
        radius[g] *
        reinterpret_cast<Register>(reinterpret_cast<Bits>(cosine[g]) ^ swap ^ cosine_sign);
    pair[1].part[g % each] =
        radius[g] * reinterpret_cast<Register>(reinterpret_cast<Bits>(sine[g]) ^ swap ^ sine_sign);
  }
}

/// The four normal numbers of each of so many counters from j on.
template <class Width, class Counters>
__attribute__((always_inline)) inline void make_normals(const RoundKeys& keys,
                                                        const Counters& counters, std::size_t j,
                                                        Floats<Width>* made) {
  Unsigned<Width> words[4];
  philox_words<Width>(keys, counters, j, words);
  make_pairs<Width>(words, made);
}

/// Of counter j of a list to[0][j], ..., to[3][j]; `count` is a multiple of counters_at_a_time.
template <class Width>
__attribute__((always_inline)) inline void make_listed(std::uint64_t key, const Listed& counters,
                                                       std::size_t count, float* const* to) {
  const RoundKeys keys(key);
  for (std::size_t j = 0; j < count; j += counters_at_a_time) {
    Floats<Width> made[4];
    make_normals<Width>(keys, counters, j, made);
#pragma GCC unroll 4
    for (std::size_t w = 0; w < 4; ++w) store(to[w] + j, made[w]);
  }
}

/// Of counter j of `count` to[j], to[count + j], .... Each stretch is written from its end, so that
/// what its last counters write beyond it is written over; behind the last there is to be room.
template <class Width>
__attribute__((always_inline)) inline void make_following(std::uint64_t key,
                                                          const Following& counters,
                                                          std::size_t count, float* to) {
  const RoundKeys keys(key);
  for (std::size_t end = (count + counters_at_a_time - 1) / counters_at_a_time; end > 0; --end) {
    const std::size_t j = (end - 1) * counters_at_a_time;
    Floats<Width> made[4];
    make_normals<Width>(keys, counters, j, made);
#pragma GCC unroll 4
    for (std::size_t w = 0; w < 4; ++w) store(to + w * count + j, made[w]);
  }
}

// --- Long directions -----------------------------------------------------------------------------
// Their pairs are turned by halves and not by quarters: two signs instead of two numbers that
// change places, which is less work; their law is as symmetric if 32 divides their length
// (docs/estimators.md). Products are fused, which gives the same digits in every width.

/// c[0] + c[1] x + ....
template <class Width, std::size_t Terms, class Register>
__attribute__((always_inline)) inline void fused_polynomial(const float (&c)[Terms],
                                                            const Register& x, Register& sum) {
  sum = Register{} + c[Terms - 1];
#pragma GCC unroll 8
  for (std::size_t j = Terms - 1; j > 0; --j)
    multiply_add<Width>(sum, x, Register{} + c[j - 1], sum);
}

/// Largest errors, as shares of the results: 1.7e-7 for -2 log(1 + x) = x (...) with sqrt(1/2) <=
/// 1 + x <= sqrt 2, 5e-9 for sin x = x (...), (...) in x^2; and of 5e-8 of 1 for cos x in x^2, both
/// with 0 <= x <= pi / 2. Fitted to the least of these errors.
constexpr float minus_two_log_terms[] = {-0x1.fffffep0f,  0x1.00007ap0f,   -0x1.5559dcp-1f,
                                         0x1.ff623cp-2f,  -0x1.978e2ep-2f, 0x1.614c0ap-2f,
                                         -0x1.4c3d04p-2f, 0x1.9dfa5cp-3f};
constexpr float half_sine_terms[] = {1.0f, -0x1.555548p-3f, 0x1.110e7cp-7f, -0x1.9f6448p-13f,
                                     0x1.5d38d8p-19f};
constexpr float half_cosine_terms[] = {0x1.fffffep-1f, -0x1.ffffcp-2f, 0x1.554edep-5f,
                                       -0x1.6b2aa6p-10f, 0x1.84758ep-16f};

/// Box, Muller: two words become a pair of normal numbers, lane by lane.
template <class Width>
__attribute__((always_inline)) inline void make_pair_by_halves(const Unsigned<Width>& radii,
                                                               const Unsigned<Width>& angles,
                                                               Floats<Width>& cosines,
                                                               Floats<Width>& sines) {
  typedef typename Floats<Width>::Register Register;
  typedef typename Whole<Width>::Register Ints;
  typedef typename Unsigned<Width>::Register Bits;
  for (std::size_t g = 0; g < radii.count; ++g) {
    // u in (0, 1]: whole numbers below 2^31, moved by a half.
    const Ints whole = reinterpret_cast<Ints>(radii.part[g] >> 1);
    Register u, series, squared_radius, radius;
    multiply_add<Width>(__builtin_convertvector(whole, Register), Register{} + 0x1p-31f,
                        Register{} + 0x1p-32f, u);
    // u = 2^e (1 + x).
    constexpr std::int32_t root_of_half = 0x3F3504F3, mantissa = 0x7FFFFF;
    const Ints digits = reinterpret_cast<Ints>(u) - root_of_half;
    const Register e = __builtin_convertvector(digits >> 23, Register);
    const Register x = reinterpret_cast<Register>((digits & mantissa) + root_of_half) - 1;
    fused_polynomial<Width>(minus_two_log_terms, x, series);
    multiply_add<Width>(e, Register{} + -2 * std::numbers::ln2_v<float>, x * series,
                        squared_radius);
    square_root(squared_radius, radius);

    // The upper two bits are signs, the others an angle up to pi / 2.
    const Bits turn = angles.part[g];
    constexpr std::uint32_t sign = 0x80000000u;
    const Register angle =
        __builtin_convertvector(reinterpret_cast<Ints>(turn & (sign / 2 - 1)), Register) *
        (std::numbers::pi_v<float> * 0x1p-31f);
    const Register square = angle * angle;
    Register sine, cosine;
    fused_polynomial<Width>(half_sine_terms, square, sine);
    fused_polynomial<Width>(half_cosine_terms, square, cosine);
    sine *= radius * angle;
    cosine *= radius;
    cosines.part[g] = reinterpret_cast<Register>(reinterpret_cast<Bits>(cosine) ^ (turn & sign));
    sines.part[g] = reinterpret_cast<Register>(reinterpret_cast<Bits>(sine) ^ (turn << 1 & sign));
  }
}

/// xoshiro128+ (Blackman, Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS
/// 2021), a generator in each lane. For numbers of f32, as its lowest bits are its weakest.
template <class Width>
struct Sequences {
  Unsigned<Width> state[4];

  __attribute__((always_inline)) void next(Unsigned<Width>& word) {
    auto& [a, b, c, d] = state;
    for (std::size_t r = 0; r < word.count; ++r) {
      word.part[r] = a.part[r] + d.part[r];
      const auto shifted = b.part[r] << 9;
      c.part[r] ^= a.part[r];
      d.part[r] ^= b.part[r];
      b.part[r] ^= c.part[r];
      a.part[r] ^= d.part[r];
      c.part[r] ^= shifted;
      d.part[r] = d.part[r] << 11 | d.part[r] >> 21;
    }
  }
};

/// Sixteen counters start the generators; every two words of each make two normal numbers, which
/// stand sixteen apart. Which of a pair stands first is a coin, the same for all: the lowest bit of
/// the first word, which nothing else uses. `count` numbers, a multiple of 32.
template <class Width>
__attribute__((always_inline)) inline void make_long(std::uint64_t key, const Following& counters,
                                                     std::size_t count, float* to,
                                                     const Fetch& fetch) {
  Sequences<Width> sequences;
  philox_words<Width>(RoundKeys(key), counters, 0, sequences.state);
  const std::uint32_t first_word = sequences.state[0].part[0][0] + sequences.state[3].part[0][0];
  float* first = to;
  float* second = to + counters_at_a_time;
  if (first_word & 1) std::swap(first, second);
  for (std::size_t i = 0; i < count; i += 2 * counters_at_a_time) {
    for (std::size_t line = 0; line < 2 * counters_at_a_time * fetch.each; line += 64)
      __builtin_prefetch(fetch.from + i * fetch.each + line);
    Unsigned<Width> radii, angles;
    sequences.next(radii);
    sequences.next(angles);
    Floats<Width> cosines, sines;
    make_pair_by_halves<Width>(radii, angles, cosines, sines);
    store(first + i, cosines);
    store(second + i, sines);
  }
}
// --- End of long directions ----------------------------------------------------------------------

HINDSIGHT_EACH_WIDTH((make_listed<Width>(key, counters, count, to)),
                     void normals_of(std::uint64_t key, const Listed& counters, std::size_t count,
                                     float* const* to))
HINDSIGHT_EACH_WIDTH((make_following<Width>(key, counters, count, to)),
                     void normals_of(std::uint64_t key, const Following& counters,
                                     std::size_t count, float* to))

HINDSIGHT_EACH_WIDTH((make_long<Width>(key, counters, count, to, fetch)),
                     void long_normals_of(std::uint64_t key, const Following& counters,
                                          std::size_t count, float* to, const Fetch& fetch))

/// Counters at a time, for streams that make few normal numbers each.
constexpr std::size_t most_counters = 4 * counters_at_a_time;
struct Normals {
  std::uint64_t high[most_counters], low[most_counters];
  float numbers[4][most_counters];

  /// Of the first `counters` of (high, low).
  void make(std::uint64_t key, std::size_t counters) {
    std::size_t whole = counters;
    for (; whole % counters_at_a_time != 0; ++whole) high[whole] = low[whole] = 0;
    float* const to[4] = {numbers[0], numbers[1], numbers[2], numbers[3]};
    normals_of(key, Listed{high, low}, whole, to);
  }
  /// Of m counters from `first` on: numbers n, m + n, ....
  void copy_to(std::size_t first, std::size_t m, std::span<float> out) const {
    for (std::size_t w = 0; w < 4; ++w) {
      const std::size_t begin = w * m;
      if (begin < out.size())
        std::copy_n(numbers[w] + first, std::min(m, out.size() - begin), &out[begin]);
    }
  }
};

std::size_t counters_of(std::size_t dimension) { return (dimension + 3) / 4; }
bool is_long(std::size_t dimension) { return counters_of(dimension) > most_counters; }

/// Numbers that a direction of this dimension has room for: kernels write whole packs.
std::size_t numbers_of(std::size_t dimension) {
  constexpr std::size_t each = 4 * counters_at_a_time;
  return (dimension + each - 1) / each * each + each;
}

/// |x|^2 of few numbers, in registers.
template <std::size_t Fours>
__attribute__((always_inline)) inline double sum_few_squares(Few<Fours> few_x, const float* x,
                                                             std::size_t n) {
  using Each = Few<Fours>;
  Lanes sum = {0, 0, 0, 0};
  Each::each(
      n, [&](std::size_t j, std::size_t i) __attribute__((always_inline)) {
        load(x + i, few_x.four[j]);
        Each::add_squares(j, n, few_x.four[j], sum);
      });
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}
template <class Width>
__attribute__((always_inline)) inline double sum_all_squares(const float* x, std::size_t n) {
  if (is_long(n)) return sum_squares<Width, 2>(x, n);
  if (n < 4 || n > few) return sum_squares<Width>(x, n);
  double sum = 0;
  with_few(
      n, [&](auto fours) __attribute__((always_inline)) { sum = sum_few_squares(fours, x, n); });
  return sum;
}

HINDSIGHT_EACH_WIDTH((sum_all_squares<Width>(x, n)),
                     double squared_length(const float* x, std::size_t n))

/// Finds the factor, and fills up; in one dimension u is exactly +-1. False if the numbers have no
/// direction.
bool normalise(std::size_t dimension, Direction& u) {
  for (std::size_t i = dimension; i < narrow_length(dimension); ++i) u.numbers[i] = 0;
  const double length = std::sqrt(squared_length(u.numbers.data(), dimension));
  if (!(length > 0)) return false;
  u.factor = 1 / length;
  if (dimension == 1) {
    u.numbers[0] = u.numbers[0] < 0 ? -1.0f : 1.0f;
    u.factor = 1;
  }
  return true;
}

template <class Width>
__attribute__((always_inline)) inline void scale_numbers(double factor, const float* x,
                                                         std::size_t n, double* to) {
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    Doubles<Width> some;
    load(x + i, some);
    for (std::size_t r = 0; r < some.count; ++r) some.part[r] *= factor;
    store(to + i, some);
  }
  for (; i < n; ++i) to[i] = factor * static_cast<double>(x[i]);
}

HINDSIGHT_EACH_WIDTH((scale_numbers<Width>(factor, x, n, to)),
                     void scale_to(double factor, const float* x, std::size_t n, double* to))

}  // namespace

/// Streams that need few counters are gone through side by side.
void StreamFamily::draw_directions(std::span<const std::uint64_t> indices, std::size_t dimension,
                                   std::span<Direction> out) const {
  assert(indices.size() == out.size());
  const std::size_t m = counters_of(dimension);
  if (is_long(dimension)) {
    for (std::size_t n = 0; n < out.size(); ++n) at(indices[n]).draw_direction(dimension, out[n]);
    return;
  }
  Normals normals;
  const std::size_t together = most_counters / m;
  for (std::size_t first = 0; first < out.size(); first += together) {
    const std::size_t end = std::min(first + together, out.size());
    std::size_t counters = 0;
    for (std::size_t n = first; n < end; ++n)
      for (std::size_t counter = 0; counter < m; ++counter, ++counters) {
        normals.high[counters] = indices[n];
        normals.low[counters] = counter;
      }
    normals.make(key_, counters);
    for (std::size_t n = first; n < end; ++n) {
      Direction& u = out[n];
      u.numbers.resize(numbers_of(dimension));
      normals.copy_to((n - first) * m, m, {u.numbers.data(), dimension});
      if (!normalise(dimension, u)) at(indices[n]).draw_direction(dimension, u);  // draws on
    }
  }
}

void Stream::draw_direction(std::size_t dimension, Direction& u, const Fetch& fetch) {
  u.numbers.resize(numbers_of(dimension));
  do {
    const Following counters{index_, position_};
    if (is_long(dimension)) {
      long_normals_of(key_, counters, u.numbers.size() - 4 * counters_at_a_time, u.numbers.data(),
                      fetch);
      position_ += counters_at_a_time;
    } else {
      const std::size_t m = counters_of(dimension);
      normals_of(key_, counters, m, u.numbers.data());
      position_ += m;
    }
  } while (!normalise(dimension, u));
}

void Stream::fill_sphere(PointRef out) {
  thread_local Direction u;
  draw_direction(out.size(), u);
  scale_to(u.factor, u.numbers.data(), out.size(), out.data());
}

}  // namespace hindsight
