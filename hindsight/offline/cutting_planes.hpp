/// The largest value of a concave majorant over a domain: an upper bound on every decision.
#pragma once

#include "hindsight/offline/linear_rows.hpp"
#include "hindsight/offline/majorant.hpp"

namespace hindsight {

/// What the last linear program consisted of.
struct Relaxation {
  double bound = 0;             ///< max F over K is at most this
  Point point;                  ///< near where the majorant is largest
  std::vector<Cut> cuts;        ///< those that bind there or nearly so ...
  std::vector<std::size_t> of;  ///< ... and the share each belongs to
  std::vector<LinearRow> rows;  ///< found along the way, beyond those that are always there
};

/// Kelley's method: maximise the least of all tangents found so far over K by a linear program
/// (CLP), add the tangents at its optimum, and so on until they are found again, `lower` is reached
/// or `most_rounds` are over. The first tangents are those at 0 and at `starts`.
///
/// The bound does not rest on the solver: whatever non-negative multipliers it gives to the cuts,
/// made to sum to 1 in each share, the combined cut a + <g, x> is above F, and so is a + max { <g,
/// w> : w in K }, which the domain's own maximiser tells.
Relaxation relax(const MixtureMajorant& majorant, const LinearRows& rows,
                 const std::vector<Point>& starts, double lower, int most_rounds);

}  // namespace hindsight
