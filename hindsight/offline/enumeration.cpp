#include "hindsight/offline/enumeration.hpp"

namespace hindsight {

BestSet best_base(const Matroid& matroid, const std::function<double(ItemView)>& f) {
  const int d = matroid.dimension();
  BestSet best;
  bool found = false;
  ItemSet set;
  // Depth first over items in order; independence is closed under taking subsets, so a branch that
  // is dependent, or too short to become a base, ends.
  const std::function<void(Item)> extend = [&](Item next) {
    const int missing = matroid.rank() - static_cast<int>(set.size());
    if (missing == 0) {
      const double value = f(set);
      if (!found || value > best.value) best = {set, value};
      found = true;
      return;
    }
    for (Item item = next; item <= d - missing; ++item) {
      set.push_back(item);
      if (matroid.independent(set)) extend(item + 1);
      set.pop_back();
    }
  };
  extend(0);
  return best;
}

}  // namespace hindsight
