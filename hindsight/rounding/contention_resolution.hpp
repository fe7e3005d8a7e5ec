/// Contention resolution (Chekuri, Vondrak, Zenklusen, SIAM J. Comput. 2014), in its simplest form.
#pragma once

#include "hindsight/core/item_set.hpp"
#include "hindsight/core/point.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/domains/matroid.hpp"

namespace hindsight {

/// Draws R ~ x independently and keeps what still fits, in uniformly random order: a maximal
/// independent subset of R.
///
/// NOT lossless, and never the exploiting step of Responsive-Frank-Wolfe: an item drawn is kept
/// with a probability c < 1 only, so that E 1_Y <= x, and E f(Y) may be as low as c F(x). In
/// uniform and partition matroids c >= 1/2 (1 - 1/e on the diagonal of rank 1 and many items); in
/// graphs it can be arbitrarily small (docs/rounding.md). It rounds any point of the box and needs
/// independent() alone, at most d times; it allocates nothing once `out` has the capacity for all
/// items.
void contention_resolution_round(const Matroid& matroid, PointView x, Stream& stream, ItemSet& out);

}  // namespace hindsight
