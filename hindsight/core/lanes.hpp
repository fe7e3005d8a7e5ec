/// Numbers worked on at once, with the same results whatever the processor's registers hold.
/// Everything here is inlined into kernels: `Lanes`, four numbers, into those that are
/// HINDSIGHT_WIDE or for each width; a `Pack`, as many as a kernel likes, into those for each
/// width.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "hindsight/core/wide.hpp"

#ifdef HINDSIGHT_HAS_WIDTHS
#include <immintrin.h>  // or the compiler does not know its built-in functions
#endif

namespace hindsight {

typedef double Lanes __attribute__((vector_size(32)));
typedef std::int64_t Mask __attribute__((vector_size(32)));
/// In an array of numbers, wherever four of them stand.
typedef double FourNumbers __attribute__((vector_size(32), aligned(8), may_alias));
typedef float FourFloats __attribute__((vector_size(16), aligned(4), may_alias));

__attribute__((always_inline)) inline void load(const double* at, Lanes& lanes) {
  lanes = *reinterpret_cast<const FourNumbers*>(at);
}
__attribute__((always_inline)) inline void store(double* at, const Lanes& lanes) {
  *reinterpret_cast<FourNumbers*>(at) = lanes;
}

/// Numbers that are kept in f32 and worked on in f64. One by one in the source, which becomes one
/// instruction; GCC takes a conversion of vectors apart before it knows how wide they may be.
__attribute__((always_inline)) inline void load(const float* at, Lanes& lanes) {
  for (std::size_t j = 0; j < 4; ++j) lanes[j] = static_cast<double>(at[j]);
}
__attribute__((always_inline)) inline void store(float* at, const Lanes& lanes) {
  *reinterpret_cast<FourFloats*>(at) = __builtin_convertvector(lanes, FourFloats);
}

/// As tables keep points: in f64 as they are; in f32 rounded down, by at most 2^-23 of themselves,
/// where they are 0 or at least 2^-126. Rounding to the nearest adds at most 2^-24 of a number,
/// which is taken off before: (1 - 2^-24) (1 + 2^-24) < 1.
constexpr double rounded_down = 1 - 0x1p-24;
__attribute__((always_inline)) inline void keep(double* at, const Lanes& x) { store(at, x); }
__attribute__((always_inline)) inline void keep(double* at, double x) { *at = x; }
__attribute__((always_inline)) inline void keep(float* at, const Lanes& x) {
  store(at, x * rounded_down);
}
__attribute__((always_inline)) inline void keep(float* at, double x) {
  *at = static_cast<float>(x * rounded_down);
}

/// Where so few numbers stand that four at a time fit into registers: 4 <= n <= 16. The last four
/// overlap those before them if they must.
constexpr std::size_t few = 16;
template <std::size_t Fours>
struct Few {
  static constexpr std::integral_constant<std::size_t, Fours> count{};
  Lanes four[Fours];

  /// Calls with each j and where its four begin.
  template <class Each>
  __attribute__((always_inline)) static void each(std::size_t n, Each call) {
    for (std::size_t j = 0; j + 1 < Fours; ++j) call(j, 4 * j);
    call(Fours - 1, n - 4);
  }

  /// sum += the squares of the j-th four; of the last four, those that no others hold.
  __attribute__((always_inline)) static void add_squares(std::size_t j, std::size_t n,
                                                         const Lanes& of, Lanes& sum) {
    const Lanes square = of * of;
    const Mask lane = {0, 1, 2, 3};
    const Mask counted = lane >= static_cast<std::int64_t>(4 * Fours - n);
    sum +=
        j + 1 < Fours ? square : reinterpret_cast<Lanes>(reinterpret_cast<Mask>(square) & counted);
  }
};

/// Calls with Few<1>, ..., Few<4>, as n numbers need.
template <class Call>
__attribute__((always_inline)) inline void with_few(std::size_t n, Call call) {
  if (n <= 4) return call(Few<1>{});
  if (n <= 8) return call(Few<2>{});
  if (n <= 12) return call(Few<3>{});
  call(Few<4>{});
}

/// N numbers in registers of `Width` (core/wide.hpp).
template <class Number, std::size_t N, class Width>
struct Pack {
  static_assert(N * sizeof(Number) % Width::bytes == 0);
  static constexpr std::size_t lanes = Width::bytes / sizeof(Number), count = N / lanes;
  typedef Number Register __attribute__((vector_size(Width::bytes)));
  /// In an array of numbers, wherever they stand.
  typedef Register Loose __attribute__((aligned(sizeof(Number)), may_alias));
  Register part[count];

