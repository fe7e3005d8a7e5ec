/// Which learner to take, for those who know only what they will be told.
#pragma once

#include <string>

#include "hindsight/domains/domain.hpp"
#include "hindsight/learners/learner.hpp"

namespace hindsight {

struct Choice {
  std::string kind;
  std::string why;  ///< one line
};

/// `feedback`: "gradient", "point-value", "any-set" or "feasible-set". The figures behind the
/// choice are in docs/choosing.md.
Choice choose_learner(const std::string& feedback, const Domain& domain, Round horizon);

}  // namespace hindsight
