/// What `hindsight run` left in its folder, read back and checked: all that a report is made from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hindsight/reports/csv.hpp"
#include "hindsight/runs/grid.hpp"

namespace hindsight {

/// One line of curves.csv.
struct CurveRow {
  std::string name;
  Round rounds = 0;
  std::uint64_t seed = 0;
  CurvePoint at;
};

struct RunFolder {
  std::string path;
  std::vector<ResultRow> results;
  std::vector<CurveRow> curves;
  std::vector<Comparator> comparators;
  std::optional<CsvTable> tuning;
  std::string experiment;  ///< the text of experiment.toml
};

/// Throws InputError, with file, line, column, value and rule, for what is missing or wrong. Every
/// learner must be there for every horizon and seed, with its comparator.
RunFolder read_run_folder(const std::string& path);

}  // namespace hindsight
