/// One run with every internal quantity, as JSON lines: enough for an outsider to recompute the
/// algorithm.
#pragma once

#include <ostream>

#include "hindsight/domains/domain.hpp"
#include "hindsight/games/game.hpp"
#include "hindsight/learners/learner.hpp"

namespace hindsight {

/// Events: start, block, round, update, as in docs/trace.md.
void trace(Learner& learner, const DomainPtr& domain, Game& game, Round rounds, std::ostream& out);

}  // namespace hindsight
