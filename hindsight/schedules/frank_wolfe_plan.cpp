#include "hindsight/schedules/frank_wolfe_plan.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "hindsight/core/error.hpp"
#include "hindsight/estimators/averaging.hpp"

namespace hindsight {
namespace {

constexpr ScheduleKind kinds[] = {
    {"theorem", "the parameters for which the paper proves its bound",
     "Zhang, Chen, Hassani, Karbasi 2019, Theorems 1 to 4; Chen et al. 2018 for meta and vr"},
    {"unaveraged",
     "rho_k = 1 and K, L, delta tuned anew: T^{2/3} for mono, T^{5/6} for bandit and responsive",
     "docs/unaveraged.md"},
    {"practical",
     "what earned most in experiments, for bandit and responsive: few steps, short blocks, a "
     "baseline a step; no "
     "guarantee",
     "-"},
    {"explicit",
     "parameters given by hand: steps, block_length, radius, averaging; the rest follows the "
     "theorem",
     "-"},
};

/// T^exponent to the nearest whole number, at least 1.
double power(Round horizon, double exponent) {
  return std::max(1.0, std::round(std::pow(static_cast<double>(horizon), exponent)));
}

void check(Round horizon, const PlanChoices& choices) {
  require(horizon >= 1, "rounds", horizon, "must be at least 1");
  if (choices.steps) require(*choices.steps >= 1, "steps", *choices.steps, "must be at least 1");
  if (choices.max_steps)
    require(*choices.max_steps >= 1, "max_steps", *choices.max_steps, "must be at least 1");
  if (choices.block_length)
    require(*choices.block_length >= 1, "block_length", *choices.block_length,
            "must be at least 1");
  if (choices.radius)
    require(std::isfinite(*choices.radius) && *choices.radius > 0, "radius", *choices.radius,
            "must be positive and finite");
}

constexpr double never_averaged(int) { return 1; }

std::string_view schedule_of(std::string_view named, const PlanChoices& c, int steps) {
  const bool capped = c.max_steps && steps == *c.max_steps;
  const bool by_hand = c.steps || c.block_length || c.radius || capped || !c.averaging;
  return by_hand ? "explicit" : named;
}

int whole_steps(double steps, const PlanChoices& choices) {
  steps = choices.steps ? *choices.steps : steps;
  if (choices.max_steps) steps = std::min(steps, static_cast<double>(*choices.max_steps));
  require(steps < std::numeric_limits<int>::max(), "steps", steps,
          "must be below 2^31 (max_steps caps it)");
  return static_cast<int>(steps);
}

FrankWolfePlan finish(std::string_view schedule, Round horizon, int steps, Round block_length,
                      double radius, const PlanChoices& choices,
                      const std::function<double(int)>& rho) {
  FrankWolfePlan plan;
  plan.schedule = schedule_of(schedule, choices, steps);
  plan.horizon = horizon;
  // For T below one block there is one short block.
  plan.block_length = std::min(block_length, horizon);
  plan.steps = steps;
  plan.blocks = horizon / plan.block_length;
  plan.radius = radius;
  for (int k = 1; k <= plan.steps; ++k) {
    plan.averaging.push_back(choices.averaging ? rho(k) : 1.0);
    plan.step_sizes.push_back(1.0 / plan.steps);
  }
  return plan;
}

FrankWolfePlan biphasic(std::string_view schedule, Round horizon, double L, double K, double radius,
                        const PlanChoices& choices, double (*rho)(int)) {
  const Round length = choices.block_length ? *choices.block_length : static_cast<Round>(L);
  int steps = whole_steps(K, choices);
  if (!choices.steps && 2 * static_cast<Round>(steps) > length) {
    // The proof needs L >= 2K, which the powers give only from T = 512 on.
    steps = static_cast<int>(std::max<Round>(1, length / 2));
  }
  require(steps <= length, "steps", steps,
          "must be at most block_length = " + std::to_string(length));
  steps = static_cast<int>(std::min<Round>(steps, horizon));
  return finish(schedule, horizon, steps, length, radius, choices, rho);
}

/// delta = r / (sqrt d + 2) * T^power.
double shrinking_radius(Round horizon, int dimension, double inner_radius, double power) {
  return inner_radius / (std::sqrt(dimension) + 2) * std::pow(static_cast<double>(horizon), power);
}

}  // namespace

FrankWolfePlan mono_plan(Round horizon, const PlanChoices& choices) {
  check(horizon, choices);
  int steps = whole_steps(power(horizon, 3.0 / 5), choices);
  steps = static_cast<int>(std::min<Round>(steps, horizon));
  return finish("theorem", horizon, steps, steps, 0, choices,
                [steps](int k) { return mono_averaging_weight(k, steps); });
}

FrankWolfePlan unaveraged_mono_plan(Round horizon, const PlanChoices& choices) {
  check(horizon, choices);
  int steps = whole_steps(power(horizon, 1.0 / 3), choices);
  steps = static_cast<int>(std::min<Round>(steps, horizon));
  return finish("unaveraged", horizon, steps, steps, 0, choices, never_averaged);
}

FrankWolfePlan bandit_plan(Round horizon, int dimension, double inner_radius,
                           const PlanChoices& choices) {
  check(horizon, choices);
  const double radius =
      choices.radius.value_or(shrinking_radius(horizon, dimension, inner_radius, -1.0 / 9));
  return biphasic("theorem", horizon, power(horizon, 7.0 / 9), power(horizon, 2.0 / 3), radius,
                  choices, bandit_averaging_weight);
}

FrankWolfePlan unaveraged_bandit_plan(Round horizon, int dimension, double inner_radius,
                                      const PlanChoices& choices) {
  check(horizon, choices);
  const double radius =
      choices.radius.value_or(shrinking_radius(horizon, dimension, inner_radius, -1.0 / 6));
  return biphasic("unaveraged", horizon, power(horizon, 1.0 / 3), power(horizon, 1.0 / 6), radius,
                  choices, never_averaged);
}

double practical_radius(int dimension, double inner_radius) {
  return .4 * inner_radius / (std::sqrt(dimension) + 2);
}

FrankWolfePlan practical_plan(Round horizon, int steps, Round block_length, double radius,
                              const PlanChoices& choices) {
  check(horizon, choices);
  return biphasic("practical", horizon, static_cast<double>(block_length), steps,
                  choices.radius ? *choices.radius : radius, choices, never_averaged);
}

FrankWolfePlan general_interior_plan(Round horizon, double gamma, double c2,
                                     const PlanChoices& choices) {
  check(horizon, choices);
  require(gamma > 0, "gamma", gamma, "must be positive");
  require(c2 > 0, "c2", c2, "must be positive");
  const auto T = static_cast<double>(horizon);
  const double m = std::min(1.0, gamma);
  const double radius = choices.radius ? *choices.radius : c2 * std::pow(T, -1 / (3 + 6 * m));
  return biphasic("theorem", horizon, power(horizon, (3 + 4 * m) / (3 + 6 * m)),
                  power(horizon, (1 + m) / (1 + 2 * m)), radius, choices, bandit_averaging_weight);
}

FrankWolfePlan meta_plan(Round horizon, const PlanChoices& choices) {
  check(horizon, choices);
  return finish("theorem", horizon, whole_steps(power(horizon, 1.0 / 2), choices), 1, 0, choices,
                never_averaged);
}

FrankWolfePlan vr_plan(Round horizon, const PlanChoices& choices) {
  check(horizon, choices);
  return finish("theorem", horizon, whole_steps(power(horizon, 3.0 / 2), choices), 1, 0, choices,
                vr_averaging_weight);
}

std::span<const ScheduleKind> schedule_kinds() { return kinds; }

}  // namespace hindsight
