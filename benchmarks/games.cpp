// Whole games: learner, game and ledger, as `hindsight run` plays them. A batch is a block, or a
// thousand rounds where there are none.
#include <algorithm>

#include "benchmarks/bench.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/games/game_registry.hpp"
#include "hindsight/learners/registry.hpp"
#include "hindsight/runs/runner.hpp"

namespace hindsight::bench {
namespace {

using nlohmann::json;

constexpr Round horizon = 1'000'000;

class Played {
 public:
  Played(const json& game, json learner, int rank)
      : game_(make(game)),
        matroid_(uniform_matroid(game_->dimension(), rank)),
        settings_("learner", std::move(learner)),
        learner_(make_learner(settings_, world())) {}

  /// Begins anew when the horizon is reached.
  void play(Round rounds) {
    if (ledger_.rounds() + rounds > horizon) {
      learner_ = make_learner(settings_, world());
      ledger_ = Ledger(matroid_);
    }
    hindsight::play(*learner_, *game_, ledger_, rounds);
  }

 private:
  static GamePtr make(const json& table) {
    Settings settings("game", table);
    return make_game(settings, {.seed = 1, .horizon = horizon});
  }
  LearnerWorld world() const { return {matroid_, horizon, 1}; }

  GamePtr game_;
  MatroidPtr matroid_;
  Settings settings_;
  LearnerPtr learner_;
  Ledger ledger_{matroid_};
};

void add_game(const std::string& name, const json& game, const json& learner, int rank) {
  const std::string kind = learner["kind"];
  const int d = game.value("dimension", 10);
  Round batch = 1000;
  if (const auto plan = learner_kind(kind).plan) {
    Settings copy("learner", learner);
    batch = std::max(batch, plan(copy, {uniform_matroid(d, rank), horizon, 1}).block_length);
  }
  add("game/" + name + "/d=" + std::to_string(d) + "/" + kind, static_cast<double>(batch), [=] {
    auto played = std::make_shared<Played>(game, learner, rank);
    return [=] { played->play(batch); };
  });
}

}  // namespace

void add_benchmarks() {
  for (const int d : {10, 50}) {
    const json coverage = {{"kind", "coverage"}, {"dimension", d}};
    for (const char* kind :
         {"random-base", "mono-frank-wolfe", "bandit-frank-wolfe", "responsive-frank-wolfe",
          "gradient-ascent", "boosted-gradient-ascent", "twin-gradient-ascent", "surrogate-ascent",
          "sampled-vertex", "sampled-point", "guarded", "safe", "slot-boost"})
      add_game("coverage", coverage, {{"kind", kind}}, d / 5);
  }
  // Three sets a round: three things to cover, each by a set of items.
  const json three = {{"kind", "coverage"}, {"dimension", 100}, {"items", 3}};
  for (const char* kind : {"mono-frank-wolfe", "boosted-gradient-ascent"})
    add_game("coverage by 3 sets", three, {{"kind", kind}}, 30);
  for (const char* game : {"facility-location", "quadratic", "concave-budget"})
    add_game(game, {{"kind", game}, {"dimension", 10}}, {{"kind", "mono-frank-wolfe"}}, 3);
}

}  // namespace hindsight::bench
