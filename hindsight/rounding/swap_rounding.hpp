/// Swap rounding (Chekuri, Vondrak, Zenklusen, "Dependent randomized rounding via exchange
/// properties of combinatorial structures", FOCS 2010).
#pragma once

#include "hindsight/rounding/lossless_rounding.hpp"

namespace hindsight {

/// Lossless for every matroid. prepare() writes x as a convex combination of independent sets; a
/// draw merges them, two at a time, into one. A merge of sets that differ in m items of rank k asks
/// independent() at most 2 m k times; a draw allocates nothing unless independent() does.
///
/// The paper merges bases. A point below a base face has sets of unequal size: there a surplus item
/// goes over to the smaller set or leaves the larger one. That is a swap with a dummy item, and
/// moves one coordinate, in which F is linear.
class SwapRounding final : public LosslessRounding {
 public:
  explicit SwapRounding(MatroidPtr matroid);
  void prepare(PointView x) override;
  void draw(Stream& stream, ItemSet& out) override;
  void draw_with(CoinTree& coins, ItemSet& out) override;
  /// The same for a mixture that is known already.
  void draw_from(const ConvexCombination& mixture, Stream& stream, ItemSet& out);

 private:
  /// A set that knows its members.
  struct Marked {
    ItemSet items;
    std::vector<char> has;

    void assign(const ItemSet& set);
    void add(Item item);
    void remove(std::size_t position);
    void replace(std::size_t position, Item item);
  };

  template <class Coins>
  void merge_all(Coins& coins, const ConvexCombination& mixture, ItemSet& out);
  /// Makes `a` and `b` equal, where `a` weighs the share `share` of both.
  template <class Coins>
  void merge(Coins& coins, double share, Marked& a, Marked& b);
  template <class Coins>
  void level(Coins& coins, double share_of_large, Marked& large, Marked& small);
  std::size_t find_partner(Marked& a, std::size_t position, Marked& b);

  MatroidPtr matroid_;
  ConvexCombination combination_{.weights = {1.0}, .sets = {{}}};
  Point x_;
  Marked merged_, next_;
};

}  // namespace hindsight
