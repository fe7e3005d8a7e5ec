#include "hindsight/core/streaming.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "hindsight/core/wide.hpp"

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace hindsight {
namespace {

#ifdef __x86_64__
/// Writes `lanes` numbers at a time by `write`, where they stand as the processor wants them.
template <std::size_t lanes, class Write>
__attribute__((always_inline)) inline void stream_lanes(PointView from, PointRef to, Write write) {
  const std::size_t n = to.size();
  std::size_t i = 0;
  for (; i < n && reinterpret_cast<std::uintptr_t>(&to[i]) % (lanes * sizeof(double)) != 0; ++i)
    to[i] = from[i];
  for (; i + 16 <= n; i += 16)
    for (std::size_t j = 0; j < 16; j += lanes) write(&from[i + j], &to[i + j]);
  for (; i + lanes <= n; i += lanes) write(&from[i], &to[i]);
  for (; i < n; ++i) to[i] = from[i];
}

#ifdef HINDSIGHT_HAS_WIDTHS
HINDSIGHT_AVX2 void stream_numbers(PointView from, PointRef to) {
  stream_lanes<4>(from, to, [](const double* a, double* b) HINDSIGHT_AVX2 {
    _mm256_stream_pd(b, _mm256_loadu_pd(a));
  });
}
HINDSIGHT_ANYWHERE
#endif
void stream_numbers(PointView from, PointRef to) {
  stream_lanes<2>(from, to, [](const double* a, double* b) { _mm_stream_pd(b, _mm_loadu_pd(a)); });
}
#endif

/// Of the last cache that a core reaches, where the processor tells. (What the C library tells is,
/// for some processors, what all groups of cores have together.)
std::size_t cache_bytes() {
  std::size_t last = 0;
#ifdef __x86_64__
  for (const unsigned leaf : {0x4u, 0x8000001Du}) {  // Intel's, AMD's
    unsigned kind, shape, sets, more;
    for (unsigned n = 0; __get_cpuid_count(leaf, n, &kind, &shape, &sets, &more) != 0; ++n) {
      if ((kind & 0x1F) == 0) break;  // no further cache
      const std::size_t ways = (shape >> 22) + 1, parts = (shape >> 12 & 0x3FF) + 1,
                        line = (shape & 0xFFF) + 1;
      last = std::max(last, ways * parts * line * (std::size_t{sets} + 1));
    }
  }
#endif
  return last > 0 ? last : std::size_t{16} << 20;
}

}  // namespace

bool larger_than_caches(std::size_t bytes) {
  static const std::size_t caches = cache_bytes();
  return bytes > caches;
}

#ifdef __x86_64__
void stream(PointView from, PointRef to) { stream_numbers(from, to); }
void finish_streams() { _mm_sfence(); }
#else
void stream(PointView from, PointRef to) { copy(from, to); }
void finish_streams() {}
#endif

}  // namespace hindsight
