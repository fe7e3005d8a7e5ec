/// From a list of items to an independent set, in place.
#pragma once

#include "hindsight/core/item_set.hpp"
#include "hindsight/domains/matroid.hpp"

namespace hindsight {

/// Keeps each item, in the order given, that fits with those kept before it.
inline void keep_independent(const Matroid& matroid, ItemSet& items) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < items.size(); ++k) {
    items[kept] = items[k];
    if (matroid.independent({items.data(), kept + 1})) ++kept;
  }
  items.resize(kept);
}

}  // namespace hindsight
