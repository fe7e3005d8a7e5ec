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

/// A smaller trap, which holds learners of sets too: items a, b, c, e (0 to 3), one of {a, b} and
/// one of {c, e}. The first tenth of the rounds rewards b and e; then f = [a] + 1.1 [b or c] + .1
/// [e]. {b, e} earns 1.2 and every single exchange loses, though {a, c} earns 2.1.
std::vector<PoolPhase> exchange_trap_phases(Round horizon);

}  // namespace hindsight
