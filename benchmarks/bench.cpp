#include "benchmarks/bench.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <vector>

#include "hindsight/core/rng.hpp"

// The limit is the machine's, not that of the oldest machine we build for.
#if defined(__x86_64__) && defined(__GNUC__)
#define WIDEST_VECTORS __attribute__((target_clones("avx512f", "avx2,fma", "default")))
#else
#define WIDEST_VECTORS
#endif

namespace hindsight::bench {
namespace {

constexpr std::size_t lanes = 64;  // arrays hold a multiple of it: no remainders

/// Independent sums, so that the latency of an addition is not what takes the time.
template <class T>
[[gnu::always_inline]] inline T sum(const T* x, std::size_t n) {
  constexpr std::size_t width = 32 / sizeof(T), count = 8;
  typedef T Vector __attribute__((vector_size(32)));
  Vector sums[count] = {};
  for (std::size_t i = 0; i < n; i += count * width)
    for (std::size_t j = 0; j < count; ++j) {
      Vector next;
      std::memcpy(&next, x + i + j * width, sizeof next);
      sums[j] += next;
    }
  T total = 0;
  for (const Vector& s : sums)
    for (std::size_t j = 0; j < width; ++j) total += s[j];
  return total;
}

template <class T>
[[gnu::always_inline]] inline void add_multiple(T* __restrict y, T a, const T* __restrict x,
                                                std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] += a * x[i];
}

template <class T>
[[gnu::always_inline]] inline void combine(T* __restrict z, const T* __restrict x, T a,
                                           const T* __restrict y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) z[i] = x[i] + a * y[i];
}

// One function for each precision: a template has no clones.
WIDEST_VECTORS double read(const double* x, std::size_t n) { return sum(x, n); }
WIDEST_VECTORS float read(const float* x, std::size_t n) { return sum(x, n); }
WIDEST_VECTORS void axpy(double* y, double a, const double* x, std::size_t n) {
  add_multiple(y, a, x, n);
}
WIDEST_VECTORS void axpy(float* y, float a, const float* x, std::size_t n) {
  add_multiple(y, a, x, n);
}
WIDEST_VECTORS void triad(double* z, const double* x, double a, const double* y, std::size_t n) {
  combine(z, x, a, y, n);
}
WIDEST_VECTORS void triad(float* z, const float* x, float a, const float* y, std::size_t n) {
  combine(z, x, a, y, n);
}

/// The arrays of a sweep, and one pass over them.
template <class T>
class Arrays {
 public:
  Arrays(Sweep sweep, std::size_t working_set)
      : sweep_(sweep),
        n_(std::max<std::size_t>(lanes, working_set / (arrays() * sizeof(T)) / lanes * lanes)),
        x_(n_, T(1)),
        y_(arrays() > 1 ? n_ : 0, T(2)),
        z_(arrays() > 2 ? n_ : 0, T(3)) {}

  /// axpy writes what it has read.
  double bytes() const {
    return static_cast<double>((sweep_ == Sweep::read ? 1 : 3) * n_ * sizeof(T));
  }

  void pass() {
    if (sweep_ == Sweep::read) {
      benchmark::DoNotOptimize(read(x_.data(), n_));
    } else if (sweep_ == Sweep::axpy) {
      axpy(y_.data(), T(1e-9), x_.data(), n_);
    } else {
      triad(z_.data(), x_.data(), T(1e-9), y_.data(), n_);
    }
    benchmark::ClobberMemory();
  }

 private:
  std::size_t arrays() const { return sweep_ == Sweep::read ? 1 : sweep_ == Sweep::axpy ? 2 : 3; }

  Sweep sweep_;
  std::size_t n_;
  std::vector<T, PageAllocator<T>> x_, y_, z_;  // as the learners' tables are
};

/// Of this process.
double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

/// Bytes a second, over so many seconds.
template <class T>
double bandwidth_of(Sweep sweep, std::size_t working_set, double seconds) {
  Arrays<T> arrays(sweep, working_set);
  const int passes = std::max(1, static_cast<int>(1e6 / arrays.bytes()));  // between two glances
  arrays.pass();
  double moved = 0, taken = 0;
  for (const double start = processor_seconds(); taken < seconds;
       taken = processor_seconds() - start) {
    for (int p = 0; p < passes; ++p) arrays.pass();
    moved += arrays.bytes() * passes;
  }
  return moved / taken;
}

double bandwidth(const Limit& limit, double seconds) {
  return limit.real == Real::f64 ? bandwidth_of<double>(limit.sweep, limit.working_set, seconds)
                                 : bandwidth_of<float>(limit.sweep, limit.working_set, seconds);
}

template <class T>
void add_sweep_of(const std::string& name, Sweep sweep, std::size_t working_set) {
  const double bytes = Arrays<T>(sweep, working_set).bytes();
  add(name, bytes, [=] {
    auto arrays = std::make_shared<Arrays<T>>(sweep, working_set);
    return [=] { arrays->pass(); };
  });
}

const char* name_of(Sweep sweep) {
  return sweep == Sweep::read ? "read" : sweep == Sweep::axpy ? "axpy" : "triad";
}

/// A name of its own: `benchmarks/compare` counts the instructions inside.
[[gnu::noinline]] void counted_batch(const Batch& operations) {
  operations();
  benchmark::ClobberMemory();
}

std::int64_t fixed_iterations() {
  const char* text = std::getenv("HINDSIGHT_BENCH_ITERATIONS");
  return text ? std::atoll(text) : 0;
}

}  // namespace

void add(const std::string& name, double batch, std::function<Work()> prepare,
         std::optional<Limit> limit) {
  const auto run = [=](benchmark::State& state) {
    Work work = prepare();
    work.operations();
    const double start = processor_seconds();
    for (auto _ : state) {
      if (work.is_spent && work.is_spent()) {
        state.PauseTiming();
        work = prepare();
        state.ResumeTiming();
      }
      counted_batch(work.operations);
    }
    const double taken = processor_seconds() - start;
    state.counters["batch"] = batch;
    if (!limit || fixed_iterations() > 0) return;
    state.counters["limit_ns"] = 1e9 * limit->bytes / bandwidth(*limit, std::max(taken, 1e-4));
    state.counters["working_set"] = static_cast<double>(limit->working_set);
    state.SetLabel(name_of(limit->sweep));
  };
  auto* added = benchmark::RegisterBenchmark(name.c_str(), run);
  if (fixed_iterations() > 0) added->Iterations(fixed_iterations());
}

void add_sweep(Sweep sweep, Real real, std::size_t working_set) {
  const std::string name = std::string("limit/") + name_of(sweep) +
                           (real == Real::f64 ? "/f64/" : "/f32/") +
                           std::to_string(working_set >> 10) + " KB";
  real == Real::f64 ? add_sweep_of<double>(name, sweep, working_set)
                    : add_sweep_of<float>(name, sweep, working_set);
}

PointTable random_rows(std::size_t rows, std::size_t columns) {
  PointTable table(rows, columns);
  Stream rng = StreamFamily(1, "benchmark").at(0);
  for (double& number : table.numbers()) number = rng.uniform();
  return table;
}

}  // namespace hindsight::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  hindsight::bench::add_benchmarks();
  benchmark::RunSpecifiedBenchmarks();
}
