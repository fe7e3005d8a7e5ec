#include "hindsight/learners/registry.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include "hindsight/core/nearest.hpp"
#include "hindsight/domains/interior.hpp"
#include "hindsight/learners/bandit_frank_wolfe.hpp"
#include "hindsight/learners/bandit_gradient_ascent.hpp"
#include "hindsight/learners/boosted_gradient_ascent.hpp"
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
#include "hindsight/learners/surrogate_ascent.hpp"
#include "hindsight/learners/twin_gradient_ascent.hpp"
#include "hindsight/rounding/randomized_pipage.hpp"
#include "hindsight/rounding/swap_rounding.hpp"

namespace hindsight {
namespace {

constexpr std::string_view paper = "Zhang, Chen, Hassani, Karbasi, NeurIPS 2019, ";

constexpr double alpha = 1 - 1 / std::numbers::e;

constexpr LearnerKey schedule_key = {
    "schedule", "\"theorem\", or \"explicit\"; the keys below replace parts of it (\"theorem\")"};
constexpr LearnerKey mono_schedule_key = {"schedule",
                                          "\"theorem\", \"unaveraged\" or \"explicit\"; the keys "
                                          "below replace parts of it (\"theorem\")"};
constexpr LearnerKey bandit_schedule_key = {
    "schedule",
    "\"theorem\", \"unaveraged\", \"practical\" or \"explicit\"; the keys below replace parts "
    "of it (\"theorem\")"};
constexpr LearnerKey steps_key = {"steps", "K, oracles and gradients a block (from the schedule)"};
constexpr LearnerKey max_steps_key = {"max_steps", "cap on K (none)"};
constexpr LearnerKey length_key = {"block_length", "L, rounds a block (from the schedule)"};
constexpr LearnerKey radius_key = {"radius", "delta of the one-point estimate (from the schedule)"};
constexpr LearnerKey averaging_key = {"averaging", "false: rho_k = 1, no averaging (true)"};
constexpr LearnerKey interior_key = {
    "interior", "\"lemma-2\" or \"exact\" erosion of the domain (by the schedule)"};
constexpr LearnerKey estimate_key = {"estimate",
                                     "\"one-point\", \"centred\" or \"pairs\" (by the schedule)"};
constexpr LearnerKey set_estimate_key = {
    "estimate", "\"one-point\", \"centred\" or \"score\" (by the schedule)"};
constexpr LearnerKey margin_key = {
    "margin", "how far \"score\" keeps from 0 and 1 (a tenth of the largest multiple of 1)"};
constexpr LearnerKey rounding_key = {
    "rounding", "\"randomized-pipage\" or \"swap-rounding\" (by the kind of matroid)"};
constexpr LearnerKey oracle_key = {"oracle", "an online linear maximiser (\"gradient-ascent\")"};
constexpr LearnerKey step_key = {"oracle_step", "fixed step of the oracles (scale-free)"};
constexpr LearnerKey scale_key = {"oracle_scale", "times the scale-free step of the oracles (1)"};
constexpr LearnerKey state_key = {
    "state", "\"f64\", or \"f32\": iterates and oracles in half the memory (\"f64\")"};
constexpr LearnerKey ahead_key = {"ahead", "how many rounds may be out at once (64)"};
constexpr LearnerKey learning_key = {"learning",
                                     "false: the control, no oracle is ever fed (true)"};
constexpr LearnerKey inner_key = {"inner", "the learner of sets it wraps (\"sampled-vertex\")"};
constexpr LearnerKey hedge_step_key = {"step", "multiple of the theory's step (24)"};
constexpr LearnerKey horizon_key = {"horizon",
                                    "\"known\", or \"unknown\": by doubling (\"known\")"};
constexpr LearnerKey first_key = {"first_horizon", "length of the first stage of doubling (1000)"};

OracleOptions read_oracle(Settings& settings, OracleOptions options = {}) {
  if (auto kind = settings.text("oracle")) options.kind = *kind;
  options.step = settings.number("oracle_step");
  if (options.step) options.scale = 1;
  options.scale = settings.number("oracle_scale").value_or(options.scale);
  return options;
}

/// What is mostly noise wants lazy steps, and larger ones than the proofs'.
const OracleOptions noisy_oracle = {.kind = "dual-averaging", .scale = 4};

Precision read_state(Settings& settings) {
  const std::string state = settings.text("state").value_or("f64");
  require(state == "f64" || state == "f32", "state", state, "must be \"f64\" or \"f32\"");
  return state == "f32" ? Precision::f32 : Precision::f64;
}

FrankWolfeOptions read_options(Settings& settings, const LearnerWorld& world,
                               const OracleOptions& oracle = {}) {
  FrankWolfeOptions options;
  options.oracle = read_oracle(settings, oracle);
  options.oracle.state = read_state(settings);
  options.learning = settings.flag("learning").value_or(true);
  options.seed = world.seed;
  options.workers = world.workers;
  return options;
}

std::optional<int> read_count(Settings& settings, const char* key) {
  const auto count = settings.integer(key, 1, std::numeric_limits<int>::max());
  return count ? std::optional(static_cast<int>(*count)) : std::nullopt;
}

std::string read_schedule(Settings& settings, std::initializer_list<std::string_view> known) {
  const std::string schedule = settings.text("schedule").value_or("theorem");
  std::string names;
  for (const std::string_view name : known) {
    if (schedule == name) return schedule;
    names += (names.empty() ? "\"" : ", \"") + std::string(name) + "\"";
  }
  reject("schedule", schedule, "must be " + names);
}

/// The keys that every plan may take; learners with blocks and radii read theirs themselves.
PlanChoices read_choices(Settings& settings, const std::string& schedule) {
  PlanChoices choices;
  choices.steps = read_count(settings, "steps");
  require(schedule != "explicit" || choices.steps, "schedule", schedule,
          "needs the key steps (and, with blocks, block_length and radius)");
  return choices;
}

PlanChoices read_averaged_choices(Settings& settings, const std::string& schedule) {
  PlanChoices choices = read_choices(settings, schedule);
  const auto averaging = settings.flag("averaging");
  choices.averaging = averaging.value_or(true);
  require(!averaging || schedule == "theorem" || schedule == "explicit", "averaging",
          choices.averaging, "must not be given with schedule = \"" + schedule + "\"");
  return choices;
}

FrankWolfePlan plan_mono(Settings& settings, const LearnerWorld& world) {
  const std::string schedule = read_schedule(settings, {"theorem", "unaveraged", "explicit"});
  const PlanChoices choices = read_averaged_choices(settings, schedule);
  return schedule == "unaveraged" ? unaveraged_mono_plan(world.horizon, choices)
                                  : mono_plan(world.horizon, choices);
}

LearnerPtr make_mono(Settings& settings, const LearnerWorld& world) {
  return std::make_unique<MonoFrankWolfe>(world.domain, plan_mono(settings, world),
                                          read_options(settings, world));
}

std::string read_bandit_schedule(Settings& settings) {
  return read_schedule(settings, {"theorem", "unaveraged", "practical", "explicit"});
}

double need_inner_radius(Settings& settings, const LearnerWorld& world) {
  const double r = world.domain->inner_radius();
  require(r > 0, "kind", settings.text("kind").value_or(""),
          "needs a domain with positive inner radius: leave out items that can never be played");
  return r;
}

PlanChoices read_bandit_choices(Settings& settings, const std::string& schedule) {
  PlanChoices choices = read_averaged_choices(settings, schedule);
  choices.block_length = settings.integer("block_length", 1, std::numeric_limits<Round>::max());
  choices.radius = settings.number("radius");
  return choices;
}

FrankWolfePlan plan_bandit(Settings& settings, const LearnerWorld& world) {
  const std::string schedule = read_bandit_schedule(settings);
  const PlanChoices choices = read_bandit_choices(settings, schedule);
  const int d = world.domain->dimension();
  const double r = need_inner_radius(settings, world);
  if (schedule == "unaveraged") return unaveraged_bandit_plan(world.horizon, d, r, choices);
  if (schedule == "practical")
    return practical_plan(world.horizon, 10, 100, practical_radius(d, r), choices);
  return bandit_plan(world.horizon, d, r, choices);
}

DomainPtr read_interior(Settings& settings, const LearnerWorld& world, double radius,
                        bool prefer_exact) {
  const auto interior = settings.text("interior");
  if (interior)
    require(*interior == "lemma-2" || *interior == "exact", "interior", *interior,
            "must be \"lemma-2\" or \"exact\"");
  if (interior ? *interior == "exact" : prefer_exact) {
    DomainPtr eroded = world.domain->erode(radius);
    if (eroded) return eroded;
    require(!interior, "interior", "exact", "is not known for this domain; \"lemma-2\" always is");
  }
  return shrunk_interior(world.domain, radius);
}

std::string read_estimate(Settings& settings, const std::string& preset, const char* third) {
  const std::string estimate = settings.text("estimate").value_or(preset);
  require(estimate == "one-point" || estimate == "centred" || estimate == third, "estimate",
          estimate, "must be \"one-point\", \"centred\" or \"" + std::string(third) + "\"");
  return estimate;
}

LearnerPtr make_bandit(Settings& settings, const LearnerWorld& world) {
  const bool practical = read_bandit_schedule(settings) == "practical";
  FrankWolfePlan plan = plan_bandit(settings, world);
  DomainPtr interior = read_interior(settings, world, plan.radius, practical);
  const std::string estimate =
      read_estimate(settings, practical ? "centred" : "one-point", "pairs");
  const int d = world.domain->dimension();
  ExplorationPtr exploration = estimate == "pairs"
                                   ? explore_pairs(world.seed, plan.steps, d, plan.radius)
                                   : explore_sphere(world.seed, plan.radius, world.workers);
  if (estimate == "centred") exploration = centred(std::move(exploration), plan.steps);
  require(plan.block_length >= static_cast<Round>(exploration->rounds_a_step()) * plan.steps ||
              plan.block_length == plan.horizon,
          "estimate", estimate, "needs blocks of at least 2 rounds a step");
  return std::make_unique<BanditFrankWolfe>(
      std::move(interior), std::move(plan),
      read_options(settings, world, practical ? noisy_oracle : OracleOptions{}),
      std::move(exploration));
}

MatroidPtr need_matroid(Settings& settings, const LearnerWorld& world) {
  auto matroid = std::dynamic_pointer_cast<const Matroid>(world.domain);
  require(matroid != nullptr, "kind", settings.text("kind").value_or(""),
          "plays sets and needs a matroid as its domain");
  return matroid;
}

std::unique_ptr<LosslessRounding> read_rounding(Settings& settings, const MatroidPtr& matroid) {
  const auto name = settings.text("rounding");
  if (!name) return make_lossless_rounding(matroid);
  if (*name == "swap-rounding") return std::make_unique<SwapRounding>(matroid);
  require(*name == "randomized-pipage", "rounding", *name,
          "must be \"randomized-pipage\" or \"swap-rounding\"");
  return std::make_unique<RandomizedPipage>(matroid);
}

std::string read_set_estimate(Settings& settings, const std::string& schedule) {
  return read_estimate(settings, schedule == "practical" ? "score" : "one-point", "score");
}

FrankWolfePlan plan_responsive(Settings& settings, const LearnerWorld& world) {
  const std::string schedule = read_bandit_schedule(settings);
  if (read_set_estimate(settings, schedule) != "score") return plan_bandit(settings, world);
  require(schedule == "practical", "estimate", "score",
          "has no schedule of its own; give schedule = \"practical\"");
  const PlanChoices choices = read_bandit_choices(settings, schedule);
  require(!choices.radius, "radius", choices.radius.value_or(0),
          "has no meaning for estimate = \"score\"");
  return practical_plan(world.horizon, 5, 100, 0, choices);
}

LearnerPtr make_responsive(Settings& settings, const LearnerWorld& world) {
  const MatroidPtr matroid = need_matroid(settings, world);
  const std::string schedule = read_bandit_schedule(settings);
  const bool practical = schedule == "practical";
  FrankWolfePlan plan = plan_responsive(settings, world);
  const std::string estimate = read_set_estimate(settings, schedule);
  const int d = world.domain->dimension();
  DomainPtr interior;
  ExplorationPtr exploration;
  if (estimate == "score") {
    const double margin = settings.number("margin").value_or(coin_margin(*matroid) / 10);
    interior = coin_interior(matroid, margin);
    exploration = explore_score(world.seed, plan.steps, d);
  } else {
    interior = read_interior(settings, world, plan.radius, practical);
    exploration =
        rounded(explore_sphere(world.seed, plan.radius, world.workers), world.seed, plan.steps, d);
  }
  if (estimate != "one-point") exploration = centred(std::move(exploration), plan.steps);
  return std::make_unique<ResponsiveFrankWolfe>(
      matroid, std::move(interior), std::move(plan),
      read_options(settings, world, practical ? noisy_oracle : OracleOptions{}),
      read_rounding(settings, matroid), std::move(exploration));
}

FrankWolfePlan plan_meta(Settings& settings, const LearnerWorld& world) {
  PlanChoices choices = read_choices(settings, read_schedule(settings, {"theorem", "explicit"}));
  choices.max_steps = read_count(settings, "max_steps");
  return meta_plan(world.horizon, choices);
}

LearnerPtr make_meta(Settings& settings, const LearnerWorld& world) {
  return std::make_unique<MetaFrankWolfe>(world.domain, plan_meta(settings, world),
                                          read_options(settings, world));
}

FrankWolfePlan plan_vr(Settings& settings, const LearnerWorld& world) {
  PlanChoices choices =
      read_averaged_choices(settings, read_schedule(settings, {"theorem", "explicit"}));
  choices.max_steps = read_count(settings, "max_steps");
  return vr_plan(world.horizon, choices);
}

LearnerPtr make_vr(Settings& settings, const LearnerWorld& world) {
  return std::make_unique<VrFrankWolfe>(world.domain, plan_vr(settings, world),
                                        read_options(settings, world));
}

Round read_ahead(Settings& settings) {
  return settings.integer("ahead", 1, 1'000'000).value_or(64);
}

AscentOptions read_ascent(Settings& settings, const LearnerWorld& world,
                          const OracleOptions& oracle = {}) {
  AscentOptions options;
  options.oracle = read_oracle(settings, oracle);
  options.ahead = read_ahead(settings);
  options.learning = settings.flag("learning").value_or(true);
  options.seed = world.seed;
  return options;
}

LearnerPtr make_gradient_ascent(Settings& settings, const LearnerWorld& world) {
  return std::make_unique<GradientAscent>(world.domain, read_ascent(settings, world));
}

BoostClass read_boost_class(Settings& settings) {
  const std::string name = settings.text("class").value_or("monotone");
  if (name == "monotone") return BoostClass::monotone;
  if (name == "monotone-any-set") return BoostClass::monotone_any_set;
  if (name == "non-monotone") return BoostClass::non_monotone;
  if (name == "non-monotone-any-set") return BoostClass::non_monotone_any_set;
  reject("class", name,
         "must be \"monotone\", \"monotone-any-set\", \"non-monotone\" or "
         "\"non-monotone-any-set\"");
}

LearnerPtr make_boosted(Settings& settings, const LearnerWorld& world) {
  BoostedOptions options;
  options.functions = read_boost_class(settings);
  options.anchor = settings.numbers("anchor");
  options.ascent = read_ascent(settings, world);
  return std::make_unique<BoostedGradientAscent>(world.domain, options);
}

LearnerPtr make_twin(Settings& settings, const LearnerWorld& world) {
  return std::make_unique<TwinGradientAscent>(world.domain, read_ascent(settings, world));
}

LearnerPtr make_bandit_ascent(Settings& settings, const LearnerWorld& world) {
  const double r = need_inner_radius(settings, world);
  const double radius =
      settings.number("radius").value_or(practical_radius(world.domain->dimension(), r));
  require(radius > 0, "radius", radius, "must be positive");
  return std::make_unique<BanditGradientAscent>(read_interior(settings, world, radius, true),
                                                radius, read_ascent(settings, world, noisy_oracle));
}

LearnerPtr make_surrogate(Settings& settings, const LearnerWorld& world) {
  const MatroidPtr matroid = need_matroid(settings, world);
  return std::make_unique<SurrogateAscent>(matroid, read_ascent(settings, world),
                                           read_rounding(settings, matroid));
}

LearnerPtr make_constant(Settings& settings, const LearnerWorld& world) {
  if (settings.flag("sets").value_or(false))
    return std::make_unique<ConstantMarginals>(need_matroid(settings, world), world.seed);
  return std::make_unique<ConstantPoint>(world.domain);
}

LearnerPtr make_sampler(Settings& settings, const LearnerWorld& world, bool points) {
  SampledVertexOptions options;
  options.points = points;
  options.ahead = read_ahead(settings);
  options.learning = settings.flag("learning").value_or(true);
  options.seed = world.seed;
  return std::make_unique<SampledVertex>(need_matroid(settings, world), options);
}
LearnerPtr make_sampled_vertex(Settings& settings, const LearnerWorld& world) {
  return make_sampler(settings, world, false);
}
LearnerPtr make_sampled_point(Settings& settings, const LearnerWorld& world) {
  require(std::dynamic_pointer_cast<const Matroid>(world.domain) != nullptr, "kind",
          "sampled-point",
          "needs a matroid as its domain; for others there is bandit-gradient-ascent");
  return make_sampler(settings, world, true);
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
  require(kind.takes("ahead") && inner != "guarded" && inner != "safe", "inner", inner,
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

LearnerPtr make_auto(Settings& settings, const LearnerWorld& world) {
  for (const char* key : {"feedback", "ahead", "learning"}) settings.expect(key);
  return make_learner(choose(settings, world)->settings, world);
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
       {mono_schedule_key, steps_key, averaging_key, oracle_key, step_key, scale_key, state_key,
        learning_key, horizon_key, first_key},
       make_mono,
       plan_mono,
       Told::gradients,
       TheoremRate{alpha, 4.0 / 5}},
      {"bandit-frank-wolfe",
       "explores with one-point estimates, exploits in between",
       "value of the point played",
       "(1-1/e)-regret O(T^{8/9}); earns less than a constant point up to T = 1e6",
       alg2,
       {bandit_schedule_key, steps_key, length_key, radius_key, averaging_key, interior_key,
        estimate_key, oracle_key, step_key, scale_key, state_key, learning_key, horizon_key,
        first_key},
       make_bandit,
       plan_bandit,
       Told::point_values,
       TheoremRate{alpha, 8.0 / 9}},
      {"responsive-frank-wolfe",
       "the same for sets; exploring sets may be infeasible and earn 0",
       "value of any set",
       "(1-1/e)-regret O(T^{8/9}); earns less than a constant point up to T = 1e6",
       alg3,
       {bandit_schedule_key, steps_key, length_key, radius_key, averaging_key, interior_key,
        set_estimate_key, margin_key, rounding_key, oracle_key, step_key, scale_key, state_key,
        learning_key, horizon_key, first_key},
       make_responsive,
       plan_responsive,
       Told::set_values,
       TheoremRate{alpha, 8.0 / 9}},
      {"meta-frank-wolfe",
       "K exact gradients a round",
       "T^{1/2} gradients",
       "(1-1/e)-regret O(T^{1/2})",
       "Chen, Hassani, Karbasi, AISTATS 2018",
       {schedule_key, steps_key, max_steps_key, oracle_key, step_key, scale_key, learning_key,
        horizon_key, first_key},
       make_meta,
       plan_meta,
       Told::gradients,
       TheoremRate{alpha, 1.0 / 2}},
      {"vr-frank-wolfe",
       "K stochastic gradients a round, averaged",
       "T^{3/2} gradients",
       "(1-1/e)-regret O(T^{1/2})",
       "Chen, Harshaw, Hassani, Karbasi, ICML 2018",
       {schedule_key, steps_key, max_steps_key, averaging_key, oracle_key, step_key, scale_key,
        learning_key, horizon_key, first_key},
       make_vr,
       plan_vr,
       Told::gradients,
       TheoremRate{alpha, 1.0 / 2}},
      {"gradient-ascent",
       "projected gradient steps at the point played",
       "one gradient",
       "(1/2)-regret O(T^{1/2})",
       "Zinkevich 2003; Chen, Hassani, Karbasi, AISTATS 2018",
       {oracle_key, step_key, scale_key, ahead_key, learning_key},
       make_gradient_ascent,
       nullptr,
       Told::gradients,
       TheoremRate{1.0 / 2, 1.0 / 2}},
      {"boosted-gradient-ascent",
       "projected gradient steps, the gradient asked for on the way to the point played",
       "one gradient",
       "(1-1/e)-regret O(T^{1/2}); by class also 1/2, 1/e and 1/4",
       "Zhang, Deng, Chen, Hu, Yang, ICML 2022",
       {{"class",
         "\"monotone\", \"monotone-any-set\", \"non-monotone\", \"non-monotone-any-set\" "
         "(\"monotone\")"},
        {"anchor", "a point of the domain, for \"non-monotone-any-set\" (its lower corner)"},
        oracle_key,
        step_key,
        scale_key,
        ahead_key,
        learning_key},
       make_boosted,
       nullptr,
       Told::gradients,
       TheoremRate{alpha, 1.0 / 2},
       "class = \"non-monotone\""},
      {"twin-gradient-ascent",
       "boosted and plain ascent, and a hedge that learns which to play",
       "one gradient",
       "(1-1/e)-regret O(T^{1/2}); the regret itself, where functions are concave",
       "docs/twin-gradient-ascent.md",
       {oracle_key, step_key, scale_key, ahead_key, learning_key},
       make_twin,
       nullptr,
       Told::gradients,
       TheoremRate{alpha, 1.0 / 2}},
      {"bandit-gradient-ascent",
       "gradient steps by one-point estimates, in every round",
       "value of the point played",
       "(1/2)-regret O(T^{3/4}) with radius ~ T^{-1/4}",
       "Flaxman, Kalai, McMahan, SODA 2005",
       {{"radius", "delta of the one-point estimate (.4 r / (sqrt d + 2))"},
        {"interior", "\"lemma-2\" or \"exact\" erosion of the domain (exact where known)"},
        {"oracle", "an online linear maximiser (\"dual-averaging\")"},
        step_key,
        {"oracle_scale", "times the scale-free step of the oracle (4)"},
        ahead_key,
        learning_key},
       make_bandit_ascent,
       nullptr,
       Told::point_values,
       TheoremRate{1.0 / 2, 3.0 / 4}},
      {"surrogate-ascent",
       "sets; gradient steps on a concave surrogate, played by lossless rounding",
       "one gradient of the concave surrogate",
       "(1-1/e)-regret O(T^{1/2})",
       "Si Salem et al., AAAI 2024",
       {oracle_key, step_key, scale_key, rounding_key, ahead_key, learning_key},
       make_surrogate,
       nullptr,
       Told::gradients,
       TheoremRate{alpha, 1.0 / 2}},
      {"sampled-vertex",
       "plays random bases and learns from every round",
       "value of the set played",
       "none proved; the best measured up to T = 1e6",
       "docs/sampled-vertex.md",
       {ahead_key, learning_key},
       make_sampled_vertex,
       nullptr,
       Told::set_values},
      {"sampled-point",
       "the same for functions of points; steps inside where the best point is fractional",
       "value of the point played",
       "none proved; the best measured up to T = 1e6",
       "docs/sampled-vertex.md",
       {ahead_key, learning_key},
       make_sampled_point,
       nullptr,
       Told::point_values},
      {"guarded",
       "a learner of sets, challenged again and again by a fresh one: leaves traps",
       "value of the set played",
       "that of the inner learner; traps left, measured",
       "docs/guarded.md",
       {inner_key, ahead_key, learning_key},
       make_guarded,
       nullptr,
       Told::set_values},
      {"safe",
       "`guarded` and `slot-boost` under a hedge",
       "value of the set played",
       "(1-1/e)-regret O(T^{2/3}) with step = 1, uniform and partition matroids",
       "docs/safe.md",
       {inner_key, hedge_step_key, ahead_key, learning_key},
       make_safe,
       nullptr,
       Told::set_values,
       TheoremRate{alpha, 2.0 / 3}},
      {"slot-boost",
       "a Hedge distribution a slot, boosted",
       "value of the set played",
       "(1-1/e)-regret O(T^{2/3}) with step = 1, uniform and partition matroids",
       "docs/slot-boost.md",
       {hedge_step_key, ahead_key, learning_key},
       make_slot_boost,
       nullptr,
       Told::set_values,
       TheoremRate{alpha, 2.0 / 3}},
      {"online-greedy",
       "a Hedge distribution for each step of the greedy algorithm",
       "value of the set played",
       "(1-1/e)-regret O(T^{2/3}) with step = 1, uniform matroids",
       "Streeter, Golovin, NIPS 2008",
       {hedge_step_key, ahead_key, learning_key},
       make_online_greedy,
       nullptr,
       Told::set_values,
       TheoremRate{alpha, 2.0 / 3}},
      {"explore-then-commit",
       "tries every item in turn, then plays the greedy set for ever; for independent draws only",
       "value of the set played",
       "(1-1/e)-regret O(T^{2/3}), i.i.d. functions and uniform matroids only",
       "Nie, Agarwal, Umrawal, Aggarwal, Quinn, UAI 2022",
       {{"trials", "plays of each item a phase (the paper's, from the horizon)"},
        ahead_key,
        learning_key},
       make_explore_then_commit,
       nullptr,
       Told::set_values,
       TheoremRate{alpha, 2.0 / 3}},
      {"responsive-boost",
       "boosted gradient ascent on coordinate estimates; exploring sets may be infeasible",
       "value of any set",
       "(1-1/e)-regret O(T^{2/3})",
       "docs/responsive-boost.md",
       {{"step", "multiple of the scale-free step (1)"}, ahead_key, learning_key},
       make_responsive_boost,
       nullptr,
       Told::set_values,
       TheoremRate{alpha, 2.0 / 3}},
      {"auto",
       "chooses a learner by what it will be told, by domain and horizon, and says why",
       "as its key `feedback` says",
       "that of the learner chosen",
       "docs/choosing.md",
       {{"feedback", "\"gradient\", \"point-value\", \"any-set\" or \"feasible-set\" (needed)"},
        ahead_key,
        learning_key},
       make_auto,
       nullptr,
       Told::nothing},
      {"constant",
       "the largest multiple of 1 in the domain, for ever",
       "nothing",
       "none: no learning",
       "-",
       {{"sets", "true: its swap rounding, drawn anew each round (false)"}},
       make_constant,
       nullptr,
       Told::nothing,
       std::nullopt,
       "as it is"},
      {"random-base",
       "a uniformly random base each round",
       "nothing",
       "none: no learning",
       "-",
       {},
       make_random_base,
       nullptr,
       Told::nothing,
       std::nullopt,
       "as it is"},
  };
  return kinds;
}

bool LearnerKind::takes(std::string_view key) const {
  return std::any_of(keys.begin(), keys.end(),
                     [&](const LearnerKey& entry) { return entry.key == key; });
}

const LearnerKind& learner_kind(const std::string& kind) {
  std::vector<std::string> known;
  for (const LearnerKind& entry : learner_kinds()) {
    if (entry.kind == kind) return entry;
    known.emplace_back(entry.kind);
  }
  reject("kind", kind, "is not a learner" + did_you_mean(kind, known));
}

std::string learners_for_non_monotone() {
  std::string names;
  for (const LearnerKind& kind : learner_kinds()) {
    if (kind.non_monotone.empty()) continue;
    names += (names.empty() ? "" : ", ") + std::string(kind.kind);
    if (kind.non_monotone != "as it is") names += " with " + std::string(kind.non_monotone);
  }
  return names;
}

std::optional<Chosen> choose(Settings settings, const LearnerWorld& world) {
  if (settings.text("kind") != "auto") return std::nullopt;
  const std::string feedback = settings.needed("feedback", settings.text("feedback"));
  const Choice choice =
      settings.guard([&] { return choose_learner(feedback, *world.domain, world.horizon); });
  return Chosen{settings.without("feedback").with("kind", choice.kind),
                "takes " + choice.kind + ": " + choice.why};
}

LearnerPtr make_learner(Settings settings, const LearnerWorld& world) {
  const std::string name = settings.needed("kind", settings.text("kind"));
  const LearnerKind& kind =
      settings.guard([&]() -> const LearnerKind& { return learner_kind(name); });
  settings.text("name");
  const std::string horizon =
      kind.takes("horizon") ? settings.text("horizon").value_or("known") : "known";
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
