/// The verbs of the command: one file each, added to the command line here.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <string>
#include <vector>

#include "hindsight/reports/study.hpp"
#include "hindsight/runs/experiment.hpp"

namespace hindsight::cli {

/// Stopped by a signal, in good order.
struct Interrupted {
  int signal;
  std::string message;
};

/// Each adds its subcommand; its callback runs when that verb was typed.
void add_run(CLI::App& app);
void add_report(CLI::App& app);
void add_trace(CLI::App& app);
void add_plan(CLI::App& app);
void add_check(CLI::App& app);
void add_solve(CLI::App& app);
void add_list(CLI::App& app);
/// Writes a completion script made from the verbs and options of `app`.
void add_completion(CLI::App& app);

/// Writes the report into the run's folder, and says on stderr if plots are missing.
void report_to(const RunFolder& folder, const Study& study);

/// The option `--set a.b=value`, which several verbs share.
void add_changes(CLI::App& verb, std::vector<std::string>& changes);

/// Tells on standard error which rows of the experiment's data were skipped, if any were.
void tell_skipped_rows(const Experiment& experiment);

}  // namespace hindsight::cli
