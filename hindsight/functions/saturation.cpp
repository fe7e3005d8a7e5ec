#include "hindsight/functions/saturation.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "hindsight/core/error.hpp"
#include "hindsight/functions/inputs.hpp"

namespace hindsight {

Saturation::Saturation(const std::vector<std::vector<double>>& rates, std::vector<double> weights)
    : weights_(std::move(weights)) {
  const std::size_t items = inputs::require_rectangular("rates", rates);
  inputs::require_nonnegative("weights", weights_);
  require(weights_.size() == rates.size(), "weights",
          "a list of " + std::to_string(weights_.size()),
          "must have " + std::to_string(rates.size()) + " numbers, one for each customer");
  rates_ = PointTable(rates.size(), items);
  for (std::size_t c = 0; c < rates.size(); ++c) {
    inputs::require_nonnegative(inputs::element("rates", c), rates[c]);
    copy(rates[c], rates_.row(c));
  }
  inputs::require_finite_total("rates", *facts().smoothness);
}

double Saturation::value(PointView x) const {
  double total = 0;
  for (std::size_t c = 0; c < weights_.size(); ++c)
    total -= weights_[c] * std::expm1(-dot(rates_.row(c), x));
  return total;
}

void Saturation::gradient(PointView x, PointRef out) const {
  assert(out.size() == x.size());
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t c = 0; c < weights_.size(); ++c) {
    const PointView rate = rates_.row(c);
    add_scaled(out, weights_[c] * std::exp(-dot(rate, x)), rate);
  }
}

FunctionFacts Saturation::facts() const {
  const Point all(rates_.columns(), 1.0), nothing(rates_.columns(), 0.0);
  Point steepest(rates_.columns());
  gradient(nothing, steepest);
  double trace = 0;
  for (std::size_t c = 0; c < weights_.size(); ++c)
    trace += weights_[c] * squared_norm(rates_.row(c));
  return {
      .max_value = value(all), .lipschitz = norm(steepest), .smoothness = trace, .concave = true};
}

}  // namespace hindsight
