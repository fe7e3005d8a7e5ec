// A learner that shares its work among threads says and learns the same, byte for byte, whatever
// their number.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "hindsight/core/rng.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/learners/registry.hpp"
#include "hindsight/learners/step_rows.hpp"
#include "hindsight/oracles/oracle_bank.hpp"

namespace hindsight {
namespace {

using nlohmann::json;

constexpr int dimension = 4200;  // five stretches of columns, the last one short
constexpr Round horizon = 400;

/// Plays answers that depend on what was played, loses a few, and returns what was said and saved.
std::string played(const json& keys, int threads, const DomainPtr& domain) {
  const auto d = static_cast<std::size_t>(domain->dimension());
  const WorkersPtr workers = threads > 0 ? std::make_shared<Workers>(threads) : nullptr;
  const auto learner = make_learner(Settings("learner", keys), {domain, horizon, 3, workers});
  Stream rng = StreamFamily(4, "answers").at(0);
  std::string said;
  const auto say = [&](std::span<const double> numbers) {
    said.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  };
  Point gradient(d);
  for (Round t = 1; t <= horizon; ++t) {
    const Suggestion s = learner->suggest();
    say(s.action.view());
    if (t % 50 == 7) {
      learner->lose(s.round);
      continue;
    }
    Feedback feedback{s.round, .5 + .1 * s.action[1] + .1 * rng.uniform(), {}};
    if (s.probes.count > 0) {
      for (std::size_t i = 0; i < gradient.size(); ++i)
        gradient[i] = 1 - .5 * s.probes.numbers[i] + .3 * rng.uniform();
      feedback.gradients = {1, Lent<double>::of(gradient)};
    }
    learner->observe(feedback);
  }
  return said + learner->save();
}

TEST(Threads, ChangeNoByte) {
  const std::vector<json> learners = {
      {{"kind", "mono-frank-wolfe"}, {"steps", 37}},
      {{"kind", "mono-frank-wolfe"}, {"steps", 37}, {"state", "f32"}},
      {{"kind", "mono-frank-wolfe"}, {"steps", 37}, {"oracle", "dual-averaging"}},
      {{"kind", "mono-frank-wolfe"}, {"steps", 37}, {"oracle", "perturbed-leader"}},
      {{"kind", "bandit-frank-wolfe"}, {"steps", 40}, {"block_length", 100}},
      {{"kind", "bandit-frank-wolfe"}, {"steps", 40}, {"block_length", 100}, {"state", "f32"}},
      {{"kind", "responsive-frank-wolfe"}, {"steps", 40}, {"block_length", 100}},
  };
  // The second goes by whole points, as no simplex is projected on, and explores alone.
  std::vector<ItemSet> sets(2);
  for (Item i = 0; i < 1500; ++i) (i < 700 ? sets[0] : sets[1]).push_back(i);
  sets[1].insert(sets[1].end(), sets[0].begin(), sets[0].end());
  const DomainPtr domains[] = {uniform_matroid(dimension, 500),
                               laminar_matroid(2100, sets, {200, 400})};
  std::string last;
  for (const DomainPtr& domain : domains)
    for (const json& keys : learners) {
      const std::string alone = played(keys, 0, domain);
      EXPECT_NE(alone, last) << "the test tells learners apart";
      for (const int threads : {1, 2, 3})
        EXPECT_TRUE(played(keys, threads, domain) == alone)
            << domain->describe() << keys.dump() << ", " << threads << " threads";
      last = alone;
    }
  // More than there are parts of a row: some have none.
  const json& bandit = learners[4];
  EXPECT_TRUE(played(bandit, 7, domains[0]) == played(bandit, 0, domains[0]));
}

/// Sums over a row are added up column part by column part: none may be lost. In the test's own
/// words, v_2^(k) = project(v_1^(k) + D d^(k) / sqrt(2 |d^(k)|^2)).
TEST(Threads, AStepFollowsTheWholeRow) {
  struct Seen final : Watcher {
    std::vector<Point> decided, averages;
    void opened(Round q, const PointTable& v, const PointTable&, std::span<const Round>) override {
      if (q > 2) return;
      for (std::size_t k = 0; k < v.rows(); ++k)
        decided.emplace_back(v.row(k).begin(), v.row(k).end());
    }
    void updated(Round q, int, PointView, PointView average) override {
      if (q == 1) averages.emplace_back(average.begin(), average.end());
    }
  } seen;
  const DomainPtr domain = uniform_matroid(dimension, 500);
  const auto learner = make_learner(
      Settings("learner", json{{"kind", "mono-frank-wolfe"}, {"steps", 2}}), {domain, 6, 3});
  learner->watch(&seen);
  Stream rng = StreamFamily(5, "gradients").at(0);
  Point gradient(dimension);
  for (Round t = 1; t <= 3; ++t) {
    const Suggestion s = learner->suggest();
    for (double& g : gradient) g = rng.uniform();
    Feedback feedback{s.round, .5, {}};
    if (s.probes.count > 0) feedback.gradients = {1, Lent<double>::of(gradient)};
    learner->observe(feedback);
  }
  ASSERT_EQ(seen.decided.size(), 4u);
  ASSERT_EQ(seen.averages.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    Point v = seen.decided[k];
    add_scaled(v, domain->diameter() / std::sqrt(2 * squared_norm(seen.averages[k])),
               seen.averages[k]);
    domain->project(v);
    for (std::size_t i = 0; i < v.size(); ++i) ASSERT_NEAR(v[i], seen.decided[2 + k][i], 1e-12);
  }
}

// Tables larger than the caches are written past them: the other way to store a gradient.
TEST(StepRows, KeepWhatIsStoredInTablesOfAnySize) {
  constexpr std::size_t columns = 1001;  // rows begin anywhere between two lines
  std::size_t many = 4;
  while (!larger_than_caches(8 * columns * many)) many *= 2;
  for (const std::size_t rows : {std::size_t{3}, many}) {
    StepRows table(Precision::f64, rows, Point(columns, 0.0), false, 1);
    Point gradient(columns), seen(columns), next(columns);
    for (std::size_t i = 0; i < columns; ++i) gradient[i] = static_cast<double>(i + 1);
    for (const std::size_t k : {std::size_t{0}, rows - 2}) {
      table.store(k, gradient);
      table.finish_stores();
      table.load(k, seen);
      EXPECT_EQ(seen, gradient);
      table.load(k + 1, next);
      EXPECT_EQ(next, Point(columns, 0.0)) << "it has written beyond its row";
    }
  }
}

/// So are iterates, where gradients of f32 stand in half of their rows.
TEST(StepRows, TakeTheSameStepsInTablesOfAnySize) {
  for (const std::size_t columns : {1000u, 1001u, 2504u}) {
    std::size_t many = 4;
    while (!larger_than_caches(8 * columns * many)) many *= 2;
    Point lower(columns), v(2 * columns);
    Stream rng = StreamFamily(6, "decisions").at(0);
    for (double& x : lower) x = .1 * rng.uniform();
    for (double& x : v) x = rng.uniform();
    for (const std::size_t strips : {0u, 1u, 2u, 3u})  // 0: gradients of f64, in whole rows
      for (const std::size_t rows : {std::size_t{4}, many}) {
        StepRows table(Precision::f64, rows, lower, strips > 0, std::max<std::size_t>(strips, 1));
        table.begin_steps();
        const Point eta = {.5, .25};
        for (std::size_t first = 0; first < columns; first += columns_at_a_time)
          table.take_steps(rows - 3, eta, {&v[first], columns},
                           {first, std::min(columns_at_a_time, columns - first)});
        table.finish_stores();
        table.end_steps();
        Point expected = lower, seen(columns);
        for (std::size_t k = 0; k < 2; ++k) {
          table.load(rows - 3 + k, seen);
          ASSERT_EQ(seen, expected) << columns << " columns, " << rows << " rows, step " << k;
          for (std::size_t i = 0; i < columns; ++i)
            expected[i] += eta[k] * (v[k * columns + i] - lower[i]);
        }
        ASSERT_EQ(Point(table.newest().begin(), table.newest().end()), expected);
        table.load(rows - 1, seen);
        ASSERT_EQ(seen, Point(columns, 0.0)) << "it has written beyond its rows";
      }
  }
}

/// A long direction stands, as f32, in halves of its row: what is played, lent, shown and learned
/// from is the same one.
TEST(Threads, ADirectionInHalvesOfItsRowIsTheOnePlayed) {
  struct Seen final : Watcher {
    std::vector<Point> iterates, gradients;
    void opened(Round q, const PointTable&, const PointTable& x, std::span<const Round>) override {
      if (q > 1) return;
      for (std::size_t k = 0; k < x.rows(); ++k)
        iterates.emplace_back(x.row(k).begin(), x.row(k).end());
    }
    void updated(Round q, int, PointView gradient, PointView) override {
      if (q == 1) gradients.emplace_back(gradient.begin(), gradient.end());
    }
  } seen;
  const DomainPtr domain = uniform_matroid(dimension, 500);
  const double radius = .001;
  const json keys = {
      {"kind", "bandit-frank-wolfe"}, {"steps", 3}, {"block_length", 6}, {"radius", radius}};
  for (const int threads : {0, 2}) {
    seen = {};
    const WorkersPtr workers = threads > 0 ? std::make_shared<Workers>(threads) : nullptr;
    const auto learner = make_learner(Settings("learner", keys), {domain, 12, 3, workers});
    learner->watch(&seen);
    std::vector<Suggestion> copies(4);
    for (Round t = 1; t <= 7; ++t) {
      const Suggestion s = learner->suggest();
      if (t <= 6 && s.step > 0) {
        const Suggestion& copied = copies[static_cast<std::size_t>(s.step)] = s;
        const Point u = s.direction.point();
        ASSERT_EQ(copied.direction.point(), u);
        ASSERT_NEAR(norm(u), 1, 1e-6);
        const Point& x = seen.iterates[static_cast<std::size_t>(s.step - 1)];
        for (std::size_t i = 0; i < u.size(); ++i)
          ASSERT_NEAR(s.action[i], x[i] + radius * u[i], 1e-12) << i;
      }
      learner->observe({s.round, 1.0 * s.step, {}});
    }
    ASSERT_EQ(seen.gradients.size(), 3u);
    for (int k = 1; k <= 3; ++k) {  // after its row has been written over, the copy still has it
      const Point u = copies[static_cast<std::size_t>(k)].direction.point();
      for (std::size_t i = 0; i < u.size(); ++i)
        ASSERT_NEAR(seen.gradients[static_cast<std::size_t>(k - 1)][i],
                    dimension / radius * k * u[i], 1e-6 * dimension / radius * k)
            << i;
    }
  }
}

}  // namespace
}  // namespace hindsight
