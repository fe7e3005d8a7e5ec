/// How far to go from a point towards its sampled vertex, from values alone.
#pragma once

#include <algorithm>
#include <cmath>

namespace hindsight {

/// Along x + s (1_S - x) the mean value is about F(x) - kappa s^2: kappa is regressed on what was
/// played. Where it is positive the best point is not a vertex, and a smaller s loses less to
/// curvature, kappa s^2 a round, but learns from noisier estimates, noise/s: s = cbrt(noise / (4
/// kappa)) balances them. Constants are measured, not derived.
class Curvature {
 public:
  /// The share of rounds that play x itself (s = 0), to compare with.
  double comparing_share() const {
    if (count_ > 200) {
      if (kappa_ < -2 * error_) return .01;
      if (kappa_ > 2 * error_) return .05;
    }
    return std::clamp(6 / std::sqrt(count_ + 1), .01, .2);
  }

  double reach() const { return reach_; }

  /// A round played at s and was worth `value`; `noise` is what estimates at s = 1 cost a round.
  void record(double s, double value, double noise) {
    ++count_;
    if (count_ <= 100) return;
    const double keep = 1 - 1 / std::max(200.0, .3 * count_);
    const double q = -s * s;
    // Weighted mean and second moments, updated without cancellation (West 1979).
    weight_ = keep * weight_ + 1;
    const double dq = q - mean_q_, dv = value - mean_v_;
    mean_q_ += dq / weight_;
    mean_v_ += dv / weight_;
    qq_ = keep * qq_ + dq * (q - mean_q_);
    qv_ = keep * qv_ + dq * (value - mean_v_);
    vv_ = keep * vv_ + dv * (value - mean_v_);
    if (!(qq_ > 0)) return;
    kappa_ = qv_ / qq_;
    error_ = std::sqrt(std::max(0.0, vv_ - kappa_ * qv_) / weight_ / qq_);
    const double sure = kappa_ - .5 * error_;
    reach_ = sure > 0 ? std::clamp(std::cbrt(noise / (4 * sure)), .05, 1.0) : 1;
  }

 private:
  double count_ = 0;
  double weight_ = 0, mean_q_ = 0, mean_v_ = 0, qq_ = 0, qv_ = 0, vv_ = 0;
  double kappa_ = 0, error_ = 0;
  double reach_ = 1;
};

}  // namespace hindsight
