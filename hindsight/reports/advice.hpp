/// "Which learner should I use, and how much would I gain?", answered from the results alone.
#pragma once

#include <string>
#include <vector>

#include "hindsight/reports/study.hpp"

namespace hindsight {

/// For who is told this much: one or two plain sentences about the longest horizon. Nothing is
/// recommended that does not surely earn more than not learning.
struct Advice {
  Told told = Told::nothing;
  std::string text;
};
std::vector<Advice> advice(const Study& study);

}  // namespace hindsight
