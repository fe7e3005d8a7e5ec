// Directions, uniform on the unit sphere.
//
// A direction is a normalised Gaussian, whose numbers are made in f32 from 32 random bits each: a
// sphere needs them independent and alike, not to the last digit of f64 (docs/estimators.md).
// Counter n of a stream makes four of them, numbers n, m + n, 2 m + n and 3 m + n of m counters, so
// that lanes stay where they are. Long directions are made in another way (long_direction.hpp).
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>
#include <vector>

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/long_direction.hpp"
#include "hindsight/core/narrow.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {
namespace {

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
__attribute__((always_inline)) inline void make_listed(const RoundKeys& keys,
                                                       const Listed& counters, std::size_t count,
                                                       float* const* to) {
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
__attribute__((always_inline)) inline void make_following(const RoundKeys& keys,
                                                          const Following& counters,
                                                          std::size_t count, float* to) {
  for (std::size_t end = (count + counters_at_a_time - 1) / counters_at_a_time; end > 0; --end) {
    const std::size_t j = (end - 1) * counters_at_a_time;
    Floats<Width> made[4];
    make_normals<Width>(keys, counters, j, made);
#pragma GCC unroll 4
    for (std::size_t w = 0; w < 4; ++w) store(to + w * count + j, made[w]);
  }
}

HINDSIGHT_EACH_WIDTH((make_listed<Width>(keys, counters, count, to)),
                     void normals_of(const RoundKeys& keys, const Listed& counters,
                                     std::size_t count, float* const* to))
HINDSIGHT_EACH_WIDTH((make_following<Width>(keys, counters, count, to)),
                     void normals_of(const RoundKeys& keys, const Following& counters,
                                     std::size_t count, float* to))

template <class Width>
__attribute__((always_inline)) inline double make_numbers(const PartSource& part, float* to) {
  return make_part<Width>(
      part, {}, [=](std::size_t i, const Floats<Width>& numbers) __attribute__((always_inline)) {
        store(to + i, numbers);
      });
}

HINDSIGHT_EACH_WIDTH((make_beginning<Width>(keys, counters, words)),
                     void begin_words(const RoundKeys& keys, const Following& counters,
                                      std::uint32_t* words))
HINDSIGHT_EACH_WIDTH((make_numbers<Width>(part, to)),
                     double part_of_normals(const PartSource& part, float* to))

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
    normals_of(RoundKeys(key), Listed{high, low}, whole, to);
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
static_assert(!is_long_direction(4 * most_counters));  // others have room in `Normals`

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
  if (n < 4 || n > few) return sum_squares<Width>(x, n);
  double sum = 0;
  with_few(
      n, [&](auto fours) __attribute__((always_inline)) { sum = sum_few_squares(fours, x, n); });
  return sum;
}

HINDSIGHT_EACH_WIDTH((sum_all_squares<Width>(x, n)),
                     double squared_length(const float* x, std::size_t n))

/// False if the numbers have no direction. In one dimension u is exactly +-1.
bool normalise(std::size_t dimension, double squared_length, Direction& u) {
  if (!(squared_length > 0)) return false;
  u.factor = 1 / std::sqrt(squared_length);
  if (dimension == 1) {
    u.numbers[0] = u.numbers[0] < 0 ? -1.0f : 1.0f;
    u.factor = 1;
  }
  return true;
}
/// Of a short one, which it fills up.
bool normalise(std::size_t dimension, Direction& u) {
  for (std::size_t i = dimension; i < narrow_length(dimension); ++i) u.numbers[i] = 0;
  return normalise(dimension, squared_length(u.numbers.data(), dimension), u);
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

/// All parts of a long direction of stream `index`, each of which begins while the sum of the one
/// before is waited for. Returns the squared length.
double make_parts(const RoundKeys& keys, std::uint64_t index, std::uint64_t& position,
                  std::span<float> to) {
  alignas(64) std::array<std::uint32_t, words_of_part> words;
  begin_words(keys, {index, position}, words.data());
  double squared_length = 0;
  for (std::size_t first = 0; first < to.size(); first += columns_at_a_time) {
    position += counters_at_a_time;
    const PartSource part{keys,
                          words.data(),
                          std::min(columns_at_a_time, to.size() - first),
                          first + columns_at_a_time < to.size(),
                          {index, position}};
    squared_length += part_of_normals(part, &to[first]);
  }
  return squared_length;
}

}  // namespace

void begin_part(const RoundKeys& keys, const Following& counters, std::uint32_t* words) {
  begin_words(keys, counters, words);
}

std::size_t room_of_direction(std::size_t dimension) {
  constexpr std::size_t each = 4 * counters_at_a_time;
  return (dimension + each - 1) / each * each + each;
}

/// Streams that need few counters are gone through side by side.
void StreamFamily::draw_directions(std::span<const std::uint64_t> indices, std::size_t dimension,
                                   std::span<Direction> out) const {
  assert(indices.size() == out.size());
  const std::size_t m = counters_of(dimension);
  if (is_long_direction(dimension)) {
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
      u.numbers.resize(room_of_direction(dimension));
      normals.copy_to((n - first) * m, m, {u.numbers.data(), dimension});
      if (!normalise(dimension, u)) at(indices[n]).draw_direction(dimension, u);  // draws on
    }
  }
}

void Stream::draw_direction(std::size_t dimension, Direction& u) {
  u.numbers.resize(room_of_direction(dimension));
  const RoundKeys keys(key_);
  bool is_drawn = false;
  while (!is_drawn) {
    if (is_long_direction(dimension)) {
      const std::span<float> numbers(u.numbers.data(), dimension);
      is_drawn = normalise(dimension, make_parts(keys, index_, position_, numbers), u);
    } else {
      const std::size_t m = counters_of(dimension);
      normals_of(keys, Following{index_, position_}, m, u.numbers.data());
      is_drawn = normalise(dimension, u);
      position_ += m;
    }
  }
}

double Stream::draw_part(std::size_t part, std::span<float> numbers) const {
  alignas(64) std::array<std::uint32_t, words_of_part> words;
  const RoundKeys keys(key_);
  begin_words(keys, {index_, counters_at_a_time * part}, words.data());
  return part_of_normals({keys, words.data(), numbers.size(), false, {}}, numbers.data());
}

void Stream::fill_sphere(PointRef out) {
  thread_local Direction u;
  draw_direction(out.size(), u);
  scale_to(u.factor, u.numbers.data(), out.size(), out.data());
}

}  // namespace hindsight
