/// Results as files.
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

}  // namespace hindsight
