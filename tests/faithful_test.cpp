/// Do the learners do what the paper's algorithms say? Judged from the lines of `hindsight trace`
/// alone: the test calls the command, and everything it compares with is its own
/// (recomputation.hpp). Every rule stands beside a trace that was tampered with and must be
/// rejected.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>

#include "tests/recomputation.hpp"

namespace recomputation {
namespace {

bool small_scale() {
  const char* scale = std::getenv("HINDSIGHT_TEST_SCALE");
  return scale && std::string(scale) == "small";
}

/// A directory of its own, gone with the program.
const std::filesystem::path& workplace() {
  struct Place {
    Place() {
      std::string name = (std::filesystem::temp_directory_path() / "faithful-XXXXXX").string();
      if (!mkdtemp(name.data())) throw std::runtime_error("no temporary directory");
      path = name;
    }
    ~Place() { std::filesystem::remove_all(path); }
    std::filesystem::path path;
  };
  static const Place place;
  return place.path;
}

/// Writes the experiment and its functions, and reads what the command says.
Events trace(const Case& run) {
  const auto experiment = workplace() / "experiment.toml";
  std::ofstream(experiment) << run.toml("functions.jsonl");
  std::ofstream replay(workplace() / "functions.jsonl");
  for (const Coverage& f : run.functions) replay << f.line() << '\n';
  replay.close();

  const auto out = workplace() / "trace.jsonl";
  const std::string command = std::string("\"") + HINDSIGHT_COMMAND + "\" trace \"" +
                              experiment.string() + "\" --learner " + run.kind + " --rounds " +
                              std::to_string(run.T) + " --seed " + std::to_string(run.seed) +
                              " > \"" + out.string() + "\"";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
  Events events;
  std::ifstream lines(out);
  for (std::string line; std::getline(lines, line);) events.push_back(Json::parse(line));
  return events;
}

std::string listed(const std::vector<std::string>& violations) {
  std::string text;
  for (const std::string& violation : violations) text += "\n  " + violation;
  return text;
}

std::vector<std::string> judge(const Case& run, const Events& events) {
  return Judge(run, events).violations();
}

void expect_faithful(const Case& run) {
  const auto violations = judge(run, trace(run));
  EXPECT_TRUE(violations.empty()) << run.describe() << listed(violations);
}

// --- What is played ------------------------------------------------------------------------------

/// Functions of which no two are alike, so that one round's answer cannot pass for another's.
std::vector<Coverage> functions(std::size_t d, std::size_t count = 37) {
  std::mt19937_64 random(d);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  std::vector<Coverage> list;
  for (std::size_t n = 0; n < count; ++n) {
    Coverage f{std::vector<double>(8), std::vector<std::vector<int>>(d)};
    double sum = 0;
    for (double& w : f.weights) sum += w = 0.1 + uniform();
    for (double& w : f.weights) w /= sum;
    for (std::size_t i = 0; i < d; ++i)
      for (int e = 0; e < 8; ++e)
        if (uniform() < 0.35) f.sets[i].push_back(e);
    list.push_back(f);
  }
  return list;
}

Case run_of(const std::string& kind, const Domain& domain, long T) {
  Case run{kind, domain, functions(domain.polytope.dimension()), T};
  if (kind == "vr-frank-wolfe" && T > 9) run.max_steps = 20;  // T^{3/2} gradients a round
  return run;
}

const std::vector<Domain>& domains() {
  static const std::vector<Domain> all = {
      uniform_matroid(6, 2),
      capacity_matroid("partition", 5, {{0, 2, 4}, {1, 3}}, {2, 1}),
      capacity_matroid("laminar", 5, {{0, 1}, {0, 1, 2, 3}, {4}}, {1, 2, 1}),
      graphic_matroid({{0, 1}, {1, 2}, {2, 0}, {0, 1}, {2, 3}, {3, 1}}),  // with parallel edges
      packing({{1, 2, 0, 1}, {0.5, 0, 1, 1}}, {1.5, 1}, {1, 0.8, 0.9, 1}),
      packing({{1, 1, 1}}, {2.5}, {1, 1, 0.7}),  // the box's diagonal bounds its diameter
      packing({}, {}, {1, 0.5, 0.75}),
      uniform_matroid(1, 1)};
  return all;
}

const std::vector<std::string> kinds = {"mono-frank-wolfe", "bandit-frank-wolfe",
                                        "responsive-frank-wolfe", "meta-frank-wolfe",
                                        "vr-frank-wolfe"};

bool fits(const std::string& kind, const Domain& domain) {
  return kind != "responsive-frank-wolfe" || domain.independent;
}

/// Meta-FW and VR-FW ask for K gradients a round: what they are shown is shorter.
bool is_meta(const std::string& kind) {
  return kind == "meta-frank-wolfe" || kind == "vr-frank-wolfe";
}

/// From less than a block on; the longer ones have several blocks and a rest.
std::vector<long> horizons(const std::string& kind) {
  if (small_scale()) return {2, is_meta(kind) ? 12 : 150};
  if (is_meta(kind)) return {1, 2, 9, 60};
  return {1, 2, 3, 40, 530, 1009};
}

/// One with three blocks at least, and a rest.
long middle(const std::string& kind) {
  if (small_scale()) return is_meta(kind) ? 12 : 150;
  return is_meta(kind) ? 25 : 250;
}

template <class Check>
void on_every_learner_and_domain(Check check) {
  for (const std::string& kind : kinds)
    for (const Domain& domain : domains()) {
      const bool one_of_each = &domain < &domains()[5];
      if (fits(kind, domain) && (one_of_each || !small_scale())) check(kind, domain);
    }
}

// --- The judge's own tools -----------------------------------------------------------------------

TEST(Judge, ProjectsToTheNearestPointOfEverySet) {
  std::mt19937_64 random(3);
  const auto uniform = [&] { return static_cast<Real>(random() >> 11) * 0x1p-53L; };
  for (const Domain& domain : domains())
    for (const Polytope& K : {domain.polytope, domain.polytope.image(0.6L, 0.1L)})
      for (int n = 0; n < (small_scale() ? 10 : 100); ++n) {
        Vector y(K.dimension());
        for (Real& z : y) z = 6 * uniform() - 3;
        const Vector x = K.project(y);
        EXPECT_LE(K.outside(x), 1e-15L) << domain.name;
        EXPECT_LE(K.projection_error(y, x), 1e-8L) << domain.name;
        EXPECT_LE(distance(K.project(x), x), 1e-15L) << domain.name;
      }
}

TEST(Judge, KnowsProjectionsThatCanBeDoneByHand) {
  const Polytope K = uniform_matroid(3, 1).polytope;
  EXPECT_LE(distance(K.project({1, 1, 1}), Vector(3, 1.0L / 3)), 1e-16L);
  EXPECT_LE(distance(K.project({1, 0.5L, -2}), {0.75L, 0.25L, 0}), 1e-16L);
  EXPECT_LE(distance(K.project({0.25L, -1, 0.5L}), {0.25L, 0, 0.5L}), 1e-16L);
  EXPECT_LE(distance(K.diagonal(), Vector(3, 1.0L / 3)), 1e-16L);
  EXPECT_NEAR(static_cast<double>(K.inner_radius()), 1 / std::sqrt(3), 1e-15);
  const Polytope P = packing({{1, 2}}, {2}, {1, 0.75}).polytope;
  EXPECT_EQ(P.vertices.size(), 5u);  // (0,0), (1,0), (1,.5), (.5,.75), (0,.75)
}

TEST(Judge, KnowsAFunctionThatCanBeDoneByHand) {
  const Coverage f{{1, 2, 4}, {{0, 1}, {1, 2}}};
  EXPECT_EQ(f.of_set({}), 0);
  EXPECT_EQ(f.of_set({0}), 3);
  EXPECT_EQ(f.of_set({0, 1}), 7);
  EXPECT_EQ(f.at({0.5L, 0.25L}), 0.5L + 2 * (1 - 0.5L * 0.75L) + 1);
  EXPECT_EQ(f.gradient({0.5L, 0.25L}), (Vector{1 + 2 * 0.75L, 2 * 0.5L + 4}));
}

// --- Faithful traces -----------------------------------------------------------------------------

TEST(Faithful, EveryLearnerOnEveryDomainAtManyHorizons) {
  on_every_learner_and_domain([](const std::string& kind, const Domain& domain) {
    for (const long T : horizons(kind)) expect_faithful(run_of(kind, domain, T));
  });
}

/// Even and odd K, blocks that are cut to the horizon, L >= 2K by rule (below T = 512) or by
/// itself.
TEST(Faithful, AtTheCornersOfTheSchedules) {
  for (const std::string& kind : kinds)
    for (const long T : {4, 5, 6, 7, 8, 10, 11, 12, 13, 511, 512, 513})
      if (!is_meta(kind) || T < 14) expect_faithful(run_of(kind, uniform_matroid(2, 1), T));
}

TEST(Faithful, UnderNoise) {
  on_every_learner_and_domain([](const std::string& kind, const Domain& domain) {
    Case run = run_of(kind, domain, middle(kind));
    run.noise = 0.2;
    run.gradient_noise = 0.3;
    run.seed = 2;
    expect_faithful(run);
  });
}

TEST(Faithful, WithEveryOracle) {
  on_every_learner_and_domain([](const std::string& kind, const Domain& domain) {
    for (const char* oracle : {"gradient-ascent", "dual-averaging", "perturbed-leader"})
      for (const bool fixed_step : {false, true}) {
        if (oracle == std::string("gradient-ascent") && !fixed_step) continue;  // seen above
        Case run = run_of(kind, domain, middle(kind));
        run.oracle = oracle;
        // One-point estimates are larger than gradients by about d / delta.
        if (fixed_step) run.oracle_step = run.explores() ? 0.0025 : 0.125;
        run.seed = 3;
        expect_faithful(run);
      }
  });
}

TEST(Faithful, TheControlNeverChangesItsDecisions) {
  on_every_learner_and_domain([](const std::string& kind, const Domain& domain) {
    for (const char* oracle : {"gradient-ascent", "perturbed-leader"}) {
      Case run = run_of(kind, domain, middle(kind));
      run.oracle = oracle;
      run.learning = false;
      expect_faithful(run);
    }
  });
}

/// Meta-FW takes its exact gradients as they are.
const std::set<std::string> with_averaging = {kinds[0], kinds[1], kinds[2], kinds[4]};

TEST(Faithful, WithParametersGivenByHand) {
  on_every_learner_and_domain([](const std::string& kind, const Domain& domain) {
    Case run = run_of(kind, domain, 60);
    run.steps = 7;
    expect_faithful(run);
    if (with_averaging.count(kind)) {
      run.averaging = false;
      expect_faithful(run);
    }
    if (!run.explores()) return;
    run.block_length = 11;
    run.radius = 0.05 * static_cast<double>(domain.polytope.inner_radius());
    expect_faithful(run);
  });
}

TEST(Faithful, InTheExactInterior) {
  for (const Domain& domain : domains()) {
    if (domain.independent) continue;
    Case run = run_of("bandit-frank-wolfe", domain, small_scale() ? 100 : 530);
    run.exact_interior = true;
    expect_faithful(run);
  }
}

TEST(Faithful, WithEitherRounding) {
  for (const Domain& domain : domains())
    for (const char* rounding : {"randomized-pipage", "swap-rounding"}) {
      if (!domain.independent) continue;
      Case run = run_of("responsive-frank-wolfe", domain, small_scale() ? 100 : 530);
      run.rounding = rounding;
      expect_faithful(run);
    }
}

// --- Traces that were tampered with --------------------------------------------------------------

Json& nth(
    Events& events, const std::string& kind, std::size_t n,
    const std::function<bool(const Json&)>& where = [](const Json&) { return true; }) {
  for (Json& event : events)
    if (event["event"] == kind && where(event) && n-- == 0) return event;
  throw std::runtime_error("no such event: " + kind);
}

void add(Json& number, double change) { number = number.get<double>() + change; }
void scale(Json& numbers, double factor) {
  for (Json& z : numbers) z = z.get<double>() * factor;
}
bool explores(const Json& round) { return round.value("phase", "") == "explore"; }
bool exploits(const Json& round) { return round.value("phase", "") == "exploit"; }

struct Twin {
  std::string rule;
  std::string what;
  std::set<std::string> learners;  // kinds to which it can be done
  std::function<void(Events&, const Case&)> tamper;
};

const std::set<std::string> all = {kinds.begin(), kinds.end()};
const std::set<std::string> mono = {kinds[0]};
const std::set<std::string> bandits = {kinds[1], kinds[2]};
const std::set<std::string> responsive = {kinds[2]};
const std::set<std::string> metas = {kinds[3], kinds[4]};
const std::set<std::string> with_gradients = {kinds[0], kinds[3], kinds[4]};
const std::set<std::string> with_rest = {kinds[0], kinds[1], kinds[2]};

std::vector<Twin> twins() {
  std::vector<Twin> list;
  for (const char* key : {"d", "T", "K", "L", "Q"})
    list.push_back({"start", std::string(key) + " is one more", all,
                    [key](Events& e, const Case&) { add(e[0][key], 1); }});
  for (const char* key : {"delta", "alpha", "r"})
    list.push_back({"start", std::string(key) + " is a little more", all,
                    [key](Events& e, const Case&) { add(e[0][key], 1e-9); }});
  for (const char* key : {"lower", "rho", "eta"})
    list.push_back({"start", std::string(key) + " is a little more at its end", all,
                    [key](Events& e, const Case&) { add(e[0][key].back(), 1e-9); }});
  const auto twin = [&](const char* rule, const char* what, const std::set<std::string>& learners,
                        std::function<void(Events&, const Case&)> tamper) {
    list.push_back({rule, what, learners, std::move(tamper)});
  };

  twin("start", "another learner", all, [](Events& e, const Case&) { e[0]["learner"] = "other"; });
  twin("sequence", "an update is lost", all, [](Events& e, const Case&) {
    for (std::size_t i = 0; i < e.size(); ++i)
      if (e[i]["event"] == "update") return static_cast<void>(e.erase(e.begin() + i));
  });
  twin("sequence", "a round too many", all,
       [](Events& e, const Case&) { e.push_back(nth(e, "round", 0)); });
  twin("sequence", "the trace ends early", all, [](Events& e, const Case&) { e.pop_back(); });
  twin("sequence", "two rounds change places", all,
       [](Events& e, const Case&) { std::swap(nth(e, "round", 0), nth(e, "round", 1)); });
  twin("sequence", "the steps are updated in another order", all,
       [](Events& e, const Case&) { std::swap(nth(e, "update", 0), nth(e, "update", 1)); });
  twin("sequence", "a key that does not apply", all,
       [](Events& e, const Case&) { nth(e, "round", 0)["probability"] = 1; });
  twin("sequence", "a key is missing", all,
       [](Events& e, const Case&) { nth(e, "round", 3).erase("action"); });

  twin("order", "a round comes twice", with_rest, [](Events& e, const Case&) {
    Json& order = nth(e, "block", 1)["order"];
    order[0] = order[1];
  });
  twin("order", "another block's rounds", all,
       [](Events& e, const Case&) { nth(e, "block", 1)["order"] = nth(e, "block", 0)["order"]; });
  twin("phase", "two rounds of the order change places", with_rest, [](Events& e, const Case&) {
    Json& order = nth(e, "block", 1)["order"];
    std::swap(order[0], order[1]);
  });
  twin("phase", "an exploiting round is called exploring", bandits,
       [](Events& e, const Case&) { nth(e, "round", 2, exploits)["phase"] = "explore"; });
  twin("phase", "the step of an exploring round", bandits,
       [](Events& e, const Case&) { add(nth(e, "round", 2, explores)["k"], 1); });

  twin("corner", "x^(1) is not the lower corner", all,
       [](Events& e, const Case&) { add(nth(e, "block", 1)["x"][0][0], 1e-9); });
  twin("iterate", "one iterate is moved", all,
       [](Events& e, const Case&) { add(nth(e, "block", 1)["x"][1][0], 1e-9); });
  twin("iterate", "steps from 0 and not from the lower corner", bandits,
       [](Events& e, const Case& s) {
         Json& block = nth(e, "block", 1);
         const double eta = e[0]["eta"][0].get<double>();
         for (std::size_t i = 0; i < s.d(); ++i)
           add(block["x"][1][i], eta * e[0]["lower"][i].get<double>());
       });
  twin("decision", "v leaves K' downwards", all,
       [](Events& e, const Case&) { nth(e, "block", 1)["v"][0][0] = -1e-8; });
  twin("decision", "v leaves K' upwards", all, [](Events& e, const Case&) {
    for (Json& z : nth(e, "block", 1)["v"][1]) z = 0.95;
  });
  twin("decision", "v is in K, but not in K'", bandits, [](Events& e, const Case& s) {
    nth(e, "block", 1)["v"][0] = std::vector<double>(s.d(), 0.0);
  });

  twin("oracle", "the first decision is not the diagonal point", all,
       [](Events& e, const Case&) { scale(nth(e, "block", 0)["v"][0], 1 - 1e-8); });
  twin("oracle", "a decision is a little off", all,
       [](Events& e, const Case&) { scale(nth(e, "block", 1)["v"][0], 1 - 1e-7); });
  twin("oracle", "an oracle that never learns", all,
       [](Events& e, const Case&) { nth(e, "block", 2)["v"] = nth(e, "block", 0)["v"]; });
  twin("oracle", "two oracles change places", with_averaging, [](Events& e, const Case&) {
    Json& v = nth(e, "block", 1)["v"];
    std::swap(v[0], v[v.size() - 1]);
  });
  twin("oracle", "it is fed g and not d", with_averaging, [](Events& e, const Case&) {
    for (Json& event : e)
      if (event["event"] == "update") event["d"] = event["g"];
  });

  twin("play", "the action is moved", all,
       [](Events& e, const Case&) { add(nth(e, "round", 1)["action"][0], 1e-9); });
  twin("play", "an exploiting round plays x^(K)", all, [](Events& e, const Case& s) {
    const Json& x = nth(e, "block", 1)["x"];
    Json& round = nth(e, "round", 0,
                      [&](const Json& r) { return r["q"] == 2 && (!s.explores() || exploits(r)); });
    round["action"] = x[x.size() - 2];
  });
  twin("play", "an exploring round plays x^(k) itself", bandits, [](Events& e, const Case&) {
    Json& round = nth(e, "round", 1, explores);
    round["action"] = nth(e, "block", 0)["x"][round["k"].get<std::size_t>() - 1];
  });
  twin("play", "the direction is turned round", bandits,
       [](Events& e, const Case&) { scale(nth(e, "round", 1, explores)["direction"], -1); });
  twin("direction", "the direction is longer than 1", bandits,
       [](Events& e, const Case&) { scale(nth(e, "round", 1, explores)["direction"], 1 + 1e-9); });
  twin("rest", "the rest plays the block before the last", with_rest, [](Events& e, const Case&) {
    const std::size_t Q = e[0]["Q"].get<std::size_t>();
    e.back()["action"] = nth(e, "block", Q - 2)["x"].back();
  });
  twin("rest", "the rest is moved", with_rest,
       [](Events& e, const Case&) { add(e.back()["action"][0], 1e-12); });
  twin("feasible", "a play outside K", all, [](Events& e, const Case&) {
    Json& round = nth(e, "round", 1);
    round["action"] = std::vector<double>(round["action"].size(), 0.99);
  });
  twin("feasible", "a play below 0", all,
       [](Events& e, const Case&) { nth(e, "round", 1)["action"][0] = -1e-8; });

  twin("value", "the function of the next round", all, [](Events& e, const Case& s) {
    Json& round = nth(e, "round", 4);
    const Coverage& next = s.function(round["t"].get<long>() + 1);
    if (s.plays_sets()) {
      round["set"] = {0};
      round["value"] = static_cast<double>(next.of_set({0}));
    } else {
      round["value"] = static_cast<double>(next.at(vector_of(round["action"])));
    }
  });
  twin("value", "the extension instead of the set", responsive, [](Events& e, const Case& s) {
    Json& round = nth(e, "round", 4);
    round["value"] =
        static_cast<double>(s.function(round["t"].get<long>()).at(vector_of(round["action"])));
  });
  twin("reward", "a reward is a little more", all,
       [](Events& e, const Case&) { add(nth(e, "round", 2)["reward"], 1e-9); });
  twin("reward", "a dependent set is rewarded", responsive, [](Events& e, const Case&) {
    Json& round = nth(e, "round", 0, [](const Json& r) {
      return r["event"] == "round" && r["reward"] == 0 && r["value"] > 0;
    });
    round["reward"] = round["value"];
  });
  twin("independent", "an exploiting set is dependent", responsive, [](Events& e, const Case& s) {
    Json& set = nth(e, "round", 1, exploits)["set"];
    set = Json::array();
    for (std::size_t i = 0; i < s.d(); ++i) set.push_back(i);
  });

  twin("probe", "the gradient is asked for at the point played", mono, [](Events& e, const Case&) {
    Json& round = nth(e, "round", 1);
    round["probes"] = {round["action"]};
  });
  twin("probe", "two probes change places", metas, [](Events& e, const Case&) {
    Json& probes = nth(e, "round", 1)["probes"];
    std::swap(probes[0], probes[1]);
  });
  twin("gradient", "the gradient of the next round's function", with_gradients,
       [](Events& e, const Case& s) {
         Json& round = nth(e, "round", 3);
         const Vector g =
             s.function(round["t"].get<long>() + 1).gradient(vector_of(round["probes"][0]));
         round["gradients"][0] = g;
       });
  twin("gradient", "the gradient at the point played", with_gradients,
       [](Events& e, const Case& s) {
         Json& round = nth(e, "round", 3);
         round["gradients"][0] =
             s.function(round["t"].get<long>()).gradient(vector_of(round["action"]));
       });

  twin("estimate", "g is scaled", all,
       [](Events& e, const Case&) { scale(nth(e, "update", 1)["g"], 1 + 1e-9); });
  twin("estimate", "g of the neighbouring step", all, [](Events& e, const Case&) {
    std::swap(nth(e, "update", 0)["g"], nth(e, "update", 1)["g"]);
  });
  twin("estimate", "1/delta without the d", bandits, [](Events& e, const Case& s) {
    scale(nth(e, "update", 1)["g"], 1.0 / static_cast<double>(s.d()));
  });
  twin("average", "no averaging", with_averaging, [](Events& e, const Case&) {
    Json& update = nth(e, "update", 1);
    update["d"] = update["g"];
  });
  twin("average", "the rho of the next step", with_averaging, [](Events& e, const Case&) {
    Json& update = nth(e, "update", 1);
    const double rho = e[0]["rho"][2].get<double>();
    const Json before = nth(e, "update", 0)["d"];
    for (std::size_t i = 0; i < before.size(); ++i)
      update["d"][i] = (1 - rho) * before[i].get<double>() + rho * update["g"][i].get<double>();
  });
  twin("average", "d^(0) is the last block's d^(K)", with_averaging, [](Events& e, const Case&) {
    const auto K = e[0]["K"].get<std::size_t>();
    const double rho = e[0]["rho"][0].get<double>();
    const Json before = nth(e, "update", K - 1)["d"];
    Json& update = nth(e, "update", K);
    for (std::size_t i = 0; i < before.size(); ++i)
      add(update["d"][i], (1 - rho) * before[i].get<double>());
  });
  return list;
}

bool names(const std::vector<std::string>& violations, const std::string& rule) {
  return std::any_of(violations.begin(), violations.end(),
                     [&](const std::string& v) { return v.starts_with(rule + ":"); });
}

TEST(Tampered, EveryRuleHasATwin) {
  std::set<std::string> shown;
  for (const Twin& twin : twins()) shown.insert(twin.rule);
  EXPECT_EQ(shown, rules());
}

TEST(Tampered, EveryTwinIsRejectedByItsRule) {
  for (const std::string& kind : kinds)
    for (const std::size_t n : {0u, 1u, 3u, 4u}) {
      const Domain& domain = domains()[n];
      if (!fits(kind, domain) || (small_scale() && n != 1)) continue;
      const Case run = run_of(kind, domain, is_meta(kind) ? 12 : 150);
      const Events honest = trace(run);
      ASSERT_TRUE(judge(run, honest).empty()) << run.describe();
      ASSERT_GE(honest[0]["Q"].get<long>(), 3) << run.describe();
      for (const Twin& twin : twins()) {
        if (!twin.learners.count(kind)) continue;
        Events events = honest;
        twin.tamper(events, run);
        const auto violations = judge(run, events);
        EXPECT_TRUE(names(violations, twin.rule))
            << run.describe() << ": " << twin.what << listed(violations);
      }
    }
}

/// Here the whole trace is honest, but of another run than it says.
TEST(Tampered, AnHonestTraceOfAnotherRunIsRejected) {
  for (const std::string& kind : kinds) {
    const Case said = run_of(kind, domains()[1], is_meta(kind) ? 12 : 150);
    const auto rejected_by = [&](const char* rule, const char* what, Case done) {
      EXPECT_TRUE(names(judge(said, trace(done)), rule)) << kind << ": " << what;
    };
    Case done = said;
    done.learning = false;
    rejected_by("oracle", "the control", done);
    done = said;
    done.oracle = "dual-averaging";
    rejected_by("oracle", "another oracle", done);
    done = said;
    done.oracle_step = 0.1;
    rejected_by("oracle", "a fixed step", done);
    done = said;
    done.averaging = false;
    if (with_averaging.count(kind)) rejected_by("start", "no averaging", done);
    done = said;
    std::swap(done.functions[0], done.functions[1]);
    rejected_by("value", "functions in another order", done);
    done = said;
    done.noise = 1e-6;
    rejected_by("value", "noise", done);
    done = said;
    done.gradient_noise = 1e-6;
    if (with_gradients.count(kind)) rejected_by("gradient", "noisy gradients", done);
  }
}

// --- What is drawn -------------------------------------------------------------------------------

/// The mean of numbers that each have the mean 0 given those before, in an interval of this width
/// (Hoeffding, Azuma). False alarm: 1e-9 a mean.
class Mean {
 public:
  explicit Mean(Real width) : width_(width) {}
  void add(Real x) {
    sum_ += x;
    ++count_;
  }
  Real allowed() const { return width_ * std::sqrt(std::log(2e9L) / (2 * count_)); }
  bool is_zero() const { return std::abs(sum_ / count_) <= allowed(); }
  bool is_not_negative() const { return sum_ / count_ >= -allowed(); }

