/// An upper bound from what items can do in pairs.
#pragma once

#include "hindsight/domains/matroid.hpp"
#include "hindsight/offline/majorant.hpp"

namespace hindsight {

/// Where the maximum is looked for: at the bases of a matroid, or in their hull.
enum class Bases { sets, hull };

/// Bounds c + <s, x> + <x, P x> over the bases. <x, P x> = sum_i x_i <P_i, x>, and <P_i, x> is at
/// most m_i = max { <P_i, w> : w a base }; for sets w holds i, as x does where x_i is not 0. So the
/// bound is c + max { <s + m, x> : x a base } (Gilmore 1962, Lawler 1963). The function depends on
/// P(i,j) + P(j,i) alone, the bound on how it is divided.
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

/// The least such bound that a search finds over mixtures of the majorant's pair tangents and over
/// divisions of their P(i,j) + P(j,i), for a monotone F: it is largest at a base. Starts with the
/// tangent at `start`; `lower` is attained by F, and where the bound reaches it the search ends.
double pair_bound(const MixtureMajorant& majorant, const Matroid& matroid, Bases bases,
                  PointView start, double lower);

}  // namespace hindsight
