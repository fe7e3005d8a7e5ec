/// The parameters of the Frank-Wolfe learners for a horizon: K, L, Q, delta, rho_k, eta_k.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "hindsight/core/suggestion.hpp"

namespace hindsight {

/// | paper | here |
/// | --- | --- |
/// | T | horizon |
/// | K | steps |
/// | L | block_length (K for Mono-FW, 1 for Meta-FW and VR-FW) |
/// | Q | blocks |
/// | delta | radius |
/// | rho_k, eta_k | averaging[k-1], step_sizes[k-1] |
struct FrankWolfePlan {
  std::string_view schedule = "theorem";  ///< "explicit" where a parameter was given by hand
  Round horizon = 0;
  int steps = 0;
  Round block_length = 0;
  Round blocks = 0;
  double radius = 0;  ///< 0 for learners that see gradients
  std::vector<double> averaging;
  std::vector<double> step_sizes;
};

/// Parameters given by hand; what is left out follows the theorem.
struct PlanChoices {
  std::optional<int> steps = std::nullopt;
  std::optional<Round> block_length = std::nullopt;
  std::optional<double> radius = std::nullopt;
  std::optional<int> max_steps = std::nullopt;  ///< caps K of Meta-FW and VR-FW
  bool averaging = true;                        ///< false: rho_k = 1, every gradient as it comes
};

/// Theorem 1: K = L = T^{3/5}.
FrankWolfePlan mono_plan(Round horizon, const PlanChoices& choices = {});

/// Theorems 2 and 3: delta = r T^{-1/9} / (sqrt d + 2), L = T^{7/9}, K = T^{2/3}.
FrankWolfePlan bandit_plan(Round horizon, int dimension, double inner_radius,
                           const PlanChoices& choices = {});

/// Theorem 4, for an interior with d(K, K') <= c1 delta^gamma and m = min(1, gamma):
/// delta = c2 T^{-1/(3+6m)}, L = T^{(3+4m)/(3+6m)}, K = T^{(1+m)/(1+2m)}.
FrankWolfePlan general_interior_plan(Round horizon, double gamma, double c2,
                                     const PlanChoices& choices = {});

/// No averaging (docs/unaveraged.md). Mono-FW: K = L = T^{1/3}, rho_k = 1, T^{2/3}.
FrankWolfePlan unaveraged_mono_plan(Round horizon, const PlanChoices& choices = {});

/// Bandit-FW, Responsive-FW: delta = r T^{-1/6} / (sqrt d + 2), L = T^{1/3}, K = T^{1/6}, rho_k =
/// 1, T^{5/6}.
FrankWolfePlan unaveraged_bandit_plan(Round horizon, int dimension, double inner_radius,
                                      const PlanChoices& choices = {});

/// What earned most in experiments, with no guarantee: few steps, short blocks, no averaging,
/// whatever the horizon. `radius` is 0 for estimates that need none.
FrankWolfePlan practical_plan(Round horizon, int steps, Round block_length, double radius,
                              const PlanChoices& choices = {});
/// Its radius for one-point estimates, .4 r / (sqrt d + 2): .05 for any 2 of 10 items.
double practical_radius(int dimension, double inner_radius);

/// Meta-FW (Chen, Hassani, Karbasi 2018): K = T^{1/2} exact gradients a round, no averaging.
FrankWolfePlan meta_plan(Round horizon, const PlanChoices& choices = {});

/// VR-FW (Chen, Harshaw, Hassani, Karbasi 2018): K = T^{3/2} stochastic gradients a round.
FrankWolfePlan vr_plan(Round horizon, const PlanChoices& choices = {});

struct ScheduleKind {
  std::string_view kind;
  std::string_view summary;
  std::string_view citation;
};
std::span<const ScheduleKind> schedule_kinds();

}  // namespace hindsight
