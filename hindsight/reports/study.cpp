#include "hindsight/reports/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <tuple>

namespace hindsight {
namespace {

using Match = std::pair<Round, std::uint64_t>;  // a horizon and a seed: one game

/// All of one learner's results, to be looked up by game.
using Rows = std::map<Match, const ResultRow*>;

class Analysis {
 public:
  explicit Analysis(const RunFolder& folder) {
    std::set<Round> horizons;
    std::set<std::uint64_t> seeds;
    for (const ResultRow& row : folder.results) {
      if (!rows_.contains(row.name)) names_.push_back(row.name);
      rows_[row.name][{row.rounds, row.seed}] = &row;
      horizons.insert(row.rounds);
      seeds.insert(row.seed);
    }
    study_.horizons.assign(horizons.begin(), horizons.end());
    study_.seeds.assign(seeds.begin(), seeds.end());
    bool greedy = true;
    for (const Comparator& row : folder.comparators) {
      greedy_[{row.rounds, row.seed}] = row.continuous_greedy.value_or(0);
      greedy = greedy && row.continuous_greedy;
    }
    const double alpha = folder.results.front().alpha;
    const bool usual = std::abs(alpha - (1 - 1 / std::numbers::e)) < 1e-12;
    study_.yardsticks = {(usual ? "(1-1/e)" : fmt::format("{:.4g}", alpha)) + " best fixed",
                         "best fixed"};
    if (greedy) study_.yardsticks.push_back("continuous greedy");
  }

  Study study() {
    for (const std::string& name : names_) study_.contenders.push_back(introduce(name));
    for (Contender& contender : study_.contenders) measure(contender);
    for (std::size_t h = 0; h < study_.horizons.size(); ++h)
      for (Contender& contender : study_.contenders) {
        if (contender.role != Role::learner) continue;
        contender.standings[h].wins = wins(contender, study_.horizons[h]);
        contender.standings[h].level = level(contender, h);
      }
    sort();
    return std::move(study_);
  }

 private:
  const ResultRow& any_row(const std::string& name) const {
    return *rows_.at(name).begin()->second;
  }
  double reward(const std::string& name, const Match& match) const {
    return rows_.at(name).at(match)->reward;
  }

  Contender introduce(const std::string& name) const {
    const ResultRow& row = any_row(name);
    const LearnerKind& kind = learner_kind(row.learner);
    Contender contender;
    contender.name = name;
    contender.kind = row.learner;
    contender.told = kind.told;
    if (kind.told == Told::nothing)
      contender.role = Role::no_learning;
    else if (!row.learning)
      contender.role = Role::control;
    if (contender.role == Role::learner) contender.control = control_of(row);
    if (contender.role != Role::no_learning) contender.line = line_for(kind.told);
    if (contender.role != Role::no_learning && (!kind.plan || row.schedule == "theorem"))
      contender.theorem = kind.rate;
    return contender;
  }

  std::string control_of(const ResultRow& learner) const {
    const std::string usual = learner.name + ", learning off";
    if (rows_.contains(usual) && !any_row(usual).learning) return usual;
    for (const std::string& name : names_) {
      const ResultRow& row = any_row(name);
      if (!row.learning && row.learner == learner.learner && row.schedule == learner.schedule &&
          row.oracle == learner.oracle)
        return name;
    }
    return "";
  }

  /// Points are measured from a point, sets from sets.
  std::string line_for(Told told) const {
    const std::string kind = told == Told::set_values ? "random-base" : "constant";
    for (const std::string& name : names_)
      if (any_row(name).learner == kind) return name;
    return "";
  }

  /// What a game offers by a yardstick, over all rounds.
  Interval yardstick(std::size_t which, const ResultRow& row) const {
    if (which == 2) {
      const double found = greedy_.at({row.rounds, row.seed});
      return {found, found};
    }
    const double alpha = which == 0 ? row.alpha : 1;
    return {alpha * row.hindsight_lower, alpha * row.hindsight_upper};
  }

  static std::optional<Interval> ratio(double reward, const Interval& offered) {
    if (offered.upper == 0 && reward == 0) return Interval{1, 1};  // all there was was had
    if (offered.lower <= 0 || reward < 0) return std::nullopt;
    return Interval{reward / offered.upper, reward / offered.lower};
  }

  /// (reward - line) / (best - line), for every best in its interval.
  static std::optional<Interval> share_of_gain(double reward, double line, const Interval& best) {
    // A gain that is rounding noise has no shares.
    if (best.lower - line <= 1e-9 * std::abs(best.lower)) return std::nullopt;
    const double one = (reward - line) / (best.upper - line);
    const double other = (reward - line) / (best.lower - line);
    return Interval{std::min(one, other), std::max(one, other)};
  }

  /// The mean over the seeds of one horizon; none where it is not defined for some seed.
  template <class Quantity>
  std::optional<Estimate> over_seeds(Round rounds, Quantity quantity) const {
    std::vector<Interval> values;
    for (const std::uint64_t seed : study_.seeds) {
      const std::optional<Interval> value = quantity(Match{rounds, seed});
      if (!value) return std::nullopt;
      values.push_back(*value);
    }
    return estimate(values);
  }

  /// Reward a round above another's, seed by seed: what the game's luck gave to both cancels.
  Estimate difference(const std::string& one, const std::string& other, Round rounds) const {
    return *over_seeds(rounds, [&](const Match& match) -> std::optional<Interval> {
      const double d = (reward(one, match) - reward(other, match)) / static_cast<double>(rounds);
      return Interval{d, d};
    });
  }

