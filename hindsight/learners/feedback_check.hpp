/// The rules for feedback that all learners share.
#pragma once

#include <cmath>

#include "hindsight/core/suggestion.hpp"

namespace hindsight {

/// Oracles add up squares of what they are told, times d / delta: what is larger than this would
/// overflow them.
inline constexpr double largest_feedback = 1e100;
/// The same for learners that keep gradients in f32, whose largest number is 3e38.
inline constexpr double largest_narrow_feedback = 1e25;

/// Is every |number| at most `bound`? Not if one is NaN.
bool all_within(PointView numbers, double bound);
/// Surely so if this is the sum of their squares, as none is longer than all together: half of it,
/// as sums are rounded. NaN is not below.
inline bool surely_within(double squared_norm, double bound) {
  return squared_norm < bound * bound / 2;
}

/// Says what is wrong with feedback that does not fit.
[[noreturn]] void reject_unfitting(const Feedback& f, std::size_t probes, std::size_t dimension,
                                   bool needs_value, double largest);

/// As many gradients as there were probes, of the right dimension; a value where the learner needs
/// one, finite and usable. Whether the gradients' numbers are is left to who goes through them.
inline void require_shape(const Feedback& f, std::size_t probes, std::size_t dimension,
                          bool needs_value, double largest) {
  const bool value_fits = f.value ? std::abs(*f.value) <= largest : !needs_value;
  if (value_fits && f.gradients.count == probes && f.gradients.numbers.size() == probes * dimension)
      [[likely]]
    return;
  reject_unfitting(f, probes, dimension, needs_value, largest);
}

/// And every number finite and usable.
inline void require_fitting(const Feedback& f, std::size_t probes, std::size_t dimension,
                            bool needs_value, double largest = largest_feedback) {
  require_shape(f, probes, dimension, needs_value, largest);
  if (probes > 0 && !all_within(f.gradients.numbers.view(), largest)) [[unlikely]]
    reject_unfitting(f, probes, dimension, needs_value, largest);
}

}  // namespace hindsight
