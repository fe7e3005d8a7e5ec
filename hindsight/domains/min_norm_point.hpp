/// The nearest point of a polytope with 0/1 vertices, with a proof of how near it is.
///
/// P. Wolfe, "Finding the nearest point in a polytope", Mathematical Programming 11 (1976). The
/// point is kept as a convex combination of a corral: affinely independent vertices, all with
/// positive weight. A major cycle adds the vertex that maximises <y - x, v>; minor cycles move to
/// the nearest point of the corral's affine hull and drop the vertices that block the way.
///
/// Certificate: for x in the polytope, |x - x*|^2 <= max_v <y - x, v - x>, as <y - x*, x - x*> <=
/// 0. The corral is found in double arithmetic; its weights are then refined, and the gap
/// evaluated, with 113 bits, so that a distance of 1e-9 is proved and not hoped for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hindsight/core/point.hpp"
#include "hindsight/domains/cholesky.hpp"
#include "hindsight/domains/quad.hpp"

namespace hindsight {

/// A polytope with 0/1 vertices, known by its linear maximisation alone.
class VertexOracle {
 public:
  virtual ~VertexOracle() = default;
  virtual std::size_t dimension() const = 0;
  /// Writes a vertex with the largest <weights, v>, exactly 0 or 1 in every coordinate.
  virtual void best_vertex(std::span<const double> weights, std::span<std::uint8_t> out) const = 0;
  virtual void best_vertex(std::span<const Quad> weights, std::span<std::uint8_t> out) const = 0;
};

/// A workspace for one problem after another; it keeps its memory.
class MinNormPoint {
 public:
  /// Finds the nearest point to y. Throws std::runtime_error where a distance of 1e-9 to it cannot
  /// be certified, which takes a NaN or numbers beyond 1e16.
  void solve(const VertexOracle& oracle, PointView y);

  PointView point() const { return rounded_; }
  /// The certificate: no further than this from the nearest point, before rounding to doubles.
  double error_bound() const { return error_bound_; }

  /// The point is the sum of weight(j) * vertex(j), j < vertices().
  std::size_t vertices() const { return size_; }
  double weight(std::size_t j) const { return static_cast<double>(precise_.weights[j]); }
  std::span<const std::uint8_t> vertex(std::size_t j) const {
    return {vertices_.data() + j * dimension_, dimension_};
  }

 private:
  /// What exists in both precisions.
  template <class Scalar>
  struct Numbers {
    std::vector<Scalar> weights;   // of the corral, non-negative, sum 1
    std::vector<Scalar> trial;     // weights of the nearest point of the affine hull
    std::vector<Scalar> residual;  // y - x
  };

  template <class Scalar>
  Numbers<Scalar>& numbers();

  template <class Scalar>
  bool approach(const VertexOracle& oracle, double gap_allowed);
  template <class Scalar>
  bool settle();
  template <class Scalar>
  void find_affine_minimiser();
  template <class Scalar>
  void find_residual(const std::vector<Scalar>& weights);
  template <class Scalar>
  Scalar gap();

  bool append_candidate();
  bool corral_holds_candidate() const;
  void drop(std::size_t j);

  PointView y_;
  std::size_t dimension_ = 0;
  std::size_t size_ = 0;
  std::vector<std::uint8_t> vertices_;   // size_ rows
  std::vector<std::uint8_t> candidate_;  // the vertex that a major cycle adds
  Cholesky<double> factor_;              // of <v_i, v_j> + 1, whose entries are whole numbers
  std::vector<double> products_;
  std::vector<double> correction_;
  std::vector<double> ones_;
  Numbers<double> fast_;
  Numbers<Quad> precise_;
  Point rounded_;
  double error_bound_ = 0;
};

}  // namespace hindsight
