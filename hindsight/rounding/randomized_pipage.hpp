/// Randomised pipage rounding (Chekuri, Vondrak, Zenklusen, "Dependent randomized rounding for
/// matroid polytopes and applications", 2009; Gandhi, Khuller, Parthasarathy, Srinivasan,
/// "Dependent rounding and its applications to approximation algorithms", J. ACM 2006).
#pragma once

#include "hindsight/rounding/lossless_rounding.hpp"

namespace hindsight {

/// Lossless for every matroid: moves one fractional item against another, or one alone, to a random
/// end of the line inside the polytope, such that the mean stays, until every item is 0 or 1.
///
/// For a LaminarMatroid (uniform, partition, laminar) the constructor chooses a method that pairs
/// items bottom-up through the family. All its probabilities are known after prepare(), which takes
/// O(d + sets); a draw is one coin a fractional item and allocates nothing. |Y n F| is x(F) rounded
/// down or up for every set F of the family, and so is |Y|.
/// For any other matroid a draw makes at most d moves and asks Matroid::room() about d times for
/// each; SwapRounding is faster.
class RandomizedPipage final : public LosslessRounding {
 public:
  explicit RandomizedPipage(MatroidPtr matroid);
  void prepare(PointView x) override { method_->prepare(x); }
  void draw(Stream& stream, ItemSet& out) override { method_->draw(stream, out); }
  void draw_with(CoinTree& coins, ItemSet& out) override { method_->draw_with(coins, out); }

 private:
  std::unique_ptr<LosslessRounding> method_;
};

}  // namespace hindsight
