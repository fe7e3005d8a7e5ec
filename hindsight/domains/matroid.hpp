/// Matroid polytopes: domains whose vertices are sets.
#pragma once

#include <memory>
#include <vector>

#include "hindsight/core/item_set.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/domains/domain.hpp"

namespace hindsight {

/// x = sum_j weights[j] * indicator(sets[j]), weights positive with sum 1, every set independent.
struct ConvexCombination {
  std::vector<double> weights;
  std::vector<ItemSet> sets;
};

/// conv{ 1_I : I independent } in [0,1]^d, with what is known of the sets themselves.
class Matroid : public Domain {
 public:
  virtual bool independent(ItemView set) const = 0;
  /// The size of every base.
  virtual int rank() const = 0;
  /// A base drawn uniformly among all bases. May allocate.
  virtual void random_base(Stream& stream, ItemSet& out) const = 0;
  /// Writes x (in K) as a convex combination of independent sets, to 1e-9 in every coordinate.
  /// May allocate.
  virtual ConvexCombination decompose(PointView x) const = 0;
  /// Largest step s with x + s (e_up - e_down) in K, for x in K; `down` = -1 moves `up` alone.
  /// May allocate.
  virtual double room(PointView x, Item up, Item down) const = 0;

  /// Attained: the vertices are the independent sets.
  double radius() const override;
  /// An upper bound, attained where two disjoint independent sets are that large.
  double diameter() const override;
};

using MatroidPtr = std::shared_ptr<const Matroid>;

}  // namespace hindsight
