/// Lists of numbers, one after another in one block of memory.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hindsight {

class Lists {
 public:
  Lists() = default;
  explicit Lists(const std::vector<std::vector<int>>& lists) {
    for (const auto& list : lists) append(list);
  }

  void append(std::span<const int> list) {
    entries_.insert(entries_.end(), list.begin(), list.end());
    starts_.push_back(entries_.size());
  }

  std::size_t size() const { return starts_.size() - 1; }
  std::size_t total() const { return entries_.size(); }
  std::span<const int> operator[](std::size_t i) const {
    return {entries_.data() + starts_[i], starts_[i + 1] - starts_[i]};
  }

 private:
  std::vector<std::size_t> starts_ = {0};
  std::vector<int> entries_;
};

}  // namespace hindsight
