#include "hindsight/functions/concave_over_modular.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "hindsight/core/error.hpp"
#include "hindsight/functions/inputs.hpp"

namespace hindsight {

ConcaveOverModular::ConcaveOverModular(const std::vector<std::vector<double>>& weights,
                                       std::vector<double> coefficients, Concave shape, double cap)
    : coefficients_(std::move(coefficients)), shape_(shape), cap_(cap) {
  const std::size_t items = inputs::require_rectangular("weights", weights);
  inputs::require_nonnegative("coefficients", coefficients_);
  require(coefficients_.size() == weights.size(), "coefficients",
          "a list of " + std::to_string(coefficients_.size()),
          "must have " + std::to_string(weights.size()) + " numbers, one for each group");
  require(std::isfinite(cap) && cap > 0, "cap", cap, "must be finite and positive");
  weights_ = PointTable(weights.size(), items);
  for (std::size_t g = 0; g < weights.size(); ++g) {
    inputs::require_nonnegative(inputs::element("weights", g), weights[g]);
    copy(weights[g], weights_.row(g));
  }
  ItemSet all(items);
  std::iota(all.begin(), all.end(), 0);
  max_value_ = inputs::require_finite_total("weights", value(all));
}

double ConcaveOverModular::value(ItemView set) const {
  double total = 0;
  for (std::size_t g = 0; g < coefficients_.size(); ++g) {
    const PointView weight = weights_.row(g);
    double z = 0;
    for (const Item i : set) z += weight[static_cast<std::size_t>(i)];
    total += coefficients_[g] * shaped(z);
  }
  return total;
}

double ConcaveOverModular::shaped(double z) const {
  switch (shape_) {
    case Concave::square_root:
      return std::sqrt(z);
    case Concave::log1p:
      return std::log1p(z);
    case Concave::capped:
      break;
  }
  return std::min(cap_, z);
}

double ConcaveOverModular::slope(double z) const {
  switch (shape_) {
    case Concave::square_root:
      return 0.5 / std::sqrt(z);
    case Concave::log1p:
      return 1 / (1 + z);
    case Concave::capped:
      break;
  }
  return z <= cap_ ? 1 : 0;
}

}  // namespace hindsight
