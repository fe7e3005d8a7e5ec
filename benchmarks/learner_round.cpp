// What a round of a learner costs, the objective left out: gradients and values are prepared
// beforehand. Beside each figure stands the memory bandwidth measured in the same run, on a working
// set of the same size.
#include <benchmark/benchmark.h>

#include <cstdint>

#include "hindsight/core/rng.hpp"
#include "hindsight/domains/interior.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/learners/bandit_frank_wolfe.hpp"
#include "hindsight/learners/mono_frank_wolfe.hpp"
#include "hindsight/learners/responsive_frank_wolfe.hpp"

namespace {

using namespace hindsight;

constexpr Round horizon = 1'000'000;

/// In-place y += a x over `bytes` in all: what the memory gives a sweep that reads two rows and
/// writes one.
void axpy(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0)) / 16;
  std::vector<double> x(n, 1.0), y(n, 2.0);
  for (auto _ : state) {
    for (std::size_t i = 0; i < n; ++i) y[i] += 1e-9 * x[i];
    benchmark::DoNotOptimize(y.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(n) * 24);
}
BENCHMARK(axpy)->Arg(1 << 16)->Arg(3981 * 16 * 10)->Arg(3981 * 16 * 100)->Arg(3981 * 16 * 1000);

/// A cheap stand-in for gradients: one of 64 prepared rows.
PointTable prepared_gradients(std::size_t d) {
  PointTable rows(64, d);
  Stream rng = StreamFamily(1, "benchmark").at(0);
  for (double& g : rows.numbers()) g = rng.uniform();
  return rows;
}

void mono_round(benchmark::State& state) {
  const auto d = static_cast<int>(state.range(0));
  const auto domain = uniform_matroid(d, std::max(1, 3 * d / 10));
  const PointTable gradients = prepared_gradients(static_cast<std::size_t>(d));
  auto fresh = [&] { return std::make_unique<MonoFrankWolfe>(domain, mono_plan(horizon)); };
  auto learner = fresh();
  Round t = 0;
  for (auto _ : state) {
    if (t == horizon) {
      state.PauseTiming();
      learner = fresh();
      t = 0;
      state.ResumeTiming();
    }
    const Suggestion s = learner->suggest();
    ++t;
    Feedback f{s.round, std::nullopt, {}};
    if (s.probes.count > 0)
      f.gradients = {1, Lent<double>::of(gradients.row(static_cast<std::size_t>(t % 64)))};
    learner->observe(f);
  }
  // Per round: gradient in (read, write), closing sweep (read gradient, read and write the oracle's
  // row), opening sweep (read the oracle's row, write the iterate).
  state.SetBytesProcessed(state.iterations() * d * 8 * 7);
  state.counters["K"] = static_cast<double>(learner->plan().steps);
}
BENCHMARK(mono_round)->Arg(10)->Arg(100)->Arg(1000)->MinTime(2);

template <class Make>
void value_round(benchmark::State& state, Make make) {
  const auto d = static_cast<int>(state.range(0));
  auto learner = make(d);
  Round t = 0;
  for (auto _ : state) {
    if (t == horizon) {
      state.PauseTiming();
      learner = make(d);
      t = 0;
      state.ResumeTiming();
    }
    const Suggestion s = learner->suggest();
    ++t;
    learner->observe({s.round, .5, {}});
  }
}

void bandit_round(benchmark::State& state) {
  value_round(state, [](int d) {
    const auto domain = uniform_matroid(d, std::max(1, 3 * d / 10));
    const FrankWolfePlan plan = bandit_plan(horizon, d, domain->inner_radius());
    return std::make_unique<BanditFrankWolfe>(shrunk_interior(domain, plan.radius), plan);
  });
}
BENCHMARK(bandit_round)->Arg(10)->Arg(100)->Arg(1000);

void responsive_round(benchmark::State& state) {
  value_round(state, [](int d) {
    const auto domain = uniform_matroid(d, std::max(1, 3 * d / 10));
    const FrankWolfePlan plan = bandit_plan(horizon, d, domain->inner_radius());
    return std::make_unique<ResponsiveFrankWolfe>(domain, shrunk_interior(domain, plan.radius),
                                                  plan);
  });
}
BENCHMARK(responsive_round)->Arg(10)->Arg(100);

/// A projection onto the capped simplex, from where the last one ended.
void project_warm(benchmark::State& state) {
  const auto d = static_cast<int>(state.range(0));
  const auto domain = uniform_matroid(d, std::max(1, 3 * d / 10));
  const PointTable gradients = prepared_gradients(static_cast<std::size_t>(d));
  Point x(static_cast<std::size_t>(d), .3);
  std::vector<double> warm(1, 0.0);
  std::size_t n = 0;
  for (auto _ : state) {
    add_scaled(x, .05, gradients.row(n++ % 64));
    domain->project(x, warm);
    benchmark::DoNotOptimize(x.data());
  }
}
BENCHMARK(project_warm)->Arg(10)->Arg(100)->Arg(1000);

}  // namespace

BENCHMARK_MAIN();
