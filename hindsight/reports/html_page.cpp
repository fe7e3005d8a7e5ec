// The page people look at: the answer first, then the table, the plots, and how it was all found.
#include <fmt/format.h>

#include <algorithm>

#include "hindsight/reports/advice.hpp"
#include "hindsight/reports/plots.hpp"
#include "hindsight/reports/report.hpp"
#include "hindsight/reports/wording.hpp"

namespace hindsight {
namespace {

constexpr const char* style_sheet = R"(
:root { --ink: #1d2327; --soft: #5c666d; --rule: #d9dde0; --wash: #f5f6f7; --mark: #0072B2; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.5rem 4rem; max-width: 62rem; color: var(--ink); background: #fff;
       font: 16px/1.55 "Source Sans 3", "Helvetica Neue", Helvetica, Arial, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; margin: 3rem 0 .6rem; }
h3 { font-size: 1.05rem; margin: 2rem 0 .4rem; }
p, ul { max-width: 46rem; }
.facts { color: var(--soft); margin: .4rem 0 0; }
.answer { margin: 2rem 0; padding: 1.1rem 1.4rem 1.2rem; background: var(--wash); border-left: 4px solid var(--mark); }
.answer h2 { margin: 0 0 .6rem; }
.answer dl { margin: 0; }
.answer dt { font-weight: 600; margin-top: .7rem; }
.answer dd { margin: 0; max-width: 46rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; line-height: 1.35; font-variant-numeric: tabular-nums; }
th, td { padding: .38rem .7rem .38rem 0; text-align: right; vertical-align: top; border-bottom: 1px solid var(--rule); }
th { font-weight: 600; vertical-align: bottom; }
th:first-child, td:first-child, .words th, .words td { text-align: left; }
td:first-child { min-width: 13.5rem; max-width: 18rem; overflow-wrap: anywhere; }
tr.group th { padding-top: 1.1rem; color: var(--soft); font-weight: 600; border-bottom: 2px solid var(--rule); }
tr.idle td { color: var(--soft); }
tr.idle td:first-child { padding-left: 1.1rem; }
tr.wins td { font-weight: 650; }
small { display: block; color: var(--soft); font-size: .88em; font-weight: 400; white-space: nowrap; }
td.why small { white-space: normal; }
.swatch { vertical-align: middle; margin-right: .5rem; }
.note { color: var(--soft); font-size: .88rem; margin: .6rem 0; }
figure { margin: 1.8rem 0; }
figure h3 { margin: 0 0 .4rem; }
figure svg { display: block; width: 100%; min-width: 38rem; height: auto; }
figcaption { color: var(--soft); font-size: .88rem; max-width: 46rem; margin-top: .3rem; overflow-wrap: anywhere; }
pre { background: var(--wash); padding: 1rem; overflow-x: auto; font-size: .82rem; line-height: 1.45; }
.trouble { border-left: 4px solid #D55E00; background: #fdf4ee; padding: .6rem 1rem; }
@media (max-width: 40rem) { body { padding: 1.4rem 1rem 3rem; } h1 { font-size: 1.5rem; } }
@media print {
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  h2, h3 { break-after: avoid; }
  .scroll { overflow: visible; }
  table { font-size: 8.5pt; }
  th, td { padding-right: .45rem; }
  tr, figure, .answer { break-inside: avoid; }
  figure svg { min-width: 0; }
  pre { white-space: pre-wrap; }
  a { color: inherit; }
}
)";

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else if (c == '"')
      safe += "&quot;";
    else if (c == '\'')
      safe += "&#39;";
    else if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
      safe += ' ';
    else
      safe += c;
  }
  return safe;
}

std::string swatch(const PlotStyle& style) {
  return fmt::format(
      "<svg class=\"swatch\" width=\"34\" height=\"10\" aria-hidden=\"true\"><line x1=\"1\" "
      "y1=\"5\" "
      "x2=\"33\" y2=\"5\" stroke=\"{}\" stroke-width=\"{}\" stroke-dasharray=\"{}\"/></svg>",
      style.colour, style.thin ? 1.5 : 2.5, style.dashes);
}

