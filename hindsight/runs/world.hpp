/// What one horizon and seed of an experiment play in.
#pragma once

#include "hindsight/core/workers.hpp"
#include "hindsight/domains/domain.hpp"
#include "hindsight/games/game.hpp"
#include "hindsight/learners/learner.hpp"
#include "hindsight/runs/experiment.hpp"

namespace hindsight {

/// The game and the domain of one horizon and seed.
struct World {
  GamePtr game;
  DomainPtr domain;
};
World make_world(const Experiment& experiment, Round rounds, std::uint64_t seed);

/// All the memory that this machine has.
double machine_bytes();

/// The learner of a `[[learner]]` table for this world; rejects one that cannot play its game, and,
/// before it is built, one that is larger than the machine's memory. `workers` may speed it up.
LearnerPtr make_fitting_learner(const Settings& settings, const World& world, Round rounds,
                                std::uint64_t seed, WorkersPtr workers = nullptr);

}  // namespace hindsight
