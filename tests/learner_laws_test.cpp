// Laws that every registered learner must fulfil, with every oracle, with known and unknown
// horizon: exact restart, late feedback, lent views, rejected calls, lost rounds, the control, the
// end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "domain_laws.hpp"
#include "hindsight/core/json.hpp"
#include "hindsight/domains/box.hpp"
#include "hindsight/domains/graphic_matroid.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/games/pool_game.hpp"
#include "hindsight/learners/bandit_frank_wolfe.hpp"
#include "hindsight/learners/doubling.hpp"
#include "hindsight/learners/feedback_check.hpp"
#include "hindsight/learners/registry.hpp"
#include "hindsight/oracles/oracle_bank.hpp"

namespace hindsight {
namespace {

using nlohmann::json;

constexpr int dimension = 6;
constexpr Round horizon = 401;  // a multiple of no block length below
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// What a registered learner is tried with, beyond its name.
struct Variant {
  json keys;
  bool needs_matroid = false;
  bool random = false;       // does the seed matter, whatever the oracle?
  bool needs_parts = false;  // only uniform and partition matroids
  bool needs_uniform = false;
};

/// Every registered learner needs an entry here.
const std::map<std::string, std::vector<Variant>>& variants() {
  static const std::map<std::string, std::vector<Variant>> all = {
      {"mono-frank-wolfe",
       {{{{"steps", 16}}, false, true},
        {{{"steps", 7}, {"averaging", false}}, false, true},
        {{{"schedule", "unaveraged"}}, false, true},
        {{{"steps", 9}, {"state", "f32"}}, false, true},
        {json::object(), false, true}}},
      {"bandit-frank-wolfe",
       {{{{"steps", 8}, {"block_length", 32}}, false, true},
        {{{"schedule", "unaveraged"}}, false, true},
        {{{"schedule", "practical"}, {"steps", 4}, {"block_length", 20}}, false, true},
        {{{"steps", 4}, {"block_length", 20}, {"estimate", "pairs"}}, false, true},
        {{{"steps", 5}, {"block_length", 20}, {"state", "f32"}}, false, true},
        {json::object(), false, true}}},
      {"responsive-frank-wolfe",
       {{{{"steps", 8}, {"block_length", 32}, {"rounding", "swap-rounding"}}, true, true},
        {{{"steps", 5}, {"block_length", 16}, {"rounding", "randomized-pipage"}}, true, true},
        {{{"schedule", "practical"}, {"steps", 4}, {"block_length", 20}}, true, true},
        {{{"steps", 4}, {"block_length", 20}, {"estimate", "centred"}}, true, true},
        {{{"steps", 4}, {"block_length", 20}, {"state", "f32"}}, true, true},
        {json::object(), true, true}}},
      {"meta-frank-wolfe", {{{{"steps", 5}}}, {json::object()}}},
      {"vr-frank-wolfe", {{{{"max_steps", 6}}}}},
      {"gradient-ascent", {{json::object()}, {{{"oracle_step", .25}}}}},
      {"boosted-gradient-ascent",
       {{json::object(), false, true},
        {{{"class", "monotone-any-set"}}},
        {{{"class", "non-monotone"}}, false, true},
        {{{"class", "non-monotone-any-set"}, {"anchor", {.1, 0, .2, .1, 0, 0}}}, false, true}}},
      {"twin-gradient-ascent", {{json::object(), false, true}, {{{"ahead", 5}}, false, true}}},
      {"bandit-gradient-ascent", {{json::object(), false, true}}},
      {"surrogate-ascent",
       {{json::object(), true, true}, {{{"rounding", "swap-rounding"}}, true, true}}},
      {"sampled-vertex", {{json::object(), true, true}, {{{"ahead", 7}}, true, true}}},
      {"sampled-point", {{json::object(), true, true}}},
      {"guarded",
       {{json::object(), true, true}, {{{"inner", "responsive-boost"}, {"ahead", 5}}, true, true}}},
      {"safe", {{json::object(), true, true, true}}},
      {"slot-boost", {{json::object(), true, true, true}}},
      {"online-greedy", {{json::object(), true, true, true, true}}},
      {"explore-then-commit",
       {{{{"trials", 9}}, true, true}, {{{"trials", 2}, {"ahead", 3}}, true, true}}},
      {"responsive-boost", {{json::object(), true, true}, {{{"step", .5}}, true, true}}},
      {"auto",
       {{{{"feedback", "any-set"}}, true, true}, {{{"feedback", "point-value"}}, true, true}}},
      {"constant", {{json::object()}, {{{"sets", true}}, true, true}}},
      {"random-base", {{json::object(), true, true}}},
  };
  return all;
}

struct Case {
  std::string name;
  json keys;
  DomainPtr domain;
  bool random = false;
  bool doubling = false;

  std::string kind() const { return keys["kind"]; }
  bool on_arrival() const { return learner_kind(kind()).takes("ahead"); }
  bool in_blocks() const { return keys.contains("oracle") && !on_arrival(); }
  int rounds_a_step() const { return keys.value("estimate", "") == "pairs" ? 2 : 1; }
  bool narrow() const { return keys.value("state", "") == "f32"; }
  bool perturbs() const { return keys.value("oracle", "") == "perturbed-leader"; }

