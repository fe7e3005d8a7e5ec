/// Upper bounds on the best fixed decision that anyone can check: one linear maximisation each.
#pragma once

#include "hindsight/domains/matroid.hpp"
#include "hindsight/functions/function.hpp"
#include "hindsight/offline/greedy.hpp"

namespace hindsight {

/// Bounds max F over a down-closed K with lower corner 0, for a monotone DR-submodular F, from any
/// point x of the box on which F is so, in K or not. For y in K: F(y) <= F(x v y) <= F(x) + <g, (y
/// - x)+> with g = grad F(x), because F is concave along nonnegative directions; and (y_i - x_i)+
/// <= y_i (1 - x_i / u_i) for 0 <= y_i <= u_i. So
///     max F <= F(x) + max { sum_i g_i (1 - x_i / u_i) w_i : w in K }.
/// It is never above the other bound one may think of, F(x) + max { <g, w> : w in K, w <= u - x }:
/// with w, also (w_i (1 - x_i / u_i))_i is in K, and it is at most u - x.
class PointCertificate {
 public:
  /// Takes u_i = max { x_i : x in K }.
  explicit PointCertificate(DomainPtr domain);
  double bound(const ContinuousFunction& function, PointView x) const;

 private:
  DomainPtr domain_;
  Point upper_;
};

/// The same for sets: max f <= f(S) + max { sum_{i in B} f(i | S) : B independent }.
double set_certificate(const Matroid& matroid, const SetValue& f, const ItemSet& set);

}  // namespace hindsight
