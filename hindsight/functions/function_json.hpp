/// Functions from JSON: the lines of a replay file.
///
///     {"kind":"coverage","weights":[..],"sets":[[elements of item 0],..]}
///     {"kind":"facility-location","benefits":[[customer 0 x items],..],"weights":[..]}   weights:
///     1s
///     {"kind":"quadratic","H":[[..],..],"h":[..],"monotone":true}   monotone: true
///     {"kind":"saturation","rates":[[customer 0 x items],..],"weights":[..]}
///     {"kind":"modular","weights":[..]}
///     {"kind":"table","dimension":d,"values":[f(0),..,f(2^d-1)]}   bit i of the index = item i
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hindsight/functions/function.hpp"

namespace hindsight {

struct RoundFunction {
  SetFunctionPtr set;  ///< null for a purely continuous function
  ContinuousFunctionPtr continuous;
};

/// Throws InputError, naming the key, its value and the rule, for whatever is missing, unknown, of
/// the wrong type or against the function's own rules; and for another dimension than is expected.
RoundFunction function_from_json(const nlohmann::json& object,
                                 std::optional<int> expected_dimension = std::nullopt);

/// The kinds that function_from_json knows.
std::vector<std::string> function_kinds();

}  // namespace hindsight
