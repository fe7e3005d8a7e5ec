// Streams, lent numbers, archives, errors and settings.
#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>
#include <thread>

#include "hindsight/core/archive.hpp"
#include "hindsight/core/error.hpp"
#include "hindsight/core/narrow.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/core/settings.hpp"
#include "hindsight/core/streaming.hpp"
#include "hindsight/core/suggestion.hpp"
#include "hindsight/core/workers.hpp"

namespace hindsight {
namespace {

using nlohmann::json;

// ---- streams

using Counter = r123::Philox4x32::ctr_type;
using Key = r123::Philox4x32::key_type;

/// The known answers published with Random123 (kat_vectors, philox4x32-10).
TEST(Random, ManyNumbersAtOnceAreThoseOfOneByOne) {
  const StreamFamily family(5, "many");
  for (const std::size_t n : {1, 2, 3, 12, 15, 16, 17, 31, 32, 33, 52, 100})
    for (const int before : {0, 1, 2, 3}) {
      Stream one = family.at(n), many = family.at(n);
      for (int i = 0; i < before; ++i) ASSERT_EQ(one.bits(), many.bits());
      std::vector<std::uint64_t> numbers(n);
      many.fill_bits(numbers);
      for (const std::uint64_t number : numbers) ASSERT_EQ(number, one.bits()) << n;
      for (int i = 0; i < 40; ++i) ASSERT_EQ(many.bits(), one.bits()) << n << " and " << before;
    }
}

TEST(Stream, PhiloxGivesItsKnownAnswers) {
  const auto expect = [](Counter counter, Key key, Counter answer) {
    EXPECT_TRUE(r123::Philox4x32{}(counter, key) == answer);
  };
  expect({{0, 0, 0, 0}}, {{0, 0}}, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
  expect({{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}}, {{0xffffffff, 0xffffffff}},
         {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
  expect({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, {{0xa4093822, 0x299f31d0}},
         {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
}

std::array<std::uint64_t, 2> philox(std::uint64_t key, std::uint64_t high, std::uint64_t low) {
  const auto half = [](std::uint64_t x, int which) {
    return static_cast<std::uint32_t>(x >> (32 * which));
  };
  const Counter c = {{half(low, 0), half(low, 1), half(high, 0), half(high, 1)}};
  const Key k = {{half(key, 0), half(key, 1)}};
  const Counter out = r123::Philox4x32{}(c, k);
  return {out[0] | std::uint64_t{out[1]} << 32, out[2] | std::uint64_t{out[3]} << 32};
}

/// What a seed, a name, an index and a position give is fixed for ever: old runs can be repeated.
TEST(Stream, DependsOnSeedNameIndexAndPositionAlone) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : std::string("direction"))
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  const std::uint64_t key = philox(7, hash, ~std::uint64_t{0})[0];
  Stream stream = StreamFamily(7, "direction").at(12345);
  for (std::uint64_t position = 0; position < 50; ++position) {
    const auto block = philox(key, 12345, position);
    EXPECT_EQ(stream.bits(), block[1]);
    EXPECT_EQ(stream.bits(), block[0]);
  }
}

TEST(Stream, ManyAtATimeAreTheSameNumbers) {
  const StreamFamily family(11, "many");
  // The last start makes the counter's lower half overflow among the lanes.
  for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{1} << 32})
    for (const std::uint64_t first :
         {std::uint64_t{0}, std::uint64_t{5}, std::uint64_t{0xfffffffc}})
      for (const std::size_t count : {0u, 1u, 7u, 8u, 9u, 100u}) {
        std::vector<std::uint32_t> drawn(count);
        family.fill_below(first, n, drawn);
        for (std::size_t j = 0; j < count; ++j)
          EXPECT_EQ(drawn[j], family.at(first + j).below(n)) << n << ' ' << first << ' ' << j;
      }
}

TEST(Stream, UniformNumbersDrawnAheadAreThoseOfTheStreams) {
  UniformFamily ahead(7, "ahead");
  const StreamFamily family(7, "ahead");
  // On, over the end of what was drawn, back, and far away.
  for (const std::uint64_t index : {0u, 1u, 63u, 64u, 65u, 200u, 199u, 3u, 0xffffffffu}) {
    Stream stream = family.at(index);
    const double first = stream.uniform(), second = stream.uniform();
    EXPECT_EQ(ahead.at(index)[0], first) << index;
    EXPECT_EQ(ahead.at(index)[1], second) << index;
  }
}

TEST(Stream, StreamsAreApart) {
  std::map<std::uint64_t, int> seen;  // 64 bits: a chance meeting has odds below 1e-13
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    for (const char* name : {"", "a", "b", "ab", "ba", "direction", "order of a block"})
      for (std::uint64_t index = 0; index < 30; ++index) {
        Stream stream = StreamFamily(seed, name).at(index);
        for (int i = 0; i < 4; ++i) ++seen[stream.bits()];
      }
  EXPECT_EQ(seen.size(), 5u * 7 * 30 * 4);
}

TEST(Stream, AnyOrderOfStreamsGivesTheSameNumbers) {
  const StreamFamily family(3, "access");
  std::vector<std::vector<std::uint64_t>> forward(20);
  for (std::uint64_t i = 0; i < 20; ++i) {
    Stream stream = family.at(i);
    for (int n = 0; n < 10; ++n) forward[i].push_back(stream.bits());
  }
  std::vector<Stream> together;
  for (std::uint64_t i = 20; i-- > 0;) together.push_back(family.at(i));
  for (std::size_t n = 0; n < 10; ++n)
    for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(together[i].bits(), forward[19 - i][n]);
}

TEST(Stream, ACopyContinuesAlike) {
  Stream a = StreamFamily(3, "copy").at(1);
  a.normal();  // leaves a spare
  a.bits();
  Stream b = a;
  for (int n = 0; n < 20; ++n) {
    EXPECT_EQ(a.normal(), b.normal());
    EXPECT_EQ(a.below(7), b.below(7));
  }
}

double chi_square(const std::vector<int>& counts) {
  const double n = std::accumulate(counts.begin(), counts.end(), 0.0);
  const double expected = n / static_cast<double>(counts.size());
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

/// Laurent and Massart 2000: P(chi^2_k >= k + 2 sqrt(k t) + 2 t) <= e^{-t}; t = 16: odds 1.2e-7,
/// and counts of thousands are near enough to Gaussian.
double chi_square_limit(std::size_t cells) {
  const auto k = static_cast<double>(cells - 1);
  return k + 2 * std::sqrt(k * 16) + 32;
}

TEST(Stream, BelowIsUniform) {
  for (const std::uint64_t n : {1u, 2u, 3u, 6u, 7u, 10u, 100u}) {
    Stream rng = StreamFamily(1, "below").at(n);
    std::vector<int> counts(n, 0);
    for (int i = 0; i < 300000; ++i) {
      const std::uint64_t x = rng.below(n);
      ASSERT_LT(x, n);
      ++counts[x];
    }
    if (n > 1) {
      EXPECT_LT(chi_square(counts), chi_square_limit(n)) << n;
    }
  }
  // n = 3 2^62, where 2^64 leaves the largest remainder. The broken twins: a remainder takes the
  // lowest third twice, and the high half of the product every third number.
  const std::uint64_t large = 3ull << 62;
  __extension__ typedef unsigned __int128 Wide;
  Stream rng = StreamFamily(1, "below").at(1000);
  std::vector<int> thirds(3, 0), residues(3, 0), twin_thirds(3, 0), twin_residues(3, 0);
  for (int i = 0; i < 300000; ++i) {
    const std::uint64_t x = rng.below(large), bits = rng.bits();
    ++thirds[x >> 62];
    ++residues[x % 3];
    ++twin_thirds[(bits % large) >> 62];
    ++twin_residues[static_cast<std::uint64_t>(Wide{bits} * large >> 64) % 3];
  }
  EXPECT_LT(chi_square(thirds), chi_square_limit(3));
  EXPECT_LT(chi_square(residues), chi_square_limit(3));
  EXPECT_GT(chi_square(twin_thirds), chi_square_limit(3));
  EXPECT_GT(chi_square(twin_residues), chi_square_limit(3));
}

TEST(Stream, UniformIsInTheHalfOpenIntervalAndUniform) {
  Stream rng = StreamFamily(2, "uniform").at(0);
  std::vector<int> counts(50, 0);
  for (int i = 0; i < 1000000; ++i) {
    const double u = rng.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    ASSERT_EQ(std::ldexp(u, 53), std::floor(std::ldexp(u, 53)));
    ++counts[static_cast<std::size_t>(50 * u)];
  }
  EXPECT_LT(chi_square(counts), chi_square_limit(50));
  int heads = 0;
  for (int i = 0; i < 100000; ++i) heads += rng.coin(.3) ? 1 : 0;
  EXPECT_NEAR(heads / 1e5, .3, .0092);  // Hoeffding: odds 2 exp(-2e5 * 8.46e-5) < 1e-7
  EXPECT_FALSE(rng.coin(0));
  EXPECT_TRUE(rng.coin(1));
}

/// Box and Muller's formula, in the C library's functions.
TEST(Stream, NormalIsTheFormula) {
  const StreamFamily family(3, "normal");
  double apart = 0, twins_apart = 0;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    Stream drawn = family.at(i), uniform = family.at(i);
    const double first = drawn.normal(), second = drawn.normal();
    const long double radius = std::sqrt(-2 * std::log(1 - (long double)uniform.uniform()));
    const long double angle = 2 * std::numbers::pi_v<long double> * uniform.uniform();
    const auto cosine = static_cast<double>(radius * std::cos(angle));
    const auto sine = static_cast<double>(radius * std::sin(angle));
    apart = std::max({apart, std::abs(first - cosine), std::abs(second - sine)});
    twins_apart = std::max(twins_apart, std::abs(first - sine));  // the broken twin
  }
  EXPECT_LT(apart, 4e-15);  // 8.6 is the largest there is, and two roundings of it
  EXPECT_GT(twins_apart, 1);
}

TEST(Stream, FillsWithNormalsAsIfDrawnOneByOne) {
  Stream filled = StreamFamily(3, "fill").at(0), single = StreamFamily(3, "fill").at(0);
  for (const std::size_t n : {1, 7, 0, 8, 33, 100, 5}) {
    Point numbers(n);
    filled.fill_normal(numbers);
    for (const double z : numbers) ASSERT_EQ(z, single.normal());
  }
}

/// Threads draw the parts of long ones, in any order.
TEST(Stream, DirectionsGoByParts) {
  const StreamFamily family(3, "sphere");
  for (const std::size_t d : {257, 1024, 1025, 3000}) {
    Direction alone, u;
    family.at(7).draw_direction(d, alone);
    u.numbers.resize(room_of_direction(d));
    std::vector<double> squares(column_parts(d));
    for (std::size_t part = squares.size(); part-- > 0;) {
      const std::size_t first = 1024 * part, count = std::min<std::size_t>(1024, d - first);
      squares[part] = family.at(7).draw_part(part, {&u.numbers[first], count});
    }
    EXPECT_TRUE(std::ranges::equal(std::span(u.numbers).first(narrow_length(d)),
                                   std::span(alone.numbers).first(narrow_length(d))))
        << "d = " << d;
    EXPECT_EQ(1 / std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0)), alone.factor);
  }
}

/// Rows of f32 take a direction as it is: what fills one up must not be a number of it.
TEST(Stream, DirectionsAreFilledUpWithZeros) {
  const StreamFamily family(3, "sphere");
  for (const std::size_t d : {33, 50, 100, 127, 250, 257, 300, 1000}) {
    std::vector<Direction> drawn(2);
    family.draw_directions(std::vector<std::uint64_t>{7}, d, std::span(drawn).first(1));
    family.at(7).draw_direction(d, drawn[1]);
    for (const Direction& u : drawn)
      for (std::size_t i = d; i < narrow_length(d); ++i) EXPECT_EQ(u.numbers[i], 0) << d;
  }
}

TEST(Stream, DrawsManyDirectionsAsIfOneByOne) {
  const StreamFamily family(3, "sphere");
  for (const std::size_t d : {1, 2, 5, 10, 11, 127, 128, 129, 300}) {
    const std::vector<std::uint64_t> indices = {7, 8, 9, 3, 1000, 12, 5};
    std::vector<Direction> together(indices.size());
    family.draw_directions(indices, d, together);
    for (std::size_t n = 0; n < indices.size(); ++n) {
      Point alone(d);
      family.at(indices[n]).fill_sphere(alone);
      for (std::size_t i = 0; i < d; ++i)
        EXPECT_EQ(together[n].factor * static_cast<double>(together[n].numbers[i]), alone[i])
            << "d = " << d;
    }
  }
}

using Words = std::array<std::uint32_t, 4>;

Words philox_words(std::uint64_t key, std::uint64_t index, std::uint64_t n) {
  const auto [low, high] = philox(key, index, n);
  const auto half = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  return {half(low), half(low >> 32), half(high), half(high >> 32)};
}

/// Blackman and Vigna's xoroshiro128+: the next word, and the state moves on.
std::uint64_t next_of(std::array<std::uint64_t, 2>& s) {
  const std::uint64_t word = s[0] + s[1];
  s[1] ^= s[0];
  s[0] = std::rotl(s[0], 24) ^ s[1] ^ (s[1] << 16);
  s[1] = std::rotl(s[1], 37);
  return word;
}

/// Box and Muller's formula in the C library's functions: quarters, and from the middle of one half
/// a quarter either way.
std::array<double, 2> normal_pair(std::uint32_t a, std::uint32_t b, bool swapped) {
  const double radius = std::sqrt(-2 * std::log(((a >> 1) + .5) * 0x1p-31));
  const double angle =
      std::numbers::pi / 2 * ((b >> 30) + static_cast<std::int32_t>(b << 2) * 0x1p-32);
  const double cosine = radius * std::cos(angle), sine = radius * std::sin(angle);
  return swapped ? std::array{sine, cosine} : std::array{cosine, sine};
}

/// What a normal number exceeds with probability p <= 1/2, by the C library's function and Newton's
/// steps.
double upper_quantile(double p) {
  double z = std::sqrt(-2 * std::log(2 * p));
  for (int step = 0; step < 30; ++step) {
    const double tail = std::erfc(z / std::numbers::sqrt2) / 2;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    // On the logarithms of the tails, which are nearly linear in z^2 and do not overshoot.
    z += std::log(tail / p) * tail / density;
  }
  return z;
}

/// A number of a long direction: its word, a number with a sign, is a probability; 0 goes with 2.
double quantile_of(std::uint32_t word) {
  const auto number = static_cast<std::int32_t>(word == 0 ? 2 : word);
  const double z = upper_quantile(std::abs(static_cast<double>(number)) * 0x1p-32);
  return number < 0 ? -z : z;
}

/// What a direction is made of, in the order that sphere.cpp promises. Normalised, the only thing
/// seen of it.
Point direction_by_formula(std::uint64_t key, std::uint64_t index, std::size_t d, bool swapped) {
  Point z;
  if (d <= 256) {
    const std::size_t m = (d + 3) / 4;
    z.resize(4 * m);
    for (std::size_t n = 0; n < m; ++n) {
      const Words w = philox_words(key, index, n);
      for (std::size_t pair = 0; pair < 2; ++pair) {
        const auto [one, other] = normal_pair(w[2 * pair], w[2 * pair + 1], swapped);
        z[2 * pair * m + n] = one;
        z[(2 * pair + 1) * m + n] = other;
      }
    }
  } else {
    z.resize(d);
    // Part by part generators 0, ..., 7 make thirty-two numbers in turn with generators 8, ..., 15.
    for (std::size_t first = 0, counter = 0; first < d; first += 1024, counter += 16)
      for (std::size_t lane = 0; lane < 16; ++lane) {
        const std::size_t group = lane / 8, n = lane % 8 * 2, end = std::min(first + 1024, d);
        const Words left = philox_words(key, index, counter + n);
        const Words right = philox_words(key, index, counter + n + 1);
        const auto joined = [&](std::size_t w) { return left[w] | std::uint64_t{right[w]} << 32; };
        std::array<std::uint64_t, 2> state = {joined(2 * group), joined(2 * group + 1)};
        for (std::size_t i = first + 16 * group + n; i < end; i += 32) {
          const std::uint64_t words = next_of(state);
          for (std::size_t j = 0; j < 2 && i + j < end; ++j) {
            const double number = quantile_of(static_cast<std::uint32_t>(words >> 32 * j));
            z[i + j] = swapped ? -number : number;
          }
        }
      }
  }
  z.resize(d);
  const double length = norm(z);
  for (double& x : z) x /= length;
  return z;
}

TEST(Stream, DirectionsAreTheFormula) {
  // A family's key comes from Philox too: seed, then the name's hash.
  std::uint64_t name = 0xcbf29ce484222325u;
  for (const char c : std::string("sphere"))
    name = (name ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  const auto drawn = r123::Philox4x32{}(
      {{~0u, ~0u, static_cast<std::uint32_t>(name), static_cast<std::uint32_t>(name >> 32)}},
      {{3, 0}});
  const std::uint64_t key = drawn[0] | std::uint64_t{drawn[1]} << 32;
  const StreamFamily family(3, "sphere");
  double apart = 0, long_apart = 0, twins_apart = 0;
  for (const std::size_t d : {2, 3, 10, 64, 65, 256, 257, 300, 1001, 2100})
    for (std::uint64_t index = 0; index < 50; ++index) {
      Point u(d);
      family.at(index).fill_sphere(u);
      // Half of 18 * 2^-24 in f32, as sphere.cpp adds long ones up.
      EXPECT_NEAR(norm(u), 1, d <= 256 ? 1e-14 : 6e-7);
      const Point v = direction_by_formula(key, index, d, false);
      const Point twin = direction_by_formula(key, index, d, true);
      for (std::size_t i = 0; i < d; ++i) {
        double& largest = d <= 256 ? apart : long_apart;
        largest = std::max(largest, std::abs(u[i] - v[i]));
        twins_apart = std::max(twins_apart, std::abs(u[i] - twin[i]));
      }
    }
  EXPECT_LT(apart, 1e-6);  // numbers of f32, the errors of logarithm, sine and cosine among them
  EXPECT_LT(long_apart, 2e-6);  // the polynomials' 2.9e-5, and |z| is at least 15
  EXPECT_GT(twins_apart, .1);
}

/// A stream goes on behind a direction, and the next one is another.
TEST(Stream, DirectionsTakeWordsOfTheirOwn) {
  Stream stream = StreamFamily(3, "sphere").at(1);
  Point first(10), second(10);
  stream.fill_sphere(first);
  stream.fill_sphere(second);
  EXPECT_LT(std::abs(dot(first, second)), .99);
  EXPECT_NE(stream.bits(), StreamFamily(3, "sphere").at(1).bits());
  // Long ones: |<u, v>| > .3 has odds below 2 exp(-.09 * 300 / 2) = 3e-6.
  Point long_first(300), long_second(300);
  stream.fill_sphere(long_first);
  stream.fill_sphere(long_second);
  EXPECT_LT(std::abs(dot(long_first, long_second)), .3);
}

TEST(Stream, NormalHasItsMoments) {
  Stream rng = StreamFamily(3, "normal").at(0);
  constexpr int n = 1000000;
  double sums[4] = {0, 0, 0, 0}, products = 0, last = 0;
  int below_one = 0;
  for (int i = 0; i < n; ++i) {
    const double z = rng.normal();
    ASSERT_TRUE(std::isfinite(z));
    double power = 1;
    for (double& sum : sums) sum += (power *= z) / n;
    products += z * last / n;  // the two numbers of a pair must not know each other
    last = z;
    below_one += z < 1 ? 1 : 0;
  }
  // Variances of z, z^2, z^3, z^4: 1, 2, 15, 96. Means of 1e6 are Gaussian enough at 5.5 standard
  // errors: odds 4e-8 each.
  const double moments[4] = {0, 1, 0, 3}, variances[4] = {1, 2, 15, 96};
  for (int p = 0; p < 4; ++p)
    EXPECT_NEAR(sums[p], moments[p], 5.5 * std::sqrt(variances[p] / n)) << "moment " << p + 1;
  EXPECT_NEAR(products, 0, 5.5 / std::sqrt(n));
  EXPECT_NEAR(below_one / double(n), .8413447, 5.5 * std::sqrt(.8413 * .1587 / n));
}

std::vector<int> permutation_counts(int n, const std::function<void(Stream&, std::span<int>)>& f) {
  std::map<std::vector<int>, int> seen;
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  do seen[order] = 0;
  while (std::next_permutation(order.begin(), order.end()));
  const StreamFamily family(4, "permutations");
  for (std::uint64_t i = 0; i < 120000; ++i) {
    std::iota(order.begin(), order.end(), 0);
    Stream rng = family.at(i);
    f(rng, order);
    ++seen[order];
  }
  std::vector<int> counts;
  for (const auto& [permutation, count] : seen) counts.push_back(count);
  return counts;
}

TEST(Stream, ShufflesAreUniform) {
  const auto ours = [](Stream& rng, std::span<int> values) { rng.shuffle(values); };
  // The broken twin: swapping every place with any place, 27 paths to 6 orders.
  const auto naive = [](Stream& rng, std::span<int> values) {
    for (int& value : values) std::swap(value, values[rng.below(values.size())]);
  };
  for (const int n : {3, 4}) {
    const auto counts = permutation_counts(n, ours), twin = permutation_counts(n, naive);
    EXPECT_EQ(counts.size(), n == 3 ? 6u : 24u);
    EXPECT_LT(chi_square(counts), chi_square_limit(counts.size()));
    EXPECT_GT(chi_square(twin), chi_square_limit(twin.size()));
  }
}

// ---- lent

TEST(Lent, AViewFollowsItsLenderAndACopyDoesNot) {
  std::vector<double> memory = {1, 2, 3};
  const auto lent = Lent<double>::of(memory);
  const Lent<double> copy = lent;
  Lent<double> assigned;
  assigned = lent;
  memory[1] = 7;
  EXPECT_EQ(lent[1], 7);
  EXPECT_EQ(lent.begin(), memory.data());
  EXPECT_EQ(copy[1], 2);
  EXPECT_EQ(assigned[1], 2);
  EXPECT_NE(copy.begin(), memory.data());
}

TEST(Lent, MovesKeepWhatTheyAre) {
  std::vector<double> memory = {1, 2, 3};
  Lent<double> lent = Lent<double>::of(memory);
  const Lent<double> moved = std::move(lent);
  EXPECT_EQ(moved.begin(), memory.data()) << "still lent";
  EXPECT_TRUE(lent.empty());

  Lent<double> owner(std::vector<double>{4, 5});
  const double* const at = owner.begin();
  Lent<double> heir = std::move(owner);
  EXPECT_EQ(heir.begin(), at) << "no copy was made";
  EXPECT_TRUE(owner.empty());
  Lent<double> copy = heir;
  EXPECT_NE(copy.begin(), heir.begin());
  heir = Lent<double>::of(memory);
  EXPECT_EQ(heir.begin(), memory.data());
  EXPECT_EQ(copy[1], 5);
  Lent<double>& alias = copy;
  copy = alias;
  EXPECT_EQ(copy[0], 4);
  std::vector<Lent<double>> many;
  for (int i = 0; i < 100; ++i) many.emplace_back(std::vector<double>{double(i)});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(many[static_cast<std::size_t>(i)][0], i);
}

TEST(Lent, PointListsGiveTheirPoints) {
  const PointList points = {2, Lent<double>(std::vector<double>{1, 2, 3, 4, 5, 6})};
  EXPECT_EQ(points.dimension(), 3u);
  EXPECT_EQ(points[1][0], 4);
  EXPECT_EQ(PointList{}.dimension(), 0u);
}

// ---- archive

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Archive, GivesBackWhatWasWritten) {
  Writer writer;
  writer.value(42);
  writer.value(-0.0);
  writer.text("a name");
  writer.text("");
  writer.values(std::vector<double>{1e-310, std::numeric_limits<double>::infinity()});
  writer.values(std::vector<int>{});
  writer.value(std::uint64_t{7});
  const std::string bytes = std::move(writer).finish();
  Reader reader(bytes);
  EXPECT_EQ(reader.value<int>(), 42);
  EXPECT_TRUE(std::signbit(reader.value<double>()));
  EXPECT_EQ(reader.text(), "a name");
  EXPECT_EQ(reader.text(), "");
  std::vector<double> numbers(2);
  reader.values(numbers);
  EXPECT_EQ(numbers, (std::vector<double>{1e-310, std::numeric_limits<double>::infinity()}));
  std::vector<int> none;
  reader.values(none);
  EXPECT_NO_THROW(reader.same("seed", std::uint64_t{7}));
  EXPECT_THROW(reader.value<char>(), InputError) << "nothing is left";
}

TEST(Archive, NoticesDamageAndMisreading) {
  Writer writer;
  writer.values(std::vector<double>{1, 2, 3});
  writer.text("kind");
  const std::string bytes = std::move(writer).finish();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_THROW(Reader(bytes.substr(0, i)), InputError);
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      EXPECT_THROW(Reader{damaged}, InputError) << "byte " << i << " bit " << bit;
    }
  }
  std::vector<double> two(2);
  EXPECT_THROW(Reader(bytes).values(two), InputError);
  Reader wrong(bytes);
  EXPECT_EQ(message_of([&] { wrong.same("steps", std::uint64_t{4}); }),
            "snapshot = steps: must be the same as in the learner it is restored into");
  std::vector<double> three(3);
  Reader reader(bytes);
  reader.values(three);
  EXPECT_THROW(reader.same_text("kind", "other"), InputError);
}

