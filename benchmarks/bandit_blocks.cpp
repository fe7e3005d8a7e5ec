// bandit_blocks THREADS BLOCKS: seconds by the clock that bandit-frank-wolfe takes for so many
// blocks at d = 10,000, T = 1e5, the objective left out. For `benchmarks/run`, which compares
// threads.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/learners/bandit_frank_wolfe.hpp"
#include "hindsight/learners/registry.hpp"

int main(int argc, char** argv) {
  using namespace hindsight;
  if (argc != 3) return std::fputs("usage: bandit_blocks THREADS BLOCKS\n", stderr), 2;
  const LearnerWorld world{uniform_matroid(10'000, 3'000), 100'000, 1,
                           std::make_shared<Workers>(std::atoi(argv[1]))};
  const LearnerPtr learner =
      make_learner(Settings("learner", nlohmann::json{{"kind", "bandit-frank-wolfe"}}), world);
  const Round length = dynamic_cast<const BanditFrankWolfe&>(*learner).plan().block_length;
  const auto play_block = [&] {
    for (Round n = 0; n < length; ++n) {
      const Suggestion s = learner->suggest();
      learner->observe({s.round, .5 + .1 * s.action[0], {}});
    }
  };
  play_block();  // makes the memory warm
  const auto start = std::chrono::steady_clock::now();
  for (int block = 0; block < std::atoi(argv[2]); ++block) play_block();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%.6f\n", seconds.count());
}
