// hindsight <verb>: decisions under diminishing returns, measured against the best fixed one in
// hindsight.
//
// The one place where errors become exit codes: 2 for what was typed or given, 1 for failures
// inside.
#include <exception>
#include <iostream>

#include "apps/cli/verbs.hpp"
#include "hindsight/core/error.hpp"

int main(int argc, char** argv) {
  CLI::App app{
      "Decides again and again under diminishing returns, learns from what it is told afterwards,\n"
      "and is measured against the best fixed decision in hindsight."};
  app.name("hindsight");
  app.require_subcommand(1);
  app.set_version_flag("--version", HINDSIGHT_VERSION);
  hindsight::cli::add_run(app);
  hindsight::cli::add_trace(app);
  hindsight::cli::add_plan(app);
  hindsight::cli::add_check(app);
  hindsight::cli::add_solve(app);
  hindsight::cli::add_list(app);
  hindsight::cli::add_completion(app);
  try {
    app.parse(argc, argv);
    std::cout.flush();
    if (!std::cout) throw std::runtime_error("standard output: could not be written");
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const hindsight::InputError& error) {
    std::cerr << "hindsight: " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "hindsight: internal failure: " << error.what() << '\n';
    return 1;
  }
}