std::string cell(const std::optional<Estimate>& estimate, int decimals) {
  if (!estimate) return "<td>-</td>";
  const std::string confidence = confidence_text(*estimate, decimals);
  return "<td>" + mean_text(*estimate, decimals) +
         (confidence.empty() ? "" : "<small>" + confidence + "</small>") + "</td>";
}

std::string number_cell(double number) { return fmt::format("<td>{:.3g}</td>", number); }

std::string name_text(const Contender& contender, const PlotStyle& style) {
  return swatch(style) + escaped(shortened(contender.name, 80));
}

std::string header_row(const std::vector<std::string>& titles) {
  std::string row = "<tr>";
  for (const std::string& title : titles) row += "<th scope=\"col\">" + escaped(title) + "</th>";
  return row + "</tr>\n";
}

/// Rows of all contenders under headings of what they are told.
template <class Row>
std::string grouped_rows(const Study& study, std::size_t columns, Row row) {
  std::string text;
  for (std::size_t i = 0; i < study.contenders.size(); ++i) {
    const Contender& contender = study.contenders[i];
    if (i == 0 || contender.told != study.contenders[i - 1].told)
      text +=
          fmt::format("<tr class=\"group\"><th colspan=\"{}\" scope=\"colgroup\">{}</th></tr>\n",
                      columns, told_text(contender.told));
    text += row(contender, i);
  }
  return text;
}

std::string table(const std::string& rows, const std::string& kind = "") {
  return fmt::format("<div class=\"scroll\"><table class=\"{}\">\n{}</table></div>\n", kind, rows);
}

std::string answer(const Study& study) {
  std::string text =
      "<section class=\"answer\"><h2>Which learner should I use, and how much would I "
      "gain?</h2>\n<dl>\n";
  const std::vector<Advice> all = advice(study);
  for (const Advice& entry : all)
    text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", told_text(entry.told), escaped(entry.text));
  if (all.empty()) text += "<dd>There is no learner among these.</dd>\n";
  return text + "</dl></section>\n";
}

std::string standings_table(const Study& study, std::size_t h) {
  const std::vector<PlotStyle> styles = plot_styles(study);
  const std::vector<std::string> titles = {"Learner",
                                           "Reward a round",
                                           "Share of best fixed",
                                           "Share of attainable gain",
                                           "Above its control, a round",
                                           "Gradients a round",
                                           "Infeasible rounds",
                                           "Seconds a run"};
  return table(header_row(titles) +
               grouped_rows(study, titles.size(), [&](const Contender& contender, std::size_t i) {
                 const Standing& s = contender.standings[h];
                 const int digits = decimals_for(s.reward.middle());
                 return fmt::format("<tr class=\"{}\"><td>{}{}</td>",
                                    s.wins                            ? "wins"
                                    : contender.role == Role::learner ? "learner"
                                                                      : "idle",
                                    name_text(contender, styles[i]), s.wins ? " &#9733;" : "") +
                        cell(s.reward, digits) + cell(s.against[best_fixed_yardstick].ratio, 4) +
                        cell(s.gain, 3) + cell(s.over_control, digits) + number_cell(s.gradients) +
                        fmt::format("<td>{}</td>", percent(s.infeasible)) + number_cell(s.seconds) +
                        "</tr>\n";
               }));
}

/// "constant" or "constant for ..., random-base for ..."
std::string lines_used(const Study& study) {
  std::string text;
  for (std::size_t i = 0; i < study.contenders.size(); ++i) {
    const Contender& c = study.contenders[i];
    const bool seen = std::any_of(study.contenders.begin(),
                                  study.contenders.begin() + static_cast<std::ptrdiff_t>(i),
                                  [&](const Contender& other) { return other.told == c.told; });
    if (c.told == Told::nothing || seen) continue;
    std::string told(told_text(c.told));
    told[0] = 't';
    text += fmt::format("{}{} for learners {}", text.empty() ? "" : ", ",
                        c.line.empty() ? "none was played" : shortened(c.line, 60), told);
  }
  return text;
}

