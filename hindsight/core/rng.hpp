/// Randomness that can be drawn again: named, counter-based streams from one seed.
///
/// A number depends on (seed, name, index, position) alone, so a run does not depend on threads, on
/// the order of calls in other parts, or on where it was interrupted. The generator is
/// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011), from
/// Random123; long directions go on from its words by another (core/long_direction.hpp). The
/// distributions are our own, because those of the standard library differ between implementations.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "hindsight/core/point.hpp"

namespace hindsight {

/// A direction that is still to be scaled to length 1: u = factor * numbers, the first d of them.
/// If d > 32 there are more, to a whole pack of sixteen, and these are 0.
struct Direction {
  Aligned<float> numbers;
  double factor = 1;
};

/// Long ones go by parts (Stream::draw_part).
constexpr bool is_long_direction(std::size_t dimension) { return dimension > 256; }
/// How many numbers a direction has room for: kernels write whole packs.
std::size_t room_of_direction(std::size_t dimension);

/// A row that is wanted soon, if any: who goes through numbers without reading much fetches as many
/// of it.
class Fetch {
 public:
  Fetch() = default;
  /// Of a row of f32 or f64, or null.
  template <class Number>
  explicit Fetch(const Number* row)
      : from_(row ? reinterpret_cast<const char*>(row) : nothing),
        each_(row ? sizeof(Number) : 0) {}

  /// What is due with numbers i, ..., i + 15.
  __attribute__((always_inline)) void at(std::size_t i) const {
    __builtin_prefetch(from_ + i * each_);
    if (each_ > 4) __builtin_prefetch(from_ + (i + 8) * each_);
  }

 private:
  static constexpr char nothing[1] = {};

  const char* from_ = nothing;
  std::size_t each_ = 0;
};

/// One sequence of random numbers.
class Stream {
 public:
  static constexpr std::size_t lanes = 8;  ///< counters worked on at a time

  std::uint64_t bits() {
    if (buffered_ == 0) refill();
    return buffer_[buffer_.size() - buffered_--];
  }
  /// What as many calls of bits() return, sooner.
  void fill_bits(std::span<std::uint64_t> out);
  /// In [0, 1), a multiple of 2^-53.
  double uniform() { return uniform_of(bits()); }
  /// In {0, ..., n-1}, without bias; n >= 1. Lemire 2019: the high half of a 128-bit product, with
  /// the few biased low halves drawn again.
  std::uint64_t below(std::uint64_t n) { return below(n, bits()); }
  bool coin(double probability) { return uniform() < probability; }
  double normal();

  void fill_normal(PointRef out);
  /// Uniform on the unit sphere: a normalised Gaussian, whose numbers have the digits of f32; of
  /// length 1 to 1e-15, or to 6e-7 beyond 256 dimensions (docs/estimators.md); in one dimension
  /// +-1. Takes random words of its own, not those that bits() would return.
  void fill_sphere(PointRef out);
  /// The same, of so many dimensions.
  void draw_direction(std::size_t dimension, Direction& u);
  /// Long ones may be drawn by parts of columns_at_a_time numbers, each by whoever has its columns:
  /// the numbers of a part, the last one with room (room_of_direction). Returns the sum of their
  /// squares. Who does something with the numbers on the way makes the same ones
  /// (core/long_direction.hpp).
  double draw_part(std::size_t part, std::span<float> numbers) const;
  /// A uniformly random order of what is there (Fisher, Yates).
  template <class T>
  void shuffle(std::span<T> values) {
    std::uint64_t words[16 * lanes];
    for (std::size_t left = values.size(); left > 1;) {
      const std::size_t count = std::min(left - 1, std::size(words));
      fill_bits({words, count});
      for (std::size_t j = 0; j < count; ++j, --left)
        std::swap(values[left - 1], values[below(left, words[j])]);
    }
  }

 private:
  friend class StreamFamily;
  __extension__ typedef unsigned __int128 Wide;

  Stream(std::uint64_t key, std::uint64_t index) : key_(key), index_(index) {}
  static double uniform_of(std::uint64_t word) { return static_cast<double>(word >> 11) * 0x1p-53; }
  std::uint64_t below(std::uint64_t n, std::uint64_t word) {
    Wide product = Wide{word} * n;
    if (static_cast<std::uint64_t>(product) < n) [[unlikely]]
      product = unbiased(product, n);
    return static_cast<std::uint64_t>(product >> 64);
  }
  void refill();
  void next_lanes(std::size_t times, std::uint64_t* out);  // 2 * lanes words each time
  Wide unbiased(Wide product, std::uint64_t n);

  std::uint64_t key_;
  std::uint64_t index_;
  std::uint64_t position_ = 0;
  std::array<std::uint64_t, 2 * lanes> buffer_;
  std::size_t buffered_ = 0;  // the last so many of the buffer are still to be taken
  double spare_normal_ = 0;
  bool has_spare_ = false;
};

/// All streams of one purpose: `StreamFamily(seed, "direction").at(round)`.
class StreamFamily {
 public:
  StreamFamily(std::uint64_t seed, std::string_view name);
  Stream at(std::uint64_t index) const { return Stream(key_, index); }
  std::uint64_t key() const { return key_; }  ///< for kernels that make numbers themselves
  /// out[j] = at(first + j).below(n), several at a time; n >= 1 and at most 2^32.
  void fill_below(std::uint64_t first, std::uint64_t n, std::span<std::uint32_t> out) const;
  /// out[j] = what at(first + j).uniform() returns first and second, several at a time.
  void fill_uniform(std::uint64_t first, std::span<std::array<double, 2>> out) const;
  /// at(indices[j]).draw_direction(dimension, out[j]), several at a time.
  void draw_directions(std::span<const std::uint64_t> indices, std::size_t dimension,
                       std::span<Direction> out) const;

 private:
  std::uint64_t key_;
};

/// For those who need no more than two uniform numbers a stream: drawn ahead, as rounds come in
/// order.
class UniformFamily {
 public:
  UniformFamily(std::uint64_t seed, std::string_view name) : streams_(seed, name) { draw(0); }
  const StreamFamily& streams() const { return streams_; }
  /// What streams().at(index).uniform() returns first and second.
  const std::array<double, 2>& at(std::uint64_t index) {
    if (index - first_ >= ahead_.size()) draw(index);
    return ahead_[index - first_];
  }

 private:
  void draw(std::uint64_t first) {
    first_ = first;
    streams_.fill_uniform(first, ahead_);
  }

  StreamFamily streams_;
  std::uint64_t first_;
  std::array<std::array<double, 2>, 64> ahead_;
};

}  // namespace hindsight
