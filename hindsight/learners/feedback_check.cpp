#include "hindsight/learners/feedback_check.hpp"

#include <algorithm>
#include <string>

#include "hindsight/core/error.hpp"
#include "hindsight/core/lanes.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {

HINDSIGHT_WIDE
bool all_within(PointView numbers, double bound) {
  const double* const x = numbers.data();
  Mask within = {-1, -1, -1, -1};
  std::size_t i = 0;
  for (; i + 4 <= numbers.size(); i += 4) {
    Lanes v;
    load(x + i, v);
    within &= (v <= bound) & (v >= -bound);
  }
  bool all = within[0] & within[1] & within[2] & within[3];
  for (; i < numbers.size(); ++i) all = all && std::abs(x[i]) <= bound;
  return all;
}

void reject_unfitting(const Feedback& f, std::size_t probes, std::size_t dimension,
                      bool needs_value) {
  if (needs_value && !f.value) reject("value", "nothing", "must be given for this round");
  constexpr const char* usable = "must be finite, at most 1e100";
  if (f.value && !(std::abs(*f.value) <= largest_feedback)) reject("value", *f.value, usable);
  if (f.gradients.count != probes)
    reject("gradients", f.gradients.count,
           "must be one for each of the " + std::to_string(probes) + " probes");
  if (f.gradients.numbers.size() != probes * dimension)
    reject("gradients", f.gradients.numbers.size(),
           "must hold " + std::to_string(probes * dimension) + " numbers, dimension " +
               std::to_string(dimension) + " for each probe");
  const auto wrong = std::find_if(f.gradients.numbers.begin(), f.gradients.numbers.end(),
                                  [](double g) { return !(std::abs(g) <= largest_feedback); });
  reject("gradients", *wrong, usable);
}

}  // namespace hindsight
