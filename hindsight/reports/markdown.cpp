// The same results as a section for a document.
#include <fmt/format.h>

#include "hindsight/reports/advice.hpp"
#include "hindsight/reports/report.hpp"
#include "hindsight/reports/wording.hpp"

namespace hindsight {
namespace {

/// What Markdown and its HTML would read as their own is escaped.
std::string plain(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (std::string_view("\\`*_{}[]<>#|&~").find(c) != std::string_view::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

std::string cell(const std::optional<Estimate>& estimate, int decimals) {
  return estimate ? estimate_text(*estimate, decimals) : "-";
}

std::string row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

std::string header(const std::vector<std::string>& titles) {
  return row(titles) + row(std::vector<std::string>(titles.size(), "---"));
}

std::string standings(const Study& study) {
  std::string text =
      header({"learner", "rounds", "reward a round", "share of best fixed",
              "share of attainable gain", "above its control, a round", "gradients a round"});
  for (const Contender& contender : study.contenders)
    for (const Standing& s : contender.standings) {
      const int digits = decimals_for(s.reward.middle());
      const std::string name = plain(contender.name);
      text += row({s.wins ? "**" + name + "**" : name, grouped(s.rounds), cell(s.reward, digits),
                   cell(s.against[best_fixed_yardstick].ratio, 4), cell(s.gain, 3),
                   cell(s.over_control, digits), fmt::format("{:.3g}", s.gradients)});
    }
  return text;
}

std::string exponents(const Study& study) {
  std::vector<std::string> titles = {"learner", "theorem"};
  for (const std::string& yardstick : study.yardsticks) {
    titles.push_back("regret to " + yardstick);
    titles.push_back("its control");
  }
  std::string text = header(titles);
  const auto exponent_cell = [](const Exponent& exponent) {
    return exponent.slope ? estimate_text(*exponent.slope, 3) : exponent.why_not;
  };
  for (const Contender& contender : study.contenders) {
    if (contender.role != Role::learner) continue;
    std::vector<std::string> cells = {plain(contender.name), "-"};
    if (contender.theorem)
      cells[1] = fmt::format("{:.3f}, alpha = {:.3g}", contender.theorem->exponent,
                             contender.theorem->alpha);
    const Contender* control = study.find(contender.control);
    for (std::size_t y = 0; y < study.yardsticks.size(); ++y) {
      cells.push_back(exponent_cell(contender.exponents[y]));
      cells.push_back(control ? exponent_cell(control->exponents[y]) : "-");
    }
    text += row(cells);
  }
  return text;
}

}  // namespace

std::string markdown_section(const RunFolder& folder, const Study& study, const std::string& date) {
  std::string text = fmt::format("## {}\n\n", plain(report_title(folder)));
  text += fmt::format("    hindsight run {}/experiment.toml\n\n", folder.path);
  text += fmt::format(
      "Game {}, dimension {}; {} seed{}; {}. Means, with the 95% interval over seeds. Bold: surely "
      "above all who are told\nas much (paired by seed).\n\n",
      plain(folder.results.front().game), folder.results.front().dimension, study.seeds.size(),
      study.seeds.size() == 1 ? "" : "s", date);
  for (const Round rounds : study.horizons)
    text += fmt::format("Best fixed decision at T = {}: {}.\n", grouped(rounds),
                        plain(comparator_text(folder, rounds)));
  text += "\n";
  for (const Advice& entry : advice(study))
    text += fmt::format("- {}: {}\n", told_text(entry.told), plain(entry.text));
  text += "\n" + standings(study);
  if (study.horizons.size() >= Study::fewest_horizons)
    text += "\nExponents of regret against T:\n\n" + exponents(study);
  return text;
}

}  // namespace hindsight
