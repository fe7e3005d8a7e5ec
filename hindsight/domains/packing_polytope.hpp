/// Packing polytopes { 0 <= x <= u, A x <= b }, A >= 0: budgets over resources.
#pragma once

#include <functional>

#include "hindsight/domains/domain.hpp"
#include "hindsight/domains/linear_program.hpp"

namespace hindsight {

/// Makes the program max <w, x> over { 0 <= x <= upper, A x <= b }. A polytope needs one for itself
/// and one for each of its erosions, so it is given the maker and not a program.
using MakeProgram = std::function<std::shared_ptr<const LinearProgram>(
    const PointTable& A, PointView b, PointView upper)>;

/// b > 0 and u > 0. packing_polytope() in clp_program.hpp makes one with a solver.
///
/// r = min(min u, min_i b_i/|a_i|), attained. R is an upper bound: x_i^2 <= u_i x_i, so that
/// |x|^2 <= max <u, x>. D <= |u|, the diagonal of the box, and D <= sqrt 2 R, as <x, y> >= 0.
class PackingPolytope final : public Domain {
 public:
  PackingPolytope(const std::vector<Point>& A, Point b, Point upper, MakeProgram make_program);

  int dimension() const override { return static_cast<int>(upper_.size()); }
  /// A vertex, by the linear program. May allocate.
  void maximize(PointView weights, PointRef out) const override;
  /// By a dual active-set method, with a certified distance of at most max(1e-9, 1e-12 R) to the
  /// nearest point. Throws std::runtime_error where that cannot be had, as for a NaN.
  void project(PointRef x, std::span<double> warm = {}) const override;
  /// The tolerance is a distance: A x <= b is relaxed by tolerance |a_i|.
  bool contains(PointView x, double tolerance) const override;
  double inner_radius() const override;
  double diameter() const override;
  double radius() const override { return radius_; }
  /// { delta <= x <= u - delta, a_i x <= b_i - delta |a_i| }. May allocate.
  DomainPtr erode(double delta) const override;
  std::string describe() const override;

  const PointTable& rows() const { return rows_; }  ///< A
  PointView limits() const { return limits_; }      ///< b
  PointView upper() const { return upper_; }

 private:
  PointTable rows_;  // A
  Point limits_;     // b
  Point upper_;
  Point lengths_;  // |a_i|
  MakeProgram make_program_;
  std::shared_ptr<const LinearProgram> program_;
  double radius_ = 0;
};

}  // namespace hindsight
