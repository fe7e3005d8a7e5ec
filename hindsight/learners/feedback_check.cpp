#include "hindsight/learners/feedback_check.hpp"

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

}  // namespace hindsight
