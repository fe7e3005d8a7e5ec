/// Interiors: domains made from a domain, in which a ball of radius delta has room around each
/// point.
#pragma once

#include "hindsight/domains/affine_map.hpp"
#include "hindsight/domains/domain.hpp"

namespace hindsight {

/// { shift 1 + scale w : w in base }. Maximiser and projection are those of the base, by the change
/// of variables x = shift 1 + scale w.
class AffineImage final : public Domain {
 public:
  AffineImage(DomainPtr base, double scale, double shift);

  int dimension() const override { return base_->dimension(); }
  void maximize(PointView weights, PointRef out) const override;
  void project(PointRef x, std::span<double> warm = {}) const override;
  void project_each(std::span<double> points, std::span<double> warm) const override;
  void ascend_each(std::span<double> points, std::span<const double> steps, PointView directions,
                   std::span<double> warm, Workers* workers) const override {
    base_->ascend_each_in(map_, points, steps, directions, warm, workers);
  }
  std::size_t shortest_shared() const override { return base_->shortest_shared(); }
  bool ascends_in_strips(std::size_t threads) const override {
    return base_->ascends_in_strips(threads);
  }
  void ascend_strips(const AffineMap& image, const TableRows& points, std::span<const double> steps,
                     const ConstTableRows& directions, std::span<double> warm,
                     Workers& workers) const override {
    base_->ascend_strips({image.scale * map_.scale, image.shift + image.scale * map_.shift}, points,
                         steps, directions, warm, workers);
  }
  /// From its corner the image is the base, only smaller.
  void ascend_each(std::span<float> distances, PointView, double scale,
                   std::span<const double> steps, const NarrowDirections& directions,
                   std::span<double> warm) const override {
    base_->ascend_each(distances, base_lower_, scale * map_.scale, steps, directions, warm);
  }
  bool ascends_along() const override { return base_->ascends_along(); }
  double ascend_along(std::span<float> distance, double scale, double step, std::span<double> warm,
                      const NarrowStep& along) const override {
    return base_->ascend_along(distance, scale * map_.scale, step, warm, along);
  }
  int multipliers() const override { return base_->multipliers(); }
  bool contains(PointView x, double tolerance) const override;
  Point lower() const override;
  double inner_radius() const override { return map_.scale * base_->inner_radius(); }
  double diameter() const override { return map_.scale * base_->diameter(); }
  double radius() const override { return map_.scale * base_->radius(); }
  std::string describe() const override;

  double scale() const { return map_.scale; }

 private:
  DomainPtr base_;
  Point base_lower_;
  AffineMap map_;
};

/// alpha = (sqrt d + 1) delta / r of Lemma 2: how much the interior shrinks.
double shrinkage(const Domain& domain, double delta);

/// Lemma 2: K' = (1 - alpha) K + delta 1, a down-closed delta-interior of a down-closed K with
/// lower corner 0, and d(K, K') <= (sqrt d (R/r + 1) + R/r) delta. Rejects a delta with alpha >= 1.
DomainPtr shrunk_interior(DomainPtr domain, double delta);

/// K' = (1 - t) K + t m 1, where m 1 is the diagonal point of K in [0,1]^d and t = margin / min(m,
/// 1 - m): inside K, with margin <= x_i <= 1 - margin for every x in K'. Rejects a margin for which
/// t >= 1.
DomainPtr coin_interior(DomainPtr domain, double margin);

/// The largest margin there is, min(m, 1 - m): 0 where coins cannot be tossed.
double coin_margin(const Domain& domain);

}  // namespace hindsight
