/// What a Frank-Wolfe learner keeps in memory, known before it is built.
#pragma once

#include "hindsight/core/settings.hpp"
#include "hindsight/domains/domain.hpp"
#include "hindsight/schedules/frank_wolfe_plan.hpp"

namespace hindsight {

/// Bytes, up to a few vectors of length d; a row has r = d 8 of them, or with `state = "f32"`
/// narrow_length(d) 4:
///   K r                 iterates, then gradients
///   K (r + m 8 + 16)    oracles: one row, m multipliers (m = domain.multipliers()), two numbers
///   K 21                averaging weights, step sizes, what has arrived, whose round is out
///   L 13                order of the block, steps of its rounds, what is settled
///   + K d 4 + L rank 4  sets that are out (responsive)
/// Besides, an exploring round that is out keeps its direction (bandit, responsive), and with f32
/// its iterate too: d 8 each.
double frank_wolfe_bytes(Settings learner, const FrankWolfePlan& plan, const Domain& domain);

}  // namespace hindsight
