/// The level and the spread of values that come one a round.
#pragma once

#include <algorithm>

namespace hindsight {

/// Means at first, then averages that forget, as functions may shift.
struct RunningScale {
  double count = 0;
  double mean = 0;
  double variance = 0;  ///< of values around the mean before them

  /// Returns the value less the mean of those before it.
  double surprise(double value) {
    if (count == 0) mean = value;
    ++count;
    const double e = value - mean;
    mean += e * std::max(1 / count, .002);
    variance += (e * e - variance) * std::max(1 / count, .001);
    return e;
  }
};

}  // namespace hindsight