// ---- errors

TEST(Errors, NameTheKeyTheValueAndTheRule) {
  EXPECT_EQ(message_of([] { reject("learner.steps", 80, "must be at most block_length = 64"); }),
            "learner.steps = 80: must be at most block_length = 64");
  EXPECT_EQ(message_of([] { reject("radius", .1, "must be small"); }),
            "radius = 0.10000000000000001: must be small");
  EXPECT_EQ(message_of([] { reject("learning", true, "must be false"); }),
            "learning = true: must be false");
  EXPECT_NO_THROW(require(true, "a", 1, "rule"));
  EXPECT_THROW(require(false, "a", 1, "rule"), InputError);
  try {
    reject("parts[2]", 5, "is wrong");
  } catch (const InputError& error) {
    EXPECT_EQ(error.name(), "parts[2]");
    const InputError placed = error.after("file.toml:12: domain.");
    EXPECT_STREQ(placed.what(), "file.toml:12: domain.parts[2] = 5: is wrong");
    EXPECT_EQ(placed.name(), "");
  }
}

// ---- settings

Settings table(json values) { return Settings("learner", std::move(values)); }

TEST(Settings, GivesWhatIsThereAndNothingElse) {
  Settings s = table({{"text", "abc"},
                      {"flag", true},
                      {"number", 2},
                      {"half", .5},
                      {"million", 1e6},
                      {"numbers", {1, 2.5}},
                      {"rows", {{1, 2}, json::array()}},
                      {"integers", {3, -4}},
                      {"sets", {{0, 1}, {2}}},
                      {"none", json::array()}});
  EXPECT_EQ(s.text("text"), "abc");
  EXPECT_EQ(s.flag("flag"), true);
  EXPECT_EQ(s.number("number"), 2);
  EXPECT_EQ(s.number("half"), .5);
  EXPECT_EQ(s.integer("number", 1, 2), 2);
  EXPECT_EQ(s.integer("million", 0, 1000000), 1000000) << "1e6 is how people write a million";
  EXPECT_EQ(s.numbers("numbers"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(s.rows("rows"), (std::vector<Point>{{1, 2}, {}}));
  EXPECT_EQ(s.integers("integers"), (std::vector<int>{3, -4}));
  EXPECT_EQ(s.item_sets("sets"), (std::vector<ItemSet>{{0, 1}, {2}}));
  EXPECT_EQ(s.numbers("none"), std::vector<double>{});
  EXPECT_TRUE(s.has("flag"));
  EXPECT_FALSE(s.has("flags"));
  EXPECT_TRUE(s.is_list("numbers"));
  EXPECT_FALSE(s.is_list("number"));
  EXPECT_FALSE(s.is_list("absent"));
  EXPECT_NO_THROW(s.finish());

  EXPECT_EQ(s.text("absent"), std::nullopt);
  EXPECT_EQ(s.flag("absent"), std::nullopt);
  EXPECT_EQ(s.number("absent"), std::nullopt);
  EXPECT_EQ(s.integer("absent", 0, 1), std::nullopt);
  EXPECT_EQ(s.numbers("absent"), std::nullopt);
  EXPECT_EQ(s.rows("absent"), std::nullopt);
  EXPECT_EQ(s.integers("absent"), std::nullopt);
  EXPECT_EQ(s.item_sets("absent"), std::nullopt);
  EXPECT_EQ(s.needed("text", s.text("text")), "abc");
  EXPECT_EQ(message_of([&] { s.needed("rank", s.integer("rank", 0, 1)); }),
            "learner.rank: is missing");
}

TEST(Settings, RejectsOtherTypes) {
  const auto error = [](json value, const std::function<void(Settings&)>& get) {
    Settings s = table({{"k", std::move(value)}});
    return message_of([&] { get(s); });
  };
  const auto text = [](Settings& s) { s.text("k"); };
  const auto flag = [](Settings& s) { s.flag("k"); };
  const auto number = [](Settings& s) { s.number("k"); };
  const auto integer = [](Settings& s) { s.integer("k", 1, 10); };
  const auto numbers = [](Settings& s) { s.numbers("k"); };
  const auto rows = [](Settings& s) { s.rows("k"); };
  const auto integers = [](Settings& s) { s.integers("k"); };
  const auto sets = [](Settings& s) { s.item_sets("k"); };

  EXPECT_EQ(error(3, text), "learner.k = 3: must be a text in quotes");
  EXPECT_EQ(error("yes", flag), "learner.k = \"yes\": must be true or false");
  EXPECT_EQ(error(1, flag), "learner.k = 1: must be true or false");
  EXPECT_EQ(error("3", number), "learner.k = \"3\": must be a finite number");
  EXPECT_EQ(error(true, number), "learner.k = true: must be a finite number");
  EXPECT_EQ(error(std::nan(""), number), "learner.k = nan: must be a finite number");
  EXPECT_EQ(error(INFINITY, number), "learner.k = inf: must be a finite number");
  for (const json& bad : {json(0), json(11), json(2.5), json("2"), json(true), json(1e300),
                          json(std::nan("")), json::array({2})})
    EXPECT_NE(error(bad, integer).find("must be a whole number from 1 to 10"), std::string::npos)
        << bad;
  EXPECT_EQ(error(3, numbers), "learner.k = 3: must be a list of numbers");
  EXPECT_EQ(error({1, "a"}, numbers), "learner.k = \"a\": must be a finite number");
  EXPECT_EQ(error({1, 2}, rows), "learner.k = 1: must be a list of lists of numbers");
  EXPECT_EQ(error("A", rows), "learner.k = \"A\": must be a list of lists of numbers");
  EXPECT_NE(error(json::array({json::array({nullptr})}), rows), "no error");
  EXPECT_EQ(error(7, integers), "learner.k = 7: must be a list of whole numbers");
  EXPECT_EQ(error(json::array({1.5}), integers), "learner.k = 1.5: must be a whole number");
  EXPECT_NE(error(json::array({5000000000}), integers), "no error");
  EXPECT_EQ(error({1}, sets), "learner.k = 1: must be a list of lists of whole numbers");
  EXPECT_EQ(error(1, sets), "learner.k = 1: must be a list of lists of whole numbers");
  EXPECT_NE(error(json::array({json::array({"a"})}), sets), "no error");
  // What is long is shown short.
  const std::string shown = error(std::string(1000, 'x'), number);
  EXPECT_LT(shown.size(), 120u);
  EXPECT_NE(shown.find("..."), std::string::npos);
}

TEST(Settings, SuggestsTheNearestKey) {
  Settings s = table({{"kind", "a"}, {"block_lenght", 3}});
  s.text("kind");
  s.integer("block_length", 1, 9);
  s.integer("steps", 1, 9);
  EXPECT_EQ(message_of([&] { s.finish(); }),
            "learner.block_lenght = 3: is not a key of this table (did you mean `block_length`?)");
  Settings far = table({{"colour", "red"}});
  far.text("kind");
  EXPECT_EQ(message_of([&] { far.finish(); }),
            "learner.colour = \"red\": is not a key of this table");
  const auto meant = [](const std::string& word, const std::vector<std::string>& known) {
    Settings asked = table({{word, 1}});
    for (const std::string& key : known) asked.number(key);
    const std::string message = message_of([&] { asked.finish(); });
    const auto from = message.find('`');
    return from == std::string::npos ? "" : message.substr(from + 1, message.rfind('`') - from - 1);
  };
  EXPECT_EQ(meant("stepz", {"radius", "steps"}), "steps");
  EXPECT_EQ(meant("stepss", {"step", "steps"}), "steps");
  EXPECT_EQ(meant("xyzzy", {"radius", "steps"}), "");
  EXPECT_EQ(meant("x", {}), "");
}

TEST(Settings, SaysFileAndLine) {
  Settings s("exp.toml", 4, "learner[1]", {{"steps", "x"}, {"radius", 2}},
             {{"steps", 6}, {"radius", 7}});
  EXPECT_EQ(message_of([&] { s.integer("steps", 1, 9); }),
            "exp.toml:6: learner[1].steps = \"x\": must be a whole number from 1 to 9");
  EXPECT_EQ(message_of([&] { s.finish(); }),
            "exp.toml:7: learner[1].radius = 2: is not a key of this table");
  EXPECT_EQ(message_of([&] { s.needed("kind", s.text("kind")); }),
            "exp.toml:4: learner[1].kind: is missing")
      << "a key that is not there has the table's line";
  // Errors of whoever builds from the table get their place, too, and only once.
  const auto build = [] { reject("radius[3]", 2, "is too large"); };
  EXPECT_EQ(message_of([&] { s.guard(build); }),
            "exp.toml:7: learner[1].radius[3] = 2: is too large");
  EXPECT_EQ(message_of([&] { s.guard([&] { s.guard(build); }); }),
            "exp.toml:7: learner[1].radius[3] = 2: is too large");
  EXPECT_EQ(s.guard([] { return 5; }), 5);
}

// --- Memory and threads --------------------------------------------------------------------------

TEST(Narrow, RoundsDownByLessThanTwoParts) {
  Stream rng = StreamFamily(11, "narrow").at(0);
  for (int n = 0; n < 20000; ++n) {
    Point lower(7), x(7), back(7);
    for (std::size_t i = 0; i < 7; ++i) {
      lower[i] = rng.coin(.5) ? 0 : .1 * rng.uniform();
      x[i] = lower[i] +
             (rng.coin(.2) ? 0 : std::ldexp(rng.uniform(), -static_cast<int>(rng.below(9))));
    }
    std::vector<float> kept(7);
    narrow(x, lower, kept);
    widen(kept, lower.data(), back);
    for (std::size_t i = 0; i < 7; ++i) {
      const double distance = x[i] - lower[i];
      ASSERT_LE(static_cast<double>(kept[i]), distance);  // half of the nearest ones are above
      ASSERT_GE(static_cast<double>(kept[i]), distance * (1 - 0x1p-23));
      ASSERT_EQ(back[i], lower[i] + static_cast<double>(kept[i]));
    }
  }
}

TEST(Table, IsZeroAndContiguousInSmallAndLargePages) {
  for (const std::size_t rows : {3UL, 3000UL}) {  // 24 KB and 24 MB
    PointTable table(rows, 1000);
    for (const double x : table.numbers()) ASSERT_EQ(x, 0);
    table.row(2)[999] = 5;
    PointTable copy = table;
    EXPECT_EQ(copy.numbers()[2999], 5);
    PointTable moved = std::move(copy);
    EXPECT_EQ(moved.row(2)[999], 5);
  }
}

/// What a thread has of all rows stands together, and every number stands somewhere of its own.
TEST(Table, KeepsRowsInStrips) {
  for (const std::size_t columns : {5UL, 1024UL, 1025UL, 5000UL, 7168UL})
    for (const std::size_t threads : {1UL, 2UL, 3UL, 9UL}) {
      constexpr std::size_t rows = 4;
      PointTable table(rows, columns, threads);
      Point row(columns), seen(columns);
      const auto number = [&](std::size_t k, std::size_t i) {
        return static_cast<double>(1 + k * columns + i);
      };
      for (std::size_t k = 0; k < rows; ++k) {
        for (std::size_t i = 0; i < columns; ++i) row[i] = number(k, i);
        table.store(k, row);
      }
      std::size_t first = 0;
      for (std::size_t thread = 0; thread < threads; ++thread) {
        const Columns some = columns_of(thread, threads, columns);
        ASSERT_EQ(some.first, first) << columns << " columns, " << threads << " threads";
        first += some.count;
        for (std::size_t i = some.first; i < first; ++i)
          ASSERT_EQ(thread_of(i, threads, columns), thread);
        if (some.count == 0) continue;
        const Strip<double> strip = table.strip(1, some.first);
        EXPECT_EQ(strip.stride, some.count);
        for (std::size_t k = 1; k < rows; ++k)
          for (std::size_t i = 0; i < some.count; ++i)
            ASSERT_EQ(strip.row(k - 1)[i], number(k, some.first + i));
        const std::size_t last = some.count - 1;
        EXPECT_EQ(table.strip(2, some.first + last).numbers, strip.row(1) + last);
      }
      ASSERT_EQ(first, columns);
      for (std::size_t k = 0; k < rows; ++k) {
        table.load(k, seen);
        for (std::size_t i = 0; i < columns; ++i) ASSERT_EQ(seen[i], number(k, i));
      }
    }
}

TEST(Streaming, WritesWhatACopyWould) {
  Point from(48), room(56);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<double>(i + 1);
  for (std::size_t first = 0; first < 8; ++first)  // wherever it stands between two lines
    for (std::size_t count = 0; count <= from.size(); ++count) {
      std::fill(room.begin(), room.end(), -1.0);
      stream(PointView(from).first(count), PointRef(room).subspan(first, count));
      finish_streams();
      for (std::size_t i = 0; i < room.size(); ++i) {
        const bool written = i >= first && i < first + count;
        ASSERT_EQ(room[i], written ? from[i - first] : -1) << first << ' ' << count << ' ' << i;
      }
    }
}

TEST(Point, IsCopiedWholeAndNothingElse) {
  Point from(20), room(24);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<double>(i + 1);
  for (std::size_t count = 0; count <= from.size(); ++count) {
    std::fill(room.begin(), room.end(), -1.0);
    copy(PointView(from).first(count), PointRef(room).subspan(2, count));
    for (std::size_t i = 0; i < room.size(); ++i)
      ASSERT_EQ(room[i], i >= 2 && i < 2 + count ? from[i - 2] : -1) << count << ' ' << i;
  }
}

TEST(Workers, DoEveryPartOnce) {
  for (const int threads : {1, 2, 5}) {
    Workers workers(threads);
    EXPECT_EQ(workers.threads(), threads);
    for (int task = 0; task < 300; ++task) {
      const auto parts = static_cast<std::size_t>(task % 7);
      std::vector<int> done(parts, 0);
      workers.each(parts, [&](std::size_t p) { done[p] += task + 1; });
      EXPECT_EQ(done, std::vector<int>(parts, task + 1));
    }
  }
}

/// Nobody goes on before all have come: else one would read what another has not yet written, or
/// has written over.
TEST(Workers, MeetInsideATask) {
  for (const int threads : {1, 2, 5}) {
    Workers workers(threads);
    const auto count = static_cast<std::size_t>(threads);
    std::vector<int> told(2 * count);  // by turns to either half
    std::atomic<int> wrong = 0;
    for (int task = 0; task < 100; ++task)
      workers.each(count, [&](std::size_t thread) {
        for (int turn = 1; turn <= 20; ++turn) {
          const std::span<int> here = std::span(told).subspan(turn % 2 == 0 ? 0 : count, count);
          here[thread] = 100 * task + turn;
          workers.meet(thread);
          for (const int number : here) wrong += number == 100 * task + turn ? 0 : 1;
        }
      });
    EXPECT_EQ(wrong, 0) << threads << " threads";
  }
}

/// Who waits for long sleeps, and is woken by the next task.
TEST(Workers, WakeUpForTheNextTask) {
  Workers workers(3);
  std::atomic<int> done = 0;
  for (int task = 1; task <= 5; ++task) {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    workers.each(3, [&](std::size_t) { ++done; });
    EXPECT_EQ(done, 3 * task);
  }
}

}  // namespace
}  // namespace hindsight
