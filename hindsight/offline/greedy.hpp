/// Good fixed sets, found quickly: lazy greedy, then local search.
#pragma once

#include <functional>

#include "hindsight/domains/matroid.hpp"
#include "hindsight/functions/function.hpp"

namespace hindsight {

using SetValue = std::function<double(ItemView)>;

/// The greedy sets in the order they grow, from {} to a base; the last one has f >= f(best) / 2 on
/// any matroid and (1 - 1/e) f(best) on a uniform one (Fisher, Nemhauser, Wolsey 1978). Lazy
/// (Minoux 1978): an item is looked at again only while its old gain, an upper bound by
/// submodularity, could still win. `growing` is {} and becomes the last set.
ItemSet lazy_greedy(const Matroid& matroid, GrowingSet& growing);

/// Swaps one item for another as long as that gains more than `tolerance`; stops after
/// `most_swaps`.
ItemSet local_search(const Matroid& matroid, const SetValue& f, ItemSet start, double tolerance,
                     int most_swaps);

}  // namespace hindsight