  LearnerPtr make(std::uint64_t seed = 5, Round rounds = horizon,
                  json more = json::object()) const {
    json all = keys;
    all.update(more);
    return make_learner(Settings("learner", all), {domain, rounds, seed});
  }
};

const std::vector<std::pair<std::string, DomainPtr>>& domains() {
  static const std::vector<std::pair<std::string, DomainPtr>> all = {
      {"uniform", uniform_matroid(dimension, 2)},
      {"partition", partition_matroid({{0, 1, 2}, {3, 4, 5}}, {1, 2})},
      {"graphic", std::make_shared<GraphicMatroid>(std::vector<std::array<int, 2>>{
                      {0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}})},
      {"box", std::make_shared<Box>(Point{1, .5, .75, 1, 1, .25})},
  };
  return all;
}

/// HINDSIGHT_TEST_SCALE=small leaves most domains out, for debug and sanitized builds.
std::vector<Case> make_cases() {
  const char* scale = std::getenv("HINDSIGHT_TEST_SCALE");
  const bool small = scale && std::string(scale) == "small";
  std::vector<Case> cases;
  for (const LearnerKind& kind : learner_kinds()) {
    const auto entry = variants().find(std::string(kind.kind));
    if (entry == variants().end()) continue;  // EveryRegisteredLearnerHasACase reports it
    for (const Variant& variant : entry->second)
      for (const auto& [place, domain] : domains()) {
        if (variant.needs_matroid && !std::dynamic_pointer_cast<const Matroid>(domain)) continue;
        if (variant.needs_parts && place != "uniform" && place != "partition") continue;
        if (variant.needs_uniform && place != "uniform") continue;
        const bool first = &variant == &entry->second.front();
        if (place == "graphic" && !first) continue;  // its projections are slow
        if (small && place != "uniform" && !(place == "partition" && first)) continue;
        std::vector<std::string> oracles = {""};
        if (kind.takes("oracle")) {
          oracles.clear();
          for (const OracleKind& oracle : oracle_kinds())
            if (!variant.keys.contains("state") || oracle.kind == "gradient-ascent")
              oracles.emplace_back(oracle.kind);
        }
        for (const std::string& oracle : oracles)
          for (const bool doubling : {false, true}) {
            if (doubling && !kind.takes("horizon")) continue;
            Case c;
            c.keys = variant.keys;
            c.keys["kind"] = kind.kind;
            if (!oracle.empty()) c.keys["oracle"] = oracle;
            if (doubling) {
              c.keys["horizon"] = "unknown";
              c.keys["first_horizon"] = 45;
            }
            c.domain = domain;
            c.doubling = doubling;
            c.random = variant.random || oracle == "perturbed-leader";
            c.name = place + " " + c.keys.dump();
            cases.push_back(c);
          }
      }
  }
  return cases;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = make_cases();
  return all;
}

PoolGame make_game() {
  return PoolGame(coverage_pool({.dimension = dimension, .items = 12, .pool = 20}, 3), 4,
                  Noise(5, .05, .05));
}

template <class T>
bool same_bits(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

bool same(const Suggestion& a, const Suggestion& b) {
  return a.round == b.round && same_bits(a.action.view(), b.action.view()) &&
         a.set.has_value() == b.set.has_value() &&
         (!a.set || same_bits(a.set->view(), b.set->view())) && a.probes.count == b.probes.count &&
         same_bits(a.probes.numbers.view(), b.probes.numbers.view()) &&
         a.surrogate == b.surrogate && a.phase == b.phase && a.step == b.step &&
         a.direction.point() == b.direction.point();
}

Suggestion copy_of(const Suggestion& s) { return s; }

/// A learner with its game and the suggestions that are out.
class Player {
 public:
  explicit Player(LearnerPtr learner) : learner_(std::move(learner)), game_(make_game()) {}
  /// Takes over what is out, with another learner.
  Player(LearnerPtr learner, const Player& other)
      : learner_(std::move(learner)), game_(make_game()), out_(other.out_) {}

  Learner& learner() { return *learner_; }
  bool can_suggest() const { return learner_->ready() > 0; }
  const std::vector<Suggestion>& out() const { return out_; }

  /// Owned, for comparison.
  Suggestion suggest() {
    out_.push_back(copy_of(learner_->suggest()));
    return out_.back();
  }
  Feedback feedback(const Suggestion& s) { return game_.answer(s).feedback; }
  void observe(std::size_t which) {
    learner_->observe(feedback(out_[which]));
    forget(which);
  }
  void lose(std::size_t which) {
    learner_->lose(out_[which].round);
    forget(which);
  }
  void forget(std::size_t which) { out_.erase(out_.begin() + static_cast<std::ptrdiff_t>(which)); }
  /// In order, one at a time.
  Suggestion turn() {
    const Suggestion s = suggest();
    observe(out_.size() - 1);
    return s;
  }
  bool ended() const { return out_.empty() && !can_suggest(); }

 private:
  LearnerPtr learner_;
  PoolGame game_;
  std::vector<Suggestion> out_;
};

/// One random step: a suggestion, or the feedback to a random one that is out.
std::optional<Suggestion> random_step(Player& player, Stream& rng) {
  const bool ahead = player.can_suggest() && (player.out().empty() || rng.coin(.6));
  if (ahead) return player.suggest();
  if (!player.out().empty()) player.observe(rng.below(player.out().size()));
  return std::nullopt;
}

TEST(LearnerLaws, EveryRegisteredLearnerHasACase) {
  for (const LearnerKind& kind : learner_kinds())
    EXPECT_TRUE(variants().contains(std::string(kind.kind)))
        << kind.kind << " needs an entry in variants()";
  for (const auto& [kind, list] : variants()) {
    EXPECT_NO_THROW(learner_kind(kind));
    EXPECT_FALSE(list.empty());
  }
}

// ---- restart

/// Both continue in the same random way; at least 200 suggestions unless the horizon ends them.
void expect_same_future(Player& a, Player& b, Stream rng) {
  Stream twin = rng;
  for (int compared = 0; compared < 200 && !a.ended();) {
    const auto s = random_step(a, rng);
    const auto t = random_step(b, twin);
    ASSERT_EQ(s.has_value(), t.has_value());
    if (!s) continue;
    ASSERT_TRUE(same(*s, *t)) << "round " << s->round;
    ++compared;
  }
  ASSERT_EQ(a.learner().save(), b.learner().save());
}

TEST(LearnerLaws, SaveRestoreContinueIsExact) {
  const StreamFamily streams(1, "restart");
  std::uint64_t n = 0;
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    // In order up to here: before the first round, inside blocks, and at their boundaries (blocks
    // of 16 and 32, stages of 45 and 90, the rest of 401).
    for (const int rounds : {0, 1, 15, 16, 17, 32, 45, 46, 135, 136, 150, 200}) {
      Stream rng = streams.at(++n);
      Player a(c.make());
      for (int t = 0; t < rounds; ++t) a.turn();
      if (rounds == 150)  // and in disorder from here, with several out
        for (int i = 0; i < 25; ++i) random_step(a, rng);
      LearnerPtr fresh = c.make();
      fresh->restore(a.learner().save());
      Player b(std::move(fresh), a);
      ASSERT_EQ(a.learner().save(), b.learner().save());
      expect_same_future(a, b, rng);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(LearnerLaws, RestoreWorksInALearnerThatHasBeenUsed) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Player a(c.make());
    for (int t = 0; t < 70; ++t) a.turn();
    const std::string snapshot = a.learner().save();
    Player used(c.make());
    for (int t = 0; t < 101; ++t) used.turn();
    used.learner().restore(snapshot);
    for (int t = 0; t < 100; ++t) ASSERT_TRUE(same(a.turn(), used.turn()));
  }
}

/// Short rows that fill more than the caches of a core are fetched ahead. A restored learner does
/// not know yet which one is next.
TEST(LearnerLaws, RestoreWorksWhereManyShortRowsAreFetchedAhead) {
  for (const char* kind : {"mono-frank-wolfe", "bandit-frank-wolfe"})
    for (const char* state : {"f64", "f32"}) {
      SCOPED_TRACE(std::string(kind) + " " + state);
      json keys = {{"kind", kind}, {"oracle", "gradient-ascent"}, {"state", state}};
      keys["steps"] = state == std::string("f64") ? 12'000 : 24'000;  // 576 kB
      if (kind == std::string("bandit-frank-wolfe")) keys["block_length"] = 30'000;
      const Case c{kind, keys, uniform_matroid(dimension, 2)};
      const Round rounds = 100'000;
      Player a(c.make(5, rounds));
      for (int t = 0; t < 45'000; ++t) a.turn();
      LearnerPtr fresh = c.make(5, rounds);
      fresh->restore(a.learner().save());
      Player b(std::move(fresh), a);
      for (int t = 0; t < 20'000; ++t) ASSERT_TRUE(same(a.turn(), b.turn())) << t;
      ASSERT_TRUE(a.learner().save() == b.learner().save());
    }
}

TEST(LearnerLaws, ARejectedRestoreChangesNothing) {
  Stream rng = StreamFamily(2, "damage").at(0);
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Player a(c.make()), twin(c.make());
    for (int t = 0; t < 50; ++t) ASSERT_TRUE(same(a.turn(), twin.turn()));
    const std::string before = a.learner().save();
    const auto rejects = [&](const std::string& snapshot, const char* why) {
      EXPECT_THROW(a.learner().restore(snapshot), InputError) << why;
      ASSERT_EQ(a.learner().save(), before) << why;
    };
    rejects("", "nothing");
    rejects("no snapshot at all, but long enough to hold a checksum", "text");
    for (int i = 0; i < 10; ++i) rejects(before.substr(0, rng.below(before.size())), "truncated");
    rejects(before.substr(0, before.size() - 1), "truncated by one");
    rejects(before + '\0', "too long");
    for (int i = 0; i < 20; ++i) {
      std::string damaged = before;
      damaged[rng.below(damaged.size())] ^= static_cast<char>(1 << rng.below(8));
      rejects(damaged, "a bit flipped");
    }
    const auto played = [](LearnerPtr learner) {
      Player player(std::move(learner));
      for (int t = 0; t < 20; ++t) player.turn();
      return player.learner().save();
    };
    for (const Case& other : cases())
      if (other.make()->kind() != c.make()->kind() && other.doubling == c.doubling &&
          other.domain == c.domain) {
        rejects(played(other.make()), "another kind");
        if (HasFatalFailure()) return;
      }
    if (c.kind() != "constant" || c.keys.value("sets", false))
      rejects(played(c.make(6)), "another seed");
    if (c.keys.contains("steps"))
      rejects(played(c.make(5, horizon, {{"steps", 3}})), "other steps");
    if (c.in_blocks() && !c.doubling) rejects(played(c.make(5, 402)), "another horizon");
    if (c.doubling) rejects(played(c.make(5, horizon, {{"first_horizon", 44}})), "another stage");
    if (c.keys.contains("oracle")) {
      if (c.narrow()) {
        rejects(played(c.make(5, horizon, {{"state", "f64"}})), "another precision");
      } else {
        const char* other = c.perturbs() ? "gradient-ascent" : "perturbed-leader";
        rejects(played(c.make(5, horizon, {{"oracle", other}})), "another oracle");
      }
      rejects(played(c.make(5, horizon, {{"learning", false}})), "the control");
    }
    if (c.keys.contains("oracle")) {  // the same layout, and another
      for (const DomainPtr& other :
           {DomainPtr(uniform_matroid(dimension, 4)),
            DomainPtr(laminar_matroid(dimension, {{0, 1}, {2, 3}, {4, 5}}, {1, 1, 1}))}) {
        Case elsewhere = c;
        elsewhere.domain = other;
        rejects(played(elsewhere.make(5, horizon)), "another domain");
      }
    }
    for (int t = 0; t < 50; ++t) ASSERT_TRUE(same(a.turn(), twin.turn()));
  }
}

// ---- order of feedback, and views

/// Runs ahead as far as it may, then feeds back in random order; meanwhile what was lent stays what
/// it was until its round is observed.
TEST(LearnerLaws, LateFeedbackInAnyOrderChangesNothing) {
  const StreamFamily streams(3, "late");
  std::uint64_t n = 0;
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Stream rng = streams.at(++n);
    // What learns on arrival suggests something else when it runs ahead: below.
    const json more = c.on_arrival() ? json{{"ahead", 1}} : json::object();
    Player in_order(c.make(5, horizon, more));
    LearnerPtr late = c.make(5, horizon, more);
    PoolGame game = make_game();
    for (int played = 0; played < 300;) {
      const Round ready = late->ready();
      ASSERT_GE(ready, 1);
      std::vector<Suggestion> lent, owned;
      lent.reserve(static_cast<std::size_t>(ready));
      for (Round i = 0; i < ready; ++i) {
        lent.push_back(late->suggest());
        owned.push_back(copy_of(lent.back()));
        ASSERT_TRUE(same(owned.back(), in_order.turn()));
      }
      // At the start of a stage only the first round is promised; then further ones may be ready.
      if (late->ready() == 0) {
        const std::string before = late->save();
        EXPECT_THROW(late->suggest(), InputError);
        ASSERT_EQ(late->save(), before);
      }
      std::vector<std::size_t> order(lent.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      rng.shuffle(std::span<std::size_t>(order));
      for (const std::size_t i : order) {
        ASSERT_TRUE(same(lent[i], owned[i])) << "a view changed before its round was observed";
        const Suggestion copy = lent[i];
        late->observe(game.answer(lent[i]).feedback);
        ASSERT_TRUE(same(copy, owned[i])) << "a copy changed";
      }
      played += static_cast<int>(ready);
    }
    ASSERT_EQ(late->save(), in_order.learner().save());
  }
}

/// Learners that learn from every round on arrival: up to `ahead` rounds may be out, one slow
/// answer holds up only what lies that far behind it, and what was lent stays what it was.
TEST(LearnerLaws, WhatLearnsOnArrivalRunsAhead) {
  const StreamFamily streams(6, "arrival");
  std::uint64_t n = 0;
  for (const Case& c : cases()) {
    if (!c.on_arrival() || c.doubling || c.kind() == "explore-then-commit") continue;
    SCOPED_TRACE(c.name);
    Stream rng = streams.at(++n);
    constexpr Round ahead = 20;
    const LearnerPtr learner = c.make(5, horizon, {{"ahead", ahead}});
    PoolGame game = make_game();
    std::vector<Suggestion> lent, owned;
    Round newest = 0;
    for (int t = 0; t < 1000; ++t) {
      Round oldest = newest + 1;
      for (const Suggestion& s : lent) oldest = std::min(oldest, s.round);
      ASSERT_EQ(learner->ready(), oldest + ahead - 1 - newest);
      if (learner->ready() > 0 && (lent.empty() || rng.coin(.6))) {
        lent.push_back(learner->suggest());
        owned.push_back(copy_of(lent.back()));
        ASSERT_EQ(lent.back().round, ++newest);
        continue;
      }
      if (learner->ready() == 0) {
        const std::string before = learner->save();
        EXPECT_THROW(learner->suggest(), InputError);
        ASSERT_EQ(learner->save(), before);
      }
      const auto i = static_cast<std::ptrdiff_t>(rng.below(lent.size()));
      ASSERT_TRUE(same(lent[i], owned[i])) << "a view changed before its round was observed";
      if (rng.coin(.1))
        learner->lose(lent[i].round);
      else
        learner->observe(game.answer(lent[i]).feedback);
      lent.erase(lent.begin() + i);
      owned.erase(owned.begin() + i);
    }
  }
}

// ---- rejected feedback

Feedback with_gradients(Round round, std::optional<double> value, std::size_t count,
                        std::vector<double> numbers) {
  return {round, value, {count, Lent<double>(std::move(numbers))}};
}

std::vector<double> numbers_of(const PointList& points) {
  return {points.numbers.begin(), points.numbers.end()};
}

/// Feedback to a suggestion that is out, made wrong in every way there is.
std::vector<std::pair<const char*, Feedback>> wrong_feedback(const Suggestion& s, Feedback good,
                                                             bool needs_value) {
  std::vector<std::pair<const char*, Feedback>> wrong;
  const auto with_value = [&](double value) {
    Feedback f = good;
    f.value = value;
    return f;
  };
  wrong.emplace_back("NaN value", with_value(nan));
  wrong.emplace_back("infinite value", with_value(infinity));
  wrong.emplace_back("infinite value", with_value(-infinity));
  if (needs_value) {
    Feedback f = good;
    f.value.reset();
    wrong.emplace_back("no value", f);
  }
  const std::size_t count = s.probes.count;
  const std::vector<double> g = numbers_of(good.gradients);
  for (std::size_t i = 0; i < g.size(); i += 1 + g.size() / 7)
    for (const double bad : {nan, infinity, -infinity}) {
      std::vector<double> numbers = g;
      numbers[i] = bad;
      wrong.emplace_back("bad gradient", with_gradients(s.round, good.value, count, numbers));
    }
  std::vector<double> longer = g;
  longer.resize(g.size() + dimension, .5);
  wrong.emplace_back("a gradient too many", with_gradients(s.round, good.value, count + 1, longer));
  wrong.emplace_back("numbers of another count",
                     with_gradients(s.round, good.value, count, longer));
  if (count > 0) {
    wrong.emplace_back("no gradients", with_gradients(s.round, good.value, 0, {}));
    wrong.emplace_back("gradients of another dimension",
                       with_gradients(s.round, good.value, count,
                                      std::vector<double>(count * (dimension + 1), .5)));
    wrong.emplace_back("gradients of another dimension",
                       with_gradients(s.round, good.value, count,
                                      std::vector<double>(count * (dimension - 1), .5)));
  }
  return wrong;
}

Feedback at_round(Feedback f, Round round) {
  f.round = round;
  return f;
}

TEST(LearnerLaws, RejectedFeedbackChangesNothing) {
  Stream rng = StreamFamily(4, "wrong").at(0);
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Player player(c.make()), twin(c.make());
    Learner& learner = player.learner();
    Round newest = 0;
    std::set<Round> settled;
    for (int t = 0; t < 80; ++t) {
      if (player.can_suggest() && (player.out().empty() || rng.coin(.7))) {
        const Suggestion s = player.suggest();
        newest = s.round;
        ASSERT_TRUE(same(s, twin.suggest()));
      }
      const std::size_t which = rng.below(player.out().size());
      const Suggestion s = player.out()[which];
      const Feedback good = player.feedback(s);
      const std::string before = learner.save();
      if (t % 10 == 0)
        for (const auto& [why, f] : wrong_feedback(s, good, s.phase == Phase::explore)) {
          EXPECT_THROW(learner.observe(f), InputError) << why;
          ASSERT_EQ(learner.save(), before) << why;
        }
      std::vector<Round> not_out = {newest + 1,
                                    newest + 1000,
                                    0,
                                    -3,
                                    std::numeric_limits<Round>::max(),
                                    std::numeric_limits<Round>::min()};
      for (const Round round : settled)
        if (rng.coin(3.0 / static_cast<double>(settled.size()))) not_out.push_back(round);
      for (const Round round : not_out) {
        EXPECT_THROW(learner.observe(at_round(good, round)), InputError) << round;
        EXPECT_THROW(learner.lose(round), InputError) << round;
      }
      ASSERT_EQ(learner.save(), before);
      player.observe(which);
      twin.observe(which);
      settled.insert(s.round);
      ASSERT_EQ(learner.save(), twin.learner().save());
    }
  }
}

/// In all lengths that kernels treat apart: the largest number in every place is taken, the next
/// one in any place is not, nor is one that is none.
TEST(FeedbackCheck, NoNumberIsBeyondTheBound) {
  for (const double bound : {largest_feedback, largest_narrow_feedback})
    for (const std::size_t n : {1, 3, 4, 7, 16, 17, 31, 32, 33, 100}) {
      const Point largest(n, -bound);
      EXPECT_TRUE(all_within(largest, bound)) << n;
      for (std::size_t i = 0; i < n; ++i)
        for (const double wrong : {std::nextafter(bound, infinity), -1.5 * bound, infinity,
                                   std::numeric_limits<double>::quiet_NaN()}) {
          Point numbers(n, 1.0);
          numbers[i] = wrong;
          EXPECT_FALSE(all_within(numbers, bound)) << n << ", " << i << ": " << wrong;
        }
    }
}

/// Feedback whose every number is as large as a learner takes, with changing signs: what a learner
/// makes of it is of no use, but must stay finite and in the domain. One step more is refused.
TEST(LearnerLaws, TheLargestFeedbackLeavesPlaysFinite) {
  Stream rng = StreamFamily(6, "largest").at(0);
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const bool narrow = c.keys.contains("state");
    const double largest = narrow ? largest_narrow_feedback : largest_feedback;
    const LearnerPtr learner = c.make();
    for (int t = 0; t < 120 && learner->ready() > 0; ++t) {
      const Suggestion s = copy_of(learner->suggest());
      for (const double x : s.action.view()) ASSERT_TRUE(std::isfinite(x)) << t;
      for (const double x : s.probes.numbers.view()) ASSERT_TRUE(std::isfinite(x)) << t;
      ASSERT_TRUE(s.action.view().empty() || c.domain->contains(s.action.view(), 1e-9)) << t;
      const auto feedback = [&](double size) {
        std::vector<double> numbers(s.probes.numbers.size());
        for (double& g : numbers) g = rng.coin(.5) ? size : -size;
        return with_gradients(s.round, rng.coin(.5) ? size : -size, s.probes.count, numbers);
      };
      EXPECT_THROW(learner->observe(feedback(largest * (1 + 1e-12))), InputError);
      learner->observe(feedback(largest));
    }
  }
}

// ---- watchers: lost rounds, the control

/// Writes down what a learner does inside.
struct Notes final : Watcher {
  struct Block {
    Round q = 0;
    PointTable decisions, iterates;
    std::vector<Round> order;  // counted through all stages
    std::set<int> updated;
  };
  std::vector<Block> blocks;
  Round next_round = 1;  // of the whole run, kept by whoever plays

