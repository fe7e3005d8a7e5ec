/// Names from a file as numbers 0, 1, ..., and the most frequent of them.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hindsight {

/// Numbers in the order in which names were first seen.
class Names {
 public:
  /// The name's number; a new one, if it is new.
  int add(std::string_view name) {
    const auto [at, fresh] = numbers_.try_emplace(std::string(name), size());
    if (fresh) names_.push_back(at->first);
    return at->second;
  }
  /// -1 for a name that was never seen.
  int find(std::string_view name) const {
    const auto at = numbers_.find(std::string(name));
    return at == numbers_.end() ? -1 : at->second;
  }
  int size() const { return static_cast<int>(names_.size()); }
  const std::string& operator[](int number) const {
    return names_[static_cast<std::size_t>(number)];
  }

 private:
  std::unordered_map<std::string, int> numbers_;
  std::vector<std::string> names_;
};

/// The `most` numbers that count most, of those that count at all; among equals the first seen.
inline std::vector<int> most_frequent(const std::vector<double>& counts, int most) {
  std::vector<int> order(counts.size());
  std::iota(order.begin(), order.end(), 0);
  const auto count = [&](int i) { return counts[static_cast<std::size_t>(i)]; };
  std::erase_if(order, [&](int i) { return count(i) <= 0; });
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return count(i) > count(j); });
  order.resize(std::min(order.size(), static_cast<std::size_t>(most)));
  return order;
}

/// Where each of `count` numbers stands in `chosen`; -1 for those that are not.
inline std::vector<int> positions(const std::vector<int>& chosen, std::size_t count) {
  std::vector<int> position(count, -1);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    position[static_cast<std::size_t>(chosen[i])] = static_cast<int>(i);
  return position;
}

}  // namespace hindsight
