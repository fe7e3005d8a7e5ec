// Prints every number that some learners play, digit for digit. Two of these programs, one with
// kernels for this processor and one with kernels for any, must print the same.
#include <cstdio>

#include "hindsight/core/rng.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/learners/registry.hpp"

using namespace hindsight;

namespace {

void trace(const char* kind, const char* oracle, const char* state, int dimension) {
  const Settings settings("learner",
                          {{"kind", kind}, {"oracle", oracle}, {"state", state}, {"steps", 20}});
  const LearnerPtr learner =
      make_learner(settings, {uniform_matroid(dimension, (dimension + 2) / 3), 1000, 1});
  const StreamFamily answers(2, "answers");
  for (Round t = 1; t <= 1000; ++t) {
    const Suggestion s = learner->suggest();
    std::printf("%s %s %s", kind, oracle, state);
    for (const double x : s.action) std::printf(" %a", x);
    std::printf("\n");
    Stream stream = answers.at(static_cast<std::uint64_t>(t));
    Feedback feedback{t, stream.uniform(), {}};
    if (s.probes.count > 0) {
      std::vector<double> gradients(s.probes.numbers.size());
      for (double& g : gradients) g = stream.uniform();
      feedback.gradients = {s.probes.count, std::move(gradients)};
    }
    learner->observe(feedback);
  }
}

}  // namespace

int main() {
  for (const char* kind : {"mono-frank-wolfe", "bandit-frank-wolfe"})
    for (const int dimension : {3, 10, 30, 47, 150}) {
      for (const char* oracle : {"gradient-ascent", "dual-averaging", "perturbed-leader"})
        trace(kind, oracle, "f64", dimension);
      trace(kind, "gradient-ascent", "f32", dimension);
    }
}
