/// HINDSIGHT_WIDE before a function: it is compiled whole for plain x86-64 and for AVX2, and the
/// processor's is chosen when the program starts. Such functions fix lanes and the order of
/// additions in their source, so that every width gives the same numbers.
///
/// HINDSIGHT_HAS_AVX2: functions may have a version of their own for AVX2, chosen in the same way.
#pragma once

// Sanitizers cannot follow the start-up choice. HINDSIGHT_ONE_WIDTH is for the test that compares.
#if !defined(HINDSIGHT_ONE_WIDTH) && defined(__x86_64__) && defined(__GNUC__) && \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define HINDSIGHT_HAS_AVX2
#define HINDSIGHT_WIDE __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define HINDSIGHT_WIDE
#endif