  void opened(Round q, const PointTable& decisions, const PointTable& iterates,
              std::span<const Round> order) override {
    Block block{q, decisions, iterates, {order.begin(), order.end()}, {}};
    // A block opens with its first round; the stages of an unknown horizon count from 1 inside.
    const Round shift = next_round - *std::min_element(order.begin(), order.end());
    for (Round& t : block.order) t += shift;
    blocks.push_back(std::move(block));
  }
  void updated(Round q, int k, PointView g, PointView d) override {
    ASSERT_FALSE(blocks.empty());
    ASSERT_EQ(q, blocks.back().q);
    for (std::size_t i = 0; i < d.size(); ++i) ASSERT_TRUE(std::isfinite(g[i] + d[i]));
    ASSERT_TRUE(blocks.back().updated.insert(k).second) << "one update a step and block";
  }
};

/// The rounds that inform step k: t_{q,k} (and t_{q,K+k} for pairs), or the only round of the
/// block.
std::vector<Round> informing_rounds(const Notes::Block& block, int k, int rounds_a_step) {
  if (block.order.size() == 1) return {block.order.front()};
  std::vector<Round> rounds;
  for (int n = 0; n < rounds_a_step; ++n)
    rounds.push_back(block.order[static_cast<std::size_t>(k - 1) + n * block.decisions.rows()]);
  return rounds;
}

TEST(LearnerLaws, AStepWhoseFeedbackIsLostLeavesItsOracleAlone) {
  const StreamFamily streams(5, "loss");
  std::uint64_t n = 0;
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Stream rng = streams.at(++n);
    Notes notes;
    Player player(c.make());
    player.learner().watch(&notes);
    std::set<Round> lost;
    while (notes.next_round <= 300 || !player.out().empty()) {
      if (notes.next_round <= 300 && player.can_suggest() &&
          (player.out().empty() || rng.coin(.6))) {
        ++(notes.next_round = player.suggest().round);
        continue;
      }
      const std::size_t which = rng.below(player.out().size());
      if (rng.coin(.3)) {
        lost.insert(player.out()[which].round);
        player.lose(which);
      } else {
        player.observe(which);
      }
    }
    if (!c.in_blocks()) {
      EXPECT_TRUE(notes.blocks.empty());
      continue;
    }
    ASSERT_GE(notes.blocks.size(), 3u);
    bool moved = false;
    for (std::size_t b = 0; b + 1 < notes.blocks.size(); ++b) {
      const Notes::Block& block = notes.blocks[b];
      const Notes::Block& next = notes.blocks[b + 1];
      for (int k = 1; k <= static_cast<int>(block.decisions.rows()); ++k) {
        const auto informing = informing_rounds(block, k, c.rounds_a_step());
        const bool is_lost = std::any_of(informing.begin(), informing.end(),
                                         [&](Round t) { return lost.contains(t); });
        ASSERT_EQ(block.updated.contains(k), !is_lost) << "block " << block.q << " step " << k;
        if (next.q != block.q + 1) continue;  // a new stage, with new oracles
        const auto row = static_cast<std::size_t>(k - 1);
        const bool stays = same_bits(block.decisions.row(row), next.decisions.row(row));
        if (is_lost && c.keys["oracle"] == "gradient-ascent") {
          ASSERT_TRUE(stays);
        }
        moved = moved || !stays;
      }
    }
    EXPECT_TRUE(moved) << "learning goes on";
  }
}

TEST(LearnerLaws, TheControlDiffersOnlyInWhatItLearns) {
  for (const Case& c : cases()) {
    if (!c.keys.contains("oracle")) continue;
    SCOPED_TRACE(c.name);
    Notes control_notes, learning_notes;
    Player control(c.make(5, horizon, {{"learning", false}})), learning(c.make());
    control.learner().watch(&control_notes);
    learning.learner().watch(&learning_notes);
    std::optional<Point> first_action;
    bool moved = false;
    for (Round t = 1; t <= 300; ++t) {
      control_notes.next_round = learning_notes.next_round = t;
      const Suggestion a = control.turn(), b = learning.turn();
      ASSERT_EQ(a.round, b.round);
      ASSERT_EQ(a.phase, b.phase);
      ASSERT_EQ(a.step, b.step);
      ASSERT_EQ(a.probes.count, b.probes.count);
      ASSERT_TRUE(a.direction.point() == b.direction.point());
      moved = moved || !same_bits(a.action.view(), b.action.view());
      if (!c.kind().ends_with("-ascent") || !a.direction.empty()) continue;
      if (!first_action) first_action.emplace(a.action.begin(), a.action.end());
      ASSERT_TRUE(same_bits<double>(*first_action, a.action.view()));
    }
    EXPECT_TRUE(moved) << "the learner learns";
    ASSERT_EQ(control_notes.blocks.size(), learning_notes.blocks.size());
    const Notes::Block* last = nullptr;
    for (std::size_t b = 0; b < control_notes.blocks.size(); ++b) {
      const Notes::Block& block = control_notes.blocks[b];
      EXPECT_EQ(block.order, learning_notes.blocks[b].order);
      if (last && block.q == last->q + 1) {
        ASSERT_TRUE(same_bits<double>(block.decisions.numbers(), last->decisions.numbers()));
      }
      last = &block;
    }
  }
}

TEST(LearnerLaws, AWatcherChangesNothing) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Notes notes;
    Player watched(c.make()), alone(c.make());
    watched.learner().watch(&notes);
    for (Round t = 1; t <= 150; ++t) {
      notes.next_round = t;
      if (t == 120) watched.learner().watch(nullptr);
      ASSERT_TRUE(same(watched.turn(), alone.turn()));
    }
    ASSERT_EQ(watched.learner().save(), alone.learner().save());
  }
}

