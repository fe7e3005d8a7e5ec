/// What the steps of a block are usually worth, to be taken off before a gradient is estimated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hindsight/core/archive.hpp"

namespace hindsight {

/// An estimate whose random factor has mean 0 stays unbiased when any number b fixed before the
/// draw is taken off the value, and has much less variance if b is near it. The iterates of a block
/// climb, so that each step k has its own b: the mean over earlier blocks, smoothed over the steps
/// beside it. What comes within a block counts from the next one on, in whatever order it came.
class StepBaselines {
 public:
  explicit StepBaselines(std::size_t steps)
      : means_(steps, 0.0), counts_(steps, 0), seen_(steps, 0.0), is_seen_(steps, 0) {}

  /// `value` less the baseline of step k (from 0); 0 while there is none.
  double centred(std::size_t k, double value) const {
    const std::size_t first = k > 0 ? k - 1 : 0, last = std::min(k + 2, means_.size());
    double sum = 0, weights = 0;
    for (std::size_t j = first; j < last; ++j) {
      if (counts_[j] == 0) continue;
      const double weight = j == k ? 2 : 1;
      sum += weight * means_[j];
      weights += weight;
    }
    return weights > 0 ? value - sum / weights : 0;
  }

  void note(std::size_t k, double value) {
    seen_[k] = value;
    is_seen_[k] = 1;
  }

  /// A new block begins. Means at first, then averages that forget, as the iterates move.
  void next_block() {
    for (std::size_t k = 0; k < means_.size(); ++k) {
      if (!is_seen_[k]) continue;
      ++counts_[k];
      means_[k] += (seen_[k] - means_[k]) * std::max(1.0 / static_cast<double>(counts_[k]), .02);
      is_seen_[k] = 0;
    }
  }

  void write(Writer& writer) const {
    writer.values(means_);
    writer.values(counts_);
    writer.values(seen_);
    writer.values(is_seen_);
  }
  void read(Reader& reader) {
    reader.values(means_);
    reader.values(counts_);
    reader.values(seen_);
    reader.values(is_seen_);
  }

 private:
  std::vector<double> means_;
  std::vector<std::int64_t> counts_;
  std::vector<double> seen_;
  std::vector<std::uint8_t> is_seen_;
};

}  // namespace hindsight
