/// VertexSampler for matroids of which nothing is known but their greedy algorithm.
#pragma once

#include "hindsight/learners/vertex_sampler.hpp"
#include "hindsight/rounding/swap_rounding.hpp"

namespace hindsight {

/// y is kept as a mixture of bases, at most one an item and a few more. A mirror step moves weight
/// from the worst base of the mixture to the best of all (pairwise Frank-Wolfe; Lacoste-Julien,
/// Jaggi, NeurIPS 2015) a few times: an approximate maximiser, but always a mixture of bases whose
/// marginals are known exactly, which is all that estimates and rounding need.
class MixtureSampler final : public VertexSampler {
 public:
  explicit MixtureSampler(MatroidPtr matroid);

  PointView marginals() const override { return x_; }
  void draw(Stream& stream, ItemSet& out) override;
  void step(PointView g, double floor) override;
  double range() const override { return range_; }
  double mean_share() const override { return mean_share_; }
  void write(Writer& writer) const override;
  void read(Reader& reader) override;

 private:
  void ascend(int most_moves, double least);
  double move_along(const ItemSet& best, const ItemSet& worst, double most, double least) const;
  void add_weight(const ItemSet& base, double weight);
  void read_shares();
  void show();

  MatroidPtr matroid_;
  SwapRounding rounding_;
  ConvexCombination mixture_, centre_mixture_;
  double floor_ = 0;
  Point y_, x_, centre_;
  Point target_;  // maximised: <target, y> - Psi(y)
  Point slope_, indicator_;
  double range_ = 0;
  double mean_share_ = 0;
  double least_share_ = 0;  // the smallest centre_i and 1 - centre_i that are not 0
};

}  // namespace hindsight
