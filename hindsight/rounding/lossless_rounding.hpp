/// LosslessRound: the exploiting step of Responsive-Frank-Wolfe (Algorithm 3).
#pragma once

#include <memory>
#include <vector>

#include "hindsight/core/item_set.hpp"
#include "hindsight/core/point.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/domains/matroid.hpp"
#include "hindsight/rounding/coin_tree.hpp"

namespace hindsight {

/// Draws a random independent set Y from a point x of a matroid polytope, such that
///     E 1_Y = x   and   E f(Y) >= F(x)   for every submodular f,
/// without knowing f (docs/rounding.md has the proofs). The same point is rounded anew in every
/// round of a block: what depends on x alone is done once, in prepare().
///
/// What is drawn depends on the point and the stream alone, never on earlier draws.
class LosslessRounding {
 public:
  virtual ~LosslessRounding() = default;

  /// Takes the point to round, which must lie in the polytope up to `point_tolerance`; a rejected
  /// one changes nothing. Before the first call the point is 0. May allocate.
  virtual void prepare(PointView x) = 0;
  virtual void draw(Stream& stream, ItemSet& out) = 0;
  /// The same algorithm, with every outcome in turn instead of a random one.
  virtual void draw_with(CoinTree& coins, ItemSet& out) = 0;

  /// How far sums of steps may leave a point outside the polytope. Its projection is rounded
  /// instead.
  static constexpr double point_tolerance = 1e-6;
};

/// The rounding to use for a matroid: RandomizedPipage where the sets are nested (uniform,
/// partition, laminar), else SwapRounding.
std::unique_ptr<LosslessRounding> make_lossless_rounding(MatroidPtr matroid);

/// The law of Y: each set (sorted) once, with its probability. The work grows like 2 to the number
/// of coins a draw needs: for small problems.
ConvexCombination distribution(LosslessRounding& rounding);

/// Writes the point of the polytope nearest to x, which is x itself but for rounding noise. Rejects
/// a point that is outside by more than the tolerance.
void read_point(PointView x, const Matroid& matroid, Point& out);

}  // namespace hindsight
