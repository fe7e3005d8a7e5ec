#include "hindsight/core/settings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hindsight/core/nearest.hpp"

namespace hindsight {

using nlohmann::json;

Settings::Settings(std::string file, int line, std::string table, json values,
                   std::map<std::string, int> lines)
    : file_(std::move(file)),
      line_(line),
      table_(std::move(table)),
      values_(std::move(values)),
      lines_(std::move(lines)) {}

std::string place_in_file(const std::string& file, int line) {
  return file + (line > 0 ? ":" + std::to_string(line) : " with --set") + ": ";
}

Settings Settings::with(const std::string& key, json value) const {
  Settings changed = *this;
  changed.values_[key] = std::move(value);
  return changed;
}

Settings Settings::without(const std::string& key) const {
  Settings changed = *this;
  changed.values_.erase(key);
  return changed;
}

bool Settings::has(const std::string& key) const { return values_.contains(key); }

bool Settings::is_list(const std::string& key) const { return has(key) && values_[key].is_array(); }

bool Settings::is_text(const std::string& key) const {
  return has(key) && values_[key].is_string();
}

std::string Settings::dump() const {
  return values_.dump(-1, ' ', true, json::error_handler_t::replace);
}

const json* Settings::find(const std::string& key) {
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.push_back(key);
  const auto at = values_.find(key);
  return at == values_.end() ? nullptr : &*at;
}

void Settings::fail(const InputError& error) const {
  if (error.name().empty()) throw error;  // it has said its own place
  const std::string key = error.name().substr(0, error.name().find('['));
  const auto line = lines_.find(key);
  std::string prefix;
  if (!file_.empty()) prefix = place_in_file(file_, line == lines_.end() ? line_ : line->second);
  if (!table_.empty()) prefix += table_ + ".";
  throw error.after(prefix);
}

void Settings::wrong(const std::string& key, const json& value, const std::string& rule) const {
  std::string shown = value.dump(-1, ' ', true, json::error_handler_t::replace);
  if (value.is_number_float() && !std::isfinite(value.get<double>()))  // JSON has none of these
    shown = std::isnan(value.get<double>()) ? "nan" : value.get<double>() > 0 ? "inf" : "-inf";
  if (shown.size() > 60) shown = shown.substr(0, 57) + "...";
  fail(InputError(key + " = " + shown + ": " + rule, key));
}

double Settings::finite(const std::string& key, const json& value) const {
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    wrong(key, value, "must be a finite number");
  return value.get<double>();
}

int Settings::small(const std::string& key, const json& value) const {
  // As doubles: a number above 2^63 would wrap around.
  if (!value.is_number_integer() || value.get<double>() < std::numeric_limits<int>::min() ||
      value.get<double>() > std::numeric_limits<int>::max())
    wrong(key, value, "must be a whole number");
  return value.get<int>();
}

std::optional<std::string> Settings::text(const std::string& key) {
  const json* value = find(key);
  if (!value) return std::nullopt;
  if (!value->is_string()) wrong(key, *value, "must be a text in quotes");
  return value->get<std::string>();
}

std::string Settings::choice(const std::string& key, const std::vector<std::string>& words) {
  const std::string word = text(key).value_or(words.front());
  if (std::find(words.begin(), words.end(), word) != words.end()) return word;
  std::string rule;
  for (const std::string& w : words) rule += (rule.empty() ? "must be \"" : " or \"") + w + "\"";
  fail(InputError(key + " = " + word + ": " + rule, key));
}

std::optional<bool> Settings::flag(const std::string& key) {
  const json* value = find(key);
  if (!value) return std::nullopt;
  if (!value->is_boolean()) wrong(key, *value, "must be true or false");
  return value->get<bool>();
}

std::optional<double> Settings::number(const std::string& key) {
  const json* value = find(key);
  if (!value) return std::nullopt;
  return finite(key, *value);
}

std::optional<std::int64_t> Settings::integer(const std::string& key, std::int64_t lowest,
                                              std::int64_t highest) {
  const json* value = find(key);
  if (!value) return std::nullopt;
  // 1e6 is how people write a million. Up to 9e15 a double holds every whole number.
  const bool whole = value->is_number() && std::abs(value->get<double>()) < 9e15 &&
                     std::floor(value->get<double>()) == value->get<double>();
  if (!whole || value->get<double>() < static_cast<double>(lowest) ||
      value->get<double>() > static_cast<double>(highest))
    wrong(
        key, *value,
        "must be a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest));
  return value->get<std::int64_t>();
}

std::optional<std::vector<double>> Settings::numbers(const std::string& key) {
  const json* value = find(key);
  if (!value) return std::nullopt;
  if (!value->is_array()) wrong(key, *value, "must be a list of numbers");
  std::vector<double> list;
  for (const json& entry : *value) list.push_back(finite(key, entry));
  return list;
}

std::optional<std::vector<Point>> Settings::rows(const std::string& key) {
  const json* value = find(key);
  if (!value) return std::nullopt;
  if (!value->is_array()) wrong(key, *value, "must be a list of lists of numbers");
  std::vector<Point> table;
  for (const json& row : *value) {
    if (!row.is_array()) wrong(key, row, "must be a list of lists of numbers");
    table.emplace_back();
    for (const json& entry : row) table.back().push_back(finite(key, entry));
  }
  return table;
}

std::optional<std::vector<int>> Settings::integers(const std::string& key) {
  const json* value = find(key);
  if (!value) return std::nullopt;
  if (!value->is_array()) wrong(key, *value, "must be a list of whole numbers");
  std::vector<int> list;
  for (const json& entry : *value) list.push_back(small(key, entry));
  return list;
}

std::optional<std::vector<ItemSet>> Settings::item_sets(const std::string& key) {
  const json* value = find(key);
  if (!value) return std::nullopt;
  if (!value->is_array()) wrong(key, *value, "must be a list of lists of whole numbers");
  std::vector<ItemSet> sets;
  for (const json& row : *value) {
    if (!row.is_array()) wrong(key, row, "must be a list of lists of whole numbers");
    sets.emplace_back();
    for (const json& entry : row) sets.back().push_back(small(key, entry));
  }
  return sets;
}

void Settings::finish() const {
  for (const auto& [key, value] : values_.items()) {
    if (std::find(asked_.begin(), asked_.end(), key) != asked_.end()) continue;
    wrong(key, value, "is not a key of this table" + did_you_mean(key, asked_));
  }
}

}  // namespace hindsight
