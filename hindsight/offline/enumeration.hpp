/// The best fixed set by trying all of them.
#pragma once

#include <functional>

#include "hindsight/domains/matroid.hpp"

namespace hindsight {

struct BestSet {
  ItemSet set;
  double value = 0;
};

/// max over bases of a monotone f, exactly. The work grows with the number of independent sets.
BestSet best_base(const Matroid& matroid, const std::function<double(ItemView)>& f);

}  // namespace hindsight
