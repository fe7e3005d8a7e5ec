/// Results as files.
#pragma once

#include <string>
#include <vector>

#include "hindsight/runs/grid.hpp"

namespace hindsight {

/// results.csv: a header and one line a row. Numbers are written so that reading them gives the
/// same number.
std::string results_csv(const std::vector<ResultRow>& rows);

/// curves.csv: what a cell had earned and asked for after some of its rounds, the last one
/// included.
std::string curves_csv(const Results& results);

/// comparators.csv: the best fixed decision of every horizon and seed.
std::string comparators_csv(const std::vector<Comparator>& comparators);

/// tuning.csv: every combination that was tried on the tuning seeds, and which was chosen.
std::string tuning_csv(const std::vector<Tuning>& tuning);

/// run.json: which program played whom on which seeds, with the learners that were added.
std::string run_json(const Experiment& experiment, const std::string& version);

/// results.csv as one JSON object a line, with the same keys.
std::string results_json_lines(const std::vector<ResultRow>& rows);

/// What was chosen, one line a learner and horizon.
std::string tuning_table(const std::vector<Tuning>& tuning);

}  // namespace hindsight
