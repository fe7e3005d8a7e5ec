// bandit_blocks THREADS BLOCKS: seconds by the clock that bandit-frank-wolfe takes for the fastest
// of so many blocks at d = 10,000, T = 1e5, the objective left out, with one thread as whoever has
// no others; and for the fastest axpy over as much memory with as many threads, which is what two
// of them can gain here and now. For `benchmarks/run`, which compares threads.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/learners/bandit_frank_wolfe.hpp"
#include "hindsight/learners/registry.hpp"

namespace {

using namespace hindsight;

/// Of so many goes; the first makes the memory warm and does not count.
template <class Work>
double fastest(int goes, Work work) {
  work();
  double best = 1e9;
  for (int go = 0; go < goes; ++go) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  return best;
}

/// y += a x, both of so many numbers.
double fastest_axpy(Workers* workers, std::size_t numbers) {
  Aligned<double> x(numbers, 1.0), y(numbers, 1.0);
  return fastest(8, [&] {
    share_rows(workers, numbers / 1000, [&](std::size_t first, std::size_t count) {
      add_scaled(PointRef(y).subspan(1000 * first, 1000 * count), 1e-9,
                 PointView(x).subspan(1000 * first, 1000 * count));
    });
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fputs("usage: bandit_blocks THREADS BLOCKS\n", stderr), 2;
  const int threads = std::atoi(argv[1]), blocks = std::atoi(argv[2]);
  const WorkersPtr workers = threads > 1 ? std::make_shared<Workers>(threads) : nullptr;
  const LearnerWorld world{uniform_matroid(10'000, 3'000), 100'000, 1, workers};
  const LearnerPtr learner =
      make_learner(Settings("learner", nlohmann::json{{"kind", "bandit-frank-wolfe"}}), world);
  const FrankWolfePlan& plan = dynamic_cast<const BanditFrankWolfe&>(*learner).plan();
  const double block = fastest(blocks, [&] {
    for (Round n = 0; n < plan.block_length; ++n) {
      const Suggestion s = learner->suggest();
      learner->observe({s.round, .5 + .1 * s.action[0], {}});
    }
  });
  const auto table = static_cast<std::size_t>(plan.steps) * 10'000;
  std::printf("%.6f %.6f\n", block, fastest_axpy(workers.get(), table));
}
