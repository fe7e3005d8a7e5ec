/// Which plots a report has.
#pragma once

#include <vector>

#include "hindsight/reports/plot.hpp"
#include "hindsight/reports/study.hpp"

namespace hindsight {

/// The style of each contender, in the study's order. A control has its learner's colour.
std::vector<PlotStyle> plot_styles(const Study& study);

/// Reward ratio against rounds, queries and seconds; regret against rounds. What cannot be drawn
/// has no lines, and its caption says why.
std::vector<Plot> plots_of(const RunFolder& folder, const Study& study);

}  // namespace hindsight
