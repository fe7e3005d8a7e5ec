#include "hindsight/games/row_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace hindsight {
namespace {

constexpr std::size_t told = 3;  // skipped rows that are shown
constexpr std::string_view blanks = " \t";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

template <class Number>
bool parse(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// Appends what stands between the quote at `at` and its partner; returns where the field ends.
std::size_t unquote(std::string_view line, std::size_t at, std::string& out) {
  const std::size_t open = at;
  while (++at < line.size()) {
    if (line[at] == '"') {
      const bool doubled = at + 1 < line.size() && line[at + 1] == '"';
      if (!doubled) return at + 1;
      ++at;
    }
    out += line[at];
  }
  reject("row", shown(line.substr(open)), "must close its quotes on the same line");
}

}  // namespace

void Malformed::note(const InputError& error) {
  if (!skip) throw error;
  ++rows;
  if (first.size() < told) first.emplace_back(error.what());
}

std::string Malformed::describe() const {
  if (rows == 0) return "";
  std::string text = std::to_string(rows) + (rows == 1 ? " row was" : " rows were") + " skipped\n";
  for (const std::string& row : first) text += "  " + row + "\n";
  if (rows > first.size()) text += "  ...\n";
  return text;
}

RowReader::RowReader(const std::string& path, Malformed& malformed, std::string_view key)
    : lines_(path, key), malformed_(malformed) {
  if (!next()) fail("must hold at least one row");
  pending_ = true;
  for (const char sign : {',', ';'})
    if (lines_.line().find(sign) != std::string_view::npos) separator_ = sign;
  if (separator_ == ' ') return;
  try {
    split();
  } catch (const InputError& error) {
    throw error.after(lines_.place());
  }
  header_.assign(fields_.begin(), fields_.end());
  pending_ = false;
}

bool RowReader::next() {
  if (pending_) {
    pending_ = false;
    return true;
  }
  while (lines_.next()) {
    const std::string_view line = trimmed(lines_.line());
    if (!line.empty() && (has_header() || line[0] != '#')) return true;
  }
  return false;
}

void RowReader::split() {
  fields_.clear();
  if (separator_ == ' ') return split_at_blanks();
  split_at_separator();
  if (has_header())
    require(fields_.size() == header_.size(), "row", std::to_string(fields_.size()) + " fields",
            "must have " + std::to_string(header_.size()) + ", as the header has");
}

void RowReader::split_at_blanks() {
  std::string_view rest = lines_.line();
  for (rest = trimmed(rest); !rest.empty(); rest = trimmed(rest)) {
    fields_.push_back(rest.substr(0, rest.find_first_of(blanks)));
    rest.remove_prefix(fields_.back().size());
  }
}

void RowReader::split_at_separator() {
  const std::string_view line = lines_.line();
  unquoted_.clear();
  unquoted_.reserve(line.size());  // so that views into it stay
  for (std::size_t at = 0; at <= line.size(); ++at) {
    const std::size_t start = std::min(line.find_first_not_of(blanks, at), line.size());
    if (start == line.size() || line[start] != '"') {
      const std::size_t end = std::min(line.find(separator_, at), line.size());
      fields_.push_back(trimmed(line.substr(at, end - at)));
      at = end;
      continue;
    }
    const std::size_t first = unquoted_.size();
    at = std::min(line.find_first_not_of(blanks, unquote(line, start, unquoted_)), line.size());
    fields_.emplace_back(unquoted_.data() + first, unquoted_.size() - first);
    require(at == line.size() || line[at] == separator_, "row", shown(line.substr(start)),
            "must have a separator after the closing quote");
  }
}

std::size_t RowReader::column(std::string_view name) const {
  const auto at = std::find(header_.begin(), header_.end(), name);
  if (at == header_.end()) fail("must have a header with a column `" + std::string(name) + "`");
  return static_cast<std::size_t>(at - header_.begin());
}

void RowReader::require_columns(std::size_t least) const {
  if (header_.size() < least)
    fail("must have a header of at least " + std::to_string(least) +
         " columns, separated by commas or semicolons");
}

void RowReader::fail(const std::string& rule) const {
  throw InputError(lines_.path() + ": " + rule);
}

std::string shown(std::string_view field) {
  constexpr std::size_t most = 40;
  std::string text = "\"" + std::string(field.substr(0, most));
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
  return text + (field.size() > most ? "...\"" : "\"");
}

double read_number(std::string_view name, std::string_view field) {
  double number = 0;
  if (!parse(field, number) || !std::isfinite(number))
    reject(name, shown(field), "must be a number");
  return number;
}

std::int64_t read_whole(std::string_view name, std::string_view field, std::int64_t lowest,
                        std::int64_t highest) {
  std::int64_t number = 0;
  if (!parse(field, number) || number < lowest || number > highest)
    reject(
        name, shown(field),
        "must be a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest));
  return number;
}

std::string_view read_name(std::string_view name, std::string_view field) {
  require(!field.empty(), name, shown(field), "must not be empty");
  return field;
}

}  // namespace hindsight
