#include "hindsight/runs/world.hpp"

#include <unistd.h>

#include "hindsight/domains/domain_registry.hpp"
#include "hindsight/games/game_registry.hpp"
#include "hindsight/learners/memory.hpp"
#include "hindsight/learners/registry.hpp"

namespace hindsight {
namespace {

/// Learners without a plan, and those that double their horizon, start small.
void require_memory(Settings settings, const LearnerWorld& world) {
  const LearnerKind& kind = learner_kind(settings.needed("kind", settings.text("kind")));
  if (!kind.plan || settings.text("horizon") == "unknown") return;
  const FrankWolfePlan plan = kind.plan(settings, world);
  const double bytes = frank_wolfe_bytes(settings, plan, *world.domain);
  std::ostringstream rule;
  rule << "needs " << bytes << " bytes of memory, which must be at most the machine's "
       << machine_bytes();
  require(bytes <= machine_bytes(), "steps", plan.steps, rule.str());
}

}  // namespace

double machine_bytes() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

World make_world(const Experiment& experiment, Round rounds, std::uint64_t seed) {
  Settings game_settings = experiment.game;
  Settings domain_settings = experiment.domain;
  GamePtr game = make_game(game_settings, {seed, rounds, experiment.folder, experiment.data.get()});
  DomainPtr domain = make_domain(domain_settings, game->dimension(), game->items());
  return {std::move(game), std::move(domain)};
}

LearnerPtr make_fitting_learner(const Settings& settings, const World& world, Round rounds,
                                std::uint64_t seed, WorkersPtr workers) {
  const LearnerWorld told{world.domain, rounds, seed, std::move(workers)};
  settings.guard([&] { require_memory(settings, told); });
  LearnerPtr learner = make_learner(settings, told);
  settings.guard([&] {
    require(!learner->plays_sets() || world.game->has_sets(), "kind", learner->kind(),
            "plays sets, but the game has functions of points alone; such learners as "
            "sampled-point and "
            "twin-gradient-ascent play them");
    const FunctionFacts facts = world.game->facts();
    require(facts.monotone || !learner->needs_monotone(), "kind", learner->kind(),
            "needs monotone functions as set up here, but the game's may fall; these play them: " +
                learners_for_non_monotone());
    require(facts.surrogate || !learner->asks_surrogates(), "kind", learner->kind(),
            "asks for gradients of concave surrogates, which coverage, facility location and "
            "modular functions alone have; boosted-gradient-ascent asks for plain ones");
  });
  return learner;
}

}  // namespace hindsight
