// The machine itself: simple loops over working sets from the first cache to the memory.
#include "benchmarks/bench.hpp"

namespace hindsight::bench {
namespace {

/// Additions of which each waits for the last: one a cycle.
void add_clock() {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))
  constexpr int additions = 100'000;
  add("limit/cycle", additions, [] {
    return [] {
      std::size_t sum = 0;
      for (int n = 0; n < additions / 10; ++n)
        for (int unrolled = 0; unrolled < 10; ++unrolled) {
#if defined(__x86_64__)
          asm volatile("add $1, %0" : "+r"(sum));
#else
          asm volatile("add %0, %0, #1" : "+r"(sum));
#endif
        }
    };
  });
#endif
}

}  // namespace

void add_benchmarks() {
  add_clock();
  for (const Sweep sweep : {Sweep::read, Sweep::axpy, Sweep::triad})
    for (const Real real : {Real::f64, Real::f32})
      for (const std::size_t kilobytes : {8u, 256u, 4096u, 65536u, 262144u})
        add_sweep(sweep, real, kilobytes * 1024);
}

}  // namespace hindsight::bench
