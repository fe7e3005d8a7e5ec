/// The loop: learner and game take turns, the ledger writes it down.
#pragma once

#include "hindsight/games/game.hpp"
#include "hindsight/learners/learner.hpp"
#include "hindsight/runs/ledger.hpp"

namespace hindsight {

/// Plays `rounds` further rounds.
void play(Learner& learner, Game& game, Ledger& ledger, Round rounds);

}  // namespace hindsight
