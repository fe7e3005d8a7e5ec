/// What a Frank-Wolfe learner keeps in memory, known before it is built.
#pragma once

#include <string_view>

#include "hindsight/domains/domain.hpp"
#include "hindsight/schedules/frank_wolfe_plan.hpp"

namespace hindsight {

/// Bytes, up to a few vectors of length d:
///   K d 8           iterates, then gradients
///   K (d + m + 1) 8 oracles: one row, m multipliers (m = domain.multipliers()), one sum
///   K 17            averaging weights, step sizes, what has arrived
///   L 13            order of the block, steps of its rounds, what is settled
///   + K d 8         directions (bandit, responsive)
///   + K d 4 + L rank 4  sets that are out (responsive)
double frank_wolfe_bytes(std::string_view kind, const FrankWolfePlan& plan, const Domain& domain);

}  // namespace hindsight
