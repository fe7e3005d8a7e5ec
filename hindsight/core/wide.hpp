/// Kernels for the vectors that a processor has, chosen when the program starts. Such functions fix
/// lanes and the order of additions in their source, so that every width gives the same numbers.
///
/// HINDSIGHT_WIDE before a function: it is compiled whole for plain x86-64 and for AVX2.
///
/// HINDSIGHT_EACH_WIDTH((body<Width>(x)), void name(int x)) defines a function of an unnamed
/// namespace, whose body knows the registers it is compiled for as `Width`: of AVX-512, of AVX2, or
/// what every processor has.
#pragma once

#include <cstddef>

namespace hindsight {

struct Plain {
  static constexpr std::size_t bytes = 32;  ///< two registers that work as one
};
struct Avx2 {
  static constexpr std::size_t bytes = 32;
};
struct Avx512 {
  static constexpr std::size_t bytes = 64;
};

}  // namespace hindsight

#define HINDSIGHT_OF_WIDTH(width, body, ...) \
  __VA_ARGS__ {                              \
    using Width [[maybe_unused]] = width;    \
    return body;                             \
  }

// Sanitizers cannot follow the start-up choice. HINDSIGHT_ONE_WIDTH and HINDSIGHT_NO_AVX512 are for
// the test that compares.
#if !defined(HINDSIGHT_ONE_WIDTH) && defined(__x86_64__) && defined(__GNUC__) && \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HINDSIGHT_HAS_WIDTHS
#define HINDSIGHT_AVX2 __attribute__((target("arch=x86-64-v3")))
#define HINDSIGHT_AVX512 __attribute__((target("arch=x86-64-v4")))
#define HINDSIGHT_ANYWHERE __attribute__((target("default")))
#define HINDSIGHT_WIDE __attribute__((target_clones("arch=x86-64-v3", "default")))
#ifdef HINDSIGHT_NO_AVX512
#define HINDSIGHT_EACH_WIDTH(body, ...)                      \
  HINDSIGHT_AVX2 HINDSIGHT_OF_WIDTH(Avx2, body, __VA_ARGS__) \
  HINDSIGHT_ANYWHERE HINDSIGHT_OF_WIDTH(Plain, body, __VA_ARGS__)
#else
#define HINDSIGHT_EACH_WIDTH(body, ...)                          \
  HINDSIGHT_AVX512 HINDSIGHT_OF_WIDTH(Avx512, body, __VA_ARGS__) \
  HINDSIGHT_AVX2 HINDSIGHT_OF_WIDTH(Avx2, body, __VA_ARGS__)     \
  HINDSIGHT_ANYWHERE HINDSIGHT_OF_WIDTH(Plain, body, __VA_ARGS__)
#endif
#else
#define HINDSIGHT_WIDE
#define HINDSIGHT_EACH_WIDTH(body, ...) HINDSIGHT_OF_WIDTH(Plain, body, __VA_ARGS__)
#endif
