#include "hindsight/core/rng.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <cassert>
#include <cmath>
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

/// philox(key, high + j * high_step, low + j * low_step) for every lane j, in loops that vectorise:
/// Philox4x32-10 with the constants of Salmon et al.
HINDSIGHT_WIDE
void philox_lanes(std::uint64_t key, std::uint64_t high, std::uint64_t high_step, std::uint64_t low,
                  std::uint64_t low_step, std::uint64_t* even, std::uint64_t* odd) {
  std::uint32_t a[lanes], b[lanes], c[lanes], d[lanes];
  for (std::size_t j = 0; j < lanes; ++j) {
    a[j] = static_cast<std::uint32_t>(low + j * low_step);
    b[j] = static_cast<std::uint32_t>((low + j * low_step) >> 32);
    c[j] = static_cast<std::uint32_t>(high + j * high_step);
    d[j] = static_cast<std::uint32_t>((high + j * high_step) >> 32);
  }
  auto key_a = static_cast<std::uint32_t>(key);
  auto key_b = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    for (std::size_t j = 0; j < lanes; ++j) {
      const std::uint64_t left = std::uint64_t{0xD2511F53u} * a[j];
      const std::uint64_t right = std::uint64_t{0xCD9E8D57u} * c[j];
      a[j] = static_cast<std::uint32_t>(right >> 32) ^ b[j] ^ key_a;
      b[j] = static_cast<std::uint32_t>(right);
      c[j] = static_cast<std::uint32_t>(left >> 32) ^ d[j] ^ key_b;
      d[j] = static_cast<std::uint32_t>(left);
    }
    key_a += 0x9E3779B9u;
    key_b += 0xBB67AE85u;
  }
  for (std::size_t j = 0; j < lanes; ++j) {
    even[j] = a[j] | std::uint64_t{b[j]} << 32;
    odd[j] = c[j] | std::uint64_t{d[j]} << 32;
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
