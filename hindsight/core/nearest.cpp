#include "hindsight/core/nearest.hpp"

#include <algorithm>

namespace hindsight {

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const auto distance = [](const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= b.size(); ++j) {
        const std::size_t above = row[j];
        row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1] ? 1u : 0u)});
        diagonal = above;
      }
    }
    return row[b.size()];
  };
  const std::string* best = nullptr;
  std::size_t fewest = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const std::size_t edits = distance(word, candidate);
    if (edits < fewest) {
      fewest = edits;
      best = &candidate;
    }
  }
  return best ? " (did you mean `" + *best + "`?)" : "";
}

}  // namespace hindsight
