/// Experiment files: what is played, by whom, for how long and how often.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hindsight/core/settings.hpp"
#include "hindsight/games/data_game.hpp"

namespace hindsight {

struct Experiment {
  std::string file;
  std::string folder;  ///< paths in the file are relative to it
  std::vector<Round> rounds;
  std::vector<std::uint64_t> seeds;
  Settings game;
  Settings domain;
  std::vector<Settings> learners;
  bool controls = true;  ///< does a run add what every learner must be compared with?
  std::vector<std::uint64_t> tuning_seeds;  ///< none of them is among `seeds`
  std::string text;                         ///< the file as TOML, with all changes in it
  double comparator_seconds;  ///< [comparator] seconds: how long branch and cut may take
  /// What the game has read; copies of an experiment share it.
  std::shared_ptr<DataStore> data = std::make_shared<DataStore>();

  /// The `[[learner]]` whose name is this, or, where none is, the only one of this kind.
  const Settings& learner(const std::string& name) const;
};

/// Reads and checks the file's own structure; what is inside its tables is checked by whoever
/// builds from them.
/// `changes` are `a.b=value` with a TOML value (or a bare word); `learner.steps=10` changes every
/// learner.
Experiment read_experiment(const std::string& path, const std::vector<std::string>& changes = {});
Experiment parse_experiment(const std::string& text, const std::string& path,
                            const std::vector<std::string>& changes = {});

/// What a learner is called in results: its `name`, else its `kind`.
std::string learner_name(Settings settings);

}  // namespace hindsight
