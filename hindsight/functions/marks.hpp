/// Which of n things were seen, forgotten in constant time. A thread keeps one as its scratch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hindsight {

class Marks {
 public:
  /// Forgets everything and makes room for 0 .. n-1.
  void start(std::size_t n) {
    if (stamps_.size() < n) stamps_.resize(n, 0);
    if (++now_ == 0) {
      std::fill(stamps_.begin(), stamps_.end(), 0u);
      now_ = 1;
    }
  }

  /// Whether i was not marked before.
  bool mark(std::size_t i) {
    const bool fresh = stamps_[i] != now_;
    stamps_[i] = now_;
    return fresh;
  }

 private:
  std::vector<std::uint32_t> stamps_;
  std::uint32_t now_ = 0;
};

}  // namespace hindsight
