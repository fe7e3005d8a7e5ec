#include "hindsight/reports/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "hindsight/reports/wording.hpp"

namespace hindsight {
namespace {

/// Okabe and Ito's colours, which people who cannot tell red from green can tell apart; yellow is
/// left out, being too light for a line on white.
constexpr std::array colours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"};
constexpr std::array dashes = {"", "10 4", "4 3", "12 4 3 4"};
constexpr std::array markers = {7, 5, 9, 11, 13, 6, 4, 8, 10, 12};

/// Controls have no band: they are many, and all about the same.
PlotPoint point(const Contender& contender, double x, const Estimate& y) {
  if (contender.role == Role::control) return {x, y.middle(), y.middle(), y.middle()};
  return {x, y.middle(), y.confidence.lower, y.confidence.upper};
}

// gnuplot's SVG changes dashes only together with the colour, so that no two neighbours may have
// the same: not the slopes' greys, and not those of the lines that never learn.
constexpr std::array idle_colours = {"#000000", "#3c3c3c"};

/// One learner's curves on one horizon: for each checkpoint, all seeds.
using Checkpoints = std::map<Round, std::vector<const CurveRow*>>;

class CurvePlots {
 public:
  CurvePlots(const RunFolder& folder, const Study& study) : study_(study) {
    for (const CurveRow& row : folder.curves)
      if (row.rounds == study.horizons.back()) curves_[row.name][row.at.round].push_back(&row);
    for (const Comparator& row : folder.comparators)
      if (row.rounds == study.horizons.back()) best_[row.seed] = {row.lower, row.upper};
  }

  /// `cost` is what a curve's point stands at on the x axis; points at 0 are left out.
  template <class Cost>
  std::vector<PlotLine> lines(Cost cost) const {
    const std::vector<PlotStyle> styles = plot_styles(study_);
    std::vector<PlotLine> lines;
    for (std::size_t i = 0; i < study_.contenders.size(); ++i) {
      const std::string& name = study_.contenders[i].name;
      if (!curves_.contains(name)) continue;
      PlotLine line{name, styles[i], {}};
      for (const auto& [round, rows] : curves_.at(name)) {
        if (round * 1000 < study_.horizons.back()) continue;  // averages of a few rounds are noise
        double x = 0;
        for (const CurveRow* row : rows) x += cost(row->at) / static_cast<double>(rows.size());
        const std::optional<Estimate> ratio = ratio_at(rows);
        if (x > 0 && ratio) line.points.push_back(point(study_.contenders[i], x, *ratio));
      }
      if (!line.points.empty()) lines.push_back(std::move(line));
    }
    return lines;
  }

 private:
  /// Average reward so far over the best fixed decision's average of the whole run.
  std::optional<Estimate> ratio_at(const std::vector<const CurveRow*>& rows) const {
    std::vector<Interval> ratios;
    for (const CurveRow* row : rows) {
      const auto best = best_.find(row->seed);
      if (best == best_.end() || best->second.lower <= 0) return std::nullopt;
      const double whole =
          row->at.reward * static_cast<double>(row->rounds) / static_cast<double>(row->at.round);
      ratios.push_back({whole / best->second.upper, whole / best->second.lower});
    }
    return estimate(ratios);
  }

