#include "hindsight/learners/registry.hpp"

#include <algorithm>
#include <limits>

#include "hindsight/core/nearest.hpp"
#include "hindsight/domains/interior.hpp"
#include "hindsight/learners/bandit_frank_wolfe.hpp"
#include "hindsight/learners/choice.hpp"
#include "hindsight/learners/doubling.hpp"
#include "hindsight/learners/explore_then_commit.hpp"
#include "hindsight/learners/gradient_ascent.hpp"
#include "hindsight/learners/guarded.hpp"
#include "hindsight/learners/meta_frank_wolfe.hpp"
#include "hindsight/learners/mono_frank_wolfe.hpp"
#include "hindsight/learners/no_learning.hpp"
#include "hindsight/learners/responsive_boost.hpp"
#include "hindsight/learners/responsive_frank_wolfe.hpp"
#include "hindsight/learners/safe.hpp"
#include "hindsight/learners/sampled_vertex.hpp"
#include "hindsight/learners/slot_bandit.hpp"
#include "hindsight/rounding/randomized_pipage.hpp"
#include "hindsight/rounding/swap_rounding.hpp"

namespace hindsight {
namespace {

constexpr std::string_view paper = "Zhang, Chen, Hassani, Karbasi, NeurIPS 2019, ";

constexpr LearnerKey schedule_key = {
    "schedule", "\"theorem\", or \"explicit\"; the keys below replace parts of it (\"theorem\")"};
constexpr LearnerKey steps_key = {"steps", "K, oracles and gradients a block (from the schedule)"};
constexpr LearnerKey max_steps_key = {"max_steps", "cap on K (none)"};
constexpr LearnerKey length_key = {"block_length", "L, rounds a block (from the schedule)"};
constexpr LearnerKey radius_key = {"radius", "delta of the one-point estimate (from the schedule)"};
constexpr LearnerKey averaging_key = {"averaging", "false: rho_k = 1, no averaging (true)"};
constexpr LearnerKey interior_key = {
    "interior", "\"lemma-2\" or \"exact\" erosion of the domain (\"lemma-2\")"};
constexpr LearnerKey rounding_key = {
    "rounding", "\"randomized-pipage\" or \"swap-rounding\" (by the kind of matroid)"};
constexpr LearnerKey oracle_key = {"oracle", "an online linear maximiser (\"gradient-ascent\")"};
constexpr LearnerKey step_key = {"oracle_step", "fixed step of the oracles (scale-free)"};
constexpr LearnerKey learning_key = {"learning",
                                     "false: the control, no oracle is ever fed (true)"};
constexpr LearnerKey ahead_key = {"ahead", "how many rounds may be out at once (64)"};
constexpr LearnerKey inner_key = {"inner", "the learner of sets it wraps (\"sampled-vertex\")"};
constexpr LearnerKey hedge_step_key = {"step", "multiple of the theory's step (24)"};
constexpr LearnerKey horizon_key = {"horizon",
                                    "\"known\", or \"unknown\": by doubling (\"known\")"};
constexpr LearnerKey first_key = {"first_horizon", "length of the first stage of doubling (1000)"};

bool has_key(const LearnerKind& kind, std::string_view key) {
  return std::any_of(kind.keys.begin(), kind.keys.end(),
                     [&](const LearnerKey& entry) { return entry.key == key; });
}

OracleOptions read_oracle(Settings& settings) {
  OracleOptions options;
  if (auto kind = settings.text("oracle")) options.kind = *kind;
  options.step = settings.number("oracle_step");
  return options;
}

FrankWolfeOptions read_options(Settings& settings, const LearnerWorld& world) {
  FrankWolfeOptions options;
  options.oracle = read_oracle(settings);
  options.learning = settings.flag("learning").value_or(true);
  options.seed = world.seed;
  return options;
}

std::optional<int> read_count(Settings& settings, const char* key) {
  const auto count = settings.integer(key, 1, std::numeric_limits<int>::max());
  return count ? std::optional(static_cast<int>(*count)) : std::nullopt;
}

/// The keys that every plan may take; learners with blocks and radii read theirs themselves.
PlanChoices read_choices(Settings& settings) {
  const std::string schedule = settings.text("schedule").value_or("theorem");
  require(schedule == "theorem" || schedule == "explicit", "schedule", schedule,
          "must be \"theorem\" or \"explicit\"");
  PlanChoices choices;
  choices.steps = read_count(settings, "steps");
  require(schedule == "theorem" || choices.steps, "schedule", schedule,
          "needs the key steps (and, with blocks, block_length and radius)");
  return choices;
}

PlanChoices read_averaged_choices(Settings& settings) {
  PlanChoices choices = read_choices(settings);
  choices.averaging = settings.flag("averaging").value_or(true);
  return choices;
}

FrankWolfePlan plan_mono(Settings& settings, const LearnerWorld& world) {
  return mono_plan(world.horizon, read_averaged_choices(settings));
}

LearnerPtr make_mono(Settings& settings, const LearnerWorld& world) {
  return std::make_unique<MonoFrankWolfe>(world.domain, plan_mono(settings, world),
                                          read_options(settings, world));
}

FrankWolfePlan plan_bandit(Settings& settings, const LearnerWorld& world) {
  PlanChoices choices = read_averaged_choices(settings);
  choices.block_length = settings.integer("block_length", 1, std::numeric_limits<Round>::max());
  choices.radius = settings.number("radius");
  const double r = world.domain->inner_radius();
  require(r > 0, "kind", settings.text("kind").value_or(""),
          "needs a domain with positive inner radius: leave out items that can never be played");
  return bandit_plan(world.horizon, world.domain->dimension(), r, choices);
}

DomainPtr read_interior(Settings& settings, const LearnerWorld& world, double radius) {
  const std::string interior = settings.text("interior").value_or("lemma-2");
  if (interior == "lemma-2") return shrunk_interior(world.domain, radius);
  require(interior == "exact", "interior", interior, "must be \"lemma-2\" or \"exact\"");
  DomainPtr eroded = world.domain->erode(radius);
  require(eroded != nullptr, "interior", interior,
          "is not known for this domain; \"lemma-2\" always is");
  return eroded;
}

LearnerPtr make_bandit(Settings& settings, const LearnerWorld& world) {
  FrankWolfePlan plan = plan_bandit(settings, world);
  DomainPtr interior = read_interior(settings, world, plan.radius);
  return std::make_unique<BanditFrankWolfe>(std::move(interior), std::move(plan),
                                            read_options(settings, world));
}

MatroidPtr need_matroid(Settings& settings, const LearnerWorld& world) {
  auto matroid = std::dynamic_pointer_cast<const Matroid>(world.domain);
  require(matroid != nullptr, "kind", settings.text("kind").value_or(""),
          "plays sets and needs a matroid as its domain");
  return matroid;
}

LearnerPtr make_responsive(Settings& settings, const LearnerWorld& world) {
  const MatroidPtr matroid = need_matroid(settings, world);
  FrankWolfePlan plan = plan_bandit(settings, world);
  DomainPtr interior = read_interior(settings, world, plan.radius);
  std::unique_ptr<LosslessRounding> rounding;
  if (const auto name = settings.text("rounding")) {
    if (*name == "swap-rounding") rounding = std::make_unique<SwapRounding>(matroid);
    if (*name == "randomized-pipage") rounding = std::make_unique<RandomizedPipage>(matroid);
    require(rounding != nullptr, "rounding", *name,
            "must be \"randomized-pipage\" or \"swap-rounding\"");
  }
  return std::make_unique<ResponsiveFrankWolfe>(matroid, std::move(interior), std::move(plan),
                                                read_options(settings, world), std::move(rounding));
}

FrankWolfePlan plan_meta(Settings& settings, const LearnerWorld& world) {
  PlanChoices choices = read_choices(settings);
  choices.max_steps = read_count(settings, "max_steps");
  return meta_plan(world.horizon, choices);
}

LearnerPtr make_meta(Settings& settings, const LearnerWorld& world) {
  return std::make_unique<MetaFrankWolfe>(world.domain, plan_meta(settings, world),
                                          read_options(settings, world));
}

FrankWolfePlan plan_vr(Settings& settings, const LearnerWorld& world) {
  PlanChoices choices = read_averaged_choices(settings);
  choices.max_steps = read_count(settings, "max_steps");
  return vr_plan(world.horizon, choices);
}

LearnerPtr make_vr(Settings& settings, const LearnerWorld& world) {
  return std::make_unique<VrFrankWolfe>(world.domain, plan_vr(settings, world),
                                        read_options(settings, world));
}

LearnerPtr make_gradient_ascent(Settings& settings, const LearnerWorld& world) {
  GradientAscentOptions options;
  options.oracle = read_oracle(settings);
  options.learning = settings.flag("learning").value_or(true);
  options.seed = world.seed;
  return std::make_unique<GradientAscent>(world.domain, options);
}

LearnerPtr make_constant(Settings& settings, const LearnerWorld& world) {
  if (settings.flag("sets").value_or(false))
    return std::make_unique<ConstantMarginals>(need_matroid(settings, world), world.seed);
  return std::make_unique<ConstantPoint>(world.domain);
}

Round read_ahead(Settings& settings) {
  return settings.integer("ahead", 1, 1'000'000).value_or(64);
}

LearnerPtr make_sampled_vertex(Settings& settings, const LearnerWorld& world) {
  const std::string plays = settings.text("plays").value_or("sets");
  require(plays == "sets" || plays == "points", "plays", plays, "must be \"sets\" or \"points\"");
  SampledVertexOptions options;
  options.points = plays == "points";
  require(!options.points || std::dynamic_pointer_cast<const Matroid>(world.domain), "plays", plays,
          "needs a matroid as its domain; a bandit learner for other domains is "
          "bandit-frank-wolfe");
  options.ahead = read_ahead(settings);
  options.learning = settings.flag("learning").value_or(true);
  options.seed = world.seed;
  return std::make_unique<SampledVertex>(need_matroid(settings, world), options);
}

std::unique_ptr<SlotBandit> make_slots(Settings& settings, const LearnerWorld& world, bool greedy) {
  auto laminar = std::dynamic_pointer_cast<const LaminarMatroid>(need_matroid(settings, world));
  require(laminar != nullptr, "domain", world.domain->describe(),
          "must be a uniform or partition matroid for slots; sampled-vertex plays any matroid");
  SlotBanditOptions options;
  options.greedy = greedy;
  options.step = settings.number("step").value_or(options.step);
  options.ahead = read_ahead(settings);
  options.learning = settings.flag("learning").value_or(true);
  options.seed = world.seed;
  return std::make_unique<SlotBandit>(std::move(laminar), options);
}

LearnerPtr make_slot_boost(Settings& settings, const LearnerWorld& world) {
  return make_slots(settings, world, false);
}

LearnerPtr make_online_greedy(Settings& settings, const LearnerWorld& world) {
  return make_slots(settings, world, true);
}

LearnerPtr make_explore_then_commit(Settings& settings, const LearnerWorld& world) {
  const MatroidPtr matroid = need_matroid(settings, world);
  ExploreThenCommitOptions options;
  options.trials =
      settings.integer("trials", 1, std::numeric_limits<int>::max())
          .value_or(trials_an_item(world.horizon, matroid->dimension(), matroid->rank()));
  options.ahead = read_ahead(settings);
  options.learning = settings.flag("learning").value_or(true);
  options.seed = world.seed;
  return std::make_unique<ExploreThenCommit>(matroid, options);
}

LearnerPtr make_responsive_boost(Settings& settings, const LearnerWorld& world) {
  ResponsiveBoostOptions options;
  options.step = settings.number("step").value_or(options.step);
  options.ahead = read_ahead(settings);
  options.learning = settings.flag("learning").value_or(true);
  options.seed = world.seed;
  return std::make_unique<ResponsiveBoost>(need_matroid(settings, world), options);
}

LearnerPtr make_guarded(Settings& settings, const LearnerWorld& world) {
  const std::string inner = settings.text("inner").value_or("sampled-vertex");
  GuardedOptions options;
  options.dimension = need_matroid(settings, world)->dimension();
  options.ahead = read_ahead(settings);
  options.learning = settings.flag("learning").value_or(true);
  options.seed = world.seed;
  const LearnerKind& kind = learner_kind(inner);
  require(has_key(kind, "ahead") && inner != "guarded" && inner != "safe", "inner", inner,
          "must be a learner of sets that learns from values, and no wrapper");
  const auto make = [=](int generation) {
    const std::uint64_t seed =
        StreamFamily(options.seed, "generation").at(static_cast<std::uint64_t>(generation)).bits();
    return make_learner(
        Settings("learner.inner",
                 {{"kind", inner}, {"ahead", options.ahead}, {"learning", options.learning}}),
        {world.domain, world.horizon, seed});
  };
  return std::make_unique<Guarded>(make, options);
}

LearnerPtr make_safe(Settings& settings, const LearnerWorld& world) {
  SafeOptions options;
  options.ahead = read_ahead(settings);
  options.learning = settings.flag("learning").value_or(true);
  options.seed = world.seed;
  std::unique_ptr<SlotBandit> slots = make_slots(settings, world, false);
  return std::make_unique<Safe>(make_guarded(settings, world), std::move(slots), options);
}

Choice read_choice(Settings& settings, const LearnerWorld& world) {
  return choose_learner(settings.needed("feedback", settings.text("feedback")), *world.domain,
                        world.horizon);
}

LearnerPtr make_auto(Settings& settings, const LearnerWorld& world) {
  nlohmann::json keys = read_choice(settings, world).keys;
  keys["learning"] = settings.flag("learning").value_or(true);
  const Round ahead = read_ahead(settings);
  if (has_key(learner_kind(keys["kind"]), "ahead")) keys["ahead"] = ahead;
  return make_learner(Settings("learner", std::move(keys)), world);
}

LearnerPtr make_random_base(Settings& settings, const LearnerWorld& world) {
  return std::make_unique<RandomBase>(need_matroid(settings, world), world.seed);
}

}  // namespace

std::span<const LearnerKind> learner_kinds() {
  static const std::string alg1 = std::string(paper) + "Algorithm 1";
  static const std::string alg2 = std::string(paper) + "Algorithm 2";
  static const std::string alg3 = std::string(paper) + "Algorithm 3";
  static const std::vector<LearnerKind> kinds = {
      {"mono-frank-wolfe",
       "one stochastic gradient a round, in blocks",
       "one gradient",
       "(1-1/e)-regret O(T^{4/5})",
       alg1,
       {schedule_key, steps_key, averaging_key, oracle_key, step_key, learning_key, horizon_key,
        first_key},
       make_mono,
       plan_mono},
      {"bandit-frank-wolfe",
       "explores with one-point estimates, exploits in between",
       "value of the point played",
       "(1-1/e)-regret O(T^{8/9}); earns less than a constant point up to T = 1e6",
       alg2,
       {schedule_key, steps_key, length_key, radius_key, averaging_key, interior_key, oracle_key,
        step_key, learning_key, horizon_key, first_key},
       make_bandit,
       plan_bandit},
      {"responsive-frank-wolfe",
       "the same for sets; exploring sets may be infeasible and earn 0",
       "value of any set",
       "(1-1/e)-regret O(T^{8/9}); earns less than a constant point up to T = 1e6",
       alg3,
       {schedule_key, steps_key, length_key, radius_key, averaging_key, interior_key, rounding_key,
        oracle_key, step_key, learning_key, horizon_key, first_key},
       make_responsive,
       plan_bandit},
      {"meta-frank-wolfe",
       "K exact gradients a round",
       "T^{1/2} gradients",
       "(1-1/e)-regret O(T^{1/2})",
       "Chen, Hassani, Karbasi, AISTATS 2018",
       {schedule_key, steps_key, max_steps_key, oracle_key, step_key, learning_key, horizon_key,
        first_key},
       make_meta,
       plan_meta},
      {"vr-frank-wolfe",
       "K stochastic gradients a round, averaged",
       "T^{3/2} gradients",
       "(1-1/e)-regret O(T^{1/2})",
       "Chen, Harshaw, Hassani, Karbasi, ICML 2018",
       {schedule_key, steps_key, max_steps_key, averaging_key, oracle_key, step_key, learning_key,
        horizon_key, first_key},
       make_vr,
       plan_vr},
      {"gradient-ascent",
       "projected gradient steps at the point played",
       "one gradient",
       "(1/2)-regret O(T^{1/2})",
       "Zinkevich 2003; Chen, Hassani, Karbasi, AISTATS 2018",
       {oracle_key, step_key, learning_key},
       make_gradient_ascent},
      {"sampled-vertex",
       "plays random bases and learns from every round",
       "value of the set played, or of the point (plays = \"points\")",
       "none proved; the best measured up to T = 1e6",
       "docs/sampled-vertex.md",
       {{"plays", "\"sets\" or \"points\" (\"sets\")"}, ahead_key, learning_key},
       make_sampled_vertex},
      {"guarded",
       "a learner of sets, challenged again and again by a fresh one: leaves traps",
       "value of the set played",
       "that of the inner learner; traps left, measured",
       "docs/guarded.md",
       {inner_key, ahead_key, learning_key},
       make_guarded},
      {"safe",
       "`guarded` and `slot-boost` under a hedge",
       "value of the set played",
       "(1-1/e)-regret O(T^{2/3}) with step = 1, uniform and partition matroids",
       "docs/safe.md",
       {inner_key, hedge_step_key, ahead_key, learning_key},
       make_safe},
      {"slot-boost",
       "a Hedge distribution a slot, boosted",
       "value of the set played",
       "(1-1/e)-regret O(T^{2/3}) with step = 1, uniform and partition matroids",
       "docs/slot-boost.md",
       {hedge_step_key, ahead_key, learning_key},
       make_slot_boost},
      {"online-greedy",
       "a Hedge distribution for each step of the greedy algorithm",
       "value of the set played",
       "(1-1/e)-regret O(T^{2/3}) with step = 1, uniform matroids",
       "Streeter, Golovin, NIPS 2008",
       {hedge_step_key, ahead_key, learning_key},
       make_online_greedy},
      {"explore-then-commit",
       "tries every item in turn, then plays the greedy set for ever; for independent draws only",
       "value of the set played",
       "(1-1/e)-regret O(T^{2/3}), i.i.d. functions and uniform matroids only",
       "Nie, Agarwal, Umrawal, Aggarwal, Quinn, UAI 2022",
       {{"trials", "plays of each item a phase (the paper's, from the horizon)"},
        ahead_key,
        learning_key},
       make_explore_then_commit},
      {"responsive-boost",
       "boosted gradient ascent on coordinate estimates; exploring sets may be infeasible",
       "value of any set",
       "(1-1/e)-regret O(T^{2/3})",
       "docs/responsive-boost.md",
       {{"step", "multiple of the scale-free step (1)"}, ahead_key, learning_key},
       make_responsive_boost},
      {"auto",
       "chooses a learner by what it will be told, by domain and horizon, and says why",
       "as its key `feedback` says",
       "that of the learner chosen",
       "docs/choosing.md",
       {{"feedback", "\"gradient\", \"point-value\", \"any-set\" or \"feasible-set\" (needed)"},
        ahead_key,
        learning_key},
       make_auto},
      {"constant",
       "the largest multiple of 1 in the domain, for ever",
       "nothing",
       "none: no learning",
       "-",
       {{"sets", "true: its swap rounding, drawn anew each round (false)"}},
       make_constant},
      {"random-base",
       "a uniformly random base each round",
       "nothing",
       "none: no learning",
       "-",
       {},
       make_random_base},
  };
  return kinds;
}

const LearnerKind& learner_kind(const std::string& kind) {
  std::vector<std::string> known;
  for (const LearnerKind& entry : learner_kinds()) {
    if (entry.kind == kind) return entry;
    known.emplace_back(entry.kind);
  }
  reject("kind", kind, "is not a learner" + did_you_mean(kind, known));
}

std::string explain_choice(Settings settings, const LearnerWorld& world) {
  if (settings.text("kind") != "auto") return {};
  const Choice choice = settings.guard([&] { return read_choice(settings, world); });
  std::string text = "auto takes " + choice.keys.at("kind").get<std::string>();
  for (const auto& [key, value] : choice.keys.items())
    if (key != "kind") text += ", " + key + " = " + value.dump();
  return text + ": " + choice.why;
}

LearnerPtr make_learner(Settings settings, const LearnerWorld& world) {
  const std::string name = settings.needed("kind", settings.text("kind"));
  const LearnerKind& kind =
      settings.guard([&]() -> const LearnerKind& { return learner_kind(name); });
  settings.text("name");
  const std::string horizon =
      has_key(kind, "horizon") ? settings.text("horizon").value_or("known") : "known";
  if (horizon == "known") {
    LearnerPtr learner = settings.guard([&] { return kind.make(settings, world); });
    settings.finish();
    return learner;
  }
  return settings.guard([&]() -> LearnerPtr {
    require(horizon == "unknown", "horizon", horizon, "must be \"known\" or \"unknown\"");
    const Round first =
        settings.integer("first_horizon", 1, std::numeric_limits<Round>::max() / 4).value_or(1000);
    kind.make(settings, {world.domain, first, world.seed});  // reads every key
    settings.finish();
    return std::make_unique<Doubling>(first, [settings, &kind, world](Round length, int stage) {
      Settings copy = settings;
      // Stages far apart in seed: the streams of one stage tell nothing about the next.
      const std::uint64_t seed =
          StreamFamily(world.seed, "stage").at(static_cast<std::uint64_t>(stage)).bits();
      return kind.make(copy, {world.domain, length, seed});
    });
  });
}

}  // namespace hindsight
