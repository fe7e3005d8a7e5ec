/// What a learner may see instead of the truth: unbiased, bounded noise.
#pragma once

#include <cstdint>

#include "hindsight/core/rng.hpp"
#include "hindsight/core/suggestion.hpp"

namespace hindsight {

/// Each number is disturbed uniformly on [-sqrt 3 s, sqrt 3 s], which has mean 0 and standard
/// deviation s; unlike a Gaussian it is bounded, as the theorems ask. The noise is a function of
/// the seed, the round and the probe, so that it can be drawn again.
class Noise {
 public:
  Noise(std::uint64_t seed, double value_deviation, double gradient_deviation);

  double value(Round t, double exact) const {
    return value_deviation_ == 0 ? exact : disturbed_value(t, exact);
  }
  /// Disturbs the gradient g at probe 0, 1, ... of round t; probe < 2^24.
  void gradient(Round t, std::size_t probe, PointRef g) const {
    if (gradient_deviation_ != 0) disturb_gradient(t, probe, g);
  }

  double value_bound() const;                          ///< |noise of a value| is at most this
  double gradient_bound(std::size_t dimension) const;  ///< |noise of a gradient| is at most this

 private:
  double disturbed_value(Round t, double exact) const;
  void disturb_gradient(Round t, std::size_t probe, PointRef g) const;

  StreamFamily value_streams_;
  StreamFamily gradient_streams_;
  double value_deviation_;
  double gradient_deviation_;
};

}  // namespace hindsight
