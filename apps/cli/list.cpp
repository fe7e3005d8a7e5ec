// hindsight list: what there is, from the registries.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <vector>

#include "apps/cli/verbs.hpp"
#include "hindsight/core/error.hpp"
#include "hindsight/domains/domain_registry.hpp"
#include "hindsight/games/game_registry.hpp"
#include "hindsight/learners/registry.hpp"
#include "hindsight/oracles/oracle_bank.hpp"
#include "hindsight/schedules/frank_wolfe_plan.hpp"

namespace hindsight::cli {
namespace {

/// A name, what it is, and where it comes from or what it takes.
struct Row {
  std::string name, summary, note;
};

void print(const std::vector<Row>& rows) {
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row.name.size());
  for (const Row& row : rows) {
    std::cout << fmt::format("{:<{}}  {}\n", row.name, width, row.summary);
    if (!row.note.empty()) std::cout << fmt::format("{:<{}}  {}\n", "", width, row.note);
  }
}

template <class Kind>
std::vector<Row> cited(std::span<const Kind> kinds) {
  std::vector<Row> rows;
  for (const Kind& k : kinds)
    rows.push_back({std::string(k.kind), std::string(k.summary), std::string(k.citation)});
  return rows;
}

template <class Kind>
std::vector<Row> keyed(std::span<const Kind> kinds) {
  std::vector<Row> rows;
  for (const Kind& k : kinds)
    rows.push_back({std::string(k.kind), std::string(k.summary), "keys: " + std::string(k.keys)});
  return rows;
}

std::vector<Row> games() {
  std::vector<Row> rows;
  for (const GameKind& k : game_kinds()) {
    rows.push_back({std::string(k.kind), std::string(k.summary), "keys: " + std::string(k.keys)});
    if (!k.citation.empty()) rows.push_back({"", std::string(k.citation), ""});
  }
  return rows;
}

std::vector<Row> learners() {
  std::vector<Row> rows;
  for (const LearnerKind& k : learner_kinds()) {
    rows.push_back({std::string(k.kind), std::string(k.summary),
                    fmt::format("told: {}; {}; {}", k.feedback, k.guarantee, k.citation)});
    for (const LearnerKey& key : k.keys)
      rows.push_back({"", fmt::format("  {:<14} {}", key.key, key.meaning), ""});
  }
  return rows;
}

void run_list(const std::string& what) {
  if (what == "learners") return print(learners());
  if (what == "games") return print(games());
  if (what == "domains") return print(keyed(domain_kinds()));
  if (what == "oracles") return print(cited(oracle_kinds()));
  print(cited(schedule_kinds()));
}

}  // namespace

void add_list(CLI::App& app) {
  auto what = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("list", "What there is, with one line and the citation each");
  verb->add_option("what", *what, "learners, games, domains, oracles or schedules")
      ->required()
      ->check(CLI::IsMember({"learners", "games", "domains", "oracles", "schedules"}));
  verb->footer("Example:\n  hindsight list learners");
  verb->callback([what] { run_list(*what); });
}

}  // namespace hindsight::cli
