/// The reports of a run: a page, a section for a document, a table for a terminal.
#pragma once

#include <string>
#include <vector>

#include "hindsight/reports/plot.hpp"
#include "hindsight/reports/study.hpp"

namespace hindsight {

/// A plot with its drawing; without one, the SVG is empty.
struct Drawing {
  Plot plot;
  std::string svg;
};

/// One page that needs nothing but itself. `trouble` says why plots are missing, if they are.
std::string html_page(const RunFolder& folder, const Study& study,
                      const std::vector<Drawing>& drawings, const std::string& trouble);

/// A section for a document, dated as told ("2026-11-15").
std::string markdown_section(const RunFolder& folder, const Study& study, const std::string& date);

/// At most 100 columns.
std::string terminal_table(const Study& study);

/// Writes report.html and the plots as SVG files into the run's folder. Returns why plots are
/// missing, if they are: the page is whole without them.
std::string write_report(const RunFolder& folder, const Study& study);

/// What a report is called: the name of the run's folder.
std::string report_title(const RunFolder& folder);

/// How the ends of the comparator's interval were found at a horizon: "enumeration", or "lower end
/// by lazy greedy, upper end by certificate at a greedy set (17 of 20 seeds)".
std::string comparator_text(const RunFolder& folder, Round rounds);

}  // namespace hindsight
