#include "hindsight/offline/greedy.hpp"

#include <algorithm>
#include <queue>

namespace hindsight {

ItemSet lazy_greedy(const Matroid& matroid, GrowingSet& growing) {
  struct Candidate {
    double gain;
    Item item;
    std::size_t size;  // of the set for which the gain was computed
    bool operator<(const Candidate& other) const {
      return gain < other.gain || (gain == other.gain && item > other.item);
    }
  };
  std::priority_queue<Candidate> queue;
  for (Item i = 0; i < matroid.dimension(); ++i)
    if (matroid.independent({&i, 1})) queue.push({growing.gain(i), i, 0});
  ItemSet set;
  while (!queue.empty()) {
    Candidate best = queue.top();
    queue.pop();
    set.push_back(best.item);
    // Once an item does not fit it never will: independence is lost for good.
    if (!matroid.independent(set)) {
      set.pop_back();
      continue;
    }
    if (best.size + 1 == set.size()) {
      growing.add(best.item);
      continue;
    }
    set.pop_back();
    best.gain = growing.gain(best.item);
    best.size = set.size();
    queue.push(best);
  }
  return set;
}

ItemSet local_search(const Matroid& matroid, const SetValue& f, ItemSet set, double tolerance,
                     int most_swaps) {
  double value = f(set);
  for (int swaps = 0; swaps < most_swaps; ++swaps) {
    double best_gain = tolerance;
    ItemSet best;
    for (std::size_t out = 0; out < set.size(); ++out)
      for (Item in = 0; in < matroid.dimension(); ++in) {
        if (std::find(set.begin(), set.end(), in) != set.end()) continue;
        ItemSet swapped = set;
        swapped[out] = in;
        if (!matroid.independent(swapped)) continue;
        const double gain = f(swapped) - value;
        if (gain > best_gain) {
          best_gain = gain;
          best = swapped;
        }
      }
    if (best.empty()) break;
    set = best;
    value += best_gain;
  }
  return set;
}

}  // namespace hindsight
