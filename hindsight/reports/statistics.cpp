#include "hindsight/reports/statistics.hpp"

#include <cassert>
#include <cmath>
#include <numbers>

namespace hindsight {
namespace {

/// P(|X| <= tan(theta) sqrt n) for Student's X with n degrees of freedom: a finite sum of powers of
/// cos(theta), Abramowitz and Stegun 26.7.3 and 26.7.4.
double central_probability(double theta, int n) {
  const double sine = std::sin(theta), cosine = std::cos(theta);
  const bool odd = n % 2 == 1;
  double term = odd ? cosine : 1, sum = 0;
  for (int j = odd ? 3 : 2; j <= n; j += 2) {
    sum += term;
    term *= cosine * cosine * (j - 1) / j;
  }
  return odd ? (theta + sine * sum) * 2 / std::numbers::pi : sine * sum;
}

}  // namespace

MeanAndError mean_and_error(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double v : values) mean += v / n;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return {mean, n > 1 ? std::sqrt(squares / (n - 1) / n) : 0};
}

double student_t(double probability, int degrees) {
  assert(0 < probability && probability < 1 && degrees >= 1);
  double below = 0, above = std::numbers::pi / 2;
  while (true) {
    const double middle = (below + above) / 2;
    if (middle <= below || middle >= above) break;
    (central_probability(middle, degrees) < probability ? below : above) = middle;
  }
  return std::tan(below) * std::sqrt(degrees);
}

Estimate estimate(const std::vector<Interval>& seeds) {
  assert(!seeds.empty());
  std::vector<double> lower, upper;
  for (const Interval& seed : seeds) {
    lower.push_back(seed.lower);
    upper.push_back(seed.upper);
  }
  const MeanAndError low = mean_and_error(lower), high = mean_and_error(upper);
  const int n = static_cast<int>(seeds.size());
  const double t = n > 1 ? student_t(0.95, n - 1) : 0;
  return {{low.mean, high.mean},
          {low.mean - t * low.standard_error, high.mean + t * high.standard_error},
          n};
}

Estimate estimate(const std::vector<double>& seeds) {
  std::vector<Interval> exact;
  for (const double value : seeds) exact.push_back({value, value});
  return estimate(exact);
}

Estimate scaled(const Estimate& e, double factor) {
  const auto times = [&](const Interval& i) {
    return Interval{factor * i.lower, factor * i.upper};
  };
  return {times(e.mean), times(e.confidence), e.seeds};
}

Interval log_log_slope(const std::vector<double>& x, const std::vector<Interval>& y) {
  assert(x.size() == y.size() && x.size() >= 2);
  double mean = 0, squares = 0;
  for (const double at : x) mean += std::log(at) / static_cast<double>(x.size());
  for (const double at : x) squares += std::pow(std::log(at) - mean, 2);
  assert(squares > 0);
  Interval slope;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double weight = (std::log(x[i]) - mean) / squares;
    const double low = weight * std::log(y[i].lower), high = weight * std::log(y[i].upper);
    slope.lower += std::min(low, high);
    slope.upper += std::max(low, high);
  }
  return slope;
}

}  // namespace hindsight