/// Lines 3 and the last of the algorithms, from what the watcher sees.
TEST(LearnerLaws, IteratesAndAveragesFollowTheAlgorithm) {
  struct Averages final : Watcher {
    const FrankWolfeBlocks* learner = nullptr;
    Point d;
    int steps = 0;
    double digit = 1e-15;
    double kept_digit = 1e-15;  // of iterates: in f32 what is kept is below, by up to 2^-22
    void opened(Round, const PointTable& v, const PointTable& x, std::span<const Round>) override {
      const FrankWolfePlan& plan = learner->plan();
      const PointView lower = learner->lower();
      ASSERT_EQ(v.rows(), static_cast<std::size_t>(plan.steps));
      ASSERT_EQ(x.rows(), v.rows() + 1);
      ASSERT_TRUE(same_bits(x.row(0), lower));
      for (std::size_t k = 0; k < v.rows(); ++k) {
        ASSERT_TRUE(learner->playground().contains(v.row(k), 1e-9));
        for (std::size_t i = 0; i < lower.size(); ++i)
          ASSERT_NEAR(x.row(k + 1)[i], x.row(k)[i] + (v.row(k)[i] - lower[i]) / plan.steps,
                      kept_digit);
      }
      d.assign(lower.size(), 0.0);
      steps = 0;
    }
    void updated(Round, int k, PointView g, PointView average) override {
      ASSERT_EQ(k, ++steps);
      const double rho = learner->plan().averaging[static_cast<std::size_t>(k - 1)];
      for (std::size_t i = 0; i < d.size(); ++i) {
        const double rounded = 4 * digit * (std::abs(d[i]) + std::abs(g[i]));
        ASSERT_NEAR(average[i], (1 - rho) * d[i] + rho * g[i], rounded);
        d[i] = average[i];
      }
    }
  };
  for (const Case& c : cases()) {
    if (!c.in_blocks() || c.doubling) continue;
    SCOPED_TRACE(c.name);
    Averages averages;
    if (c.narrow()) averages.digit = 0x1p-23, averages.kept_digit = 1.25 * 0x1p-22;
    Player player(c.make());
    averages.learner = dynamic_cast<const FrankWolfeBlocks*>(&player.learner());
    ASSERT_NE(averages.learner, nullptr);
    player.learner().watch(&averages);
    for (int t = 0; t < 200; ++t) player.turn();
  }
}

