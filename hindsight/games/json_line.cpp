#include "hindsight/games/json_line.hpp"

#include <nlohmann/json.hpp>

#include "hindsight/core/error.hpp"

namespace hindsight {

nlohmann::json parse_json_line(std::string_view text) {
  constexpr int deepest = 3;
  // Values are shown and destroyed by recursion: a line of brackets would exhaust the stack.
  bool deep = false;
  const auto watch = [&](int depth, nlohmann::json::parse_event_t, const nlohmann::json&) {
    deep = deep || depth > deepest;
    return depth <= deepest;
  };
  nlohmann::json value = nlohmann::json::parse(text, watch, false);
  if (deep) throw InputError("must not hold lists inside lists of lists");
  if (value.is_discarded()) throw InputError("must be one whole JSON object");
  return value;
}

}  // namespace hindsight
