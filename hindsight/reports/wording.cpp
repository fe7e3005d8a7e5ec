#include "hindsight/reports/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hindsight {
namespace {

/// Every byte but those that continue a character of UTF-8.
bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::string fixed(double number, int decimals) {
  std::string text = fmt::format("{:.{}f}", number, decimals);
  const bool zero = text.find_first_not_of("-0.") == std::string::npos;
  return zero && text[0] == '-' ? text.substr(1) : text;
}

}  // namespace

std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

int decimals_for(double size) {
  if (size == 0) return 4;
  return std::clamp(4 - static_cast<int>(std::floor(std::log10(std::abs(size)))), 0, 12);
}

std::string mean_text(const Estimate& estimate, int decimals) {
  const std::string low = fixed(estimate.mean.lower, decimals);
  const std::string high = fixed(estimate.mean.upper, decimals);
  return low == high ? low : low + " to " + high;
}

std::string confidence_text(const Estimate& estimate, int decimals) {
  if (estimate.seeds < 2) return "";
  return fixed(estimate.confidence.lower, decimals) + " to " +
         fixed(estimate.confidence.upper, decimals);
}

std::string estimate_text(const Estimate& estimate, int decimals) {
  const std::string confidence = confidence_text(estimate, decimals);
  return mean_text(estimate, decimals) + (confidence.empty() ? "" : " (" + confidence + ")");
}

std::string percent(double share, int decimals) { return fixed(100 * share, decimals) + "%"; }

std::string_view told_text(Told told) {
  switch (told) {
    case Told::gradients:
      return "Told gradients";
    case Told::point_values:
      return "Told the value of a point";
    case Told::set_values:
      return "Told the value of a set";
    case Told::nothing:
      break;
  }
  return "Told nothing";
}

std::size_t length_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string shortened(std::string_view name, std::size_t most) {
  const bool cut = length_of(name) > most;
  std::size_t left = cut ? most - 3 : most;
  std::string text;
  for (const char c : name) {
    if (begins_character(c) && left-- == 0) break;
    text += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  }
  return cut ? text + "..." : text;
}

}  // namespace hindsight
