#include "hindsight/reports/results.hpp"

#include <fmt/format.h>

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

Json point_object(const ResultRow& row, const CurvePoint& point) {
  return {{"name", row.name},
          {"rounds", row.rounds},
          {"seed", row.seed},
          {"round", point.round},
          {"reward", point.reward},
          {"value_queries", point.value_queries},
          {"gradient_queries", point.gradient_queries},
          {"seconds", point.seconds}};
}

Json comparator_object(const Comparator& c) {
  return {{"rounds", c.rounds},
          {"seed", c.seed},
          {"hindsight_lower", c.lower},
          {"hindsight_upper", c.upper},
          {"lower_by", c.lower_by},
          {"upper_by", c.upper_by},
          {"continuous_greedy", c.continuous_greedy ? Json(*c.continuous_greedy) : Json("")}};
}

Json tuning_object(const Tuning& t) {
  return {{"name", t.name},   {"values", t.values},           {"rounds", t.rounds},
          {"seeds", t.seeds}, {"mean_reward", t.mean_reward}, {"chosen", t.chosen}};
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

std::string csv_header(const Json& row) {
  std::string text;
  for (const auto& [key, value] : row.items()) text += (text.empty() ? "" : ",") + key;
  return text + "\n";
}

std::string csv_line(const Json& row) {
  std::string text;
  for (const Json& value : row) text += csv_field(value) + ",";
  text.back() = '\n';
  return text;
}

}  // namespace

std::string results_csv(const std::vector<ResultRow>& rows) {
  std::string text = csv_header(row_object({}));
  for (const ResultRow& row : rows) text += csv_line(row_object(row));
  return text;
}

std::string curves_csv(const Results& results) {
  std::string text = csv_header(point_object({}, {}));
  for (std::size_t i = 0; i < results.rows.size(); ++i)
    for (const CurvePoint& point : results.curves[i])
      text += csv_line(point_object(results.rows[i], point));
  return text;
}

std::string comparators_csv(const std::vector<Comparator>& comparators) {
  std::string text = csv_header(comparator_object({}));
  for (const Comparator& c : comparators) text += csv_line(comparator_object(c));
  return text;
}

std::string tuning_csv(const std::vector<Tuning>& tuning) {
  std::string text = csv_header(tuning_object({}));
  for (const Tuning& t : tuning) text += csv_line(tuning_object(t));
  return text;
}

std::string run_json(const Experiment& experiment, const std::string& version) {
  Json run = {{"hindsight", version},
              {"rounds", experiment.rounds},
              {"seeds", experiment.seeds},
              {"tuning_seeds", experiment.tuning_seeds},
              {"learners", Json::array()}};
  for (const Settings& learner : experiment.learners)
    run["learners"].push_back(Json(learner.with("name", learner_name(learner)).values()));
  return run.dump(2) + "\n";
}

std::string tuning_table(const std::vector<Tuning>& tuning) {
  std::string text;
  for (const Tuning& t : tuning)
    if (t.chosen)
      text += fmt::format("{}, {} rounds: {} (best on {} tuning seeds)\n", t.name, t.rounds,
                          t.values, t.seeds);
  return text;
}

std::string results_json_lines(const std::vector<ResultRow>& rows) {
  std::string text;
  for (const ResultRow& row : rows) text += row_object(row).dump() + "\n";
  return text;
}

}  // namespace hindsight
