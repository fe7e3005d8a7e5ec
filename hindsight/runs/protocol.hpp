/// The protocol of an honest experiment: what a learner is compared with, and how it is tuned.
#pragma once

#include <string>
#include <vector>

#include "hindsight/runs/world.hpp"

namespace hindsight {

/// One way to play a `[[learner]]` table.
struct Candidate {
  Settings settings;
  std::string values;  ///< what was varied, "steps=10;oracle=dual-averaging"; empty if nothing was
};

/// A key of the table that holds a list stands for each of its values (no learner takes a list),
/// but `kind`, `name` and `learning` say who plays. All combinations; without lists, the table
/// itself.
std::vector<Candidate> candidates(const Settings& learner);

/// The table without `name` and `learning`: what a learner and its control have in common, and what
/// is tuned once for both.
Settings common_part(const Settings& learner);

/// Builds every learner once and throws the first error, before anything is played or written.
/// Then, unless `controls` is false, adds what is not there yet: after each learner its control
/// (the same table with learning = false), and at the end the lines to beat, `constant` and
/// `random-base`, where they can play this game.
Experiment prepare(Experiment experiment);

}  // namespace hindsight
