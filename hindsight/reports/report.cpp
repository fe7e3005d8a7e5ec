#include "hindsight/reports/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "hindsight/reports/files.hpp"
#include "hindsight/reports/plots.hpp"
#include "hindsight/reports/wording.hpp"

namespace hindsight {

std::string report_title(const RunFolder& folder) {
  const auto path = std::filesystem::absolute(folder.path).lexically_normal();
  return (path.has_filename() ? path.filename() : path.parent_path().filename()).string();
}

std::string comparator_text(const RunFolder& folder, Round rounds) {
  std::map<std::string, int> ways;
  int seeds = 0;
  for (const Comparator& row : folder.comparators) {
    if (row.rounds != rounds) continue;
    ++seeds;
    ++ways[row.lower_by == row.upper_by
               ? row.lower_by
               : "lower end by " + row.lower_by + ", upper end by " + row.upper_by];
  }
  std::string text;
  for (const auto& [way, count] : ways)
    text += (text.empty() ? "" : "; ") + way +
            (count == seeds ? "" : fmt::format(" ({} of {} seeds)", count, seeds));
  return text;
}

std::string terminal_table(const Study& study) {
  constexpr std::size_t widest_name = 30;
  std::size_t width = 7;
  for (const Contender& contender : study.contenders)
    width = std::max(width, std::min(length_of(contender.name), widest_name));
  const auto cell = [](const std::optional<Estimate>& estimate, int decimals) -> std::string {
    return estimate ? mean_text(*estimate, decimals) : "-";
  };
  const auto half_width = [](const std::optional<Estimate>& e, int decimals) -> std::string {
    if (!e || e->seeds < 2) return "";
    return fmt::format("+-{:.{}f}", e->mean.lower - e->confidence.lower, decimals);
  };
  const auto line = [&](const std::string& name, const std::string& rounds, auto... cells) {
    const std::string padding(width - length_of(name), ' ');
    std::string text = fmt::format("{}{} {:>9}", name, padding, rounds);
    ((text += fmt::format(" {:>12} {:<7}", cells.first, cells.second)), ...);
    return text.substr(0, text.find_last_not_of(' ') + 1) + '\n';
  };
  using Pair = std::pair<std::string, std::string>;
  std::string text = line("learner", "rounds", Pair{"reward", "a round"}, Pair{"share of", "best"},
                          Pair{"share of", "gain"});
  for (const Contender& contender : study.contenders)
    for (const Standing& s : contender.standings) {
      const auto& ratio = s.against[best_fixed_yardstick].ratio;
      const int digits = decimals_for(s.reward.middle());
      const std::string name = shortened(contender.name, width);
      text += line(name, std::to_string(s.rounds),
                   Pair{mean_text(s.reward, digits), half_width(s.reward, digits)},
                   Pair{cell(ratio, 4), half_width(ratio, 4)},
                   Pair{cell(s.gain, 3), half_width(s.gain, 3)});
    }
  return text +
         fmt::format(
             "\nMeans over {} seed{}{}. Best: the best fixed decision in hindsight. Gain: what "
             "it earns above\nno learning (constant for points, random-base for sets).\n",
             study.seeds.size(), study.seeds.size() == 1 ? "" : "s",
             study.seeds.size() == 1 ? ": no interval" : ", +- half the 95% interval");
}

std::string write_report(const RunFolder& folder, const Study& study) {
  const auto file = [&](const std::string& name) {
    return (std::filesystem::path(folder.path) / name).string();
  };
  std::string trouble;
  std::vector<Drawing> drawings;
  for (Plot& plot : plots_of(folder, study)) {
    std::string svg;
    try {
      if (!plot.lines.empty() && trouble.empty()) svg = draw(plot);
    } catch (const PlotError& error) {
      trouble = error.what();
    }
    if (svg.empty())
      std::filesystem::remove(file(plot.name + ".svg"));  // of a report before
    else
      write_file(file(plot.name + ".svg"), svg);
    drawings.push_back({std::move(plot), std::move(svg)});
  }
  write_file(file("report.html"), html_page(folder, study, drawings, trouble));
  return trouble;
}

}  // namespace hindsight
