#include "hindsight/reports/csv.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>

#include "hindsight/core/error.hpp"
#include "hindsight/reports/files.hpp"

namespace hindsight {
namespace {

/// Takes the records of a text one by one and keeps count of the lines.
class Records {
 public:
  Records(std::string_view text, const std::string& path) : rest_(text), path_(path) {}

  bool more() const { return !rest_.empty(); }
  std::string place() const { return path_ + ":" + std::to_string(line_) + ": "; }

  std::vector<std::string> next() {
    std::vector<std::string> fields;
    do fields.push_back(next_field());
    while (take(','));
    take('\r');
    if (more() && !take('\n'))
      fail("after a closing quote there must be a comma or the line's end");
    ++line_;
    return fields;
  }

 private:
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string next_field() {
    if (take('"')) return quoted_field();
    const std::size_t end = std::min(rest_.find_first_of(",\"\r\n"), rest_.size());
    std::string field(rest_.substr(0, end));
    rest_.remove_prefix(end);
    if (more() && rest_.front() == '"') fail("a quote must begin its field");
    return field;
  }

  std::string quoted_field() {
    std::string field;
    while (true) {
      const std::size_t end = rest_.find('"');
      if (end == std::string_view::npos) fail("a quote is never closed");
      field += rest_.substr(0, end);
      rest_.remove_prefix(end + 1);
      if (!take('"')) break;
      field += '"';
    }
    line_ += std::count(field.begin(), field.end(), '\n');
    return field;
  }

  [[noreturn]] void fail(const std::string& rule) const { throw InputError(place() + rule); }

  std::string_view rest_;
  const std::string& path_;
  std::ptrdiff_t line_ = 1;
};

template <class Number>
bool parses(const std::string& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end;
}

}  // namespace

CsvRow::CsvRow(std::string place, std::shared_ptr<const std::vector<std::string>> columns,
               std::vector<std::string> fields)
    : place_(std::move(place)), columns_(std::move(columns)), fields_(std::move(fields)) {}

const std::string& CsvRow::text(std::string_view column) const {
  const auto at = std::find(columns_->begin(), columns_->end(), column);
  assert(at != columns_->end());
  return fields_[static_cast<std::size_t>(at - columns_->begin())];
}

bool CsvRow::flag(std::string_view column) const {
  const std::string& field = text(column);
  if (field != "true" && field != "false") refuse(column, "must be true or false");
  return field == "true";
}

double CsvRow::number(std::string_view column) const {
  double value = 0;
  if (!parses(text(column), value) || !std::isfinite(value))
    refuse(column, "must be a finite number");
  return value;
}

std::int64_t CsvRow::integer(std::string_view column, std::int64_t lowest) const {
  std::int64_t value = 0;
  if (!parses(text(column), value) || value < lowest)
    refuse(column, "must be a whole number of at least " + std::to_string(lowest));
  return value;
}

std::optional<double> CsvRow::number_if_any(std::string_view column) const {
  return text(column).empty() ? std::nullopt : std::optional(number(column));
}

void CsvRow::refuse(std::string_view column, std::string_view rule) const {
  try {
    reject(column, text(column), rule);
  } catch (const InputError& error) {
    throw error.after(place_);
  }
}

CsvTable parse_csv(std::string_view text, const std::string& path,
                   const std::vector<std::string>& needed) {
  Records records(text, path);
  if (!records.more()) throw InputError(path + ": must have a header");
  const auto columns = std::make_shared<const std::vector<std::string>>(records.next());
  for (const std::string& column : needed)
    if (std::find(columns->begin(), columns->end(), column) == columns->end())
      throw InputError(path + ":1: the column " + column + " is missing");
  CsvTable table{*columns, {}};
  while (records.more()) {
    const std::string place = records.place();
    std::vector<std::string> fields = records.next();
    if (fields.size() != columns->size())
      throw InputError(place + "has " + std::to_string(fields.size()) + " fields, must have " +
                       std::to_string(columns->size()) + " as the header has");
    table.rows.emplace_back(place, columns, std::move(fields));
  }
  return table;
}

CsvTable read_csv(const std::string& path, const std::vector<std::string>& needed) {
  return parse_csv(read_file(path), path, needed);
}

}  // namespace hindsight
