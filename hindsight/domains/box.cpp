#include "hindsight/domains/box.hpp"

#include <algorithm>

#include "hindsight/core/error.hpp"
#include "hindsight/domains/interior.hpp"

namespace hindsight {

Box::Box(Point upper) : upper_(std::move(upper)) {
  require(!upper_.empty(), "dimension", 0, "must be at least 1");
  for (std::size_t i = 0; i < upper_.size(); ++i)
    require(std::isfinite(upper_[i]) && upper_[i] > 0, "upper[" + std::to_string(i) + "]",
            upper_[i], "must be positive and finite");
}

void Box::maximize(PointView weights, PointRef out) const {
  for (std::size_t i = 0; i < upper_.size(); ++i) out[i] = weights[i] > 0 ? upper_[i] : 0;
}

void Box::project(PointRef x, std::span<double>) const {
  for (std::size_t i = 0; i < upper_.size(); ++i) x[i] = std::clamp(x[i], 0.0, upper_[i]);
}

bool Box::contains(PointView x, double tolerance) const {
  for (std::size_t i = 0; i < upper_.size(); ++i)
    if (!(x[i] >= -tolerance && x[i] <= upper_[i] + tolerance)) return false;
  return true;
}

double Box::inner_radius() const { return *std::min_element(upper_.begin(), upper_.end()); }

DomainPtr Box::erode(double delta) const {
  require(delta > 0 && 2 * delta < inner_radius(), "radius", delta,
          "must be positive and less than half the shortest side of the box");
  Point shrunk = upper_;
  for (double& u : shrunk) u -= 2 * delta;
  return std::make_shared<AffineImage>(std::make_shared<Box>(std::move(shrunk)), 1.0, delta);
}

std::string Box::describe() const { return "box in dimension " + std::to_string(dimension()); }

}  // namespace hindsight