std::string reading_help(const Study& study) {
  std::string text = fmt::format(
      "<p class=\"note\">Under each mean over {} seed{}: {}. Share of attainable gain = (reward - "
      "no "
      "learning) / (best fixed - no learning), seed by seed; no learning is {}. Grey rows do not "
      "learn: controls are the same code with learning off.</p>\n",
      study.seeds.size(), study.seeds.size() == 1 ? "" : "s",
      study.seeds.size() == 1 ? "nothing, as one seed gives no interval"
                              : "the interval that holds it with 95% confidence (Student's t over "
                                "seeds), widened by the "
                                "comparator's interval where that is not exact",
      escaped(lines_used(study)));
  return text +
         "<p class=\"note\">&#9733; marks a learner whose reward is above that of every other row "
         "told "
         "as much, and of no learning: for each of them the 95% interval of the difference, paired "
         "by "
         "seed, lies above 0. No mark: the seeds do not part the best from the next.</p>\n";
}

/// Ids are made the drawing's own, since several stand on one page; the XML prologue goes.
std::string inlined(const std::string& svg, const std::string& prefix) {
  std::string text;
  bool in_tag = false;
  for (std::size_t i = svg.find("<svg"); i < svg.size(); ++i) {
    const char c = svg[i];
    if (c == '<') in_tag = true;
    if (c == '>') in_tag = false;
    text += c;
    if (in_tag && (text.ends_with(" id='") || text.ends_with(" id=\"") ||
                   text.ends_with("href='#") || text.ends_with("url(#")))
      text += prefix;
  }
  return text;
}

std::string figure(const Drawing& drawing) {
  const Plot& plot = drawing.plot;
  std::string text = fmt::format("<figure id=\"{}\"><h3>{}</h3>\n", plot.name, escaped(plot.title));
  if (!drawing.svg.empty())
    text += "<div class=\"scroll\">" + inlined(drawing.svg, plot.name + "-") + "</div>\n";
  return text + "<figcaption>" + escaped(plot.caption) + "</figcaption></figure>\n";
}

std::string comparator_section(const RunFolder& folder, const Study& study) {
  std::string rows = header_row({"Rounds", "Best fixed decision, a round", "Width", "Found by"});
  for (const Round rounds : study.horizons) {
    std::vector<Interval> best;
    double width = 0;
    for (const Comparator& row : folder.comparators) {
      if (row.rounds != rounds) continue;
      const auto T = static_cast<double>(rounds);
      best.push_back({row.lower / T, row.upper / T});
      if (row.upper > 0) width = std::max(width, 1 - row.lower / row.upper);
    }
    const Estimate mean = estimate(best);
    rows += fmt::format("<tr><td>{}</td>{}<td>{}</td><td>{}</td></tr>\n", grouped(rounds),
                        cell(mean, decimals_for(mean.middle())),
                        width == 0 ? "exact" : "at most " + percent(width, 2),
                        escaped(comparator_text(folder, rounds)));
  }
  return "<h3>Comparator</h3>\n<p>The best fixed decision in hindsight is known up to an interval "
         "that "
         "is certain to hold it; every number that rests on it is an interval too.</p>\n" +
         table(rows, "words");
}

std::string regret_tables(const Study& study) {
  std::string text =
      "<h3>Ratio and regret</h3>\n<p class=\"note\">Ratio = reward / yardstick, regret = "
      "(yardstick - reward) a round.</p>\n";
  for (std::size_t h = study.horizons.size(); h-- > 0;) {
    std::vector<std::string> titles = {"T = " + grouped(study.horizons[h])};
    for (const std::string& yardstick : study.yardsticks) {
      titles.push_back("Ratio to " + yardstick);
      titles.push_back("Regret to " + yardstick);
    }
    const std::vector<PlotStyle> styles = plot_styles(study);
    text +=
        table(header_row(titles) +
              grouped_rows(study, titles.size(), [&](const Contender& contender, std::size_t i) {
                std::string row = fmt::format("<tr class=\"{}\"><td>{}</td>",
                                              contender.role == Role::learner ? "learner" : "idle",
                                              name_text(contender, styles[i]));
                for (const Against& against : contender.standings[h].against)
                  row +=
                      cell(against.ratio, 4) +
                      cell(scaled(against.regret, 1 / static_cast<double>(study.horizons[h])), 5);
                return row + "</tr>\n";
              }));
  }
  return text;
}

std::string exponent_cell(const Exponent& exponent) {
  if (exponent.slope) return cell(exponent.slope, 3);
  return "<td class=\"why\"><small>" + escaped(exponent.why_not) + "</small></td>";
}

