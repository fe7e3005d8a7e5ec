#include "hindsight/domains/interior.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hindsight/core/error.hpp"

namespace hindsight {

AffineImage::AffineImage(DomainPtr base, double scale, double shift)
    : base_(std::move(base)), base_lower_(base_->lower()), map_{.scale = scale, .shift = shift} {
  assert(base_ && scale > 0);
}

void AffineImage::maximize(PointView weights, PointRef out) const {
  base_->maximize(weights, out);
  map_.from_base(out);
}

void AffineImage::project(PointRef x, std::span<double> warm) const {
  map_.to_base(x);
  base_->project(x, warm);
  map_.from_base(x);
}

void AffineImage::project_each(std::span<double> points, std::span<double> warm) const {
  map_.to_base(points);
  base_->project_each(points, warm);
  map_.from_base(points);
}

bool AffineImage::contains(PointView x, double tolerance) const {
  static thread_local Point w;
  w.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) w[i] = (x[i] - map_.shift) / map_.scale;
  return base_->contains(w, tolerance / map_.scale);
}

Point AffineImage::lower() const {
  Point corner = base_->lower();
  map_.from_base(corner);
  return corner;
}

std::string AffineImage::describe() const { return "interior of " + base_->describe(); }

double shrinkage(const Domain& domain, double delta) {
  return (std::sqrt(domain.dimension()) + 1) * delta / domain.inner_radius();
}

DomainPtr shrunk_interior(DomainPtr domain, double delta) {
  const double r = domain->inner_radius();
  require(r > 0, "domain.inner_radius", r,
          "must be positive (an item that can never be played must be left out)");
  const double limit = r / (std::sqrt(domain->dimension()) + 1);
  require(delta > 0 && delta < limit, "radius", delta,
          "must be positive and less than r / (sqrt d + 1) = " + std::to_string(limit));
  return std::make_shared<AffineImage>(domain, 1 - shrinkage(*domain, delta), delta);
}

double coin_margin(const Domain& domain) {
  const double m = diagonal_point(domain).front();
  return std::min(m, 1 - m);
}

DomainPtr coin_interior(DomainPtr domain, double margin) {
  const double most = coin_margin(*domain);
  require(margin > 0 && margin < most, "margin", margin,
          "must be positive and less than min(m, 1 - m) = " + std::to_string(most) +
              ", m 1 the largest multiple of 1 in the domain");
  const double t = margin / most;
  const double m = diagonal_point(*domain).front();
  return std::make_shared<AffineImage>(std::move(domain), 1 - t, t * m);
}

}  // namespace hindsight