  /// All the same.
  __attribute__((always_inline)) void fill(Number number) {
    for (Register& r : part) r = Register{} + number;
  }
};
template <class Width>
using Doubles = Pack<double, 16, Width>;
template <class Width>
using Floats = Pack<float, 16, Width>;

template <class Number, std::size_t N, class Width>
__attribute__((always_inline)) inline void load(const Number* at, Pack<Number, N, Width>& pack) {
  using Loose = typename Pack<Number, N, Width>::Loose;
#pragma GCC unroll 8
  for (std::size_t j = 0; j < Pack<Number, N, Width>::count; ++j)
    pack.part[j] = *reinterpret_cast<const Loose*>(at + j * pack.lanes);
}
template <class Number, std::size_t N, class Width>
__attribute__((always_inline)) inline void store(Number* at, const Pack<Number, N, Width>& pack) {
  using Loose = typename Pack<Number, N, Width>::Loose;
#pragma GCC unroll 8
  for (std::size_t j = 0; j < Pack<Number, N, Width>::count; ++j)
    *reinterpret_cast<Loose*>(at + j * pack.lanes) = pack.part[j];
}

/// Past the caches (core/streaming.hpp), where `at` is a multiple of a register's bytes.
template <std::size_t N, class Width>
__attribute__((always_inline)) inline void stream(double* at, const Pack<double, N, Width>& pack) {
#ifdef HINDSIGHT_HAS_WIDTHS
#pragma GCC unroll 8
  for (std::size_t j = 0; j < pack.count; ++j) {
    if constexpr (std::is_same_v<Width, Avx512>)
      __builtin_ia32_movntpd512(at + j * pack.lanes, pack.part[j]);
    else if constexpr (std::is_same_v<Width, Avx2>)
      __builtin_ia32_movntpd256(at + j * pack.lanes, pack.part[j]);
  }
  if constexpr (!std::is_same_v<Width, Plain>) return;
#endif
  store(at, pack);
}

/// Four of its numbers. (Not through memory, or GCC keeps the pack there.)
template <std::size_t N, class Width>
__attribute__((always_inline)) inline void take_four(const Pack<double, N, Width>& pack,
                                                     std::size_t first, Lanes& four) {
  const auto number = [&](std::size_t j) __attribute__((always_inline)) {
    return pack.part[j / pack.lanes][j % pack.lanes];
  };
  four = Lanes{number(first), number(first + 1), number(first + 2), number(first + 3)};
}

/// All its numbers, added up in the same order in every width.
template <class Width>
__attribute__((always_inline)) inline double total_of(const Doubles<Width>& pack) {
  Lanes a, b, c, d;
  take_four(pack, 0, a);
  take_four(pack, 4, b);
  take_four(pack, 8, c);
  take_four(pack, 12, d);
  const Lanes sum = (a + c) + (b + d);
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}
template <class Number>
struct FourOf {
  typedef Number Register __attribute__((vector_size(4 * sizeof(Number))));
};
/// Of whole numbers, whose order does not matter: by fours, of which GCC makes few instructions.
template <class Number, std::size_t N, class Width>
__attribute__((always_inline)) inline std::int64_t total_of(const Pack<Number, N, Width>& pack) {
  static_assert(std::is_integral_v<Number>);
  typedef typename Pack<Number, N, Width>::Register Register;
  constexpr std::size_t lanes = Pack<Number, N, Width>::lanes;
  Register sum = pack.part[0];
  for (std::size_t j = 1; j < pack.count; ++j) sum += pack.part[j];
  using Four = typename FourOf<Number>::Register;
  Four four = {sum[0], sum[1], sum[2], sum[3]};
#pragma GCC unroll 4
  for (std::size_t j = 4; j < lanes; j += 4)
    four += Four{sum[j], sum[j + 1], sum[j + 2], sum[j + 3]};
  return (std::int64_t{four[0]} + four[1]) + (std::int64_t{four[2]} + four[3]);
}

/// From f32. Number by number in the source, which becomes one instruction a register.
template <std::size_t N, class Width>
__attribute__((always_inline)) inline void load(const float* at, Pack<double, N, Width>& pack) {
  constexpr std::size_t lanes = Pack<double, N, Width>::lanes;
  for (std::size_t j = 0; j < N; ++j) pack.part[j / lanes][j % lanes] = static_cast<double>(at[j]);
}
/// a b + c in f32, rounded once: half the work, and the same digits in every width.
template <class Width, class Register>
__attribute__((always_inline)) inline void multiply_add(const Register& a, const Register& b,
                                                        const Register& c, Register& sum) {
  if constexpr (std::is_same_v<Register, float>) {
    sum = std::fma(a, b, c);
    return;
  } else {
#ifdef HINDSIGHT_HAS_WIDTHS
    if constexpr (std::is_same_v<Width, Avx512> && sizeof sum == 64) {
      constexpr int as_set = 4;  // rounding
      sum = __builtin_ia32_vfmaddps512_mask(a, b, c, -1, as_set);
      return;
    } else if constexpr (std::is_same_v<Width, Avx2> && sizeof sum == 32) {
      sum = __builtin_ia32_vfmaddps256(a, b, c);
      return;
    }
#endif
    for (std::size_t j = 0; j < sizeof sum / sizeof sum[0]; ++j)
      sum[j] = std::fma(a[j], b[j], c[j]);
  }
}

/// sum += x^2. The square of an f32 is exact in f64: fused it is the same, and half the work.
template <class Number, class Width, class Register>
__attribute__((always_inline)) inline void add_square(const Register& x, Register& sum) {
#ifdef HINDSIGHT_HAS_WIDTHS
  if constexpr (std::is_same_v<Number, float> && std::is_same_v<Width, Avx512>) {
    constexpr int as_set = 4;  // rounding
    sum = __builtin_ia32_vfmaddpd512_mask(x, x, sum, 0xFF, as_set);
    return;
  } else if constexpr (std::is_same_v<Number, float> && std::is_same_v<Width, Avx2>) {
    sum = __builtin_ia32_vfmaddpd256(x, x, sum);
    return;
  }
#endif
  sum += x * x;
}
/// |x|^2, added up in sixteen lanes, or in as many packs of them side by side, as an addition waits
/// for the one before.
template <class Width, std::size_t Packs = 1, class Number>
__attribute__((always_inline)) inline double sum_squares(const Number* x, std::size_t n) {
  Doubles<Width> sums[Packs] = {};
  const auto add = [&](std::size_t i, Doubles<Width> & sum) __attribute__((always_inline)) {
    Doubles<Width> some;
    load(x + i, some);
    for (std::size_t r = 0; r < sum.count; ++r)
      add_square<Number, Width>(some.part[r], sum.part[r]);
  };
  std::size_t i = 0;
  for (; i + 16 * Packs <= n; i += 16 * Packs)
    for (std::size_t p = 0; p < Packs; ++p) add(i + 16 * p, sums[p]);
  for (; i + 16 <= n; i += 16) add(i, sums[0]);
  double rest = 0;
  if (Packs > 1)
    for (; i + 4 <= n; i += 4) {
      Lanes four;
      load(x + i, four);
      four *= four;
      rest += (four[0] + four[1]) + (four[2] + four[3]);
    }
  for (; i < n; ++i) rest += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  for (std::size_t p = 1; p < Packs; ++p)
    for (std::size_t r = 0; r < sums[0].count; ++r) sums[0].part[r] += sums[p].part[r];
  return total_of(sums[0]) + rest;
}

template <std::size_t N, class Width>
__attribute__((always_inline)) inline void widen_pack(const Pack<float, N, Width>& from,
                                                      Pack<double, N, Width>& to) {
  constexpr std::size_t lanes = Pack<double, N, Width>::lanes, wide = Pack<float, N, Width>::lanes;
  for (std::size_t j = 0; j < N; ++j)
    to.part[j / lanes][j % lanes] = static_cast<double>(from.part[j / wide][j % wide]);
}
template <std::size_t N, class Width>
__attribute__((always_inline)) inline void widen_pack(const Pack<double, N, Width>& from,
                                                      Pack<double, N, Width>& to) {
  to = from;
}
/// To the nearest f32.
template <std::size_t N, class Width>
__attribute__((always_inline)) inline void store(float* at, const Pack<double, N, Width>& pack) {
  typedef float Half __attribute__((vector_size(Width::bytes / 2)));
  for (const auto& r : pack.part) {
    const Half half = __builtin_convertvector(r, Half);
    std::memcpy(at, &half, sizeof half);
    at += sizeof half / sizeof(float);
  }
}
template <std::size_t N, class Width>
__attribute__((always_inline)) inline void keep(double* at, const Pack<double, N, Width>& x) {
  store(at, x);
}
template <std::size_t N, class Width>
__attribute__((always_inline)) inline void keep(float* at, const Pack<double, N, Width>& x) {
  Pack<double, N, Width> down = x;
  for (auto& r : down.part) r *= rounded_down;
  store(at, down);
}

/// Counting, lane by lane, which numbers are above and below bounds; and what is left of those
/// between two. AVX-512 has masks for that, which GCC finds here and there; elsewhere it takes a
/// comparison apart, number by number.
enum class Relation { equal = 0, below = 1, above = 14 };
template <Relation relation, class Register, class Among>
__attribute__((always_inline)) inline auto mask_of(const Register& x, const Register& bound,
                                                   Among among) {
  constexpr int as_set = 4;  // rounding, of which there is none
  if constexpr (std::is_same_v<decltype(x[0] + 0), double>)
    return __builtin_ia32_cmppd512_mask(x, bound, static_cast<int>(relation),
                                        static_cast<unsigned char>(among), as_set);
  else
    return __builtin_ia32_cmpps512_mask(x, bound, static_cast<int>(relation),
                                        static_cast<unsigned short>(among), as_set);
}
template <class Counts, class Among>
__attribute__((always_inline)) inline void count_masked(Counts& count, Among mask) {
  typedef long long Longs __attribute__((vector_size(Avx512::bytes)));
  typedef int Ints __attribute__((vector_size(Avx512::bytes)));
  if constexpr (sizeof(count[0]) == 8) {
    const Longs longs = reinterpret_cast<Longs>(count);
    count = reinterpret_cast<Counts>(__builtin_ia32_paddq512_mask(longs, Longs{} + 1, longs, mask));
  } else {
    const Ints ints = reinterpret_cast<Ints>(count);
    count = reinterpret_cast<Counts>(__builtin_ia32_paddd512_mask(ints, Ints{} + 1, ints, mask));
  }
}
template <class Register>
constexpr bool has_masks = sizeof(Register) == Avx512::bytes;

/// above += is x above floor?
template <class Register, class Counts>
__attribute__((always_inline)) inline void count_above(const Register& x, const Register& floor,
                                                       Counts& above) {
  if constexpr (has_masks<Register>)
    count_masked(above, mask_of<Relation::above>(x, floor, -1));
  else
    above -= x > floor;
}
template <class Register, class Counts>
__attribute__((always_inline)) inline void count_below(const Register& x, const Register& ceiling,
                                                       Counts& below) {
  if constexpr (has_masks<Register>)
    count_masked(below, mask_of<Relation::below>(x, ceiling, -1));
  else
    below -= x < ceiling;
}
template <class Register, class Counts>
__attribute__((always_inline)) inline void count_equal(const Register& x, const Register& y,
                                                       Counts& equal) {
  if constexpr (has_masks<Register>)
    count_masked(equal, mask_of<Relation::equal>(x, y, -1));
  else
    equal -= x == y;
}
/// Both, for those below the ceiling and those between; of x what is between stays, the rest
/// becomes 0.
template <class Register, class Counts>
__attribute__((always_inline)) inline void keep_between(const Register& floor,
                                                        const Register& ceiling, Register& x,
                                                        Counts& between, Counts& below) {
  if constexpr (has_masks<Register>) {
    const auto is_below = mask_of<Relation::below>(x, ceiling, -1);
    const auto is_between = mask_of<Relation::above>(x, floor, is_below);
    count_masked(below, is_below);
    count_masked(between, is_between);
    if constexpr (sizeof(x[0]) == 8)
      x = __builtin_ia32_movapd512_mask(x, Register{}, is_between);
    else
      x = __builtin_ia32_movaps512_mask(x, Register{}, is_between);
  } else {
    const auto is_below = x < ceiling;
    const auto is_between = (x > floor) & is_below;
    below -= is_below;
    between -= is_between;
    x = reinterpret_cast<Register>(reinterpret_cast<Counts>(x) & is_between);
  }
}

}  // namespace hindsight