 private:
  Real width_;
  Real sum_ = 0;
  Real count_ = 0;
};

/// RandRound: E 1_Y = y. LosslessRound: E 1_Y = x_q and E f(Y) >= F(x_q). The sphere: E u = 0 and
/// E u_i u_j = [i = j] / d.
std::vector<std::string> judge_draws(const Case& run, const Events& events) {
  const std::size_t d = run.d();
  std::vector<Mean> random(d, Mean(1)), lossless(d, Mean(1)), sphere(d, Mean(2)),
      products(d * d, Mean(1));
  Mean worth(1);
  for (const Json& event : events) {
    if (event["event"] != "round") continue;
    const Vector y = vector_of(event["action"]);
    const auto items = event["set"].get<std::set<int>>();
    for (std::size_t i = 0; i < d; ++i)
      (explores(event) ? random : lossless)[i].add((items.count(static_cast<int>(i)) ? 1 : 0) -
                                                   y[i]);
    if (!explores(event)) {
      const Coverage& f = run.function(event["t"].get<long>());
      worth.add(f.of_set(items) - f.at(y));
      continue;
    }
    const Vector u = vector_of(event["direction"]);
    for (std::size_t i = 0; i < d; ++i) {
      sphere[i].add(u[i]);
      for (std::size_t j = 0; j < d; ++j)
        products[i * d + j].add(u[i] * u[j] - (i == j ? 1.0L / static_cast<Real>(d) : 0));
    }
  }
  const auto centred = [](const std::vector<Mean>& means) {
    return std::all_of(means.begin(), means.end(), [](const Mean& m) { return m.is_zero(); });
  };
  std::vector<std::string> violations;
  if (!centred(random)) violations.push_back("random: E 1_Y is not y");
  if (!centred(lossless)) violations.push_back("lossless: E 1_Y is not x_q");
  if (!worth.is_not_negative()) violations.push_back("worth: E f(Y) is less than F(x_q)");
  if (!centred(sphere)) violations.push_back("sphere: E u is not 0");
  if (!centred(products)) violations.push_back("products: E u u' is not 1/d");
  return violations;
}

TEST(Draws, RoundingsAndDirectionsHaveTheirMeans) {
  for (const std::size_t n : {0u, 1u, 2u, 3u}) {
    const Case run = run_of("responsive-frank-wolfe", domains()[n], 4000);
    const Events honest = trace(run);
    const auto violations = judge_draws(run, honest);
    EXPECT_TRUE(violations.empty()) << run.describe() << listed(violations);

    const auto rejected = [&](const char* rule, const std::function<void(Json&)>& tamper) {
      Events events = honest;
      for (Json& event : events)
        if (event["event"] == "round") tamper(event);
      EXPECT_TRUE(names(judge_draws(run, events), rule)) << run.describe() << ": " << rule;
    };
    rejected("random", [](Json& round) {  // threshold rounding
      Json set = Json::array();
      for (std::size_t i = 0; i < round["action"].size(); ++i)
        if (round["action"][i] > 0.35) set.push_back(i);
      if (explores(round)) round["set"] = set;
    });
    const auto drop_every_third = [](Json& round) {
      if (exploits(round) && round["t"].get<int>() % 3 == 0) round["set"] = Json::array();
    };
    rejected("lossless", drop_every_third);
    rejected("worth", drop_every_third);
    rejected("sphere", [](Json& round) {
      if (explores(round)) round["direction"][0] = std::abs(round["direction"][0].get<double>());
    });
    rejected("products", [](Json& round) {  // the corners of the cube, not the sphere
      if (explores(round)) round["direction"][1] = round["direction"][0];
    });
  }
}

/// Each of the six orders of a block of three comes equally often.
bool orders_are_uniform(const Events& events) {
  std::map<std::vector<long>, long> counts;
  Real blocks = 0;
  for (const Json& event : events) {
    if (event["event"] != "block") continue;
    auto order = event["order"].get<std::vector<long>>();
    const long first = (event["q"].get<long>() - 1) * 3 + 1;
    for (long& t : order) t -= first;
    ++counts[order];
    ++blocks;
  }
  const Real allowed = std::sqrt(std::log(2e9L) / (2 * blocks));  // Hoeffding, 1e-9 an order
  return counts.size() == 6 && std::all_of(counts.begin(), counts.end(), [&](const auto& entry) {
           return std::abs(static_cast<Real>(entry.second) / blocks - 1.0L / 6) <= allowed;
         });
}

TEST(Draws, EveryOrderOfABlockIsEquallyLikely) {
  for (const char* kind : {"mono-frank-wolfe", "bandit-frank-wolfe"}) {
    Case run = run_of(kind, uniform_matroid(2, 1), 6000);
    run.steps = run.explores() ? 1 : 3;
    if (run.explores()) run.block_length = 3;
    Events events = trace(run);
    EXPECT_TRUE(orders_are_uniform(events)) << kind;
    // The twin: a first round that too often comes first.
    for (Json& event : events)
      if (event["event"] == "block" && event["q"].get<long>() % 3 == 0)
        std::sort(event["order"].begin(), event["order"].end());
    EXPECT_FALSE(orders_are_uniform(events)) << kind;
  }
}

/// Noise has mean 0 and the deviation asked for: in mean, E n = 0 and E n^2 = s^2.
TEST(Draws, NoiseIsCentredAndHasItsDeviation) {
  Case run = run_of("mono-frank-wolfe", domains()[0], 3000);
  run.noise = 0.2;
  run.gradient_noise = 0.3;
  Mean value(2 * std::sqrt(3.0L) * 0.2L), gradient(2 * std::sqrt(3.0L) * 0.3L);
  Mean value_square(3 * 0.04L), gradient_square(3 * 0.09L), half(3 * 0.04L);
  for (const Json& event : trace(run)) {
    if (event["event"] != "round") continue;
    const Coverage& f = run.function(event["t"].get<long>());
    const Real n = event["value"].get<Real>() - f.at(vector_of(event["action"]));
    value.add(n);
    value_square.add(n * n - 0.04L);
    half.add(n * n - 0.01L);
    if (!event.contains("probes")) continue;
    const Vector exact = f.gradient(vector_of(event["probes"][0]));
    const Vector seen = vector_of(event["gradients"][0]);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      gradient.add(seen[i] - exact[i]);
      gradient_square.add((seen[i] - exact[i]) * (seen[i] - exact[i]) - 0.09L);
    }
  }
  EXPECT_TRUE(value.is_zero());
  EXPECT_TRUE(gradient.is_zero());
  EXPECT_TRUE(value_square.is_zero());
  EXPECT_TRUE(gradient_square.is_zero());
  EXPECT_FALSE(half.is_zero()) << "half the deviation must be noticed";
}

/// On a box the perturbed leader decides each coordinate on its own: the upper end with probability
/// Phi(S_i / sigma), S the sum of the rewards. `factor` multiplies the sigma that is expected.
bool leader_is_perturbed(const Case& run, const Events& events, Real factor) {
  const auto K = static_cast<std::size_t>(plan_of(run).K);
  Matrix sums(K, Vector(run.d(), 0));
  Vector squares(K, 0);
  Mean mean(1);
  for (const Json& event : events) {
    if (event["event"] == "update") {
      const auto k = event["k"].get<std::size_t>() - 1;
      const Vector d = vector_of(event["d"]);
      sums[k] = plus(sums[k], 1, d);
      squares[k] += dot(d, d);
    }
    if (event["event"] != "block" || event["q"] == 1) continue;
    for (std::size_t k = 0; k < K; ++k) {
      const Vector v = vector_of(event["v"][k]);
      const Real sigma = factor * Judge::leader_deviation(run, squares[k]);
      for (std::size_t i = 0; i < v.size(); ++i) {
        const Real odds = std::erfc(-sums[k][i] / sigma / std::sqrt(2.0L)) / 2;
        mean.add((sums[k][i] > 0 ? 1 : -1) * ((v[i] > 0.5L ? 1 : 0) - odds));
      }
    }
  }
  return mean.is_zero();
}

TEST(Draws, ThePerturbedLeaderIsPerturbedByItsSigma) {
  Case run = run_of("bandit-frank-wolfe", uniform_matroid(3, 3), 4000);
  run.oracle = "perturbed-leader";
  run.steps = 50;
  run.block_length = 100;
  const Events events = trace(run);
  EXPECT_TRUE(judge(run, events).empty()) << listed(judge(run, events));
  EXPECT_TRUE(leader_is_perturbed(run, events, 1));
  EXPECT_FALSE(leader_is_perturbed(run, events, 2));
  EXPECT_FALSE(leader_is_perturbed(run, events, 0.5));
}

}  // namespace
}  // namespace recomputation
