/// Pipage rounding where the function is known (Ageev, Sviridenko, J. Comb. Optim. 2004; Calinescu,
/// Chekuri, Pal, Vondrak, SIAM J. Comput. 2011).
#pragma once

#include "hindsight/core/item_set.hpp"
#include "hindsight/domains/matroid.hpp"
#include "hindsight/functions/function.hpp"

namespace hindsight {

/// An independent set whose value is at least that of x in the polytope, for the multilinear
/// extension of a submodular function: every move goes to the better end. Nothing is left to
/// chance. For offline optimisation: a learner does not have the function and needs a
/// LosslessRounding.
ItemSet pipage_round(const Matroid& matroid, const ContinuousFunction& extension, Point x);

}  // namespace hindsight
