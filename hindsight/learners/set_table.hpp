/// Room for the sets of many rounds that are out at once.
#pragma once

#include <cassert>
#include <vector>

#include "hindsight/core/item_set.hpp"

namespace hindsight {

class SetTable {
 public:
  SetTable(std::size_t rows, std::size_t largest_set)
      : width_(largest_set), items_(rows * largest_set) {}

  /// Keeps `set` in a row and lends it from there.
  ItemView keep(std::size_t row, ItemView set) {
    assert(set.size() <= width_);
    Item* const at = items_.data() + row * width_;
    for (std::size_t i = 0; i < set.size(); ++i) at[i] = set[i];
    return {at, set.size()};
  }

 private:
  std::size_t width_;
  std::vector<Item> items_;
};

}  // namespace hindsight
