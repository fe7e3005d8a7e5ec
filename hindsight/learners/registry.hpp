/// Learners by name, from a table of settings.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hindsight/core/settings.hpp"
#include "hindsight/core/workers.hpp"
#include "hindsight/domains/matroid.hpp"
#include "hindsight/learners/learner.hpp"
#include "hindsight/schedules/frank_wolfe_plan.hpp"

namespace hindsight {

/// What a learner is told about the world before the first round.
struct LearnerWorld {
  DomainPtr domain;  ///< learners that play sets need it to be a Matroid
  Round horizon = 0;
  std::uint64_t seed = 1;
  WorkersPtr workers = nullptr;  ///< threads that a learner of large dimension may use
};

struct LearnerKey {
  std::string_view key;
  std::string_view meaning;  ///< with its default
};

/// Learners are compared with those that are told as much.
enum class Told { nothing, gradients, point_values, set_values };

/// What a theorem says of a kind's own schedule: alpha-regret O(T^exponent).
struct TheoremRate {
  double alpha = 0;
  double exponent = 0;
};

struct LearnerKind {
  std::string_view kind;
  std::string_view summary;
  std::string_view feedback;  ///< what it must be told
  std::string_view guarantee;
  std::string_view citation;
  std::vector<LearnerKey> keys;  ///< besides kind, name
  LearnerPtr (*make)(Settings& settings, const LearnerWorld& world);
  /// The parameters it would run with, without building it; null for learners without a schedule.
  FrankWolfePlan (*plan)(Settings& settings, const LearnerWorld& world) = nullptr;
  Told told = Told::nothing;
  std::optional<TheoremRate> rate;  ///< the numbers of `guarantee`
  /// How it plays functions that may fall; empty: it needs monotone ones.
  std::string_view non_monotone = {};

  bool takes(std::string_view key) const;
};

std::span<const LearnerKind> learner_kinds();
const LearnerKind& learner_kind(const std::string& kind);

/// "constant, random-base, ...": which learners play functions that may fall, and how.
std::string learners_for_non_monotone();

/// What `kind = "auto"` stands for in a world: the table of the learner chosen, and why, in one
/// line. None for every other kind.
struct Chosen {
  Settings settings;
  std::string why;
};
std::optional<Chosen> choose(Settings settings, const LearnerWorld& world);

/// Builds the learner of a `[[learner]]` table. With `horizon = "unknown"` it is wrapped in
/// Doubling.
LearnerPtr make_learner(Settings settings, const LearnerWorld& world);

}  // namespace hindsight
