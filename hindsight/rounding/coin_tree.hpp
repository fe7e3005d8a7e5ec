/// All outcomes of an algorithm whose only randomness is coins, one after another.
#pragma once

#include <vector>

namespace hindsight {

/// Stands in for a Stream: run the algorithm once per leaf, until `next()` says there is none.
///
///     CoinTree coins;
///     do {
///       algorithm(coins);          // asks coins.coin(p) as often as it likes
///       use(coins.probability());  // of everything the algorithm just did
///     } while (coins.next());
class CoinTree {
 public:
  /// Certain coins do not branch.
  bool coin(double probability) {
    if (probability >= 1) return true;
    if (!(probability > 0)) return false;
    if (depth_ == path_.size()) path_.push_back({probability, true});
    return path_[depth_++].heads;
  }

  double probability() const {
    double product = 1;
    for (const Toss& toss : path_) product *= toss.heads ? toss.probability : 1 - toss.probability;
    return product;
  }

  /// Goes to the next leaf, in the order in which heads come before tails.
  bool next() {
    while (!path_.empty() && !path_.back().heads) path_.pop_back();
    depth_ = 0;
    if (path_.empty()) return false;
    path_.back().heads = false;
    return true;
  }

 private:
  struct Toss {
    double probability;
    bool heads;
  };
  std::vector<Toss> path_;
  std::size_t depth_ = 0;
};

}  // namespace hindsight