/// Line 4: t_{q,k} is the round of step k, and (t_{q,1}, t_{q,2}, ...) orders the block's rounds.
TEST(LearnerLaws, TheOrderOfABlockSaysWhichRoundInformsWhichStep) {
  for (const Case& c : cases()) {
    if (!c.in_blocks()) continue;
    SCOPED_TRACE(c.name);
    Notes notes;
    Player player(c.make());
    player.learner().watch(&notes);
    for (Round t = 1; t <= 300; ++t) {
      notes.next_round = t;
      const Suggestion s = player.turn();
      const Notes::Block& block = notes.blocks.back();
      std::vector<Round> sorted = block.order;
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t i = 1; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], sorted[i - 1] + 1);
      if (s.probes.count > 1 || sorted.size() == 1) continue;  // the round is a block of its own
      const auto at = std::find(block.order.begin(), block.order.end(), t) - block.order.begin();
      const auto steps = static_cast<std::ptrdiff_t>(block.decisions.rows());
      ASSERT_EQ(s.step, at < c.rounds_a_step() * steps ? at % steps + 1 : 0);
    }
  }
}

TEST(LearnerLaws, TheOrderOfABlockIsUniformAndDrawnAnew) {
  constexpr int blocks = 20000;
  Notes notes;
  const Case c{"", {{"kind", "mono-frank-wolfe"}, {"steps", 3}}, uniform_matroid(dimension, 2)};
  Player player(c.make(7, 3 * blocks));
  player.learner().watch(&notes);
  for (Round t = 1; t <= 3 * blocks; ++t) {
    notes.next_round = t;
    player.turn();
  }
  ASSERT_EQ(notes.blocks.size(), static_cast<std::size_t>(blocks));
  std::map<std::vector<Round>, int> seen;  // two orders in a row, every block used once
  for (std::size_t b = 0; b < notes.blocks.size(); b += 2) {
    std::vector<Round> pair;
    for (const std::size_t i : {b, b + 1})
      for (const Round t : notes.blocks[i].order) pair.push_back((t - 1) % 3);
    ++seen[pair];
  }
  // 1e4 draws with probability 1/36 each. Bernstein: the frequency of one pair is off by more than
  // .011 with odds 2 exp(-1e4 * .011^2 / (2 (.027 + .011/3))) < 6e-9; there are 36.
  ASSERT_EQ(seen.size(), 36u);
  for (const auto& [pair, count] : seen) EXPECT_NEAR(count / 1e4, 1 / 36.0, .011);
}

