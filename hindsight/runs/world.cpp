#include "hindsight/runs/world.hpp"

#include "hindsight/domains/domain_registry.hpp"
#include "hindsight/games/game_registry.hpp"
#include "hindsight/learners/registry.hpp"

namespace hindsight {

World make_world(const Experiment& experiment, Round rounds, std::uint64_t seed) {
  Settings game_settings = experiment.game;
  Settings domain_settings = experiment.domain;
  GamePtr game = make_game(game_settings, {seed, rounds, experiment.folder, experiment.data.get()});
  DomainPtr domain = make_domain(domain_settings, game->dimension(), game->items());
  return {std::move(game), std::move(domain)};
}

LearnerPtr make_fitting_learner(const Settings& settings, const World& world, Round rounds,
                                std::uint64_t seed) {
  LearnerPtr learner = make_learner(settings, {world.domain, rounds, seed});
  settings.guard([&] {
    require(!learner->plays_sets() || world.game->has_sets(), "kind", learner->kind(),
            "plays sets, but the game has functions of points alone");
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
