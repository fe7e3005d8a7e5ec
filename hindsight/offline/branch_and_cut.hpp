/// The best fixed set, proven, where a concave majorant is equal to f on sets.
#pragma once

#include "hindsight/offline/cutting_planes.hpp"

namespace hindsight {

/// What a search that ended found.
struct BranchAndCut {
  std::optional<ItemSet> better;  ///< the best set, if it is worth more than `lower`
};

/// Looks for a set of the matroid worth more than lower (1 + 1e-9) by branch and cut (CBC), from
/// the cuts of a relaxation. None if `seconds` were over before the search was: what it had found
/// by then depends on the machine, and is forgotten.
std::optional<BranchAndCut> branch_and_cut(const MixtureMajorant& majorant, const LinearRows& rows,
                                           const Relaxation& relaxation, double lower,
                                           double seconds);

}  // namespace hindsight
