/// Four numbers worked on at once: one register or two, as the processor has them, and the same
/// results. For kernels that are HINDSIGHT_WIDE; everything here is inlined into them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hindsight {

typedef double Lanes __attribute__((vector_size(32)));
typedef std::int64_t Mask __attribute__((vector_size(32)));
/// In an array of numbers, wherever four of them stand.
typedef double FourNumbers __attribute__((vector_size(32), aligned(8), may_alias));

__attribute__((always_inline)) inline void load(const double* at, Lanes& lanes) {
  lanes = *reinterpret_cast<const FourNumbers*>(at);
}
__attribute__((always_inline)) inline void store(double* at, const Lanes& lanes) {
  *reinterpret_cast<FourNumbers*>(at) = lanes;
}

/// Calls with 0, 4, ..., n - 4, where n >= 4: the last four overlap those before them if they must.
template <class Each>
__attribute__((always_inline)) inline void each_four(std::size_t n, Each each) {
  for (std::size_t i = 0; i + 4 < n; i += 4) each(i);
  each(n - 4);
}

}  // namespace hindsight
