#include "hindsight/functions/noise.hpp"

#include <cmath>
#include <numbers>

#include "hindsight/core/error.hpp"

namespace hindsight {
namespace {

constexpr int probe_bits = 24;

double disturbance(Stream& stream, double deviation) {
  return std::numbers::sqrt3 * deviation * (2 * stream.uniform() - 1);
}

void require_deviation(std::string_view name, double deviation) {
  require(std::isfinite(deviation) && deviation >= 0, name, deviation,
          "must be finite and at least 0");
}

}  // namespace

Noise::Noise(std::uint64_t seed, double value_deviation, double gradient_deviation)
    : value_streams_(seed, "noise-value"),
      gradient_streams_(seed, "noise-gradient"),
      value_deviation_(value_deviation),
      gradient_deviation_(gradient_deviation) {
  require_deviation("value_deviation", value_deviation);
  require_deviation("gradient_deviation", gradient_deviation);
}

double Noise::disturbed_value(Round t, double exact) const {
  Stream stream = value_streams_.at(static_cast<std::uint64_t>(t));
  return exact + disturbance(stream, value_deviation_);
}

void Noise::disturb_gradient(Round t, std::size_t probe, PointRef g) const {
  require(probe >> probe_bits == 0, "probe", probe, "must be below 2^24");
  Stream stream = gradient_streams_.at(static_cast<std::uint64_t>(t) << probe_bits | probe);
  for (double& v : g) v += disturbance(stream, gradient_deviation_);
}

double Noise::value_bound() const { return std::numbers::sqrt3 * value_deviation_; }

double Noise::gradient_bound(std::size_t dimension) const {
  return std::sqrt(3.0 * static_cast<double>(dimension)) * gradient_deviation_;
}

}  // namespace hindsight
