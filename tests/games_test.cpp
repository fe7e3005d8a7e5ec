/// Games keep their promises: fixed by the seed, the same in any order, summed up truly, with facts
/// that hold; phases, the trap, replayed files and noise.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "hindsight/core/rng.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/games/game_registry.hpp"
#include "hindsight/games/replay_game.hpp"
#include "hindsight/learners/registry.hpp"
#include "hindsight/offline/best_fixed.hpp"
#include "hindsight/offline/mixture.hpp"
#include "hindsight/runs/runner.hpp"
#include "tests/data_tables.hpp"

namespace hindsight {
namespace {

using nlohmann::json;

constexpr std::size_t d = 6;
constexpr Round horizon = 60;

/// A directory of its own, gone with the program, with a file of five functions to replay.
const std::filesystem::path& workplace() {
  struct Place {
    Place() {
      std::string name = (std::filesystem::temp_directory_path() / "games-XXXXXX").string();
      if (!mkdtemp(name.data())) throw std::runtime_error("no temporary directory");
      path = name;
      std::ofstream file(path / "functions.jsonl");
      for (int n = 1; n <= 5; ++n) {
        json line = {{"kind", "modular"}, {"weights", std::vector<double>(d, 0.1 * n)}};
        line["weights"][n] = n;
        file << line.dump() << '\n';
        if (n == 2) file << "\n";  // an empty line is no round
      }
    }
    ~Place() { std::filesystem::remove_all(path); }
    std::filesystem::path path;
  };
  static const Place place;
  return place.path;
}

json table_of(std::string_view kind) {
  if (const auto table = data_table(kind)) return *table;
  json table = {{"kind", kind}};
  if (kind == "trap")
    table["pairs"] = d / 2;
  else if (kind == "replay")
    table["file"] = "functions.jsonl";
  else
    table.update({{"dimension", d}, {"pool", 7}, {"phases", 3}});
  return table;
}

GamePtr make(const json& table, std::uint64_t seed = 4, Round rounds = horizon) {
  Settings settings("game", table);
  return make_game(settings, {.seed = seed, .horizon = rounds, .folder = workplace().string()});
}

std::vector<Point> some_points() {
  Stream rng = StreamFamily(8, "points").at(0);
  std::vector<Point> points = {Point(d, 0.0), Point(d, 1.0)};
  for (int n = 0; n < 4; ++n) {
    points.emplace_back(d);
    for (double& v : points.back()) v = rng.uniform();
  }
  return points;
}

/// What a function says at some points, and at some sets where it is one of sets.
Point fingerprint(const RoundFunction& f) {
  Point print, g(d);
  for (const Point& x : some_points()) {
    print.push_back(f.continuous->value(x));
    f.continuous->gradient(x, g);
    print.insert(print.end(), g.begin(), g.end());
  }
  if (f.set)
    for (const ItemSet& set : {ItemSet{}, ItemSet{0}, ItemSet{1, 4}, ItemSet{0, 1, 2, 3, 4, 5}})
      print.push_back(f.set->value(set));
  return print;
}

std::vector<Point> fingerprints(Game& game) {
  std::vector<Point> prints;
  for (Round t = 1; t <= horizon; ++t) prints.push_back(fingerprint(game.function(t)));
  return prints;
}

class EveryGame : public testing::TestWithParam<GameKind> {
 protected:
  json table() const { return table_of(GetParam().kind); }
};

TEST_P(EveryGame, IsFixedByItsSeed) {
  const auto first = fingerprints(*make(table()));
  EXPECT_EQ(first, fingerprints(*make(table())));
  const bool drawn = GetParam().kind != "replay" && GetParam().kind != "trap";
  EXPECT_EQ(first != fingerprints(*make(table(), 5)), drawn);
}

TEST_P(EveryGame, IsTheSameInAnyOrder) {
  const auto in_order = fingerprints(*make(table()));
  const GamePtr game = make(table());
  Stream rng = StreamFamily(9, "rounds").at(0);
  for (int n = 0; n < 200; ++n) {
    const Round t = 1 + static_cast<Round>(rng.below(horizon));
    EXPECT_EQ(fingerprint(game->function(t)), in_order[static_cast<std::size_t>(t - 1)])
        << "round " << t;
  }
}

TEST_P(EveryGame, SumsUpItsRounds) {
  const GamePtr game = make(table());
  for (const Round T : {Round{1}, Round{3}, Round{21}, horizon}) {
    const Mixture mixture(game->mixture(T));
    double count = 0;
    for (const WeightedFunction& f : game->mixture(T)) count += f.weight;
    EXPECT_EQ(count, static_cast<double>(T));
    for (const Point& x : some_points()) {
      double value = 0;
      Point gradient(d, 0.0), g(d);
      for (Round t = 1; t <= T; ++t) {
        const RoundFunction& f = game->function(t);
        value += f.continuous->value(x);
        f.continuous->gradient(x, g);
        add_scaled(gradient, 1, g);
      }
      EXPECT_NEAR(mixture.value(x), value, 1e-12 * (1 + value));
      EXPECT_NEAR(mixture.sure_value(x), value, 1e-12 * (1 + value));
      mixture.gradient(x, g);
      for (std::size_t i = 0; i < d; ++i)
        EXPECT_NEAR(g[i], gradient[i], 1e-12 * (1 + value + gradient[i]));
    }
    if (!mixture.has_sets()) continue;
    const ItemSet set = {0, 3, 5};
    double value = 0;
    for (Round t = 1; t <= T; ++t) value += game->function(t).set->value(set);
    EXPECT_NEAR(mixture.value_of_set(set), value, 1e-12 * (1 + value));
  }
}

TEST_P(EveryGame, StatesFactsThatHold) {
  const GamePtr game = make(table());
  const FunctionFacts facts = game->facts();
  ASSERT_TRUE(facts.lipschitz && facts.smoothness);
  double largest = 0;
  for (Round t = 1; t <= horizon; ++t) {
    const ContinuousFunction& F = *game->function(t).continuous;
    ASSERT_EQ(F.dimension(), game->dimension());
    const auto points = some_points();
    Point gx(d), gy(d);
    for (const Point& x : points)
      for (const Point& y : points) {
        Point step = y;
        add_scaled(step, -1, x);
        EXPECT_LE(std::abs(F.value(x)), facts.max_value + 1e-12);
        EXPECT_LE(std::abs(F.value(x) - F.value(y)), *facts.lipschitz * norm(step) + 1e-12);
        F.gradient(x, gx);
        F.gradient(y, gy);
        add_scaled(gy, -1, gx);
        EXPECT_LE(norm(gy), *facts.smoothness * norm(step) + 1e-12);
        largest = std::max(largest, F.value(x));
      }
  }
  EXPECT_GE(largest, facts.max_value / 3) << "M1 says nearly nothing";
}

std::string gtest_name(const testing::TestParamInfo<GameKind>& info) {
  std::string name(info.param.kind);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Games, EveryGame, testing::ValuesIn(game_kinds()), gtest_name);

// --- Phases --------------------------------------------------------------------------------------

/// What the items earn alone, summed over rounds first .. last.
Point earnings(Game& game, Round first, Round last) {
  Point sum(static_cast<std::size_t>(game.dimension()), 0.0);
  Point g(sum.size());
  const Point nothing(sum.size(), 0.0);
  for (Round t = first; t <= last; ++t) {
    game.function(t).continuous->gradient(nothing, g);
    add_scaled(sum, 1, g);
  }
  return sum;
}

double correlation(Point a, Point b) {
  for (Point* p : {&a, &b}) {
    double mean = 0;
    for (const double v : *p) mean += v / static_cast<double>(p->size());
    for (double& v : *p) v -= mean;
  }
  return dot(a, b) / (norm(a) * norm(b));
}

TEST(Phases, ChangeWhatIsPopular) {
  for (const char* kind : {"coverage", "facility-location", "quadratic"}) {
    SCOPED_TRACE(kind);
    const GamePtr game =
        make({{"kind", kind}, {"dimension", 20}, {"pool", 100}, {"phases", 2}}, 4, 4000);
    const Point early = earnings(*game, 1, 1000), later = earnings(*game, 1001, 2000);
    const Point next = earnings(*game, 2001, 4000);
    EXPECT_GT(correlation(early, later), 0.95) << "one phase, two tastes";
    EXPECT_LT(correlation(early, next), 0.7) << "the taste did not change";
    const GamePtr steady = make({{"kind", kind}, {"dimension", 20}, {"pool", 100}}, 4, 4000);
    EXPECT_GT(correlation(earnings(*steady, 1, 2000), earnings(*steady, 2001, 4000)), 0.95);
  }
}

TEST(Phases, MoreThanRoundsIsNoError) {
  const GamePtr game = make({{"kind", "coverage"}, {"phases", 10}, {"pool", 3}}, 4, 3);
  for (Round t = 1; t <= 3; ++t) EXPECT_TRUE(game->function(t).continuous);
  double count = 0;
  for (const WeightedFunction& f : game->mixture(3)) count += f.weight;
  EXPECT_EQ(count, 3);
}

// --- The trap ------------------------------------------------------------------------------------

double played(const std::string& learner, const json& game, const DomainPtr& domain, Round T) {
  const LearnerPtr l = make_learner(Settings("learner", {{"kind", learner}}), {domain, T, 1});
  const GamePtr g = make(game, 1, T);
  Ledger ledger(std::dynamic_pointer_cast<const Matroid>(domain));
  play(*l, *g, ledger, T);
  return ledger.reward();
}

TEST(Trap, GradientAscentStaysAndFrankWolfeLeaves) {
  constexpr Round T = 10000;
  const json table = {{"kind", "trap"}};
  const DomainPtr domain = uniform_matroid(10, 5);
  const BestFixed best = best_fixed(Mixture(make(table, 1, T)->mixture(T)), domain);
  // The b's earn 1.9 each in nine tenths of the rounds; the a's 1 each in all of them.
  EXPECT_EQ(best.lower, best.upper);
  EXPECT_NEAR(best.lower, 0.9 * T * 5 * 1.9, 1e-6 * T);
  ASSERT_TRUE(best.set);
  EXPECT_EQ(*best.set, (ItemSet{5, 6, 7, 8, 9}));
  const double ascent = played("gradient-ascent", table, domain, T) / best.lower;
  const double mono = played("mono-frank-wolfe", table, domain, T) / best.lower;
  std::printf("trap, T = %ld: gradient-ascent %.4f, mono-frank-wolfe %.4f of the best fixed set\n",
              static_cast<long>(T), ascent, mono);
  // Staying at the a's earns 5 T, which is 1 / 1.71 = 0.585 of the best.
  EXPECT_LT(ascent, 0.65);
  EXPECT_GT(mono, ascent + 0.1);
}

TEST(Trap, AtTheBaitNoSmallStepGains) {
  const GamePtr game = make({{"kind", "trap"}}, 1, 100);
  const ContinuousFunction& F = *game->function(100).continuous;
  const DomainPtr domain = uniform_matroid(10, 5);
  const Point bait = {1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, best = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
  Point g(10), v(10);
  F.gradient(bait, g);
  domain->maximize(g, v);
  EXPECT_EQ(v, bait);
  EXPECT_NEAR(F.value(best), 1.9 * F.value(bait), 1e-12);
  // A small part of an exchange loses; the whole would gain.
  Point x = bait;
  x[0] = 0.95;
  x[5] = 0.05;
  EXPECT_LT(F.value(x), F.value(bait));
  x[0] = 0;
  x[5] = 1;
  EXPECT_GT(F.value(x), F.value(bait));
}

TEST(Trap, NoExchangeLeadsOutOfTheSmallOne) {
  const GamePtr game = make({{"kind", "trap"}, {"exchange", true}}, 1, 100);
  ASSERT_EQ(game->dimension(), 4);
  const auto value = [&](Round t, const ItemSet& set) { return game->function(t).set->value(set); };
  for (const ItemSet& set : {ItemSet{0, 2}, ItemSet{0, 3}, ItemSet{1, 2}})
    for (const Round t : {Round{10}, Round{11}}) {
      const bool best = set == ItemSet{0, 2} && t == 11;
      EXPECT_EQ(value(t, set) > value(t, {1, 3}), best) << t;
    }
  EXPECT_DOUBLE_EQ(value(11, {0, 2}), 2.1);
  EXPECT_DOUBLE_EQ(value(11, {1, 3}), 1.2);
}

// --- Replay --------------------------------------------------------------------------------------

TEST(Replay, CyclesThroughItsLines) {
  const GamePtr game = make(table_of("replay"));
  for (Round t = 1; t <= 5; ++t)
    for (Round cycle = 1; cycle < 4; ++cycle)
      EXPECT_EQ(fingerprint(game->function(t)), fingerprint(game->function(t + 5 * cycle)));
  const ItemSet last = {5};
  EXPECT_EQ(game->function(5).set->value(last), 5);
  EXPECT_EQ(game->function(1000000).set->value(last), 5);
  EXPECT_EQ(game->function(1000001).set->value(last), 0.1);
}

TEST(Replay, CountsTheLinesOfAnUnfinishedCycle) {
  const GamePtr game = make(table_of("replay"));
  const auto mixture = game->mixture(12);
  ASSERT_EQ(mixture.size(), 5u);
  for (std::size_t n = 0; n < 5; ++n) EXPECT_EQ(mixture[n].weight, n < 2 ? 3 : 2);
  EXPECT_EQ(game->mixture(3).size(), 3u);
}

TEST(Replay, KeepsOneLineInMemory) {
  const GamePtr game = make(table_of("replay"));
  const std::weak_ptr<const ContinuousFunction> first = game->function(1).continuous;
  EXPECT_FALSE(first.expired());
  game->function(2);
  EXPECT_TRUE(first.expired()) << "a line that is over is still in memory";
}

TEST(Replay, NamesFileAndLineOfAnError) {
  std::ofstream(workplace() / "broken.jsonl") << R"({"kind":"modular","weights":[1,2]})"
                                              << "\n\n"
                                              << R"({"kind":"modular","weights":[1,-2]})" << '\n';
  try {
    make({{"kind", "replay"}, {"file", "broken.jsonl"}});
    FAIL() << "a negative weight was taken";
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("broken.jsonl:3: "), std::string::npos) << text;
    EXPECT_NE(text.find("weights[1]"), std::string::npos) << text;
  }
}

// --- Noise ---------------------------------------------------------------------------------------

TEST(Noise, IsSeenByTheLearnerAndNotByTheLedger) {
  json table = table_of("coverage");
  const GamePtr exact = make(table);
  table.update({{"noise", 0.25}, {"gradient_noise", 0.5}});
  const GamePtr noisy = make(table), again = make(table);
  const Point x(d, 0.4);
  double sum = 0, squares = 0, gradient_sum = 0, gradient_squares = 0;
  constexpr Round rounds = 20000;
  Ledger ledger;
  double truth = 0;
  for (Round t = 1; t <= rounds; ++t) {
    Suggestion s;
    s.round = t;
    s.action = x;
    s.probes = {1, x};
    const Answer clean = exact->answer(s), answer = noisy->answer(s), repeated = again->answer(s);
    ASSERT_EQ(answer.worth, clean.worth) << "noise in what is earned";
    ASSERT_EQ(*clean.feedback.value, clean.worth);
    ASSERT_EQ(*answer.feedback.value, *repeated.feedback.value) << "noise must come from the seed";
    ledger.record(s, answer.worth);
    truth += exact->function(t).continuous->value(x);
    const double error = *answer.feedback.value - clean.worth;
    const double gradient_error =
        answer.feedback.gradients.numbers[2] - clean.feedback.gradients.numbers[2];
    sum += error;
    squares += error * error;
    gradient_sum += gradient_error;
    gradient_squares += gradient_error * gradient_error;
    ASSERT_LE(std::abs(error), std::sqrt(3.0) * 0.25 + 1e-12);
  }
  EXPECT_NEAR(ledger.reward(), truth, 1e-9 * truth);
  // Hoeffding: the mean of 20000 numbers within +-sqrt 3 s errs by more than 0.07 s with odds below
  // 2 exp(-2 * 20000 * 0.07^2 / 12) < 2e-7; and squares, between 0 and 3 s^2, by more than 0.07 s^2
  // with odds below 2 exp(-2 * 20000 * 0.07^2 / 9) < 1e-9.
  EXPECT_NEAR(sum / rounds, 0, 0.07 * 0.25);
  EXPECT_NEAR(squares / rounds, 0.25 * 0.25, 0.07 * 0.25 * 0.25);
  EXPECT_NEAR(gradient_sum / rounds, 0, 0.07 * 0.5);
  EXPECT_NEAR(gradient_squares / rounds, 0.5 * 0.5, 0.07 * 0.5 * 0.5);
}

}  // namespace
}  // namespace hindsight
