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
  });
  return learner;
}

}  // namespace hindsight
