/// An upper bound from what items can do in pairs.
#pragma once

#include "hindsight/domains/matroid.hpp"
#include "hindsight/offline/majorant.hpp"

namespace hindsight {

/// Where the maximum is looked for: at the bases of a matroid, or in their hull.
enum class Bases { sets, hull };

/// Bounds c + <s, x> + <x, P x> over the bases: <x, P x> = sum_i x_i <P_i, x>, and <P_i, x> is at
/// most the largest <P_i, w> of all bases w; for sets, of all that hold i, as x_i = 1 there. So it
/// is at most c + max { <s + m, x> : x a base } with m_i = max { <P_i, w> : w } (Gilmore 1962,
/// Lawler 1963). P(i,j) + P(j,i) is what counts for the function, each of them for the bound.
class PairMaximum {
 public:
  PairMaximum(const Matroid& matroid, Bases bases);
  double bound(const PairCut& cut);
  /// What attained the last one: x, and in row i x_i times the w of P_i.
  const Point& point() const { return point_; }
  const PointTable& products() const { return products_; }

 private:
  void best_base(PointView weights, std::size_t holding, PointRef base);

  const Matroid& matroid_;
  Bases bases_;
  Point point_, weights_, sums_;
  PointTable products_;
};

/// Bounds a monotone F with that majorant over the matroid, by the least such bound that is found
/// over mixtures of its pair tangents and over ways to divide P(i,j) + P(j,i). Monotone functions
/// are largest at bases. `lower` is attained: no bound will fall below it.
double pair_bound(const MixtureMajorant& majorant, const Matroid& matroid, Bases bases,
                  PointView start, double lower);

}  // namespace hindsight
