#include "hindsight/core/rng.hpp"

#include <Random123/philox.h>

#include <cmath>
#include <numbers>

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

/// FNV-1a: names are few and ours, so that a hash of 64 bits keeps them apart.
std::uint64_t hash(std::string_view name) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

}  // namespace

StreamFamily::StreamFamily(std::uint64_t seed, std::string_view name)
    : key_(philox(seed, hash(name), ~std::uint64_t{0})[0]) {}

std::uint64_t Stream::bits() {
  if (buffered_ == 0) {
    buffer_ = philox(key_, index_, position_++);
    buffered_ = 2;
  }
  return buffer_[static_cast<std::size_t>(--buffered_)];
}

void Stream::fill_bits(std::span<std::uint64_t> out) {
  std::size_t i = 0;
  while (i < out.size() && buffered_ > 0) out[i++] = bits();
  for (; i + 2 <= out.size(); i += 2) {
    const auto block = philox(key_, index_, position_++);
    out[i] = block[1];
    out[i + 1] = block[0];
  }
  if (i < out.size()) out[i] = bits();
}

double Stream::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

std::uint64_t Stream::below(std::uint64_t n) {
  // Lemire 2019: the high half of a 128-bit product, with the few biased low halves drawn again.
  __extension__ typedef unsigned __int128 Wide;
  Wide product = Wide{bits()} * n;
  if (static_cast<std::uint64_t>(product) < n) {
    const std::uint64_t threshold = (0 - n) % n;
    while (static_cast<std::uint64_t>(product) < threshold) product = Wide{bits()} * n;
  }
  return static_cast<std::uint64_t>(product >> 64);
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
