/// The numbers of long directions, made a pack at a time, for kernels that do something with them
/// on the way (core/lanes.hpp). They go by parts of up to columns_at_a_time, so that any thread can
/// make any of them; each part takes the words of sixteen counters of Philox as the states of as
/// many sequential generators, which make words for a sixth of what Philox takes.
#pragma once

#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/rng.hpp"

namespace hindsight {

constexpr std::size_t counters_at_a_time = 16;
/// That a part begins with.
constexpr std::size_t words_of_part = 4 * counters_at_a_time;
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

/// The keys of Philox's rounds. In memory, from where a number fills a register for less than from
/// another one.
struct RoundKeys {
  std::uint64_t a[10], b[10];

  explicit RoundKeys(std::uint64_t key) {
    for (std::uint64_t round = 0; round < 10; ++round) {
      a[round] = key + round * 0x9E3779B9u;
      b[round] = (key >> 32) + round * 0xBB67AE85u;
    }
  }
};

/// Counters of one stream, one after another.
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
// A word becomes a normal number by the inverse of the distribution function: less work than Box
// and Muller's transform if polynomials are looked up, and numbers that are all alike.

/// For p = 2^(e - 32) m, 1 <= m < 2, the number that a normal one exceeds with probability p is
/// octave_terms[0][e] + octave_terms[1][e] m + ..., to within 2.9e-5, and 0 for p = 1/2. Fitted to
/// the least of these errors. The first octave stands behind the last once more.
constexpr float octave_terms[][33] = {
    {0x1.a00156p2f, 0x1.9948e6p2f, 0x1.92751ap2f, 0x1.8b84ap2f,
     0x1.847606p2f, 0x1.7d47c2p2f, 0x1.75f82p2f,  0x1.6e854ap2f,
     0x1.66ed38p2f, 0x1.5f2db4p2f, 0x1.57444ep2f, 0x1.4f2e5p2f,
     0x1.46e8bap2f, 0x1.3e7036p2f, 0x1.35c104p2f, 0x1.2cd6eep2f,
     0x1.23ad2cp2f, 0x1.1a3e4ep2f, 0x1.10841ap2f, 0x1.06775cp2f,
     0x1.f81f6ep1f, 0x1.e286acp1f, 0x1.cc0d2cp1f, 0x1.b49714p1f,
     0x1.9c02b4p1f, 0x1.8226dp1f,  0x1.66d066p1f, 0x1.49bf9ep1f,
     0x1.2aa3fep1f, 0x1.09166cp1f, 0x1.c80e7cp0f, 0,
     0x1.a00156p2f},
    {-0x1.bc91e4p-2f, -0x1.c3e0c4p-2f, -0x1.cb8d88p-2f, -0x1.d3a04p-2f,
     -0x1.dc21f4p-2f, -0x1.e51cd8p-2f, -0x1.ee9c78p-2f, -0x1.f8adf4p-2f,
     -0x1.01b02ap-1f, -0x1.076268p-1f, -0x1.0d77acp-1f, -0x1.13fb8ep-1f,
     -0x1.1afb96p-1f, -0x1.2287bep-1f, -0x1.2ab2fcp-1f, -0x1.339406p-1f,
     -0x1.3d4652p-1f, -0x1.47eb6cp-1f, -0x1.53accep-1f, -0x1.60be68p-1f,
     -0x1.6f623ap-1f, -0x1.7fed84p-1f, -0x1.92d088p-1f, -0x1.a8a244p-1f,
     -0x1.c232fep-1f, -0x1.e0aa6cp-1f, -0x1.02dd6ap0f,  -0x1.19fdb6p0f,
     -0x1.37c79ap0f,  -0x1.5faa7p0f,   -0x1.9410eep0f,  0,
     -0x1.bc91e4p-2f},
    {0x1.c9b956p-3f, 0x1.d10ef8p-3f, 0x1.d8c038p-3f, 0x1.e0d4b8p-3f,
     0x1.e954f6p-3f, 0x1.f24a88p-3f, 0x1.fbc032p-3f, 0x1.02e116p-2f,
     0x1.082f2cp-2f, 0x1.0dd246p-2f, 0x1.13d38p-2f,  0x1.1a3d5ap-2f,
     0x1.211c04p-2f, 0x1.287db8p-2f, 0x1.307338p-2f, 0x1.391056p-2f,
     0x1.426cb8p-2f, 0x1.4ca4dap-2f, 0x1.57db52p-2f, 0x1.643a88p-2f,
     0x1.71f70ap-2f, 0x1.8152acp-2f, 0x1.92a0c8p-2f, 0x1.a64bfcp-2f,
     0x1.bcddb4p-2f, 0x1.d7072ap-2f, 0x1.f5a914p-2f, 0x1.0ce6dap-1f,
     0x1.2232dap-1f, 0x1.3a747p-1f,  0x1.492362p-1f, 0,
     0x1.c9b956p-3f},
    {-0x1.156c9ap-4f, -0x1.19d5a8p-4f, -0x1.1e755ap-4f, -0x1.23502ep-4f,
     -0x1.286b2cp-4f, -0x1.2dcbfap-4f, -0x1.3378f2p-4f, -0x1.39794p-4f,
     -0x1.3fd51p-4f,  -0x1.4695bp-4f,  -0x1.4dc5c6p-4f, -0x1.55719ep-4f,
     -0x1.5da774p-4f, -0x1.6677ep-4f,  -0x1.6ff658p-4f, -0x1.7a39ep-4f,
     -0x1.855ddap-4f, -0x1.91832p-4f,  -0x1.9ed182p-4f, -0x1.ad79a2p-4f,
     -0x1.bdb792p-4f, -0x1.cfd64cp-4f, -0x1.e43474p-4f, -0x1.fb4ad4p-4f,
     -0x1.0adaap-3f,  -0x1.1a1f3p-3f,  -0x1.2bf788p-3f, -0x1.4110e8p-3f,
     -0x1.5a5264p-3f, -0x1.78fa72p-3f, -0x1.8c29e2p-3f, 0,
     -0x1.156c9ap-4f},
    {0x1.183dc6p-7f, 0x1.1cade8p-7f, 0x1.2154cep-7f, 0x1.2636f4p-7f,
     0x1.2b595ep-7f, 0x1.30c1aep-7f, 0x1.367636p-7f, 0x1.3c7e22p-7f,
     0x1.42e18cp-7f, 0x1.49a9b8p-7f, 0x1.50e13ep-7f, 0x1.589456p-7f,
     0x1.60d11cp-7f, 0x1.69a808p-7f, 0x1.732c64p-7f, 0x1.7d74fp-7f,
     0x1.889cc2p-7f, 0x1.94c44cp-7f, 0x1.a212c8p-7f, 0x1.b0b82p-7f,
     0x1.c0ef5ep-7f, 0x1.d30218p-7f, 0x1.e74d08p-7f, 0x1.fe465cp-7f,
     0x1.0c4328p-6f, 0x1.1b695ep-6f, 0x1.2d16f8p-6f, 0x1.41f37p-6f,
     0x1.5aca9ap-6f, 0x1.779a2p-6f,  0x1.67e14cp-6f, 0,
     0x1.183dc6p-7f}};
constexpr std::size_t terms = std::size(octave_terms), octaves = 32;

/// The polynomials of numbers 2^e m; `digits` are those of f32.
template <class Width, class Bits, class Register>
__attribute__((always_inline)) inline void look_up(const Bits& digits, Register (&term)[terms]) {
  constexpr std::size_t each = sizeof(Register) / sizeof(float);
  // The exponent of 2^e is kept as 127 + e, which is e - 1 by thirty-twos.
  const Bits before = digits >> 23, octave = before + 1;
#ifdef HINDSIGHT_HAS_WIDTHS
  const auto row = [](std::size_t j, std::size_t e) __attribute__((always_inline)) {
    Register some;
    std::memcpy(&some, &octave_terms[j][e], sizeof some);
    return some;
  };
  using Ints = typename Pack<int, each, Width>::Register;
  if constexpr (std::is_same_v<Width, Avx512>) {
    for (std::size_t j = 0; j < terms; ++j)
      term[j] = __builtin_ia32_vpermt2varps512_mask(reinterpret_cast<Ints>(before), row(j, 1),
                                                    row(j, 1 + each), 0xFFFF);
    return;
  } else if constexpr (std::is_same_v<Width, Avx2>) {
    const Ints index = reinterpret_cast<Ints>(octave);
    // Mostly all are of the last eight, 127 of 128 numbers.
    const auto is_earlier = (octave & 24) != 24;
    if (__builtin_ia32_movmskps256(reinterpret_cast<Register>(is_earlier)) == 0) [[likely]] {
      for (std::size_t j = 0; j < terms; ++j)
        term[j] = __builtin_ia32_permvarsf256(row(j, 24), index);
      return;
    }
    const auto odd = (octave & 8) != 0, late = (octave & 16) != 0;
    for (std::size_t j = 0; j < terms; ++j) {
      const auto among = [&](std::size_t e) __attribute__((always_inline)) {
        return __builtin_ia32_permvarsf256(row(j, e), index);
      };
      const Register early_ones = odd ? among(8) : among(0),
                     late_ones = odd ? among(24) : among(16);
      term[j] = late ? late_ones : early_ones;
    }
    return;
  }
#endif
  for (std::size_t j = 0; j < terms; ++j)
    for (std::size_t n = 0; n < each; ++n) term[j][n] = octave_terms[j][octave[n] % octaves];
}

/// The words are taken for whole numbers with signs. Of 2^32 all but one have their opposite: 0
/// goes with 2 (docs/estimators.md says how little that changes).
template <class Width>
__attribute__((always_inline)) inline void words_to_normals(const Unsigned<Width>& words,
                                                            Floats<Width>& made) {
  typedef typename Floats<Width>::Register Register;
  typedef typename Whole<Width>::Register Ints;
  typedef typename Unsigned<Width>::Register Bits;
  for (std::size_t r = 0; r < words.count; ++r) {
    const Register number =
        __builtin_convertvector(reinterpret_cast<Ints>(words.part[r]), Register);
    const Bits digits = reinterpret_cast<Bits>(number);
    constexpr std::uint32_t sign = 0x80000000u, mantissa = 0x7FFFFFu, one = 0x3F800000u;
    const Register m = reinterpret_cast<Register>((digits & mantissa) | one);
    Register term[terms];
    look_up<Width>(digits, term);
    Register z = term[terms - 1];
#pragma GCC unroll 8
    for (std::size_t j = terms - 1; j > 0; --j) multiply_add<Width>(z, m, term[j - 1], z);
    made.part[r] = reinterpret_cast<Register>(reinterpret_cast<Bits>(z) ^ (digits & sign));
  }
}

/// a ^ b ^ c, which AVX-512 does at once.
template <class Width, class Register>
__attribute__((always_inline)) inline void xor_three(const Register& a, const Register& b,
                                                     const Register& c, Register& sum) {
#ifdef HINDSIGHT_HAS_WIDTHS
  if constexpr (std::is_same_v<Width, Avx512>) {
    using Ints = typename Pack<int, 16, Width>::Register;
    constexpr int odd = 0x96;  // of eight cases those with an odd number of ones
    sum = reinterpret_cast<Register>(
        __builtin_ia32_pternlogd512_mask(reinterpret_cast<Ints>(a), reinterpret_cast<Ints>(b),
                                         reinterpret_cast<Ints>(c), odd, 0xFFFF));
    return;
  }
#endif
  sum = a ^ b ^ c;
}

/// xoroshiro128+ (Blackman, Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS
/// 2021), a generator in each lane of 64 bits, whose word is two of 32. For numbers of f32, as its
/// lowest bits are its weakest.
template <class Width>
struct Sequences {
  Pack<std::uint64_t, 8, Width> first, second;

