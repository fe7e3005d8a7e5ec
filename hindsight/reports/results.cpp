#include "hindsight/reports/results.hpp"

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

}  // namespace hindsight
