/// Four numbers worked on at once: one register or two, as the processor has them, and the same
/// results. For kernels that are HINDSIGHT_WIDE; everything here is inlined into them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

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

/// Calls with 0, 4, ..., n - 4, where n >= 4: the last four overlap those before them if they must.
template <class Each>
__attribute__((always_inline)) inline void each_four(std::size_t n, Each each) {
  for (std::size_t i = 0; i + 4 < n; i += 4) each(i);
  each(n - 4);
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

}  // namespace hindsight
