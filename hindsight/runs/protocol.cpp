#include "hindsight/runs/protocol.hpp"

#include <algorithm>
#include <set>

#include "hindsight/learners/registry.hpp"

namespace hindsight {
namespace {

using nlohmann::json;

constexpr std::size_t most_candidates = 10'000;

std::string shown(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

bool learns(Settings learner) {
  const std::string kind = learner.needed("kind", learner.text("kind"));
  return learner_kind(kind).takes("learning") && learner.flag("learning").value_or(true);
}

bool is_control_of(const Settings& other, const Settings& learner) {
  return !learns(other) && common_part(other).values() == common_part(learner).values();
}

bool fits(const Settings& learner, const World& world, const Experiment& experiment) {
  try {
    make_fitting_learner(learner, world, experiment.rounds.front(), experiment.seeds.front());
    return true;
  } catch (const InputError&) {
    return false;
  }
}

std::vector<Settings> with_controls(const Experiment& experiment, const World& world) {
  std::vector<Settings> all;
  const auto any = [](const std::vector<Settings>& learners, const auto& holds) {
    return std::any_of(learners.begin(), learners.end(), holds);
  };
  for (const Settings& learner : experiment.learners) {
    const auto controls = [&](const Settings& other) { return is_control_of(other, learner); };
    all.push_back(learner);
    if (learns(learner) && !any(experiment.learners, controls) && !any(all, controls))
      all.push_back(
          learner.with("name", learner_name(learner) + ", learning off").with("learning", false));
  }
  for (const char* kind : {"constant", "random-base"}) {
    const Settings line("learner", {{"kind", kind}});
    const auto is_line = [&](const Settings& other) { return other.values()["kind"] == kind; };
    if (!any(all, is_line) && fits(line, world, experiment)) all.push_back(line);
  }
  return all;
}

void require_own_names(const std::vector<Settings>& learners) {
  std::set<std::string> names;
  for (const Settings& learner : learners)
    learner.guard([&] {
      const std::string name = learner_name(learner);
      require(names.insert(name).second, "name", name,
              "must tell two learners apart; give each its own name");
    });
}

}  // namespace

std::vector<Candidate> candidates(const Settings& learner) {
  std::vector<Candidate> all = {{learner, ""}};
  for (const auto& [key, list] : learner.values().items()) {
    if (!list.is_array() || key == "kind" || key == "name" || key == "learning") continue;
    learner.guard([&, &key = key, &list = list] {
      require(!list.empty(), key, "[]", "must not be empty");
      require(list.size() <= most_candidates / all.size(), key,
              "a list of " + std::to_string(list.size()),
              "makes more than " + std::to_string(most_candidates) + " combinations");
    });
    std::vector<Candidate> longer;
    for (const Candidate& candidate : all)
      for (const json& value : list)
        longer.push_back(
            {candidate.settings.with(key, value),
             candidate.values + (candidate.values.empty() ? "" : ";") + key + "=" + shown(value)});
    all = std::move(longer);
  }
  return all;
}

Settings common_part(const Settings& learner) {
  return learner.without("name").without("learning");
}

Experiment prepare(Experiment experiment) {
  const World world = make_world(experiment, experiment.rounds.front(), experiment.seeds.front());
  for (const Settings& learner : experiment.learners)
    for (const Candidate& candidate : candidates(learner))
      for (const Round rounds : experiment.rounds)
        make_fitting_learner(candidate.settings, world, rounds, experiment.seeds.front());
  if (experiment.controls) experiment.learners = with_controls(experiment, world);
  require_own_names(experiment.learners);
  return experiment;
}

}  // namespace hindsight
