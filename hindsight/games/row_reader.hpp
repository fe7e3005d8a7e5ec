/// The rows of a data file, each cut into fields and checked where it is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hindsight/core/error.hpp"
#include "hindsight/games/line_reader.hpp"

namespace hindsight {

/// What to do with rows that break a rule, and what was done.
struct Malformed {
  bool skip = false;                    ///< else the first one ends the reading
  std::size_t rows = 0;                 ///< skipped
  std::vector<std::string> first = {};  ///< the first few of them, with file, line and reason
  std::string describe() const;         ///< of what was skipped, one line each

  /// Runs `use`, which checks before it changes anything; its InputErrors are about this line.
  template <class Use>
  void guard(const LineReader& lines, Use use) {
    try {
      use();
    } catch (const InputError& error) {
      note(error.after(lines.place()));
    }
  }

 private:
  void note(const InputError& error);
};

using Fields = std::vector<std::string_view>;

/// A file whose first row has a comma or a semicolon is a table with a header: fields are separated
/// by that sign, may stand in quotes ("" is a quote inside them), and are as many as the header
/// has. In any other file fields are separated by blanks, there is no header, and lines that begin
/// with # are comments. Empty lines are passed over.
class RowReader {
 public:
  RowReader(const std::string& path, Malformed& malformed, std::string_view key = "path");

  bool has_header() const { return !header_.empty(); }
  const std::vector<std::string>& header() const { return header_; }
  /// Where the header has this name; it must.
  std::size_t column(std::string_view name) const;
  /// Throws unless there is a header with at least this many columns.
  void require_columns(std::size_t least) const;

  /// Calls use(fields) for the rows after the header, or until `most` were taken.
  template <class Use>
  void each(Use use, std::size_t most = SIZE_MAX) {
    for (std::size_t taken = 0; taken < most && next(); ++taken) {
      ++rows_;
      malformed_.guard(lines_, [&] {
        split();
        use(fields_);
      });
    }
  }

  /// Rows seen by each(), the skipped ones too.
  std::size_t rows() const { return rows_; }
  /// An error about the file as a whole.
  [[noreturn]] void fail(const std::string& rule) const;

 private:
  bool next();
  void split();
  void split_at_separator();
  void split_at_blanks();

  LineReader lines_;
  Malformed& malformed_;
  char separator_ = ' ';
  bool pending_ = false;  // the first row was looked at, and is still to come
  std::vector<std::string> header_;
  std::string unquoted_;  // what fields_ views, where a field has quotes
  Fields fields_;
  std::size_t rows_ = 0;
};

/// A field as errors show it: in quotes, cut short, printable.
std::string shown(std::string_view field);

double read_number(std::string_view name, std::string_view field);
std::int64_t read_whole(std::string_view name, std::string_view field, std::int64_t lowest,
                        std::int64_t highest);
/// A field that must not be empty.
std::string_view read_name(std::string_view name, std::string_view field);

}  // namespace hindsight
