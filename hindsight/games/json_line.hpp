/// One line of a JSON-lines file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace hindsight {

/// Throws InputError unless the text is one whole JSON value with lists or objects at most three
/// deep: a number in a list of lists of the object.
nlohmann::json parse_json_line(std::string_view text);

}  // namespace hindsight
