/// The rules for feedback that all learners share.
#pragma once

#include <cmath>
#include <string>

#include "hindsight/core/error.hpp"
#include "hindsight/core/suggestion.hpp"

namespace hindsight {

/// As many gradients as there were probes, of the right dimension; every number finite; a value
/// where the learner needs one.
inline void require_fitting(const Feedback& f, std::size_t probes, std::size_t dimension,
                            bool needs_value) {
  // Texts are made only where something is wrong: this runs every round.
  if (needs_value && !f.value) reject("value", "nothing", "must be given for this round");
  if (f.value && !std::isfinite(*f.value)) reject("value", *f.value, "must be finite");
  if (f.gradients.count != probes)
    reject("gradients", f.gradients.count,
           "must be one for each of the " + std::to_string(probes) + " probes");
  if (f.gradients.numbers.size() != probes * dimension)
    reject("gradients", f.gradients.numbers.size(),
           "must hold " + std::to_string(probes * dimension) + " numbers, dimension " +
               std::to_string(dimension) + " for each probe");
  if (std::isfinite(squared_norm(f.gradients.numbers.view()))) return;  // quick, and mostly so
  for (const double g : f.gradients.numbers)
    if (!std::isfinite(g)) reject("gradients", g, "must be finite");
}

}  // namespace hindsight
