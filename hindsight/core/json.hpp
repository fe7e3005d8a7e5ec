/// Suggestion and Feedback as JSON, for the wire, for logs and for traces.
///
///   {"round":7,"action":[..],"set":[..],"probes":[[..]],"phase":"explore","k":3,"direction":[..]}
///   {"round":7,"value":0.5,"gradients":[[..]]}
///
/// Keys that do not apply are left out. Reading checks everything and throws InputError.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "hindsight/core/suggestion.hpp"

namespace hindsight {

nlohmann::ordered_json to_json(const Suggestion& suggestion);
nlohmann::ordered_json to_json(const Feedback& feedback);
Suggestion suggestion_from_json(const nlohmann::ordered_json& json);
Feedback feedback_from_json(const nlohmann::ordered_json& json);

}  // namespace hindsight
