/// Packing polytopes with COIN-OR CLP as their linear program.
#pragma once

#include "hindsight/domains/packing_polytope.hpp"

namespace hindsight {

/// { 0 <= x <= upper, A x <= b }; A >= 0 by rows, b > 0, upper > 0.
std::shared_ptr<const PackingPolytope> packing_polytope(const std::vector<Point>& A, Point b,
                                                        Point upper);

}  // namespace hindsight
