#include "hindsight/core/rng.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <numbers>

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {
namespace {

std::array<std::uint64_t, 2> philox(std::uint64_t key, std::uint64_t high, std::uint64_t low) {
  const r123::Philox4x32::ctr_type counter = {
      {static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32),
       static_cast<std::uint32_t>(high), static_cast<std::uint32_t>(high >> 32)}};
  const r123::Philox4x32::key_type words = {
      {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}};
  const auto out = r123::Philox4x32{}(counter, words);
  return {out[0] | std::uint64_t{out[1]} << 32, out[2] | std::uint64_t{out[3]} << 32};
}

constexpr std::size_t lanes = Stream::lanes;
typedef std::uint64_t Words __attribute__((vector_size(32)));

/// Where the counters of the lanes stand: one after another in the upper half, or in the lower.
enum class Along { high, low };

/// out[2 j], out[2 j + 1] = the odd and the even word of the counter of every lane j.
#ifdef HINDSIGHT_HAS_WIDTHS
typedef int Halves __attribute__((vector_size(32)));
constexpr std::size_t registers = lanes / 4;

/// A product of 32 bits by 32 is one instruction for four lanes, which GCC does not find by itself.
/// It reads the lower half of a lane: what has gathered in the upper half does no harm.
__attribute__((target("arch=x86-64-v3"), always_inline)) inline void philox_registers(
    std::uint64_t key, const Words (&high)[registers], const Words (&low)[registers],
    std::uint64_t* out) {
  const Words zero = {};
  const Words lower_half = zero + 0xFFFFFFFFu;
  const Halves left_factor = reinterpret_cast<Halves>(zero + 0xD2511F53u);
  const Halves right_factor = reinterpret_cast<Halves>(zero + 0xCD9E8D57u);
  Words a[registers], b[registers], c[registers], d[registers];
  for (std::size_t r = 0; r < registers; ++r) {
    a[r] = low[r];
    b[r] = a[r] >> 32;
    c[r] = high[r];
    d[r] = c[r] >> 32;
  }
  Words key_a = zero + key;
  Words key_b = key_a >> 32;
#pragma GCC unroll 10
  for (int round = 0; round < 10; ++round) {
    for (std::size_t r = 0; r < registers; ++r) {
      const auto left = reinterpret_cast<Words>(
          __builtin_ia32_pmuludq256(reinterpret_cast<Halves>(a[r]), left_factor));
      const auto right = reinterpret_cast<Words>(
          __builtin_ia32_pmuludq256(reinterpret_cast<Halves>(c[r]), right_factor));
      a[r] = (b[r] ^ key_a) ^ (right >> 32);
      b[r] = right;
      c[r] = (d[r] ^ key_b) ^ (left >> 32);
      d[r] = left;
    }
    key_a += 0x9E3779B9u;
    key_b += 0xBB67AE85u;
    // Or the compiler sees what it adds up, and spreads every key over the lanes anew.
    __asm__("" : "+x"(key_a), "+x"(key_b));
  }
  for (std::size_t r = 0; r < registers; ++r, out += 8) {
    const Words even = (a[r] & lower_half) | b[r] << 32;
    const Words odd = (c[r] & lower_half) | d[r] << 32;
    const Words first = __builtin_shufflevector(odd, even, 0, 4, 1, 5);
    const Words second = __builtin_shufflevector(odd, even, 2, 6, 3, 7);
    std::memcpy(out, &first, sizeof first);
    std::memcpy(out + 4, &second, sizeof second);
  }
}

/// The same for `times` counters of every lane, `lanes` apart.
HINDSIGHT_AVX2 void philox_lanes(std::uint64_t key, std::uint64_t high, std::uint64_t low,
                                 Along along, std::size_t times, std::uint64_t* out) {
  const Words zero = {};
  const Words in_low = zero - (along == Along::low);
  Words upper[registers], lower[registers];
  for (std::size_t r = 0; r < registers; ++r) {
    const Words j = Words{0, 1, 2, 3} + 4 * r;
    upper[r] = high + (j & ~in_low);
    lower[r] = low + (j & in_low);
  }
  for (; times > 0; --times, out += 2 * lanes) {
    philox_registers(key, upper, lower, out);
    for (std::size_t r = 0; r < registers; ++r) {
      upper[r] += lanes & ~in_low;
      lower[r] += lanes & in_low;
    }
  }
}

#define PHILOX_ANYWHERE HINDSIGHT_ANYWHERE
#else
#define PHILOX_ANYWHERE
#endif

PHILOX_ANYWHERE void philox_lanes(std::uint64_t key, std::uint64_t high, std::uint64_t low,
                                  Along along, std::size_t times, std::uint64_t* out) {
  for (std::size_t j = 0; j < times * lanes; ++j) {
    const auto both =
        along == Along::high ? philox(key, high + j, low) : philox(key, high, low + j);
    out[2 * j] = both[1];
    out[2 * j + 1] = both[0];
  }
}

// --- Normal numbers ------------------------------------------------------------------------------
// Logarithm, sine and cosine are our own: those of the C library differ from machine to machine in
// their last digit, and work on one number at a time. Only +, *, / and square roots, which every
// machine rounds alike, in one order for every width.

/// c[0] + c[1] x + c[2] x^2 + ...: even and odd powers apart, as each product waits for the last.
template <std::size_t Terms, std::size_t N>
__attribute__((always_inline)) inline void power_series(const double (&c)[Terms],
                                                        const Lanes (&x)[N], Lanes (&sum)[N]) {
  static_assert(Terms % 2 == 0);
  const Lanes zero = {0, 0, 0, 0};
  Lanes square[N], even[N], odd[N];
  for (std::size_t g = 0; g < N; ++g) {
    square[g] = x[g] * x[g];
    even[g] = zero + c[Terms - 2];
    odd[g] = zero + c[Terms - 1];
  }
  for (std::size_t j = Terms - 2; j > 0; j -= 2)
    for (std::size_t g = 0; g < N; ++g) {
      even[g] = even[g] * square[g] + c[j - 2];
      odd[g] = odd[g] * square[g] + c[j - 1];
    }
  for (std::size_t g = 0; g < N; ++g) sum[g] = even[g] + x[g] * odd[g];
}

/// The series of sin(x) / x, cos(x) and artanh(x) / x in x^2, until no digit changes for |x| <=
/// pi / 4 and (sqrt 2 - 1) / (sqrt 2 + 1).
constexpr double sine_series[] = {1,
                                  -1. / 6,
                                  1. / 120,
                                  -1. / 5040,
                                  1. / 362880,
                                  -1. / 39916800,
                                  1. / 6227020800,
                                  -1. / 1307674368000,
                                  1. / 355687428096000,
                                  -1. / 121645100408832000};
constexpr double cosine_series[] = {1,
                                    -1. / 2,
                                    1. / 24,
                                    -1. / 720,
                                    1. / 40320,
                                    -1. / 3628800,
                                    1. / 479001600,
                                    -1. / 87178291200,
                                    1. / 20922789888000,
                                    -1. / 6402373705728000};
constexpr double artanh_series[] = {1,       1. / 3,  1. / 5,  1. / 7,  1. / 9,  1. / 11,
                                    1. / 13, 1. / 15, 1. / 17, 1. / 19, 1. / 21, 1. / 23};

/// Whole numbers below 2^53 as numbers: the upper and the lower half take a place in the digits of
/// 2^84 and of 2^52.
__attribute__((always_inline)) inline void to_numbers(const Words& whole, Lanes& out) {
  const Words upper = whole >> 32 | 0x4530000000000000u;
  const Words lower = (whole & 0xFFFFFFFFu) | 0x4330000000000000u;
  out = (reinterpret_cast<Lanes>(upper) - (0x1p84 + 0x1p52)) + reinterpret_cast<Lanes>(lower);
}

/// log x for 2^-53 <= x <= 1: x = 2^e m with m near 1, and log m = 2 artanh((m - 1) / (m + 1)).
template <std::size_t N>
__attribute__((always_inline)) inline void logarithm(const Lanes (&x)[N], Lanes (&out)[N]) {
  constexpr std::uint64_t root_of_half = 0x3FE6A09E667F3BCDu;  // the least m
  Lanes e[N], s[N], square[N], series[N];
  for (std::size_t g = 0; g < N; ++g) {
    const Words digits = reinterpret_cast<Words>(x[g]);
    const Words exponent = (digits - root_of_half + (std::uint64_t{64} << 52)) >> 52;  // e + 64
    const Lanes m = reinterpret_cast<Lanes>(digits - ((exponent - 64) << 52));
    e[g] = reinterpret_cast<Lanes>(exponent | 0x4330000000000000u) - (0x1p52 + 64);
    s[g] = (m - 1) / (m + 1);
    square[g] = s[g] * s[g];
  }
  power_series(artanh_series, square, series);
  for (std::size_t g = 0; g < N; ++g) out[g] = e[g] * std::numbers::ln2 + 2 * s[g] * series[g];
}

/// Box, Muller: two random words become a pair, radius times cosine and sine. N fours of pairs side
/// by side, as one alone mostly waits for its own last result.
template <std::size_t N>
__attribute__((always_inline)) inline void make_pairs(const std::uint64_t* words, double* normals) {
  Lanes u[N], turn[N], log[N], x[N], square[N], sine[N], cosine[N];
  Words quarter[N];
  for (std::size_t g = 0; g < N; ++g) {
    Lanes at;
    load(reinterpret_cast<const double*>(words + 8 * g), at);
    const Words left = reinterpret_cast<Words>(at);
    load(reinterpret_cast<const double*>(words + 8 * g + 4), at);
    const Words right = reinterpret_cast<Words>(at);
    const Words a = __builtin_shufflevector(left, right, 0, 2, 4, 6);
    const Words b = __builtin_shufflevector(left, right, 1, 3, 5, 7);
    // 1 - uniform() is in (0, 1], so that the logarithm is finite.
    to_numbers((std::uint64_t{1} << 53) - (a >> 11), u[g]);
    to_numbers(b >> 11, turn[g]);
    u[g] *= 0x1p-53;
  }
  logarithm(u, log);
  for (std::size_t g = 0; g < N; ++g) {
    // The nearest quarter turn, in the last digits of 1.5 * 2^52; what is left is exact.
    const Lanes shifted = 4 * (turn[g] * 0x1p-53) + 0x1.8p52;
    quarter[g] = reinterpret_cast<Words>(shifted);
    x[g] = (turn[g] * 0x1p-53 - (shifted - 0x1.8p52) * .25) * (2 * std::numbers::pi);
    square[g] = x[g] * x[g];
  }
  power_series(sine_series, square, sine);
  power_series(cosine_series, square, cosine);
  for (std::size_t g = 0; g < N; ++g) {
    const Lanes squared_radius = -2 * log[g];
    Lanes radius;
    for (std::size_t j = 0; j < 4; ++j) radius[j] = std::sqrt(squared_radius[j]);
    sine[g] *= x[g];
    const Words odd = -(quarter[g] & 1);
    const Words s = reinterpret_cast<Words>(sine[g]), c = reinterpret_cast<Words>(cosine[g]);
    const Words swap = (s ^ c) & odd;
    // Signs: of the sine in the last two quarters, of the cosine in the middle two.
    const Words sine_sign = (quarter[g] & 2) << 62, cosine_sign = ((quarter[g] + 1) & 2) << 62;
    const Lanes first = radius * reinterpret_cast<Lanes>(c ^ swap ^ cosine_sign);
    const Lanes second = radius * reinterpret_cast<Lanes>(s ^ swap ^ sine_sign);
    store(normals + 8 * g, __builtin_shufflevector(first, second, 0, 4, 1, 5));
    store(normals + 8 * g + 4, __builtin_shufflevector(first, second, 2, 6, 3, 7));
  }
}

/// Four pairs at a time, so that both arrays have room for a multiple of four.
HINDSIGHT_WIDE
void box_muller(const std::uint64_t* words, double* normals, std::size_t pairs) {
  std::size_t i = 0;
  for (; i + 16 <= 2 * pairs; i += 16) make_pairs<2>(words + i, normals + i);
  for (; i < 2 * pairs; i += 8) make_pairs<1>(words + i, normals + i);
}

/// FNV-1a: names are few and ours, so that a hash of 64 bits keeps them apart.
std::uint64_t hash(std::string_view name) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

}  // namespace

