/// Data games by name: their keys now, their files when they are needed.
#pragma once

#include <functional>
#include <string>

#include "hindsight/core/settings.hpp"
#include "hindsight/games/data_game.hpp"

namespace hindsight {

/// Reads the keys of a table and returns what reads the files; empty for a kind that is not read
/// from data.
std::function<DataPool()> data_loader(Settings& settings, const std::string& kind,
                                      const std::string& folder);

}  // namespace hindsight
