/// The trap: a game on which plain gradient ascent stays at half of what can be had.
///
/// Items a_1 .. a_n (0 .. n-1) and b_1 .. b_n (n .. 2n-1), choose n. The first tenth of the rounds
/// is modular on the a's; then coverage, in which y_i (weight 1) is covered by a_i and b_i, and z_i
/// (weight .9) by b_i only. At the a's the gradient is 1 for every a and .9 for every b, so that no
/// small step gains, though the b's earn 1.9 n against n.
#pragma once

#include "hindsight/games/pool_game.hpp"

namespace hindsight {

/// `pairs` = n; the phases depend on the horizon.
std::vector<PoolPhase> trap_phases(int pairs, Round horizon);

}  // namespace hindsight
