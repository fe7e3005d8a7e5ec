#include "hindsight/domains/affine_map.hpp"

#include "hindsight/core/wide.hpp"

namespace hindsight {
namespace {

HINDSIGHT_WIDE
void subtract_and_multiply(std::span<double> numbers, double shift, double factor) {
  for (double& x : numbers) x = (x - shift) * factor;
}

HINDSIGHT_WIDE
void multiply_and_add(std::span<double> numbers, double factor, double shift) {
  for (double& w : numbers) w = shift + factor * w;
}

}  // namespace

void AffineMap::to_base(std::span<double> numbers) const {
  subtract_and_multiply(numbers, shift, 1 / scale);
}

void AffineMap::from_base(std::span<double> numbers) const {
  multiply_and_add(numbers, scale, shift);
}

}  // namespace hindsight