std::string exponent_section(const Study& study) {
  std::vector<std::string> titles = {"Learner", "Theorem"};
  for (const std::string& yardstick : study.yardsticks) {
    titles.push_back("Regret to " + yardstick);
    titles.push_back("its control");
  }
  const std::vector<PlotStyle> styles = plot_styles(study);
  std::string rows = header_row(titles);
  for (std::size_t i = 0; i < study.contenders.size(); ++i) {
    const Contender& contender = study.contenders[i];
    if (contender.role != Role::learner) continue;
    const Contender* control = study.find(contender.control);
    rows += "<tr><td>" + name_text(contender, styles[i]) + "</td>";
    rows += contender.theorem ? fmt::format("<td>{:.3f}<small>alpha = {:.3g}</small></td>",
                                            contender.theorem->exponent, contender.theorem->alpha)
                              : "<td>-</td>";
    for (std::size_t y = 0; y < study.yardsticks.size(); ++y)
      rows += exponent_cell(contender.exponents[y]) +
              (control ? exponent_cell(control->exponents[y]) : "<td>-</td>");
    rows += "</tr>\n";
  }
  return "<h3>Exponents</h3>\n<p>Least squares of log regret on log T over the horizons, a slope "
         "for "
         "each seed, and Student's interval of their mean. The theorem's exponent bounds how fast "
         "the "
         "alpha-regret may grow; a fitted one describes these horizons and nothing beyond. An "
         "exponent "
         "means learning only where it is surely below its control's.</p>\n" +
         table(rows);
}

std::string tuning_section(const CsvTable& tuning) {
  std::string rows = header_row(tuning.columns);
  for (const CsvRow& row : tuning.rows) {
    rows += "<tr>";
    for (const std::string& field : row.fields()) rows += "<td>" + escaped(field) + "</td>";
    rows += "</tr>\n";
  }
  return "<h3>Tuning</h3>\n<p>What was tried on seeds of its own, before the reported ones were "
         "played.</p>\n" +
         table(rows, "words");
}

std::string seeds_text(const Study& study) {
  std::string text;
  for (const std::uint64_t seed : study.seeds)
    text += (text.empty() ? "" : ", ") + std::to_string(seed);
  return text;
}

std::string facts(const RunFolder& folder, const Study& study) {
  std::string horizons;
  for (const Round rounds : study.horizons)
    horizons += (horizons.empty() ? "" : ", ") + grouped(rounds);
  return fmt::format("<p class=\"facts\">Game {}, dimension {}; T = {}; {} seed{}.</p>\n",
                     escaped(folder.results.front().game), folder.results.front().dimension,
                     horizons, study.seeds.size(), study.seeds.size() == 1 ? "" : "s");
}

}  // namespace

std::string html_page(const RunFolder& folder, const Study& study,
                      const std::vector<Drawing>& drawings, const std::string& trouble) {
  const std::string title = escaped(report_title(folder));
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      title + " - hindsight</title>\n<style>" + style_sheet + "</style></head>\n<body>\n<h1>" +
      title + "</h1>\n" + facts(folder, study) + answer(study);

  page += "<h2>What everyone earned at T = " + grouped(study.horizons.back()) + "</h2>\n" +
          standings_table(study, study.horizons.size() - 1) + reading_help(study);

  page += "<h2>Plots</h2>\n";
  if (!trouble.empty())
    page += "<p class=\"trouble\">Plots need gnuplot: " + escaped(trouble) +
            ". Install it and run <code>hindsight report</code> on this folder.</p>\n";
  else
    for (const Drawing& drawing : drawings) page += figure(drawing);

  page += "<h2>Details</h2>\n";
  for (std::size_t h = study.horizons.size() - 1; h-- > 0;)
    page += "<h3>What everyone earned at T = " + grouped(study.horizons[h]) + "</h3>\n" +
            standings_table(study, h);
  page += comparator_section(folder, study) + regret_tables(study) + exponent_section(study);
  if (folder.tuning) page += tuning_section(*folder.tuning);
  page += "<h3>Seeds</h3>\n<p>" + seeds_text(study) + "</p>\n<h3>Experiment</h3>\n<pre>" +
          escaped(folder.experiment) + "</pre>\n";
  return page + "</body></html>\n";
}

}  // namespace hindsight
