#include "hindsight/core/rng.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <numbers>

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

/// philox(key, high + j * high_step, low + j * low_step) for every lane j.
#ifdef HINDSIGHT_HAS_AVX2
typedef std::uint64_t Lanes __attribute__((vector_size(32)));
typedef int Halves __attribute__((vector_size(32)));

/// A product of 32 bits by 32 is one instruction for four lanes, which GCC does not find by itself.
/// It reads the lower half of a lane: what has gathered in the upper half does no harm.
__attribute__((target("avx2"))) void philox_lanes(std::uint64_t key, std::uint64_t high,
                                                  std::uint64_t high_step, std::uint64_t low,
                                                  std::uint64_t low_step, std::uint64_t* even,
                                                  std::uint64_t* odd) {
  constexpr std::size_t registers = lanes / 4;
  const Lanes zero = {};
  const Lanes lower_half = zero + 0xFFFFFFFFu;
  const Halves left_factor = reinterpret_cast<Halves>(zero + 0xD2511F53u);
  const Halves right_factor = reinterpret_cast<Halves>(zero + 0xCD9E8D57u);
  Lanes a[registers], b[registers], c[registers], d[registers];
  for (std::size_t r = 0; r < registers; ++r) {
    const Lanes j = Lanes{0, 1, 2, 3} + 4 * r;
    a[r] = low + j * low_step;
    b[r] = a[r] >> 32;
    c[r] = high + j * high_step;
    d[r] = c[r] >> 32;
  }
  Lanes key_a = zero + key;
  Lanes key_b = key_a >> 32;
  for (int round = 0; round < 10; ++round) {
    for (std::size_t r = 0; r < registers; ++r) {
      const auto left = reinterpret_cast<Lanes>(
          __builtin_ia32_pmuludq256(reinterpret_cast<Halves>(a[r]), left_factor));
      const auto right = reinterpret_cast<Lanes>(
          __builtin_ia32_pmuludq256(reinterpret_cast<Halves>(c[r]), right_factor));
      a[r] = (right >> 32) ^ b[r] ^ key_a;
      b[r] = right;
      c[r] = (left >> 32) ^ d[r] ^ key_b;
      d[r] = left;
    }
    key_a += 0x9E3779B9u;
    key_b += 0xBB67AE85u;
  }
  for (std::size_t r = 0; r < registers; ++r) {
    const Lanes first = (a[r] & lower_half) | b[r] << 32;
    const Lanes second = (c[r] & lower_half) | d[r] << 32;
    std::memcpy(even + 4 * r, &first, sizeof first);
    std::memcpy(odd + 4 * r, &second, sizeof second);
  }
}

__attribute__((target("default")))
#endif
void philox_lanes(std::uint64_t key, std::uint64_t high, std::uint64_t high_step, std::uint64_t low,
                  std::uint64_t low_step, std::uint64_t* even, std::uint64_t* odd) {
  for (std::size_t j = 0; j < lanes; ++j) {
    const auto both = philox(key, high + j * high_step, low + j * low_step);
    even[j] = both[0];
    odd[j] = both[1];
  }
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
  std::uint64_t bits[lanes], rest[lanes];
  for (std::size_t start = 0; start < out.size(); start += lanes) {
    philox_lanes(key_, first + start, 1, 0, 0, rest, bits);
    const std::size_t count = std::min(lanes, out.size() - start);
    for (std::size_t j = 0; j < count; ++j) {
      const Stream::Wide product = Stream::Wide{bits[j]} * n;
      // Whether such a number is drawn again is for the stream to say.
      out[start + j] = static_cast<std::uint32_t>(
          static_cast<std::uint64_t>(product) >= n ? product >> 64
                                                   : Stream::Wide{at(first + start + j).below(n)});
    }
  }
}

/// Taken from the back: of each counter the odd half first. Most streams need but one counter.
void Stream::refill() {
  if (position_ == 0) {
    const auto both = philox(key_, index_, position_++);
    buffer_[0] = both[0];
    buffer_[1] = both[1];
    buffered_ = 2;
    return;
  }
  std::uint64_t even[lanes], odd[lanes];
  philox_lanes(key_, index_, 0, position_, 1, even, odd);
  for (std::size_t j = 0; j < lanes; ++j) {
    buffer_[2 * (lanes - 1 - j)] = even[j];
    buffer_[2 * (lanes - 1 - j) + 1] = odd[j];
  }
  position_ += lanes;
  buffered_ = 2 * lanes;
}

Stream::Wide Stream::unbiased(Wide product, std::uint64_t n) {
  const std::uint64_t threshold = (0 - n) % n;
  while (static_cast<std::uint64_t>(product) < threshold) product = Wide{bits()} * n;
  return product;
}

double Stream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_normal_;
  }
  // Box, Muller. 1 - uniform() is in (0, 1], so that the logarithm is finite.
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  const double angle = 2 * std::numbers::pi * uniform();
  spare_normal_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

void Stream::fill_normal(PointRef out) {
  for (double& x : out) x = normal();
}

void Stream::fill_sphere(PointRef out) {
  double length = 0;
  while (!(length > 0)) {
    fill_normal(out);
    length = norm(out);
  }
  for (double& x : out) x /= length;
}

}  // namespace hindsight
