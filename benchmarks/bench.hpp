/// What the benchmarks share: how one is added, and the limit of the machine it is held against.
///
/// A program defines `add_benchmarks()`; main() is here. Google Benchmark decides how often to
/// repeat; with the environment variable HINDSIGHT_BENCH_ITERATIONS every benchmark runs exactly
/// that often, so that `benchmarks/compare` can count instructions.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "hindsight/core/point.hpp"

namespace hindsight::bench {

/// What the memory gives a simple loop over a working set.
enum class Sweep {
  read,   ///< s += x
  axpy,   ///< y += a x
  triad,  ///< z = x + a y
};

enum class Real { f64, f32 };

/// An operation cannot take less time than `sweep` needs to move `bytes`, its arrays together
/// `working_set` bytes large, in the widest vectors the machine has.
struct Limit {
  Sweep sweep = Sweep::read;
  Real real = Real::f64;
  double bytes = 0;  ///< an operation
  std::size_t working_set = 0;
};

/// Runs `batch` operations.
using Batch = std::function<void()>;

struct Work {
  Batch operations;
  std::function<bool()> is_spent = nullptr;  ///< must it be prepared anew before the next batch?

  template <class Operations>
  Work(Operations run) : operations(std::move(run)) {}
  Work(Batch run, std::function<bool()> spent)
      : operations(std::move(run)), is_spent(std::move(spent)) {}
};

/// `prepare` sets up and is not timed, nor is the first call of what it returns first. The figure
/// is the time of one operation; the limit, measured right after it and for as long, stands beside
/// it.
void add(const std::string& name, double batch, std::function<Work()> prepare,
         std::optional<Limit> limit = std::nullopt);

/// The sweep itself; an operation moves one byte.
void add_sweep(Sweep sweep, Real real, std::size_t working_set);

void add_benchmarks();

/// Rows of uniform numbers: what stands for gradients, weights or points where any will do.
PointTable random_rows(std::size_t rows, std::size_t columns);

}  // namespace hindsight::bench
