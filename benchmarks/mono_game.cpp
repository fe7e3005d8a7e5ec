// One game of mono-frank-wolfe for benchmarks/numpy_mono.py: how much processor time it took here,
// what each round earned, and everything another program needs to play the same game. usage:
// mono_game ROUNDS
#include <ctime>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/functions/coverage.hpp"
#include "hindsight/games/pool_game.hpp"
#include "hindsight/learners/mono_frank_wolfe.hpp"
#include "hindsight/runs/runner.hpp"

namespace {

using namespace hindsight;
using nlohmann::json;

constexpr int dimension = 100, rank = 30;
constexpr PoolOptions three_sets = {.dimension = dimension, .items = 3};  // to cover, a round

class Orders final : public Watcher {
 public:
  void opened(Round, const PointTable&, const PointTable&, std::span<const Round> order) override {
    list.push_back(order);
  }
  void updated(Round, int, PointView, PointView) override {}
  json list = json::array();
};

PoolGame game() { return PoolGame(coverage_pool(three_sets, 1), 1, Noise(1, 0, 0)); }

double seconds_of_play(const MatroidPtr& matroid, Round rounds) {
  PoolGame coverage = game();
  MonoFrankWolfe learner(matroid, mono_plan(rounds));
  Ledger ledger(matroid);
  const std::clock_t start = std::clock();
  play(learner, coverage, ledger, rounds);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

json coverage_of(const SetFunction& function) {
  const auto& coverage = dynamic_cast<const Coverage&>(function);
  json sets = json::array();
  for (Item i = 0; i < dimension; ++i) sets.push_back(coverage.elements(i));
  return {{"weights", coverage.weights()}, {"sets", sets}};
}

}  // namespace

int main(int argc, char** argv) {
  const Round rounds = argc > 1 ? std::atoll(argv[1]) : 0;
  if (rounds < 1) {
    std::cerr << "usage: mono_game ROUNDS\n";
    return 2;
  }
  const auto matroid = uniform_matroid(dimension, rank);
  double seconds = seconds_of_play(matroid, rounds);
  for (int again = 0; again < 4; ++again)
    seconds = std::min(seconds, seconds_of_play(matroid, rounds));

  PoolGame coverage = game();
  MonoFrankWolfe learner(matroid, mono_plan(rounds));
  Orders orders;
  learner.watch(&orders);
  std::map<const SetFunction*, std::size_t> places;
  json pool = json::array(), drawn = json::array(), rewards = json::array();
  for (Round t = 1; t <= rounds; ++t) {
    const SetFunction* f = coverage.function(t).set.get();
    const auto [at, is_new] = places.try_emplace(f, places.size());
    if (is_new) pool.push_back(coverage_of(*f));
    drawn.push_back(at->second);
    const Suggestion s = learner.suggest();
    const Answer answer = coverage.answer(s);
    rewards.push_back(answer.worth);
    learner.observe(answer.feedback);
  }
  const FrankWolfePlan& plan = learner.plan();
  std::cout
      << json{{"dimension", dimension}, {"rank", rank},        {"diameter", matroid->diameter()},
              {"rounds", rounds},       {"steps", plan.steps}, {"averaging", plan.averaging},
              {"orders", orders.list},  {"pool", pool},        {"drawn", drawn},
              {"rewards", rewards},     {"seconds", seconds}}
      << '\n';
}
