/// What a game knows of its items besides their worth; `parts = "game"` and `edges = "game"` build
/// a domain from it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "hindsight/core/item_set.hpp"

namespace hindsight {

struct ItemStructure {
  std::vector<std::string> names = {};         ///< one an item, or none at all
  std::vector<ItemSet> parts = {};             ///< every item in exactly one, or none at all
  std::vector<std::string> part_names = {};    ///< one a part
  std::vector<std::array<int, 2>> edges = {};  ///< one an item, or none at all
};

}  // namespace hindsight
