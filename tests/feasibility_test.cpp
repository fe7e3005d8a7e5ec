// Long runs of every learner: nothing that must be feasible ever leaves the domain.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "hindsight/domains/clp_program.hpp"
#include "hindsight/domains/graphic_matroid.hpp"
#include "hindsight/domains/interior.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/games/pool_game.hpp"
#include "hindsight/learners/bandit_frank_wolfe.hpp"
#include "hindsight/learners/registry.hpp"
#include "hindsight/oracles/oracle_bank.hpp"

namespace hindsight {
namespace {

using nlohmann::json;

constexpr int dimension = 10;
constexpr double tolerance = 1e-9;

/// HINDSIGHT_TEST_SCALE=small: a hundredth of the rounds, for debug and sanitized builds.
Round scaled(Round rounds) {
  const char* scale = std::getenv("HINDSIGHT_TEST_SCALE");
  return scale && std::string(scale) == "small" ? rounds / 100 : rounds;
}

struct Plays {
  Round rounds = 0;
  Round points_outside = 0;        // of K
  Round probes_outside = 0;        // of K
  Round exploiting_dependent = 0;  // sets outside the matroid, where no exploring is meant
  Round exploring_dependent = 0;
  Round malformed_sets = 0;  // items out of range or repeated
};

bool is_a_set(ItemView set) {
  std::array<bool, dimension> seen{};
  for (const Item i : set) {
    if (i < 0 || i >= dimension || seen[static_cast<std::size_t>(i)]) return false;
    seen[static_cast<std::size_t>(i)] = true;
  }
  return true;
}

Plays play_and_check(Learner& learner, const Domain& domain, Round rounds) {
  const auto* matroid = dynamic_cast<const Matroid*>(&domain);
  PoolGame game(coverage_pool({.dimension = dimension, .items = 20, .pool = 50}, 1), 2,
                Noise(3, .1, .1));
  Plays plays;
  Point checked(dimension, -1.0);  // exploited points change once a block only
  for (; plays.rounds < rounds; ++plays.rounds) {
    const Suggestion s = learner.suggest();
    if (std::memcmp(checked.data(), s.action.begin(), sizeof(double) * dimension) != 0) {
      if (!domain.contains(s.action.view(), tolerance)) ++plays.points_outside;
      copy(s.action.view(), checked);
    }
    for (std::size_t i = 0; i < s.probes.count; ++i)
      if (!domain.contains(s.probes[i], tolerance)) ++plays.probes_outside;
    if (s.set) {
      if (!is_a_set(s.set->view())) ++plays.malformed_sets;
      if (!matroid->independent(s.set->view()))
        ++(s.phase == Phase::explore ? plays.exploring_dependent : plays.exploiting_dependent);
    }
    learner.observe(game.answer(s).feedback);
  }
  return plays;
}

void expect_feasible(Learner& learner, const Domain& domain, Round rounds) {
  SCOPED_TRACE(std::string(learner.kind()) + " on " + domain.describe());
  const Plays plays = play_and_check(learner, domain, rounds);
  EXPECT_EQ(plays.points_outside, 0);
  EXPECT_EQ(plays.probes_outside, 0);
  EXPECT_EQ(plays.exploiting_dependent, 0);
  EXPECT_EQ(plays.malformed_sets, 0);
  // Where any set is told, exploring is meant to leave the matroid; it alone may.
  if (learner.kind() == "responsive-frank-wolfe" || learner.kind() == "responsive-boost") {
    EXPECT_GT(plays.exploring_dependent, 0) << "the check has something to tell apart";
  } else {
    EXPECT_EQ(plays.exploring_dependent, 0);
  }
}

/// Sets alone, from values: tests/bandit_learners_test.cpp plays these at length.
bool plays_values_of_sets(std::string_view kind) {
  for (const char* name : {"sampled-vertex", "guarded", "safe", "slot-boost", "online-greedy",
                           "explore-then-commit", "responsive-boost"})
    if (kind == name) return true;
  return false;
}

/// K gradients a round, or played at length elsewhere: these play fewer rounds.
bool is_costly(std::string_view kind) {
  return kind == "meta-frank-wolfe" || kind == "vr-frank-wolfe" || plays_values_of_sets(kind);
}

/// What a registered learner is tried with on this domain.
std::vector<json> variants(const LearnerKind& kind, const Domain& domain) {
  const bool sets = dynamic_cast<const Matroid*>(&domain) != nullptr;
  std::vector<json> list;
  json keys = {{"kind", kind.kind}};
  if (kind.takes("max_steps")) keys["max_steps"] = 20;
  if (kind.kind == "auto") keys["feedback"] = sets ? "any-set" : "point-value";
  const bool plays_only_sets = kind.kind == "responsive-frank-wolfe" ||
                               kind.kind == "random-base" || kind.kind == "surrogate-ascent" ||
                               plays_values_of_sets(kind.kind);
  const auto* laminar = dynamic_cast<const LaminarMatroid*>(&domain);
  if (kind.takes("step") && kind.kind != "responsive-boost" && !laminar) return list;
  if (kind.kind == "online-greedy" && laminar->family().size() > 1) return list;
  if (sets || !(plays_only_sets || kind.kind == "sampled-point")) list.push_back(keys);
  if (sets && kind.takes("sets")) {
    keys["sets"] = true;
    list.push_back(keys);
  }
  return list;
}

void expect_all_feasible(const DomainPtr& domain, Round rounds, const json& more = json::object()) {
  for (const LearnerKind& kind : learner_kinds())
    for (json keys : variants(kind, *domain)) {
      keys.update(more);
      const Round horizon = scaled(is_costly(kind.kind) ? std::min<Round>(rounds, 10000) : rounds);
      const LearnerPtr learner = make_learner(Settings("learner", keys), {domain, horizon, 7});
      expect_feasible(*learner, *domain, horizon);
    }
}

DomainPtr partition() { return partition_matroid({{0, 1, 2, 3}, {4, 5}, {6, 7, 8, 9}}, {1, 1, 2}); }

DomainPtr graphic() {  // K5: ten edges
  std::vector<std::array<int, 2>> edges;
  for (int u = 0; u < 5; ++u)
    for (int v = u + 1; v < 5; ++v) edges.push_back({u, v});
  return std::make_shared<GraphicMatroid>(edges);
}

DomainPtr packing() {
  return packing_polytope({{1, 2, 1, 3, 1, 1, 2, 1, 1, 2}, {0, 1, 4, 0, 1, 2, 0, 1, 0, 3}},
                          {4.5, 3}, Point(dimension, 1.0));
}

TEST(Feasibility, UniformMatroid) { expect_all_feasible(uniform_matroid(10, 3), 1000000); }

TEST(Feasibility, PartitionMatroid) { expect_all_feasible(partition(), 1000000); }

TEST(Feasibility, GraphicMatroid) { expect_all_feasible(graphic(), 10000); }

TEST(Feasibility, PackingPolytope) { expect_all_feasible(packing(), 10000); }

TEST(Feasibility, EveryOracleEveryInterior) {
  for (const LearnerKind& kind : learner_kinds()) {
    if (!kind.takes("oracle")) continue;
    for (const OracleKind& oracle : oracle_kinds())
      for (const char* interior : {"lemma-2", "exact"}) {
        if (interior == std::string("exact") && !kind.takes("interior")) continue;
        for (const DomainPtr& domain : {DomainPtr(uniform_matroid(10, 3)), partition()})
          for (json keys : variants(kind, *domain)) {
            keys["oracle"] = oracle.kind;
            if (kind.takes("interior")) keys["interior"] = interior;
            const Round horizon = scaled(is_costly(kind.kind) ? 3000 : 50000);
            const LearnerPtr learner =
                make_learner(Settings("learner", keys), {domain, horizon, 8});
            expect_feasible(*learner, *domain, horizon);
          }
      }
  }
}

TEST(Feasibility, UnknownHorizon) {
  for (const LearnerKind& kind : learner_kinds()) {
    if (!kind.takes("horizon")) continue;
    for (json keys : variants(kind, *partition())) {
      keys["horizon"] = "unknown";
      keys["first_horizon"] = 100;
      const DomainPtr domain = partition();
      const LearnerPtr learner = make_learner(Settings("learner", keys), {domain, 1, 9});
      expect_feasible(*learner, *domain, scaled(is_costly(kind.kind) ? 10000 : 50000));
    }
  }
}

/// Long points kept in f32 are moved, projected and added up in f32: they stay in K exactly, and
/// near those of a twin in f64 that is told the same. Apart they were 1.2e-5 at most.
TEST(Feasibility, LongPointsInHalfTheMemoryStayInsideAndNear) {
  for (const char* kind : {"mono-frank-wolfe", "bandit-frank-wolfe"})
    for (const int d : {40, 300, 1000}) {
      const int rank = 3 * d / 10;
      const DomainPtr domain = uniform_matroid(d, rank);
      const json keys = {{"kind", kind}, {"steps", 50}};
      json narrow_keys = keys;
      narrow_keys["state"] = "f32";
      const Round horizon = scaled(500'000) / d + 500;
      const LearnerWorld world{domain, horizon, 3};
      const LearnerPtr wide = make_learner(Settings("learner", keys), world),
                       narrow = make_learner(Settings("learner", narrow_keys), world);
      Stream rng = StreamFamily(10, "answers").at(0);
      double apart = 0;
      const auto compare = [&](PointView x, PointView y, Round t) {
        ASSERT_TRUE(domain->contains(y, 1e-12)) << kind << ", d = " << d << ", round " << t;
        double squares = 0;
        for (std::size_t i = 0; i < x.size(); ++i) squares += (x[i] - y[i]) * (x[i] - y[i]);
        apart = std::max(apart, std::sqrt(squares));
      };
      for (Round t = 1; t <= horizon; ++t) {
        const Suggestion a = wide->suggest(), b = narrow->suggest();
        compare(a.action.view(), b.action.view(), t);
        Feedback feedback{.round = t, .value = rng.uniform()};
        if (a.probes.count > 0) {
          compare(a.probes[0], b.probes[0], t);
          Point gradient(static_cast<std::size_t>(d));
          for (double& g : gradient) g = rng.uniform();
          feedback.gradients = {1, gradient};
        }
        wide->observe(feedback);
        narrow->observe(feedback);
      }
      EXPECT_LT(apart, 1e-4) << kind << ", d = " << d;
      EXPECT_GT(apart, 0) << "nothing was rounded";
    }
}

/// The broken twin: exploring around K itself instead of its interior is noticed.
TEST(Feasibility, AMissingInteriorIsNoticed) {
  const auto domain = uniform_matroid(10, 3);
  BanditFrankWolfe learner(domain, bandit_plan(10000, 10, domain->inner_radius()));
  EXPECT_GT(play_and_check(learner, *domain, 10000).points_outside, 0);
}

}  // namespace
}  // namespace hindsight
