// What late feedback costs: every answer comes `delay` rounds after its round, 20 seeds, weighted
// coverage, any 2 of 10, 10,000 rounds. Printed: reward beside that without delay.
#include <cmath>
#include <cstdio>
#include <deque>

#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/games/pool_game.hpp"
#include "hindsight/games/pools.hpp"
#include "hindsight/learners/registry.hpp"

using namespace hindsight;

namespace {

constexpr Round rounds = 10000;

double reward(const char* kind, Round delay, std::uint64_t seed) {
  const LearnerPtr learner =
      make_learner(Settings("learner", {{"kind", kind}, {"ahead", delay + 1}}),
                   {uniform_matroid(10, 2), rounds, seed});
  PoolGame game(coverage_pool({}, seed), seed, Noise(seed, 0, 0));
  std::deque<Feedback> out;
  double sum = 0;
  for (Round t = 0; t < rounds; ++t) {
    Answer answer = game.answer(learner->suggest());
    sum += answer.worth;
    out.push_back(std::move(answer.feedback));
    if (static_cast<Round>(out.size()) <= delay) continue;
    learner->observe(out.front());
    out.pop_front();
  }
  return sum;
}

}  // namespace

int main() {
  constexpr int seeds = 20;
  std::printf("%-26s%18s%18s%18s\n", "delay in rounds", "10", "100", "1000");
  for (const char* kind : {"sampled-vertex", "guarded", "sampled-point", "boosted-gradient-ascent",
                           "twin-gradient-ascent"}) {
    std::printf("%-26s", kind);
    for (const Round delay : {10, 100, 1000}) {
      double sum = 0, squares = 0;
      for (std::uint64_t seed = 501; seed < 501 + seeds; ++seed) {
        const double share = reward(kind, delay, seed) / reward(kind, 0, seed);
        sum += share;
        squares += share * share;
      }
      const double mean = sum / seeds;
      std::printf("   %.4f +- %.4f", mean,
                  std::sqrt((squares / seeds - mean * mean) / (seeds - 1)));
    }
    std::printf("\n");
  }
}
