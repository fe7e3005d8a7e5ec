#include "hindsight/reports/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <numeric>

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
  using Row = std::array<std::string, 8>;  // a name, the rounds, three times a mean and its +-
  const auto mean = [](const std::optional<Estimate>& e, int decimals) {
    return e ? mean_text(*e, decimals) : "-";
  };
  const auto half = [](const std::optional<Estimate>& e, int decimals) {
    return e && e->seeds > 1
               ? fmt::format("+-{:.{}f}", e->mean.lower - e->confidence.lower, decimals)
               : "";
  };
  std::vector<Row> rows = {
      {"learner", "rounds", "reward", "a round", "share of", "best", "share of", "gain"}};
  for (const Contender& contender : study.contenders)
    for (const Standing& s : contender.standings) {
      const auto& ratio = s.against[best_fixed_yardstick].ratio;
      const int digits = decimals_for(s.reward.middle());
      rows.push_back({contender.name, std::to_string(s.rounds), mean(s.reward, digits),
                      half(s.reward, digits), mean(ratio, 4), half(ratio, 4), mean(s.gain, 3),
                      half(s.gain, 3)});
    }
  std::array<std::size_t, 8> width{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], length_of(row[i]));
  constexpr std::size_t most = 100, gaps = 11;
  const std::size_t numbers = std::accumulate(width.begin() + 1, width.end(), gaps);
  width[0] = std::min(width[0], most - std::min(numbers, most - 10));  // names get what is left
  std::string text;
  for (const Row& row : rows) {
    const std::string name = shortened(row[0], width[0]);
    std::string line = name + std::string(width[0] - length_of(name), ' ');
    line += fmt::format("  {:>{}}", row[1], width[1]);
    for (std::size_t i = 2; i < row.size(); i += 2)
      line += fmt::format("  {:>{}} {:<{}}", row[i], width[i], row[i + 1], width[i + 1]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text + fmt::format(
                    "\nMeans over {}. Best: the best fixed decision in\nhindsight. Gain: what it "
                    "earns above no learning (constant for points, random-base for sets).\n",
                    study.seeds.size() == 1
                        ? "1 seed: no interval"
                        : fmt::format("{} seeds, +- half the 95% interval", study.seeds.size()));
}

std::string write_report(const RunFolder& folder, const Study& study) {
  const auto file = [&](const std::string& name) {
    return (std::filesystem::path(folder.path) / name).string();
  };
  std::vector<Plot> plots = plots_of(folder, study);
  std::vector<std::string> svgs(plots.size());
  std::string trouble;
  try {
    svgs = draw(plots);
  } catch (const PlotError& error) {
    trouble = error.what();
  }
  std::vector<Drawing> drawings;
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const std::string name = file(plots[i].name + ".svg");
    if (svgs[i].empty())
      std::filesystem::remove(name);  // of a report before
    else
      write_file(name, svgs[i]);
    drawings.push_back({std::move(plots[i]), std::move(svgs[i])});
  }
  write_file(file("report.html"), html_page(folder, study, drawings, trouble));
  return trouble;
}

}  // namespace hindsight
