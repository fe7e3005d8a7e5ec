/// Numbers and names as people read them, the same in every report.
#pragma once

#include <string>
#include <string_view>

#include "hindsight/core/suggestion.hpp"
#include "hindsight/learners/registry.hpp"
#include "hindsight/reports/statistics.hpp"

namespace hindsight {

/// 10000 -> "10,000"
std::string grouped(std::int64_t number);

/// Decimals that show five digits of a number of this size.
int decimals_for(double size);

/// The mean, or "lower to upper" where it is known up to an interval only.
std::string mean_text(const Estimate& estimate, int decimals);
/// "low to high", empty for a single seed.
std::string confidence_text(const Estimate& estimate, int decimals);
/// Both: "0.981 (0.980 to 0.982)".
std::string estimate_text(const Estimate& estimate, int decimals);

/// 0.1234 -> "12.3%"
std::string percent(double share, int decimals = 1);

/// "one is told gradients", as a heading: "Told gradients"
std::string_view told_text(Told told);

/// At most so many characters, the last "..." where some were cut. Control characters become
/// spaces.
std::string shortened(std::string_view name, std::size_t most);
/// Characters of a UTF-8 text.
std::size_t length_of(std::string_view text);

}  // namespace hindsight