  const Study& study_;
  std::map<std::string, Checkpoints> curves_;
  std::map<std::uint64_t, Interval> best_;
};

/// Lines of the theorems' slopes among those drawn, through the middle of what is drawn at the
/// first horizon: where they stand means nothing, how steep they are does.
std::vector<PlotLine> slopes(const Study& study, const std::vector<PlotLine>& drawn) {
  std::set<double> exponents = {1};
  for (const Contender& contender : study.contenders)
    if (contender.theorem) exponents.insert(contender.theorem->exponent);
  double height = 0;
  for (const PlotLine& line : drawn)
    height += std::log(line.points.front().y) / static_cast<double>(drawn.size());
  constexpr std::array reference_dashes = {"2 3", "6 3", "2 3 6 3", "9 3 2 3", "12 3"};
  const auto first = static_cast<double>(study.horizons.front());
  const auto last = static_cast<double>(study.horizons.back());
  std::vector<PlotLine> lines;
  for (const double exponent : exponents) {
    const std::string grey = fmt::format("#{0:02x}{0:02x}{0:02x}", 0x80 + 8 * lines.size());
    const PlotStyle style{grey, reference_dashes[lines.size() % reference_dashes.size()], 0, true};
    const double begin = std::exp(height), end = begin * std::pow(last / first, exponent);
    lines.push_back({fmt::format("slope {:.3g}", exponent),
                     style,
                     {{first, begin, begin, begin}, {last, end, end, end}}});
  }
  return lines;
}

Plot regret_plot(const Study& study, std::size_t which, const std::string& name,
                 const std::string& title) {
  Plot plot{name, title, "rounds T", "regret", true, {}, ""};
  if (study.horizons.size() < 2) {
    plot.caption =
        "Not drawn: regret is measured at the end of a run, and this one has one horizon.";
    return plot;
  }
  const std::vector<PlotStyle> styles = plot_styles(study);
  std::string missing;
  for (std::size_t i = 0; i < study.contenders.size(); ++i) {
    const Contender& contender = study.contenders[i];
    PlotLine line{contender.name, styles[i], {}};
    for (const Standing& standing : contender.standings) {
      const Estimate& regret = standing.against[which].regret;
      // A logarithm shows only what is positive.
      if (regret.middle() > 0)
        line.points.push_back(point(contender, static_cast<double>(standing.rounds), regret));
    }
    if (line.points.size() == study.horizons.size())
      plot.lines.push_back(std::move(line));
    else
      missing += (missing.empty() ? "" : ", ") + shortened(contender.name, 60);
  }
  if (!missing.empty())
    missing = " Not drawn, as their regret is not positive at every horizon: " + missing + ".";
  if (plot.lines.empty()) {
    plot.caption =
        "Not drawn: nobody's regret is positive at every horizon, and a logarithm shows "
        "nothing else. Everyone earned more than this yardstick asks for.";
    return plot;
  }
  const std::vector<PlotLine> references = slopes(study, plot.lines);
  plot.lines.insert(plot.lines.end(), references.begin(), references.end());
  plot.caption =
      "Total regret at each horizon, mean over seeds; bands (controls without) hold the mean with "
      "95% confidence and "
      "the "
      "comparator's interval. Grey: the theorems' slopes (of their own alpha-regret) and slope 1, "
      "which is no learning; where they stand means nothing, how steep they are does." +
      missing;
  return plot;
}

}  // namespace

std::vector<PlotStyle> plot_styles(const Study& study) {
  std::vector<PlotStyle> styles;
  std::map<std::string, std::string> colour_of_control;
  std::size_t learners = 0, lines = 0;
  for (const Contender& contender : study.contenders) {
    if (contender.role == Role::learner) {
      const std::size_t i = learners++;
      styles.push_back({colours[i % colours.size()], dashes[i / colours.size() % dashes.size()],
                        markers[i % markers.size()]});
      colour_of_control[contender.control] = styles.back().colour;
    } else if (contender.role == Role::control) {
      const auto own = colour_of_control.find(contender.name);
      styles.push_back({own == colour_of_control.end() ? "#999999" : own->second, "2 4", 0, true});
    } else {
      styles.push_back({idle_colours[lines % idle_colours.size()],
                        dashes[1 + lines % (dashes.size() - 1)], 0, true});
      ++lines;
    }
  }
  return styles;
}

std::vector<Plot> plots_of(const RunFolder& folder, const Study& study) {
  const CurvePlots curves(folder, study);
  const std::string horizon = grouped(study.horizons.back());
  const std::string measured =
      " T = " + horizon + ", mean over seeds, bands of 95% confidence (controls without).";
  const std::string share = "share of best fixed";
  std::vector<Plot> plots = {
      {"ratio", "Reward against rounds", "rounds", share, false,
       curves.lines([](const CurvePoint& at) { return static_cast<double>(at.round); }),
       "Average reward so far, as a share of the best fixed decision's average over the whole "
       "run." +
           measured},
      regret_plot(study, best_fixed_yardstick, "regret", "Regret to the best fixed decision"),
      regret_plot(study, 0, "alpha-regret", "Regret to " + study.yardsticks[0] + " decision"),
      {"queries", "Reward against queries", "values and gradients asked for", share, false,
       curves.lines([](const CurvePoint& at) {
         return static_cast<double>(at.value_queries + at.gradient_queries);
       }),
       "The same against what was asked by then: one value a round, and gradients." + measured},
      {"seconds", "Reward against time", "seconds", share, false,
       curves.lines([](const CurvePoint& at) { return at.seconds; }),
       "The same against the time of playing and learning, on the machine of this run." +
           measured}};
  for (Plot& plot : plots)
    if (plot.lines.empty() && !plot.log_y) plot.caption = "Not drawn: there is no curve to draw.";
  return plots;
}

}  // namespace hindsight
