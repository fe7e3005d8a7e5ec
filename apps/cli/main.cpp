// hindsight <verb>: decisions under diminishing returns, measured against the best fixed one in
// hindsight.
//
// The one place where errors become exit codes: 2 for what was typed or given, 1 for failures
// inside or of the disk, 128 + signal for what was stopped.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>
#include <system_error>

#include "apps/cli/verbs.hpp"
#include "hindsight/core/error.hpp"
#include "hindsight/core/nearest.hpp"

namespace {

/// What asks for more memory than there is shall end with a message, and not by the system's hand.
/// Sanitizers map terabytes and cannot live with a limit.
void limit_memory() {
#ifndef __SANITIZE_ADDRESS__
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  rlimit limit{};
  if (pages <= 0 || page <= 0 || getrlimit(RLIMIT_DATA, &limit) != 0) return;
  const auto all = static_cast<rlim_t>(pages) * static_cast<rlim_t>(page);
  limit.rlim_cur = std::min(limit.rlim_cur, all);
  setrlimit(RLIMIT_DATA, &limit);
#endif
}

int refuse_size() {
  std::cerr << "hindsight: needs more memory than there is: ask for fewer rounds, steps "
               "(max_steps caps them), items or functions\n";
  return 2;
}

/// CLI11 would only say that a verb is required.
void require_verb(const CLI::App& app, const std::string& word) {
  if (word.empty() || word[0] == '-') return;
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  hindsight::require(std::find(verbs.begin(), verbs.end(), word) != verbs.end(), "verb", word,
                     "is not one of hindsight's" + hindsight::did_you_mean(word, verbs));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Decides again and again under diminishing returns, learns from what it is told afterwards,\n"
      "and is measured against the best fixed decision in hindsight."};
  app.name("hindsight");
  app.require_subcommand(1);
  app.set_version_flag("--version", HINDSIGHT_VERSION);
  hindsight::cli::add_run(app);
  hindsight::cli::add_report(app);
  hindsight::cli::add_trace(app);
  hindsight::cli::add_plan(app);
  hindsight::cli::add_check(app);
  hindsight::cli::add_solve(app);
  hindsight::cli::add_list(app);
  hindsight::cli::add_completion(app);
  limit_memory();
  try {
    require_verb(app, argc > 1 ? argv[1] : "");
    app.parse(argc, argv);
    std::cout.flush();
    if (!std::cout) throw std::runtime_error("standard output: could not be written");
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const hindsight::InputError& error) {
    std::cerr << "hindsight: " << error.what() << '\n';
    return 2;
  } catch (const std::bad_alloc&) {
    return refuse_size();
  } catch (const std::length_error&) {
    return refuse_size();
  } catch (const hindsight::cli::Interrupted& interrupted) {
    std::cerr << "hindsight: " << interrupted.message << '\n';
    return 128 + interrupted.signal;
  } catch (
      const std::system_error& error) {  // the disk is full, say: names the file and the reason
    std::cerr << "hindsight: " << error.what() << '\n';
    return 1;
  } catch (const std::exception& error) {
    std::cerr << "hindsight: internal failure: " << error.what() << '\n';
    return 1;
  }
}
