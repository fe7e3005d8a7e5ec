#include "hindsight/games/game.hpp"

#include <algorithm>

#include "hindsight/core/error.hpp"

namespace hindsight {

Answer Game::answer(const Suggestion& s) {
  const RoundFunction& f = function(s.round);
  if (s.set && !f.set) reject("round", s.round, "has a function of points, but a set was played");
  Answer answer;
  answer.worth = s.set ? f.set->value(s.set->view()) : f.continuous->value(s.action.view());
  answer.feedback.round = s.round;
  answer.feedback.value = noise_.value(s.round, answer.worth);
  if (s.probes.count > 0) {
    const auto d = static_cast<std::size_t>(dimension());
    gradients_.resize(s.probes.count * d);
    if (s.surrogate && !f.continuous->surrogate())
      reject("round", s.round, "has a function without a concave surrogate, but one was asked for");
    const ContinuousFunction& asked = s.surrogate ? *f.continuous->surrogate() : *f.continuous;
    for (std::size_t i = 0; i < s.probes.count; ++i) {
      const PointRef g(gradients_.data() + i * d, d);
      asked.gradient(s.probes[i], g);
      noise_.gradient(s.round, i, g);
    }
    answer.feedback.gradients = {s.probes.count, Lent<double>::of(gradients_)};
  }
  return answer;
}

const ItemStructure& Game::items() const {
  static const ItemStructure none;
  return none;
}

FunctionFacts weaker(const FunctionFacts& a, const FunctionFacts& b) {
  const auto larger = [](std::optional<double> x, std::optional<double> y) {
    return x && y ? std::optional(std::max(*x, *y)) : std::nullopt;
  };
  return {std::max(a.max_value, b.max_value),
          larger(a.lipschitz, b.lipschitz),
          larger(a.smoothness, b.smoothness),
          a.monotone && b.monotone,
          a.concave && b.concave,
          a.surrogate && b.surrogate};
}

}  // namespace hindsight