  void measure(Contender& contender) const {
    for (const Round rounds : study_.horizons)
      contender.standings.push_back(standing(contender, rounds));
    for (std::size_t y = 0; y < study_.yardsticks.size(); ++y)
      contender.exponents.push_back(exponent(contender, y));
  }

  Standing standing(const Contender& contender, Round rounds) const {
    const Rows& rows = rows_.at(contender.name);
    const auto T = static_cast<double>(rounds);
    Standing s;
    s.rounds = rounds;
    s.reward = *over_seeds(rounds, [&](const Match& match) -> std::optional<Interval> {
      const double a_round = rows.at(match)->reward / T;
      return Interval{a_round, a_round};
    });
    for (std::size_t y = 0; y < study_.yardsticks.size(); ++y) {
      const auto ratios = over_seeds(rounds, [&](const Match& match) {
        return ratio(rows.at(match)->reward, yardstick(y, *rows.at(match)));
      });
      const auto regrets = over_seeds(rounds, [&](const Match& match) -> std::optional<Interval> {
        return regret(*rows.at(match), y);
      });
      s.against.push_back({ratios, *regrets});
    }
    if (!contender.line.empty()) {
      s.gain = over_seeds(rounds, [&](const Match& match) {
        return share_of_gain(rows.at(match)->reward, reward(contender.line, match),
                             yardstick(best_fixed_yardstick, *rows.at(match)));
      });
      s.over_line = over_seeds(rounds, [&](const Match& match) -> std::optional<Interval> {
        const double line = reward(contender.line, match);
        if (line <= 0) return std::nullopt;
        const double above = rows.at(match)->reward / line - 1;
        return Interval{above, above};
      });
    }
    if (!contender.control.empty())
      s.over_control = difference(contender.name, contender.control, rounds);
    const auto n = static_cast<double>(study_.seeds.size());
    for (const std::uint64_t seed : study_.seeds) {
      const ResultRow& row = *rows.at({rounds, seed});
      s.gradients += static_cast<double>(row.gradient_queries) / T / n;
      s.infeasible += static_cast<double>(row.infeasible_plays) / T / n;
      s.seconds += row.seconds / n;
    }
    return s;
  }

  Interval regret(const ResultRow& row, std::size_t which) const {
    const Interval offered = yardstick(which, row);
    return {offered.lower - row.reward, offered.upper - row.reward};
  }

  /// A slope for every seed, so that their spread says how sure the mean is.
  Exponent exponent(const Contender& contender, std::size_t which) const {
    if (study_.horizons.size() < Study::fewest_horizons)
      return {std::nullopt, fmt::format("needs at least {} horizons", Study::fewest_horizons)};
    if (study_.seeds.size() < 2) return {std::nullopt, "needs at least 2 seeds"};
    const std::vector<double> T(study_.horizons.begin(), study_.horizons.end());
    std::vector<Interval> slopes;
    for (const std::uint64_t seed : study_.seeds) {
      std::vector<Interval> regrets;
      for (const Round rounds : study_.horizons) {
        regrets.push_back(regret(*rows_.at(contender.name).at({rounds, seed}), which));
        if (regrets.back().lower <= 0) return {std::nullopt, "not defined: regret is not positive"};
      }
      slopes.push_back(log_log_slope(T, regrets));
    }
    return {estimate(slopes), ""};
  }

  bool wins(const Contender& contender, Round rounds) const {
    if (study_.seeds.size() < 2) return false;
    bool rivals = false;
    for (const Contender& other : study_.contenders) {
      const bool rival = other.told == contender.told || other.name == contender.line;
      if (&other == &contender || !rival) continue;
      rivals = true;
      if (difference(contender.name, other.name, rounds).confidence.lower <= 0) return false;
    }
    return rivals;
  }

  bool level(const Contender& contender, std::size_t h) const {
    const Contender* best = &contender;
    for (const Contender& other : study_.contenders)
      if (other.role == Role::learner && other.told == contender.told &&
          other.standings[h].reward.middle() > best->standings[h].reward.middle())
        best = &other;
    if (study_.seeds.size() < 2) return best == &contender;
    return difference(best->name, contender.name, study_.horizons[h]).confidence.lower <= 0;
  }

  void sort() {
    const auto rank = [&](const Contender& c) {
      const auto told = c.told == Told::nothing ? 9 : static_cast<int>(c.told);
      return std::tuple(told, c.role, -c.standings.back().reward.middle());
    };
    std::vector<Contender>& all = study_.contenders;
    std::stable_sort(all.begin(), all.end(),
                     [&](const Contender& a, const Contender& b) { return rank(a) < rank(b); });
    std::vector<Contender> ordered;
    std::set<std::string> placed;
    for (const Contender& contender : all) {
      if (!placed.insert(contender.name).second) continue;
      ordered.push_back(contender);
      if (contender.control.empty() || !placed.insert(contender.control).second) continue;
      ordered.push_back(*study_.find(contender.control));
    }
    all = std::move(ordered);
  }

  Study study_;
  std::vector<std::string> names_;  // in the order of the file
  std::map<std::string, Rows> rows_;
  std::map<Match, double> greedy_;
};

}  // namespace

const Contender* Study::find(const std::string& name) const {
  const auto at = std::find_if(contenders.begin(), contenders.end(),
                               [&](const Contender& c) { return c.name == name; });
  return at == contenders.end() ? nullptr : &*at;
}

Study study_of(const RunFolder& folder) { return Analysis(folder).study(); }

}  // namespace hindsight
