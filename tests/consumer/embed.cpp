// An application that embeds a learner: which 3 of 10 articles to show, round after round, to
// visitors who click if at least one article speaks to them. Needs nothing but hindsight::learners.
#include <cstdio>
#include <hindsight/domains/laminar_matroid.hpp>
#include <hindsight/learners/mono_frank_wolfe.hpp>

namespace {

constexpr std::size_t articles = 10;

/// Article i speaks to a visitor with probability p_i, if it is shown: F(x) = 1 - prod (1 - p_i
/// x_i).
struct Visitor {
  hindsight::Point p = hindsight::Point(articles, 0.05);

  double click(hindsight::PointView x) const { return 1 - ignore(x, articles); }
  void gradient(hindsight::PointView x, hindsight::PointRef out) const {
    for (std::size_t i = 0; i < articles; ++i) out[i] = p[i] * ignore(x, i);
  }

 private:
  /// The chance that no article but `except` speaks to the visitor.
  double ignore(hindsight::PointView x, std::size_t except) const {
    double chance = 1;
    for (std::size_t i = 0; i < articles; ++i) chance *= i == except ? 1 : 1 - p[i] * x[i];
    return chance;
  }
};

/// Visitors like articles 2, 5 and 7; each likes one of them best.
Visitor arriving(hindsight::Round round) {
  Visitor visitor;
  for (const std::size_t i : {2, 5, 7}) visitor.p[i] = 0.4;
  visitor.p[round % 3 == 0 ? 2 : round % 3 == 1 ? 5 : 7] = 0.8;
  return visitor;
}

}  // namespace

int main() {
  const hindsight::Round rounds = 5000;
  hindsight::MonoFrankWolfe learner(hindsight::uniform_matroid(articles, 3),
                                    hindsight::mono_plan(rounds), {.seed = 7});

  double reward = 0, best = 0, even = 0;
  hindsight::Point gradient(articles), favourites(articles, 0.0);
  for (const std::size_t i : {2, 5, 7}) favourites[i] = 1;

  for (hindsight::Round t = 1; t <= rounds; ++t) {
    const hindsight::Suggestion suggestion = learner.suggest();
    const Visitor visitor = arriving(t);

    hindsight::Feedback feedback{.round = suggestion.round,
                                 .value = visitor.click(suggestion.action)};
    if (suggestion.probes.count == 1) {
      visitor.gradient(suggestion.probes[0], gradient);
      feedback.gradients = {1, hindsight::Lent<double>::of(gradient)};
    }
    learner.observe(feedback);

    reward += *feedback.value;
    best += visitor.click(favourites);
    even += visitor.click(hindsight::Point(articles, 0.3));
  }
  std::printf("clicks: %.0f learnt, %.0f at best in hindsight, %.0f without learning\n", reward,
              best, even);

  // What learning is for: more than halfway from where it began to the best fixed choice.
  return reward <= best && reward > (even + best) / 2 ? 0 : 1;
}