StreamFamily::StreamFamily(std::uint64_t seed, std::string_view name)
    : key_(philox(seed, hash(name), ~std::uint64_t{0})[0]) {}

void StreamFamily::fill_below(std::uint64_t first, std::uint64_t n,
                              std::span<std::uint32_t> out) const {
  assert(n >= 1 && n <= std::uint64_t{1} << 32);
  std::uint64_t words[2 * lanes];
  for (std::size_t start = 0; start < out.size(); start += lanes) {
    philox_lanes(key_, first + start, 0, Along::high, 1, words);
    const std::size_t count = std::min(lanes, out.size() - start);
    for (std::size_t j = 0; j < count; ++j) {
      const Stream::Wide product = Stream::Wide{words[2 * j]} * n;
      // Whether such a number is drawn again is for the stream to say.
      out[start + j] = static_cast<std::uint32_t>(
          static_cast<std::uint64_t>(product) >= n ? product >> 64
                                                   : Stream::Wide{at(first + start + j).below(n)});
    }
  }
}

void StreamFamily::fill_uniform(std::uint64_t first, std::span<std::array<double, 2>> out) const {
  std::uint64_t words[2 * lanes];
  for (std::size_t start = 0; start < out.size(); start += lanes) {
    philox_lanes(key_, first + start, 0, Along::high, 1, words);
    const std::size_t count = std::min(lanes, out.size() - start);
    for (std::size_t j = 0; j < count; ++j)
      out[start + j] = {Stream::uniform_of(words[2 * j]), Stream::uniform_of(words[2 * j + 1])};
  }
}