// ---- horizons and seeds

TEST(LearnerLaws, TheHorizonEndsTheRun) {
  for (const Case& c : cases()) {
    if (!c.in_blocks() || c.doubling) continue;
    SCOPED_TRACE(c.name);
    for (const Round rounds : {1, 2, 3, 5, 31, 32, 33, 70}) {
      SCOPED_TRACE(rounds);
      // Steps by hand must fit; from the theorem they always do.
      Player player(c.make(5, rounds));
      Point last;
      const auto* blocks = dynamic_cast<const FrankWolfeBlocks*>(&player.learner());
      const FrankWolfePlan& plan = blocks->plan();
      ASSERT_LE(plan.block_length, rounds);
      ASSERT_GE(plan.blocks, 1);
      for (Round t = 1; t <= rounds; ++t) {
        ASSERT_GE(player.learner().ready(), 1);
        const Suggestion s = player.turn();
        ASSERT_EQ(s.round, t);
        const bool in_rest = t > plan.blocks * plan.block_length;
        if (in_rest) {
          ASSERT_EQ(s.step, 0);
          ASSERT_EQ(s.probes.count, 0u);
          ASSERT_TRUE(s.direction.empty());
          if (!last.empty()) {
            ASSERT_TRUE(same_bits<double>(last, s.action.view()));
          }
        }
        if (in_rest || s.phase != Phase::explore) last.assign(s.action.begin(), s.action.end());
      }
      EXPECT_EQ(player.learner().ready(), 0);
      const std::string before = player.learner().save();
      EXPECT_THROW(player.learner().suggest(), InputError);
      EXPECT_EQ(player.learner().save(), before);
      // A finished run is restored as one.
      const LearnerPtr again = c.make(5, rounds);
      again->restore(before);
      EXPECT_THROW(again->suggest(), InputError);
    }
  }
}

