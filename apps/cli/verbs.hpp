/// The verbs of the command: one file each, added to the command line here.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace hindsight::cli {

/// Each adds its subcommand; its callback runs when that verb was typed.
void add_run(CLI::App& app);
void add_trace(CLI::App& app);
void add_list(CLI::App& app);

}  // namespace hindsight::cli
