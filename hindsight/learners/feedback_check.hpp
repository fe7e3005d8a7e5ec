/// The rules for feedback that all learners share.
#pragma once

#include <cmath>
#include <string>

#include "hindsight/core/error.hpp"
#include "hindsight/core/suggestion.hpp"

namespace hindsight {

/// Oracles add up squares of what they are told, times d / delta: what is larger than this would
/// overflow them.
inline constexpr double largest_feedback = 1e100;

/// Is every |number| at most `bound`? Not if one is NaN.
bool all_within(PointView numbers, double bound);

/// As many gradients as there were probes, of the right dimension; every number finite and usable;
/// a value where the learner needs one.
inline void require_fitting(const Feedback& f, std::size_t probes, std::size_t dimension,
                            bool needs_value) {
  // Texts are made only where something is wrong: this runs every round.
  if (needs_value && !f.value) reject("value", "nothing", "must be given for this round");
  const auto usable = [](double number) { return std::abs(number) <= largest_feedback; };
  if (f.value && !usable(*f.value)) reject("value", *f.value, "must be finite, at most 1e100");
  if (f.gradients.count != probes)
    reject("gradients", f.gradients.count,
           "must be one for each of the " + std::to_string(probes) + " probes");
  if (f.gradients.numbers.size() != probes * dimension)
    reject("gradients", f.gradients.numbers.size(),
           "must hold " + std::to_string(probes * dimension) + " numbers, dimension " +
               std::to_string(dimension) + " for each probe");
  if (all_within(f.gradients.numbers.view(), largest_feedback)) return;
  for (const double g : f.gradients.numbers)
    if (!usable(g)) reject("gradients", g, "must be finite, at most 1e100");
}

}  // namespace hindsight
