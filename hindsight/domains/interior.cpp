#include "hindsight/domains/interior.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hindsight/core/error.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {
namespace {

HINDSIGHT_WIDE
void to_base(std::span<double> numbers, double scale, double shift) {
  const double factor = 1 / scale;
  for (double& z : numbers) z = (z - shift) * factor;
}

HINDSIGHT_WIDE
void from_base(std::span<double> numbers, double scale, double shift) {
  for (double& z : numbers) z = shift + scale * z;
}

}  // namespace

AffineImage::AffineImage(DomainPtr base, double scale, double shift)
    : base_(std::move(base)), scale_(scale), shift_(shift) {
  assert(base_ && scale_ > 0);
}

void AffineImage::maximize(PointView weights, PointRef out) const {
  base_->maximize(weights, out);
  from_base(out, scale_, shift_);
}

void AffineImage::project(PointRef x, std::span<double> warm) const {
  to_base(x, scale_, shift_);
  base_->project(x, warm);
  from_base(x, scale_, shift_);
}

void AffineImage::project_each(std::span<double> points, std::span<double> warm) const {
  to_base(points, scale_, shift_);
  base_->project_each(points, warm);
  from_base(points, scale_, shift_);
}

bool AffineImage::contains(PointView x, double tolerance) const {
  static thread_local Point w;
  w.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) w[i] = (x[i] - shift_) / scale_;
  return base_->contains(w, tolerance / scale_);
}

Point AffineImage::lower() const {
  Point corner = base_->lower();
  from_base(corner, scale_, shift_);
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
