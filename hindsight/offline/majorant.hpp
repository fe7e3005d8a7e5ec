/// Concave functions above the sum of a game's functions: they can be maximised.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "hindsight/offline/mixture.hpp"

namespace hindsight {

/// F(y) <= constant + <slope, y> for every y of the box [0, upper].
struct Cut {
  double constant = 0;
  Point slope;
};

/// F(y) <= constant + <slope, y> + <y, pairs y> for every y of the box.
struct PairCut : Cut {
  PointTable pairs;
};

/// One of `count` shares into which a function's terms are divided.
struct Share {
  std::size_t index;
  std::size_t count;
  std::size_t first(std::size_t terms) const { return terms * index / count; }
  std::size_t end(std::size_t terms) const { return terms * (index + 1) / count; }
};

/// A concave M >= F on the box, as a sum of terms, seen through its tangents.
class Majorant {
 public:
  virtual ~Majorant() = default;
  virtual std::size_t terms() const = 0;
  /// Adds a tangent of the share's terms at x.
  virtual void add_tangent(Share share, PointView x, Cut& cut) const = 0;
  /// Does it know quadratic functions that come nearer to F than its tangents?
  virtual bool has_pairs() const { return false; }
  /// Adds a quadratic function above F, whatever x and the products are: one that is small if y = x
  /// and `products`(i,j), which need not be x_i x_j, stands for y_i y_j.
  virtual void add_pair_tangent(PointView x, const PointTable& products, PairCut& cut) const;
};

/// The majorant of a mixture, term by term (docs/comparator.md has the proofs):
///   coverage, facility location   the linear relaxation: for a customer with the benefits b,
///                                 max { sum_i b_i y_i : y <= x, sum y <= 1 }
///   modular, design               itself
///   concave over modular          phi(<w, x>), a chord below the smallest w_i > 0
///   log det                       log det(I + diag(x) M)
///   quadratic                     McCormick: h'x + sum_{i<j} H_ij max(0, u_j x_i + u_i x_j - u_i
///                                 u_j) + sum_i H_ii x_i^2 / 2
///   any other set function        least over S of f(S) + sum_{i not in S} f(i | S) x_i
/// All but the quadratic are equal to f on sets. Customers and quadratics have pairs.
class MixtureMajorant {
 public:
  /// None where a function of points alone is of another kind. `upper` is the corner of a box that
  /// holds K.
  static std::optional<MixtureMajorant> of(const Mixture& mixture, PointView upper);

  int dimension() const { return dimension_; }
  /// In how many shares it is best cut: a cut a share tells more than one cut of their sum.
  std::size_t shares() const { return shares_; }
  /// A tangent of one share at x.
  void tangent(std::size_t share, PointView x, Cut& cut) const;
  /// As for a Majorant.
  bool has_pairs() const;
  void pair_tangent(PointView x, const PointTable& products, PairCut& cut) const;

 private:
  MixtureMajorant() = default;

  int dimension_ = 0;
  std::size_t shares_ = 1;
  std::vector<std::unique_ptr<const Majorant>> parts_;
};

}  // namespace hindsight
