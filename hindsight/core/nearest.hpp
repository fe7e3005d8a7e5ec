/// What was probably meant: for errors about unknown names.
#pragma once

#include <string>
#include <vector>

namespace hindsight {

/// " (did you mean `steps`?)" with the known word that differs by the fewest edits, if that is few
/// enough to have been meant; else "".
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

}  // namespace hindsight
