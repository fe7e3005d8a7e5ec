/// Results as files and as a table for people.
#pragma once

#include <string>
#include <vector>

#include "hindsight/runs/grid.hpp"

namespace hindsight {

/// results.csv: a header and one line a row. Numbers are written so that reading them gives the
/// same number.
std::string results_csv(const std::vector<ResultRow>& rows);

/// One JSON object a line, with the same keys.
std::string results_json_lines(const std::vector<ResultRow>& rows);

/// Mean and standard error over seeds, one line a learner and horizon.
std::string results_table(const std::vector<ResultRow>& rows);

struct MeanAndError {
  double mean = 0;
  double standard_error = 0;  ///< 0 for a single value
};
MeanAndError mean_and_error(const std::vector<double>& values);

}  // namespace hindsight
