/// Tables in files, read with every value checked where it enters.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hindsight {

/// One line under its header. A value that breaks a rule throws `file:line: column = value: rule`.
class CsvRow {
 public:
  CsvRow(std::string place, std::shared_ptr<const std::vector<std::string>> columns,
         std::vector<std::string> fields);

  const std::vector<std::string>& fields() const { return fields_; }

  const std::string& text(std::string_view column) const;
  bool flag(std::string_view column) const;
  /// Finite.
  double number(std::string_view column) const;
  std::int64_t integer(std::string_view column, std::int64_t lowest) const;
  /// Nothing where the field is empty.
  std::optional<double> number_if_any(std::string_view column) const;

  [[noreturn]] void refuse(std::string_view column, std::string_view rule) const;

 private:
  std::string place_;  // "results.csv:3: "
  std::shared_ptr<const std::vector<std::string>> columns_;
  std::vector<std::string> fields_;
};

struct CsvTable {
  std::vector<std::string> columns;
  std::vector<CsvRow> rows;
};

/// Commas, and quotes where a field holds a comma, a quote or a line's end; `path` names the text
/// in errors. The header must hold every one of `needed`, every line as many fields as the header.
CsvTable parse_csv(std::string_view text, const std::string& path,
                   const std::vector<std::string>& needed);
CsvTable read_csv(const std::string& path, const std::vector<std::string>& needed);

}  // namespace hindsight
