/// Projected gradient ascent on one known function: finds the optimum of a concave F, and a local
/// one of any other.
#pragma once

#include "hindsight/domains/domain.hpp"
#include "hindsight/functions/function.hpp"

namespace hindsight {

/// From `start` in K, at most `steps` accelerated steps of length 1/L2 (Nesterov 1983; Beck and
/// Teboulle 2009), begun anew where the value falls; for a concave F within 2 L2 D^2 / steps^2 of
/// the optimum. F must state its smoothness. Ends early where the gap below is 1e-9 of the value.
Point projected_ascent(const ContinuousFunction& function, const Domain& domain, Point start,
                       int steps);

/// max { <grad F(x), v - x> : v in K }: for a concave F the optimum is at most F(x) plus this.
double frank_wolfe_gap(const ContinuousFunction& function, const Domain& domain, PointView x);

}  // namespace hindsight
