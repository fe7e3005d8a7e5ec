#include "hindsight/reports/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace hindsight {
namespace {

using Json = nlohmann::ordered_json;

/// The columns in their order; every format of the results comes from here.
Json row_object(const ResultRow& row) {
  return {{"learner", row.learner},
          {"name", row.name},
          {"schedule", row.schedule},
          {"oracle", row.oracle},
          {"learning", row.learning},
          {"game", row.game},
          {"rounds", row.rounds},
          {"seed", row.seed},
          {"dimension", row.dimension},
          {"reward", row.reward},
          {"hindsight_lower", row.hindsight_lower},
          {"hindsight_upper", row.hindsight_upper},
          {"alpha", row.alpha},
          {"regret_lower", row.regret_lower()},
          {"regret_upper", row.regret_upper()},
          {"ratio_lower", row.ratio_lower()},
          {"ratio_upper", row.ratio_upper()},
          {"value_queries", row.value_queries},
          {"gradient_queries", row.gradient_queries},
          {"infeasible_plays", row.infeasible_plays},
          {"seconds", row.seconds},
          {"peak_bytes", row.peak_bytes}};
}

/// A text is quoted only where it must be.
std::string csv_field(const Json& value) {
  if (!value.is_string()) return value.dump();
  const auto text = value.get<std::string>();
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string results_csv(const std::vector<ResultRow>& rows) {
  std::string text;
  const auto line = [&](const Json& row, bool header) {
    bool first = true;
    for (const auto& [key, value] : row.items()) {
      text += (first ? "" : ",") + (header ? key : csv_field(value));
      first = false;
    }
    text += '\n';
  };
  line(row_object({}), true);
  for (const ResultRow& row : rows) line(row_object(row), false);
  return text;
}

std::string results_json_lines(const std::vector<ResultRow>& rows) {
  std::string text;
  for (const ResultRow& row : rows) text += row_object(row).dump() + "\n";
  return text;
}

MeanAndError mean_and_error(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double v : values) mean += v / n;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return {mean, n > 1 ? std::sqrt(squares / (n - 1) / n) : 0};
}

std::string results_table(const std::vector<ResultRow>& rows) {
  struct Group {
    std::string name;
    Round rounds;
    std::vector<double> reward, lower, upper, regret;
    Round gradients = 0, infeasible = 0;
  };
  std::vector<Group> groups;
  for (const ResultRow& row : rows) {
    const auto same = [&](const Group& g) { return g.name == row.name && g.rounds == row.rounds; };
    auto group = std::find_if(groups.begin(), groups.end(), same);
    if (group == groups.end())
      group = groups.insert(groups.end(), Group{row.name, row.rounds, {}, {}, {}, {}});
    group->reward.push_back(row.reward / static_cast<double>(row.rounds));
    group->lower.push_back(row.ratio_lower());
    group->upper.push_back(row.ratio_upper());
    group->regret.push_back(row.regret_upper() / static_cast<double>(row.rounds));
    group->gradients += row.gradient_queries;
    group->infeasible += row.infeasible_plays;
  }
  std::size_t width = 7;
  for (const Group& g : groups) width = std::max(width, g.name.size());
  std::string text =
      fmt::format("{:<{}}  {:>10}  {:>5}  {:>17}  {:>21}  {:>18}  {:>10}  {:>10}\n", "learner",
                  width, "rounds", "seeds", "reward a round", "share of best fixed",
                  "(1-1/e)-regret", "gradients", "infeasible");
  text +=
      fmt::format("{:<{}}  {:>10}  {:>5}  {:>17}  {:>21}  {:>18}  {:>10}  {:>10}\n", "", width, "",
                  "", "mean +- s.e.", "mean +- s.e.", "a round, at most", "a round", "a round");
  for (const Group& g : groups) {
    const auto n = static_cast<double>(g.reward.size()) * static_cast<double>(g.rounds);
    const MeanAndError reward = mean_and_error(g.reward), low = mean_and_error(g.lower),
                       high = mean_and_error(g.upper), regret = mean_and_error(g.regret);
    const bool exact = high.mean - low.mean < 5e-5;
    const std::string share =
        exact ? fmt::format("{:.4f} +- {:.4f}", low.mean, low.standard_error)
              : fmt::format("{:.3f}-{:.3f} +- {:.3f}", low.mean, high.mean, low.standard_error);
    text += fmt::format("{:<{}}  {:>10}  {:>5}  {:>17}  {:>21}  {:>18.5f}  {:>10.4g}  {:>10.4g}\n",
                        g.name, width, g.rounds, g.reward.size(),
                        fmt::format("{:.5f} +- {:.5f}", reward.mean, reward.standard_error), share,
                        regret.mean, static_cast<double>(g.gradients) / n,
                        static_cast<double>(g.infeasible) / n);
  }
  return text;
}

}  // namespace hindsight
