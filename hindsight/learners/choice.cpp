#include "hindsight/learners/choice.hpp"

#include "hindsight/core/error.hpp"
#include "hindsight/domains/matroid.hpp"

namespace hindsight {

Choice choose_learner(const std::string& feedback, const Domain& domain, Round horizon) {
  const bool matroid = dynamic_cast<const Matroid*>(&domain) != nullptr;
  if (feedback == "gradient")
    return {"twin-gradient-ascent",
            "it leaves traps as boosted ascent does, and finds fractional optima as plain ascent"};
  if (feedback == "point-value" && matroid)
    return {"sampled-point",
            "it learns from every round, and steps inside where the best point is fractional"};
  if (feedback == "point-value")
    return {"bandit-gradient-ascent",
            "the domain is no matroid, so that only estimates on a sphere remain"};
  require(feedback == "any-set" || feedback == "feasible-set", "feedback", feedback,
          "must be \"gradient\", \"point-value\", \"any-set\" or \"feasible-set\"");
  require(
      matroid, "feedback", feedback,
      "is the value of a set and needs a matroid as its domain; \"point-value\" fits any domain");
  constexpr Round long_enough = 10'000;
  if (horizon >= long_enough)
    return {"guarded",
            "it learns from every round, and leaves traps for one or two hundredths of the gain"};
  return {"sampled-vertex",
          "it learns from every round; at so short a horizon there is no time to leave traps"};
}

}  // namespace hindsight