TEST(LearnerLaws, AnUnknownHorizonHasNoEnd) {
  for (const Case& c : cases()) {
    if (!c.doubling || c.domain != domains().front().second) continue;
    SCOPED_TRACE(c.name);
    Player player(c.make(5, 1, {{"first_horizon", 1}}));
    for (Round t = 1; t <= 300; ++t) {
      ASSERT_GE(player.learner().ready(), 1);
      ASSERT_EQ(player.turn().round, t);
    }
  }
}

TEST(LearnerLaws, TheSeedFixesTheRun) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Player a(c.make(11)), b(c.make(11)), other(c.make(12));
    bool differs = false;
    for (int t = 0; t < 300; ++t) {
      const Suggestion s = a.turn();
      ASSERT_TRUE(same(s, b.turn()));
      differs = differs || !same(s, other.turn());
    }
    EXPECT_EQ(differs, c.random);
  }
}

// ---- scale

/// 2^-13 is near 1e-4, and multiplying by it is exact, so that nothing may differ in any bit. Fixed
/// steps are not scale-free, which shows that the test can fail.
TEST(LearnerLaws, TheScaleOfTheFeedbackChangesNoDecision) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const LearnerPtr learner = c.make();
    Player plain(c.make());
    PoolGame game = make_game();
    bool differs = false;
    for (int t = 0; t < 250; ++t) {
      const Suggestion s = learner->suggest();
      const Suggestion other = plain.turn();
      differs = differs || !same(s, other);
      const Feedback f = game.answer(s).feedback;
      std::vector<double> gradients = numbers_of(f.gradients);
      for (double& g : gradients) g *= 0x1p-13;
      learner->observe(with_gradients(s.round, *f.value * 0x1p-13, s.probes.count, gradients));
    }
    const bool fixed = c.keys.contains("oracle_step");
    if (fixed && c.perturbs()) continue;  // noise of a fixed size may hide the gradients, or not
    EXPECT_EQ(differs, fixed);
  }
}

// ---- a user's own domain: theorem 4

/// { x >= corner 1, |x| <= radius }: a piece of a ball, and its own delta-interior.
class BallPiece final : public Domain {
 public:
  BallPiece(int dimension, double corner, double radius)
      : d_(dimension), corner_(corner), radius_(radius) {}

  int dimension() const override { return d_; }
  void maximize(PointView weights, PointRef out) const override {
    // x_i = max(corner, w_i / m), with the m that reaches the sphere.
    double largest = 0;
    for (const double w : weights) largest = std::max(largest, w);
    const auto set = [&](double scale) {
      for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = std::max(corner_, weights[i] / largest * scale);
    };
    if (!(largest > 0)) {
      std::fill(out.begin(), out.end(), corner_);
      return;
    }
    double low = 0, high = radius_;
    for (int i = 0; i < 100; ++i) {
      const double middle = (low + high) / 2;
      set(middle);
      (norm(out) <= radius_ ? low : high) = middle;
    }
    set(low);
  }
  void project(PointRef x, std::span<double>) const override {
    const Point y(x.begin(), x.end());
    const auto set = [&](double shrink) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::max(corner_, y[i] * shrink);
    };
    set(1);
    if (norm(x) <= radius_) return;
    double low = 0, high = 1;
    for (int i = 0; i < 100; ++i) {
      const double middle = (low + high) / 2;
      set(middle);
      (norm(x) <= radius_ ? low : high) = middle;
    }
    set(low);
  }
  bool contains(PointView x, double tolerance) const override {
    return norm(x) <= radius_ + tolerance &&
           std::all_of(x.begin(), x.end(), [&](double v) { return v >= corner_ - tolerance; });
  }
  Point lower() const override { return Point(static_cast<std::size_t>(d_), corner_); }
  double inner_radius() const override { return radius_ - corner_ * std::sqrt(d_); }
  double radius() const override {  // attained on an axis
    return std::sqrt(radius_ * radius_ - (d_ - 1) * corner_ * corner_) - corner_;
  }
  double diameter() const override { return std::sqrt(2) * radius(); }
  /// Not erode(): the general theorem takes an interior from anywhere.
  DomainPtr interior(double delta) const {
    return std::make_shared<BallPiece>(d_, corner_ + delta, radius_ - delta);
  }
  std::string describe() const override { return "piece of a ball"; }

 private:
  int d_;
  double corner_, radius_;
};

TEST(GeneralInterior, AUsersOwnDomainKeepsTheLaws) {
  expect_domain_laws(BallPiece(5, 0, 1), 1, 100);
  expect_domain_laws(BallPiece(4, .1, 1), 2, 100);
  expect_domain_laws(BallPiece(1, .2, 1), 3, 100);
}

/// In f32 a direction is lent from the row it is kept in, and a play is worked out in f32 (d > 32)
/// or f64: x^(k) + delta u all the same, in K, and the gradient is the one-point estimate along u.
TEST(HalfTheMemory, ABanditLearnerPlaysItsIterateMovedAlongItsDirection) {
  constexpr double radius = .002;
  struct Seen final : Watcher {
    PointTable iterates{1, 1};
    std::map<int, Point> gradients;
    void opened(Round, const PointTable&, const PointTable& all, std::span<const Round>) override {
      iterates = all;
    }
    void updated(Round, int k, PointView g, PointView) override {
      gradients[k] = Point(g.begin(), g.end());
    }
  };
  for (const int d : {10, 32, 33, 100, 256, 257, 300}) {
    const DomainPtr domain = uniform_matroid(d, d / 5);
    const Settings settings("learner", {{"kind", "bandit-frank-wolfe"},
                                        {"state", "f32"},
                                        {"steps", 9},
                                        {"block_length", 30},
                                        {"radius", radius}});
    const auto learner = make_learner(settings, {domain, 90, 4});
    Seen seen;
    learner->watch(&seen);
    int explored = 0;
    for (int block = 0; block < 3; ++block) {
      std::map<int, Point> expected;
      for (int t = 0; t < 30; ++t) {
        const Suggestion s = learner->suggest();
        ASSERT_TRUE(domain->contains(s.action.view(), 1e-12)) << d;
        const double value = 1 + s.action[0] + .5 * s.action[1];
        if (s.phase == Phase::explore) {
          ++explored;
          const Suggestion copied = s;  // owns its numbers
          const Point u = copied.direction.point();
          ASSERT_EQ(u, s.direction.point());
          ASSERT_NEAR(norm(u), 1, d <= 256 ? 1e-12 : 6e-7) << d;
          const PointView x = seen.iterates.row(static_cast<std::size_t>(s.step - 1));
          for (std::size_t i = 0; i < u.size(); ++i) {
            ASSERT_NEAR(s.action[i], x[i] + radius * u[i], d <= 32 ? 1e-15 : 1e-7) << d;
            expected[s.step].push_back(d / radius * value * u[i]);
          }
        }
        learner->observe({.round = s.round, .value = value});
      }
      ASSERT_EQ(seen.gradients.size(), 9u);
      for (const auto& [k, g] : seen.gradients)
        for (std::size_t i = 0; i < g.size(); ++i)
          ASSERT_NEAR(g[i], expected.at(k)[i], 1e-12 * d / radius) << d;
      seen.gradients.clear();
    }
    EXPECT_EQ(explored, 27);
  }
}

