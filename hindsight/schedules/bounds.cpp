#include "hindsight/schedules/bounds.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace hindsight {
namespace {

constexpr double one_over_e = 1 / std::numbers::e;

double square(double x) { return x * x; }

}  // namespace

Bound theorem_1(const BoundConstants& c) {
  const double G = square(c.L2 * c.R + 2 * c.L1);
  const double sigma2 = square(c.L1) + square(c.sigma0);
  const double N = std::max({std::pow(5.0, 2.0 / 3) * square(c.L1 + c.M0), 4 * sigma2 + 32 * G,
                             2.25 * sigma2 + 7 * G / 3});
  return {{"error of the averaged gradients, N", N, 4.0 / 5},
          {"regret of the oracles, C", c.C, 4.0 / 5},
          {"D^2", square(c.D), 4.0 / 5},
          {"curvature, L2 D^2 / 2", c.L2 * square(c.D) / 2, 2.0 / 5}};
}

Bound theorem_4(const BoundConstants& c, double gamma, double c1, double c2) {
  const double m = std::min(1.0, gamma);
  const double main = (3 + 5 * m) / (3 + 6 * m);
  return {{"interior, (1-1/e) c1 c2^gamma L1", (1 - one_over_e) * c1 * std::pow(c2, gamma) * c.L1,
           main},
          {"smoothing, (2-1/e) c2 L1", (2 - one_over_e) * c2 * c.L1, main},
          {"exploring, 2 M1", 2 * c.M1, main},
          {"variance, 3 4^{1/6} d^2 M1^2 / c2",
           3 * std::pow(4.0, 1.0 / 6) * square(c.d) * square(c.M1) / c2, main},
          {"averaging, 3 D^2 / (4 c2)", 3 * square(c.D) / (4 * c2), main},
          {"regret of the oracles, C", c.C, main},
          {"drift of the residual average",
           3 * c2 * (2 * square(c.L1) + square(3 * c.L2 * c.R + 2 * c.L1)) / std::pow(4.0, 1.0 / 3),
           (1 + 5 * m) / (3 + 6 * m)},
          {"curvature, L2 D^2 / 2", c.L2 * square(c.D) / 2, m / (1 + 2 * m)}};
}

Bound theorem_2(const BoundConstants& c) {
  // Lemma 2's interior: c1 = sqrt d (R/r + 1) + R/r, gamma = 1, c2 = r / (sqrt d + 2).
  const double c1 = std::sqrt(c.d) * (c.R / c.r + 1) + c.R / c.r;
  return theorem_4(c, 1, c1, c.r / (std::sqrt(c.d) + 2));
}

Bound theorem_3(const BoundConstants& given) {
  BoundConstants c = given;
  c.L1 = 2 * c.M1 * std::sqrt(c.d);
  c.L2 = 4 * c.M1 * std::sqrt(c.d * (c.d - 1));
  c.D = c.R = std::sqrt(c.d);
  Bound bound = theorem_2(c);
  // Rounding the exploring points at random doubles the variance of the estimate (4^{2/3} instead
  // of 4^{1/6}), and exploring rounds may earn nothing (3 M1 instead of 2).
  bound[2] = {"exploring, 3 M1", 3 * c.M1, bound[2].exponent};
  bound[3] = {"variance, 3 4^{2/3} (sqrt d + 2) d^2 M1^2 / r",
              3 * std::pow(4.0, 2.0 / 3) * (std::sqrt(c.d) + 2) * square(c.d) * square(c.M1) / c.r,
              bound[3].exponent};
  return bound;
}

Bound unaveraged_mono_bound(const BoundConstants& c) {
  return {{"regret of the oracles, C", c.C, 2.0 / 3},
          {"curvature, L2 R^2 / 2", c.L2 * square(c.R) / 2, 2.0 / 3}};
}

Bound unaveraged_bandit_bound(const BoundConstants& c) {
  // Lemma 2's interior, as in Theorem 2.
  const double c1 = std::sqrt(c.d) * (c.R / c.r + 1) + c.R / c.r;
  const double c2 = c.r / (std::sqrt(c.d) + 2);
  return {{"interior, (1-1/e) c1 c2 L1", (1 - one_over_e) * c1 * c2 * c.L1, 5.0 / 6},
          {"smoothing, (2-1/e) c2 L1", (2 - one_over_e) * c2 * c.L1, 5.0 / 6},
          {"exploring, M1", c.M1, 5.0 / 6},
          {"regret of the oracles, sqrt 2 D d M1 / c2", std::numbers::sqrt2 * c.D * c.d * c.M1 / c2,
           5.0 / 6},
          {"curvature, L2 R^2 / 2", c.L2 * square(c.R) / 2, 5.0 / 6}};
}

Bound boosted_bound(const BoundConstants& c, double beta) {
  return {{"regret of the maximiser, beta C", beta * c.C, 1.0 / 2}};
}

double evaluate(const Bound& bound, double horizon) {
  double sum = 0;
  for (const BoundTerm& term : bound) sum += term.coefficient * std::pow(horizon, term.exponent);
  return sum;
}

double first_telling_horizon(const Bound& bound, double M1, double alpha) {
  assert(M1 > 0);
  const auto telling = [&](double log_horizon) {
    double share = 0;  // of the trivial bound; decreasing, as every exponent is below 1
    for (const BoundTerm& term : bound)
      share += term.coefficient * std::exp((term.exponent - 1) * log_horizon);
    return share <= alpha * M1;
  };
  double low = 0, high = 700;  // e^700 is near the largest double
  if (telling(low)) return 1;
  if (!telling(high)) return INFINITY;
  while (high - low > 1e-6) {
    const double middle = (low + high) / 2;
    (telling(middle) ? high : low) = middle;
  }
  return std::exp(high);
}

}  // namespace hindsight