/// Of each counter the odd half comes first. Most streams need but one counter.
void Stream::refill() {
  if (position_ == 0) {
    const auto both = philox(key_, index_, position_++);
    buffer_[2 * lanes - 2] = both[1];
    buffer_[2 * lanes - 1] = both[0];
    buffered_ = 2;
    return;
  }
  next_lanes(1, buffer_.data());
  buffered_ = buffer_.size();
}

void Stream::next_lanes(std::size_t times, std::uint64_t* out) {
  philox_lanes(key_, index_, position_, Along::low, times, out);
  position_ += times * lanes;
}

void Stream::fill_bits(std::span<std::uint64_t> out) {
  const auto take_buffered = [&] {
    const std::size_t count = std::min(out.size(), buffered_);
    std::copy_n(buffer_.end() - static_cast<std::ptrdiff_t>(buffered_), count, out.begin());
    buffered_ -= count;
    out = out.subspan(count);
  };
  take_buffered();
  if (const std::size_t times = out.size() / buffer_.size(); times > 0) {
    next_lanes(times, out.data());
    out = out.subspan(times * buffer_.size());
  }
  if (out.empty()) return;
  next_lanes(1, buffer_.data());
  buffered_ = buffer_.size();
  take_buffered();
}

Stream::Wide Stream::unbiased(Wide product, std::uint64_t n) {
  const std::uint64_t threshold = (0 - n) % n;
  while (static_cast<std::uint64_t>(product) < threshold) product = Wide{bits()} * n;
  return product;
}

double Stream::normal() {
  double z;
  fill_normal({&z, 1});
  return z;
}

void Stream::fill_normal(PointRef out) {
  constexpr std::size_t most = 16 * lanes;  // at a time
  std::uint64_t words[most];
  double normals[most];
  if (has_spare_ && !out.empty()) {
    out[0] = spare_normal_;
    has_spare_ = false;
    out = out.subspan(1);
  }
  while (!out.empty()) {
    const std::size_t drawn = std::min(most, out.size() + out.size() % 2);
    const std::size_t taken = std::min(drawn, out.size());
    fill_bits({words, drawn});
    if (taken % 8 == 0) {
      box_muller(words, out.data(), taken / 2);
    } else {
      for (std::size_t j = drawn; j % 8 != 0; ++j) words[j] = 0;
      box_muller(words, normals, drawn / 2);
      std::copy_n(normals, taken, out.begin());
    }
    out = out.subspan(taken);
    if (taken < drawn) {
      spare_normal_ = normals[taken];
      has_spare_ = true;
    }
  }
}

}  // namespace hindsight
