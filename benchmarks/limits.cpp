// The machine itself: simple loops over working sets from the first cache to the memory.
#include "benchmarks/bench.hpp"

namespace hindsight::bench {
namespace {

/// Exclusive ors of which each waits for the last: one a cycle. (Additions of a constant are done
/// several at once where a processor renames registers.)
void add_clock() {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))
  constexpr int operations = 100'000;
  add("limit/cycle", operations, [] {
    return [] {
      std::size_t bits = 0;
      for (int n = 0; n < operations / 10; ++n)
        for (int unrolled = 0; unrolled < 10; ++unrolled) {
#if defined(__x86_64__)
          asm volatile("xor $1, %0" : "+r"(bits));
#else
          asm volatile("eor %0, %0, #1" : "+r"(bits));
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
