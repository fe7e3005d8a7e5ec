/// Means over seeds and how sure they are. docs/report.md has the formulas and why they hold.
#pragma once

#include <optional>
#include <vector>

namespace hindsight {

struct MeanAndError {
  double mean = 0;
  double standard_error = 0;  ///< 0 for a single value
};
MeanAndError mean_and_error(const std::vector<double>& values);

/// The t with P(|X| <= t) = `probability`, for Student's X with so many degrees of freedom.
double student_t(double probability, int degrees);

/// Two ends that a number is certain to lie between.
struct Interval {
  double lower = 0;
  double upper = 0;
};

/// A mean over seeds of a number that, for each seed, is known up to an interval.
struct Estimate {
  Interval mean;        ///< means of the lower and of the upper ends: equal where all is exact
  Interval confidence;  ///< 95 %; as wide as `mean` for a single seed
  int seeds = 0;

  double middle() const { return (mean.lower + mean.upper) / 2; }
};
/// Of at least one seed.
Estimate estimate(const std::vector<Interval>& seeds);
Estimate estimate(const std::vector<double>& seeds);
/// The same in another unit; `factor` is positive.
Estimate scaled(const Estimate& estimate, double factor);

/// All slopes that least squares of log y on log x can have while each y stays in its interval.
/// At least two different x; every x and y is positive.
Interval log_log_slope(const std::vector<double>& x, const std::vector<Interval>& y);

}  // namespace hindsight