  __attribute__((always_inline)) void begin(const std::uint32_t* words) {
    load(reinterpret_cast<const std::uint64_t*>(words), first);
    load(reinterpret_cast<const std::uint64_t*>(words) + 8, second);
  }
  __attribute__((always_inline)) void next(Unsigned<Width>& words) {
    for (std::size_t r = 0; r < words.count; ++r) {
      auto &a = first.part[r], &b = second.part[r];
      words.part[r] = reinterpret_cast<typename Unsigned<Width>::Register>(a + b);
      const auto both = a ^ b;
      xor_three<Width>((a << 24) | (a >> 40), both, both << 16, a);
      b = (both << 37) | (both >> 27);
    }
  }
};

/// Only the first `wanted` of its numbers stay, the others become 0.
template <class Width>
__attribute__((always_inline)) inline void drop_behind(std::size_t wanted, Floats<Width>& numbers) {
  typedef typename Floats<Width>::Register Register;
  Whole<Width> place;
  for (std::size_t n = 0; n < 16; ++n)
    place.part[n / place.lanes][n % place.lanes] = static_cast<std::int32_t>(n);
  for (std::size_t r = 0; r < numbers.count; ++r)
    numbers.part[r] =
        place.part[r] < static_cast<std::int32_t>(wanted) ? numbers.part[r] : Register{};
}

/// Sixteen counters start as many generators, of which eight take turns with the others.
template <class Width>
__attribute__((always_inline)) inline void make_beginning(const RoundKeys& keys,
                                                          const Following& counters,
                                                          std::uint32_t* words) {
  Unsigned<Width> state[4];
  philox_words<Width>(keys, counters, 0, state);
  for (std::size_t w = 0; w < 4; ++w) store(words + 16 * w, state[w]);
}

/// What a part of a direction is made from: `words` that it begins with, and where the words of the
/// part that is made after it begin, if any is.
struct PartSource {
  RoundKeys keys;
  std::uint32_t* words;
  std::size_t count;  ///< numbers of this part, at most columns_at_a_time
  bool goes_on;
  Following next;
};

/// Calls put(i, numbers) with those from i on, sixteen at a time; behind the last follow 0s.
/// Returns the sum of their squares: up to 16 are added up in f32, and four such sums, before they
/// go on in f64, so that it is off by at most 18 * 2^-24 of itself. Then the next part begins: it
/// need not wait for the sum, as whoever asked for it has to.
template <class Width, class Put>
__attribute__((always_inline)) inline double make_part(const PartSource& part, Fetch fetch,
                                                       Put put) {
  Sequences<Width> sequences[2];
  for (std::size_t g = 0; g < 2; ++g) sequences[g].begin(part.words + 32 * g);
  const auto make = [&](std::size_t i, std::size_t p, Floats<Width> & sum, std::size_t wanted)
      __attribute__((always_inline)) {
    fetch.at(i);
    Unsigned<Width> words;
    sequences[p % 2].next(words);
    Floats<Width> made;
    words_to_normals<Width>(words, made);
    if (wanted < 16) drop_behind(wanted, made);
    put(i, made);
    for (std::size_t r = 0; r < sum.count; ++r)
      multiply_add<Width>(made.part[r], made.part[r], sum.part[r], sum.part[r]);
  };
  const std::size_t count = part.count;
  Floats<Width> sums[4] = {};
  std::size_t i = 0;
  for (; i + 64 <= count; i += 64)
#pragma GCC unroll 4
    for (std::size_t p = 0; p < 4; ++p) make(i + 16 * p, p, sums[p], 16);
#pragma GCC unroll 4
  for (std::size_t p = 0; p < 4; ++p, i += 16)
    if (i < count) make(i, p, sums[p], count - i);
  for (std::size_t r = 0; r < sums[0].count; ++r)
    sums[0].part[r] = (sums[0].part[r] + sums[1].part[r]) + (sums[2].part[r] + sums[3].part[r]);
  Doubles<Width> squares;
  widen_pack(sums[0], squares);
  if (part.goes_on) make_beginning<Width>(part.keys, part.next, part.words);
  return total_of(squares);
}

/// Begins a part: what `make_beginning` does, for who is no kernel.
void begin_part(const RoundKeys& keys, const Following& counters, std::uint32_t* words);

}  // namespace hindsight