TEST(GeneralInterior, PlaysStayWithinTheRadiusOfAUsersOwnInterior) {
  for (const double corner : {0.0, .1})
    for (const double gamma : {1.0, .5, 2.0})
      for (const OracleKind& oracle : oracle_kinds()) {
        const BallPiece domain(5, corner, 1);
        const auto plan = general_interior_plan(3000, gamma, .2);
        const DomainPtr interior = domain.interior(plan.radius);
        BanditFrankWolfe learner(interior, plan,
                                 {.oracle = {.kind = std::string(oracle.kind)}, .seed = 3});
        EXPECT_EQ(Point(learner.lower().begin(), learner.lower().end()), interior->lower());
        int explored = 0;
        Point center(5);
        for (int t = 0; t < 3000; ++t) {
          const Suggestion s = learner.suggest();
          copy(s.action.view(), center);
          if (s.phase == Phase::explore) {
            ++explored;
            ASSERT_NEAR(norm(s.direction.point()), 1, 1e-12);
            add_scaled(center, -plan.radius, s.direction.point());
          }
          ASSERT_TRUE(interior->contains(center, 1e-9));
          ASSERT_TRUE(domain.contains(s.action.view(), 1e-9));
          learner.observe({.round = s.round, .value = norm(s.action.view())});
        }
        EXPECT_EQ(explored, plan.steps * plan.blocks);
      }
}

/// The broken twin: in the domain itself instead of its interior, exploring plays stick out.
TEST(GeneralInterior, WithoutAnInteriorPlaysStickOut) {
  const auto domain = std::make_shared<BallPiece>(5, 0, 1);
  BanditFrankWolfe learner(domain, general_interior_plan(300, 1, .2));
  int outside = 0;
  for (int t = 0; t < 300; ++t) {
    const Suggestion s = learner.suggest();
    outside += domain->contains(s.action.view(), 1e-9) ? 0 : 1;
    learner.observe({.round = s.round, .value = 1});
  }
  EXPECT_GT(outside, 0);
}

// ---- json

TEST(Json, SuggestionsAndFeedbackComeBackBitForBit) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Player player(c.make());
    LearnerPtr remote = c.make();  // lives behind JSON text
    for (int t = 0; t < 70; ++t) {
      const Suggestion s = player.suggest();
      const std::string wire = to_json(s).dump();
      ASSERT_TRUE(same(s, suggestion_from_json(nlohmann::ordered_json::parse(wire))));
      ASSERT_TRUE(same(s, remote->suggest()));
      const Feedback f = player.feedback(s);
      const Feedback back = feedback_from_json(nlohmann::ordered_json::parse(to_json(f).dump()));
      ASSERT_EQ(back.round, f.round);
      ASSERT_TRUE(back.value == f.value);
      ASSERT_EQ(back.gradients.count, f.gradients.count);
      ASSERT_TRUE(same_bits(back.gradients.numbers.view(), f.gradients.numbers.view()));
      remote->observe(back);
      player.observe(0);
    }
    ASSERT_EQ(player.learner().save(), remote->save());
  }
}

TEST(Json, KeysThatDoNotApplyAreLeftOut) {
  Suggestion s;
  s.round = 7;
  EXPECT_EQ(to_json(s).dump(), R"({"round":7})");
  s.action = std::vector<double>{.5, -0.0, 1e-310};
  s.set = Lent<Item>(std::vector<Item>{});
  s.phase = Phase::explore;
  s.step = 3;
  s.direction = Point{1, 0, 0};
  s.probes = {2, Lent<double>(std::vector<double>{1, 2, 3, 4, 5, 6})};
  const auto wire = to_json(s);
  EXPECT_EQ(wire["set"].dump(), "[]");
  EXPECT_EQ(wire["probes"].dump(), "[[1.0,2.0,3.0],[4.0,5.0,6.0]]");
  EXPECT_TRUE(same(s, suggestion_from_json(nlohmann::ordered_json::parse(wire.dump()))));
  EXPECT_EQ(to_json(Feedback{.round = 2}).dump(), R"({"round":2})");
}

TEST(Json, WhatIsMalformedIsRejected) {
  const auto parse = [](const char* text) { return nlohmann::ordered_json::parse(text); };
  for (const char* text : {"3",
                           "[]",
                           "null",
                           "{}",
                           R"({"round":0})",
                           R"({"round":-1})",
                           R"({"round":1.5})",
                           R"({"round":"1"})",
                           R"({"round":null})",
                           R"({"round":1,"acton":[1]})",
                           R"({"round":1,"action":3})",
                           R"({"round":1,"action":["a"]})",
                           R"({"round":1,"action":[null]})",
                           R"({"round":1,"action":[[1]]})",
                           R"({"round":1,"set":3})",
                           R"({"round":1,"set":[-1]})",
                           R"({"round":1,"set":[1.5]})",
                           R"({"round":1,"set":[4294967296]})",
                           R"({"round":1,"probes":[1]})",
                           R"({"round":1,"probes":[[1,2],[3]]})",
                           R"({"round":1,"probes":[[]]})",
                           R"({"round":1,"phase":"rest"})",
                           R"({"round":1,"phase":1})",
                           R"({"round":1,"k":-1})",
                           R"({"round":1,"k":"2"})",
                           R"({"round":1,"direction":"up"})"})
    EXPECT_THROW(suggestion_from_json(parse(text)), InputError) << text;
  for (const char* text :
       {"3", "[]", "{}", R"({"round":0})", R"({"round":true})", R"({"round":1,"value":"x"})",
        R"({"round":1,"value":null})", R"({"round":1,"value":[1]})", R"({"round":1,"gradients":3})",
        R"({"round":1,"gradients":[[1],[2,3]]})", R"({"round":1,"gradients":[[true]]})",
        R"({"round":1,"gradient":[[1]]})"})
    EXPECT_THROW(feedback_from_json(parse(text)), InputError) << text;
  nlohmann::ordered_json not_finite = {{"round", 1}, {"value", nan}};
  EXPECT_THROW(feedback_from_json(not_finite), InputError);
  not_finite = {{"round", 1}, {"gradients", {{infinity}}}};
  EXPECT_THROW(feedback_from_json(not_finite), InputError);
}

}  // namespace
}  // namespace hindsight
