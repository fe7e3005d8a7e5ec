// hindsight report: draws the report of a run again, from the files in its folder alone.
#include "hindsight/reports/report.hpp"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>

#include "apps/cli/verbs.hpp"
#include "hindsight/core/error.hpp"

namespace hindsight::cli {
namespace {

struct ReportArguments {
  std::string folder;
  bool markdown = false;
  std::string date;
};

/// The day, in UTC, on which the results were written: the same however often it is asked.
std::string day_of(const std::filesystem::path& file) {
  const auto written = std::chrono::file_clock::to_sys(std::filesystem::last_write_time(file));
  const std::chrono::year_month_day day(std::chrono::floor<std::chrono::days>(written));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

void run_report(const ReportArguments& arguments) {
  require(std::filesystem::is_directory(arguments.folder), "DIR", arguments.folder,
          "must be the folder of a run");
  const RunFolder folder = read_run_folder(arguments.folder);
  const Study study = study_of(folder);
  if (arguments.markdown) {
    const auto results = std::filesystem::path(arguments.folder) / "results.csv";
    std::cout << markdown_section(folder, study,
                                  arguments.date.empty() ? day_of(results) : arguments.date);
  } else {
    report_to(folder, study);
  }
}

}  // namespace

void report_to(const RunFolder& folder, const Study& study) {
  const std::string trouble = write_report(folder, study);
  if (!trouble.empty())
    std::cerr << "hindsight: warning: the report has no plots: " << trouble << '\n';
}

void add_report(CLI::App& app) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* verb = app.add_subcommand("report", "Draws the report of a run again, from its files");
  verb->add_option("folder", arguments->folder, "the folder that run wrote (--out)")->required();
  verb->add_flag("--markdown", arguments->markdown,
                 "print a section for a document instead of writing report.html");
  verb->add_option("--date", arguments->date,
                   "the day that --markdown names (when results.csv was written)");
  verb->footer("Example:\n  hindsight report results/paper --markdown >> docs/results.md");
  verb->callback([arguments] { run_report(*arguments); });
}

}  // namespace hindsight::cli
