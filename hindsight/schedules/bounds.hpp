/// The theorems' regret bounds as functions, term by term.
#pragma once

#include <numbers>
#include <string>
#include <vector>

namespace hindsight {

/// The letters of the paper's assumptions.
struct BoundConstants {
  double d = 0;       ///< dimension
  double r = 0;       ///< inner radius (Assumption 5)
  double R = 0;       ///< radius
  double D = 0;       ///< diameter
  double M0 = 0;      ///< largest norm of a stochastic gradient (Assumption 3)
  double M1 = 0;      ///< largest value (Assumption 6)
  double L1 = 0;      ///< Lipschitz constant (Assumption 2)
  double L2 = 0;      ///< smoothness (Assumption 2)
  double sigma0 = 0;  ///< standard deviation of a stochastic gradient (Assumption 3)
  double C = 0;       ///< oracle regret: at most C sqrt t (Assumption 4)
};

/// coefficient * T^exponent
struct BoundTerm {
  std::string meaning;
  double coefficient = 0;
  double exponent = 0;
};

using Bound = std::vector<BoundTerm>;  ///< the sum of its terms

Bound theorem_1(const BoundConstants& constants);
Bound theorem_2(const BoundConstants& constants);
/// Takes L1 = 2 M1 sqrt d, L2 = 4 M1 sqrt(d(d-1)), D = R = sqrt d, as the theorem does: only d, r,
/// M1 and C are read.
Bound theorem_3(const BoundConstants& constants);
Bound theorem_4(const BoundConstants& constants, double gamma, double c1, double c2);

/// What the schedules `unaveraged` give (docs/unaveraged.md): Mono-FW with K = T^{1/3}.
Bound unaveraged_mono_bound(const BoundConstants& constants);
/// Bandit-FW and Responsive-FW with delta = r T^{-1/6} / (sqrt d + 2), L = T^{1/3}, K = T^{1/6}. C
/// is not read: the oracles are scale-free gradient ascent on estimates no longer than d M1 /
/// delta.
Bound unaveraged_bandit_bound(const BoundConstants& constants);
/// Boosted gradient ascent (docs/boosted-gradient-ascent.md): beta C sqrt T.
Bound boosted_bound(const BoundConstants& constants, double beta);

double evaluate(const Bound& bound, double horizon);

/// The smallest T (to a relative 1e-6) from which the bound is below what never earning anything
/// costs, alpha M1 T. Every exponent is below 1, so there is one.
double first_telling_horizon(const Bound& bound, double M1, double alpha = 1 - 1 / std::numbers::e);

}  // namespace hindsight
