/// Averaging of gradients along the steps of a block: d^(k) = (1 - rho_k) d^(k-1) + rho_k g^(k).
#pragma once

#include <cmath>

#include "hindsight/core/point.hpp"

namespace hindsight {

/// Theorem 1. The paper takes K even; for odd K the switch is at floor(K/2) + 1.
inline double mono_averaging_weight(int k, int K) {
  const double early = 2 / std::pow(k + 3, 2.0 / 3);
  const double late = 1.5 / std::pow(K - k + 2, 2.0 / 3);
  return k <= K / 2 + 1 ? early : late;
}

/// Theorems 2, 3 and 4.
inline double bandit_averaging_weight(int k) { return 2 / std::pow(k + 2, 2.0 / 3); }

/// VR-FW (Chen, Harshaw, Hassani, Karbasi 2018, as the paper's Table 1 compares with it).
inline double vr_averaging_weight(int k) { return 2 / std::pow(k + 3, 2.0 / 3); }

/// Some columns of d^(k), d^(k+1), ... from those of d^(k-1), and from the weights and gradients of
/// these steps, row by row: d = (1 - rho) d + taken g, where `taken` is rho times what g is still
/// to be multiplied with; and what these columns add to their squared norms. The first may be
/// written over d^(k-1). With weights 0 a step carries on what is there.
void average(PointView before, PointView rho, PointView taken, Strip<const double> gradients,
             Strip<double> averages, std::span<double> squared_norms);
/// The same of gradients of f32 in halves of their rows (LentDirection); of one part's columns.
void average_halves(PointView before, PointView rho, PointView taken, Strip<const double> gradients,
                    Strip<double> averages, std::span<double> squared_norms);
/// The same in f32: averages are worked out in f32, and so are the squared norms of up to 1,024
/// columns where it can hold them.
void average(std::span<const float> before, PointView rho, PointView taken,
             Strip<const float> gradients, Strip<float> averages, std::span<double> squared_norms);

}  // namespace hindsight
