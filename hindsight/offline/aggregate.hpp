/// The sum of many functions as a few: what a game of a million rounds becomes before it is solved.
#pragma once

#include <vector>

#include "hindsight/games/game.hpp"

namespace hindsight {

/// The same sum. All coverage and influence functions become one coverage function, in which
/// elements with the same coverers are one; all facility locations one, in which customers with the
/// same benefits are one; so do modular functions and quadratics. What weighs nothing is left out,
/// other functions stay as they are.
std::vector<WeightedFunction> aggregate(const std::vector<WeightedFunction>& functions);

}  // namespace hindsight
