/// RandRound, eq. (sample) of the paper: the exploring step of Responsive-Frank-Wolfe.
#pragma once

#include "hindsight/core/item_set.hpp"
#include "hindsight/core/point.hpp"
#include "hindsight/core/rng.hpp"

namespace hindsight {

/// Draws item i with probability x_i, independently of the others, so that E f(out) = F(x) for
/// every set function f. The set obeys no matroid. Draws one number an item, whatever x is.
/// Allocates nothing once `out` has the capacity for all items.
void independent_round(PointView x, Stream& stream, ItemSet& out);

}  // namespace hindsight
