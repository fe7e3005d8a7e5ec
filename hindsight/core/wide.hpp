/// Loops compiled twice, for plain x86-64 and for AVX2, and chosen when the program starts.
///
/// Lanes and the order of additions are fixed by the source and AVX2 alone fuses no multiplication
/// with an addition, so every width gives the same numbers. Sanitizers cannot follow the start-up
/// choice.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define HINDSIGHT_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define HINDSIGHT_WIDE
#endif
