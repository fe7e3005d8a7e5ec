/// What the results of a run say, with how sure they are: the numbers of every report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hindsight/learners/registry.hpp"
#include "hindsight/reports/run_folder.hpp"
#include "hindsight/reports/statistics.hpp"

namespace hindsight {

enum class Role { learner, control, no_learning };

/// Reward beside a yardstick: ratio = reward / yardstick, regret = yardstick - reward.
struct Against {
  std::optional<Estimate> ratio;  ///< none where the yardstick is not positive
  Estimate regret;                ///< of all rounds
};

/// One learner at one horizon.
struct Standing {
  Round rounds = 0;
  Estimate reward;                       ///< a round
  std::vector<Against> against;          ///< as Study::yardsticks
  std::optional<Estimate> gain;          ///< (reward - no learning) / (best fixed - no learning)
  std::optional<Estimate> over_line;     ///< reward / no learning - 1
  std::optional<Estimate> over_control;  ///< reward a round above the control's
  double gradients = 0;                  ///< asked for a round
  double infeasible = 0;                 ///< share of the rounds
  double seconds = 0;                    ///< of a run
  bool wins = false;   ///< surely above all who are told as much, controls, and no learning
  bool level = false;  ///< a learner that is not surely behind the best of those told as much
};

/// Of regret ~ T^slope, over horizons.
struct Exponent {
  std::optional<Estimate> slope;
  std::string why_not;  ///< where there is none
};

struct Contender {
  std::string name;
  std::string kind;
  Role role = Role::learner;
  Told told = Told::nothing;
  std::string control;  ///< name of the same code with learning off, or empty
  std::string line;     ///< name of the no-learning line it is measured from, or empty
  std::optional<TheoremRate> theorem;  ///< for this kind with this schedule
  std::vector<Standing> standings;     ///< as Study::horizons
  std::vector<Exponent> exponents;     ///< as Study::yardsticks
};

struct Study {
  std::vector<Round> horizons;  ///< from short to long
  std::vector<std::uint64_t> seeds;
  std::vector<std::string> yardsticks;  ///< "(1-1/e) best fixed", "best fixed", ...
  /// By what they are told, then by reward at the longest horizon; controls follow their learners.
  std::vector<Contender> contenders;

  const Contender* find(const std::string& name) const;
  /// A slope through fewer says nothing.
  static constexpr std::size_t fewest_horizons = 3;
};

/// Index of the best fixed decision among the yardsticks.
inline constexpr std::size_t best_fixed_yardstick = 1;

Study study_of(const RunFolder& folder);

}  // namespace hindsight
