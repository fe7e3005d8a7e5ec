/// Any text as an experiment file: it is built and played for a moment, or refused with an
/// InputError. Anything else is a finding.
#include "hindsight/runs/experiment.hpp"

#include <algorithm>
#include <string>

#include "hindsight/core/error.hpp"
#include "hindsight/learners/registry.hpp"
#include "hindsight/runs/ledger.hpp"
#include "hindsight/runs/runner.hpp"
#include "hindsight/runs/world.hpp"

namespace hindsight {
namespace {

/// What a table says, or would without the key.
double size_of(Settings settings, const char* key, double preset) {
  try {
    return settings.number(key).value_or(preset);
  } catch (const InputError&) {
    return preset;
  }
}

/// Large is no mistake, only slow: a fuzzer lives from many small inputs.
bool is_small(const Settings& game) {
  const double d = size_of(game, "dimension", 10);
  return d <= 64 &&
         d * size_of(game, "items", 30) * size_of(game, "pool", 200) * size_of(game, "phases", 1) <=
             1e5 &&
         size_of(game, "pairs", 5) <= 32 && !game.has("file");  // any file of this machine
}

bool is_quick(const Settings& learner) {
  return std::max({size_of(learner, "steps", 1), size_of(learner, "max_steps", 1),
                   size_of(learner, "first_horizon", 1)}) <= 100;
}

void build_and_play(const std::string& text) {
  const Experiment experiment = parse_experiment(text, "fuzz.toml");
  if (!is_small(experiment.game)) return;
  const Round rounds = std::min<Round>(experiment.rounds.front(), 50);
  const std::uint64_t seed = experiment.seeds.front();
  const World world = make_world(experiment, rounds, seed);
  for (const Settings& settings : experiment.learners) {
    if (!is_quick(settings)) continue;
    try {
      const LearnerPtr learner = make_learner(settings, {world.domain, rounds, seed});
      Ledger ledger(std::dynamic_pointer_cast<const Matroid>(world.domain));
      play(*learner, *world.game, ledger, std::min<Round>(rounds, 8));
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace hindsight

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  try {
    hindsight::build_and_play(std::string(data, data + size));
  } catch (const hindsight::InputError&) {
  }
  return 0;
}
