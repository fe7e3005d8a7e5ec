/// Gradients from the value of one random set (docs/estimators.md: what each is unbiased for).
#pragma once

#include <cassert>

#include "hindsight/core/item_set.hpp"
#include "hindsight/core/point.hpp"

namespace hindsight {

/// Coordinate in/out. R ~ x independently; an item drawn uniformly of `dimension` is put in or out
/// by a fair coin. This number, at that item and 0 elsewhere, is unbiased for the gradient of the
/// multilinear extension at x. `value` may be less any number fixed before the draw.
inline double coordinate_estimate(double value, std::size_t dimension, bool put_in) {
  return (put_in ? 2.0 : -2.0) * static_cast<double>(dimension) * value;
}

/// g_i = value (1[i in S] - x_i) / (x_i (1 - x_i)), with `member` the indicator of S, E member = x.
///   S ~ x independently (the score function): unbiased for the gradient of the extension.
///   S by any other law with these marginals (a sampled vertex): unbiased for
///     E[f | i in S] - E[f | i not in S].
/// `value` may be less any number fixed before the draw. Where x_i is 0 or 1 nothing is estimated,
/// and g_i is finite.
inline void score_estimate(double value, PointView member, PointView x, PointRef g) {
  assert(member.size() == g.size() && x.size() == g.size());
  // 1/x_i for members and -1/(1 - x_i) for the others, without a branch.
  for (std::size_t i = 0; i < g.size(); ++i) g[i] = value / (member[i] - (1 - x[i]));
}

}  // namespace hindsight
