/// Sets of items. Items count from 0; a set lists each of its items once, in any order.
#pragma once

#include <span>
#include <vector>

namespace hindsight {

using Item = int;
using ItemSet = std::vector<Item>;
using ItemView = std::span<const Item>;

}  // namespace hindsight
