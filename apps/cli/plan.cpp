// hindsight plan: the parameters of every schedule, and what the theorems promise with them.
#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>

#include "apps/cli/verbs.hpp"
#include "hindsight/core/error.hpp"
#include "hindsight/domains/interior.hpp"
#include "hindsight/learners/boosted_gradient_ascent.hpp"
#include "hindsight/learners/memory.hpp"
#include "hindsight/learners/registry.hpp"
#include "hindsight/runs/protocol.hpp"
#include "hindsight/schedules/bounds.hpp"

namespace hindsight::cli {
namespace {

using Json = nlohmann::ordered_json;

struct PlanArguments {
  std::string file;
  std::vector<std::string> changes;
  std::vector<std::string> constants;
  bool json = false;
};

/// The letters of the bounds by name, so that they can be given and printed.
struct NamedConstant {
  const char* name;
  double BoundConstants::*field;
};
constexpr NamedConstant named[] = {
    {"d", &BoundConstants::d},   {"r", &BoundConstants::r},   {"R", &BoundConstants::R},
    {"D", &BoundConstants::D},   {"M0", &BoundConstants::M0}, {"M1", &BoundConstants::M1},
    {"L1", &BoundConstants::L1}, {"L2", &BoundConstants::L2}, {"sigma0", &BoundConstants::sigma0},
    {"C", &BoundConstants::C},
};

/// From the game's facts and the domain, where not given. What a function does not state is bounded
/// as for any monotone extension: L1 <= M1 sqrt d, L2 <= M1 (d - 1).
BoundConstants read_constants(const World& world, double gradient_noise,
                              const std::vector<std::string>& given) {
  const FunctionFacts facts = world.game->facts();
  BoundConstants c;
  c.d = world.domain->dimension();
  c.r = world.domain->inner_radius();
  c.R = world.domain->radius();
  c.D = world.domain->diameter();
  c.M1 = facts.max_value;
  c.L1 = facts.lipschitz.value_or(c.M1 * std::sqrt(c.d));
  c.L2 = facts.smoothness.value_or(c.M1 * (c.d - 1));
  c.sigma0 = gradient_noise * std::sqrt(c.d);
  c.M0 = c.L1 + Noise(1, 0, gradient_noise).gradient_bound(static_cast<std::size_t>(c.d));
  bool given_C = false;
  for (const std::string& text : given) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto at = std::find_if(std::begin(named), std::end(named),
                                 [&](const NamedConstant& entry) { return entry.name == name; });
    if (equals == std::string::npos || at == std::end(named))
      reject("--constant", text, "must be one of d, r, R, D, M0, M1, L1, L2, sigma0, C = a number");
    std::size_t used = 0;
    double value = NAN;
    try {
      value = std::stod(text.substr(equals + 1), &used);
    } catch (const std::exception&) {
    }
    if (!std::isfinite(value) || value < 0 || used != text.size() - equals - 1)
      reject("--constant", text, "must be a number of at least 0");
    c.*(at->field) = value;
    given_C = given_C || name == "C";
  }
  // Scale-free gradient ascent: regret <= sqrt 2 D sqrt(sum |d|^2), with |d| as large as a
  // gradient.
  if (!given_C) c.C = std::numbers::sqrt2 * c.D * c.M0;
  return c;
}

struct Theorem {
  std::string name;
  Bound bound;
};

/// The paper's theorems are about its own three algorithms, run by their schedule; what other
/// schedules give is proved in docs/unaveraged.md.
std::optional<Theorem> theorem_of(std::string_view kind, std::string_view schedule,
                                  const BoundConstants& c) {
  const bool mono = kind == "mono-frank-wolfe", bandit = kind == "bandit-frank-wolfe",
             responsive = kind == "responsive-frank-wolfe";
  if (schedule == "unaveraged")
    return Theorem{"docs/unaveraged.md",
                   mono ? unaveraged_mono_bound(c) : unaveraged_bandit_bound(c)};
  if (schedule != "theorem") return std::nullopt;
  if (mono) return Theorem{"Theorem 1", theorem_1(c)};
  if (bandit) return Theorem{"Theorem 2", theorem_2(c)};
  if (responsive) return Theorem{"Theorem 3", theorem_3(c)};
  return std::nullopt;
}

/// Learners with one maximiser: alpha-regret at most beta C sqrt T.
struct Boost {
  std::string page;
  double alpha, beta;
};
std::optional<Boost> boost_of(const LearnerKind& kind, Settings settings, const World& world) {
  const double e = std::numbers::e;
  if (kind.kind == "surrogate-ascent")
    return Boost{"docs/surrogate-ascent.md", 1 - 1 / e, 1 - 1 / e};
  if (kind.kind == "gradient-ascent") return Boost{"docs/gradient-ascent.md", .5, .5};
  if (kind.kind != "boosted-gradient-ascent") return std::nullopt;
  const LearnerPtr learner = settings.guard([&] {
    return kind.make(settings, {world.domain, 1, 1});
  });
  const auto& boosted = dynamic_cast<const BoostedGradientAscent&>(*learner);
  return Boost{"docs/boosted-gradient-ascent.md", boosted.alpha(), boosted.beta()};
}

void add_bound(Json& object, const Theorem& theorem, Round rounds, double M1, double alpha) {
  Json terms = Json::array();
  for (const BoundTerm& term : theorem.bound)
    terms.push_back(
        {{"meaning", term.meaning},
         {"coefficient", term.coefficient},
         {"exponent", term.exponent},
         {"value", term.coefficient * std::pow(static_cast<double>(rounds), term.exponent)}});
  const double bound = evaluate(theorem.bound, static_cast<double>(rounds));
  object["theorem"] = theorem.name;
  object["bound"] = bound;
  object["bound_terms"] = terms;
  object["vacuous"] = bound >= object["trivial_bound"].get<double>();
  object["telling_from"] = first_telling_horizon(theorem.bound, M1, alpha);
}

Json plan_object(const Settings& settings, const World& world, Round rounds,
                 const BoundConstants& c) {
  Settings copy = settings;
  const std::string name = learner_name(copy);
  if (const auto chosen = choose(settings, {world.domain, rounds, 1})) {
    Json object = plan_object(chosen->settings, world, rounds, c);
    object["name"] = name;
    object["choice"] = chosen->why;
    return object;
  }
  const LearnerKind& kind = copy.guard(
      [&]() -> const LearnerKind& { return learner_kind(copy.needed("kind", copy.text("kind"))); });
  for (const char* key : {"kind", "name"}) copy.expect(key);
  for (const LearnerKey& key : kind.keys) copy.expect(std::string(key.key));
  copy.finish();
  Json object = {{"name", name}, {"learner", kind.kind}, {"rounds", rounds}};
  const bool learning = copy.flag("learning").value_or(true);
  object["guarantee"] = learning ? kind.guarantee : "none: learning is off";
  const double trivial = c.M1 * static_cast<double>(rounds);
  if (!kind.plan) {
    const auto boost = boost_of(kind, copy, world);
    if (!boost || !learning) return object;
    object["alpha_regret"] = boost->alpha;
    object["trivial_bound"] = boost->alpha * trivial;
    add_bound(object, {boost->page, boosted_bound(c, boost->beta)}, rounds, c.M1, boost->alpha);
    return object;
  }
  const FrankWolfePlan plan = copy.guard([&] {
    return kind.plan(copy, {world.domain, rounds, 1});
  });
  object["schedule"] = plan.schedule;
  object["K"] = plan.steps;
  object["L"] = plan.block_length;
  object["Q"] = plan.blocks;
  if (plan.radius > 0) {
    object["delta"] = plan.radius;
    object["alpha"] = shrinkage(*world.domain, plan.radius);
  }
  object["memory_bytes"] = frank_wolfe_bytes(copy, plan, *world.domain);
  const double alpha = 1 - 1 / std::numbers::e;
  object["trivial_bound"] = alpha * trivial;
  const auto theorem = theorem_of(kind.kind, plan.schedule, c);
  if (theorem && learning) add_bound(object, *theorem, rounds, c.M1, alpha);
  if (learning && plan.schedule == "unaveraged")
    object["guarantee"] =
        kind.kind == "mono-frank-wolfe" ? "(1-1/e)-regret O(T^{2/3})" : "(1-1/e)-regret O(T^{5/6})";
  if (learning && plan.schedule == "practical") object["guarantee"] = "none: measured, not proved";
  return object;
}

void print_text(const Json& p) {
  fmt::print("{}, T = {}{}\n", p["name"].get<std::string>(), p["rounds"].get<Round>(),
             p.contains("values") ? ", " + p["values"].get<std::string>() : "");
  if (p.contains("choice")) fmt::print("  auto {}\n", p["choice"].get<std::string>());
  if (p.contains("K")) {
    fmt::print("  {}: K = {} steps, L = {} rounds a block, Q = {} blocks",
               p["schedule"].get<std::string>(), p["K"].get<int>(), p["L"].get<Round>(),
               p["Q"].get<Round>());
    if (p.contains("delta"))
      fmt::print(", delta = {:.10g}, alpha = {:.6g}", p["delta"].get<double>(),
                 p["alpha"].get<double>());
    const double bytes = p["memory_bytes"].get<double>();
    fmt::print(
        "\n  memory: {:.3g} MB{}\n", bytes / 1e6,
        bytes > machine_bytes()
            ? fmt::format("; this machine has {:.3g} MB: `run` refuses it", machine_bytes() / 1e6)
            : "");
    fmt::print("  guarantee: {}\n", p["guarantee"].get<std::string>());
  } else {
    fmt::print("  no schedule; guarantee: {}\n", p["guarantee"].get<std::string>());
  }
  if (p.contains("bound")) {
    fmt::print("  {}: regret <= {:.4g}, the sum of\n", p["theorem"].get<std::string>(),
               p["bound"].get<double>());
    for (const Json& term : p["bound_terms"])
      fmt::print("    {:>10.4g} T^{:.4f} = {:>10.4g}   {}\n", term["coefficient"].get<double>(),
                 term["exponent"].get<double>(), term["value"].get<double>(),
                 term["meaning"].get<std::string>());
    const std::string alpha = p.contains("alpha_regret")
                                  ? fmt::format("{:.4g}", p["alpha_regret"].get<double>())
                                  : "(1-1/e)";
    fmt::print("  trivial: regret <= {} M1 T = {:.4g}\n", alpha, p["trivial_bound"].get<double>());
    fmt::print("  {}; it says something from T = {:.3g} on\n",
               p["vacuous"].get<bool>()
                   ? "The bound is VACUOUS at this horizon: earning nothing meets it"
                   : "The bound is below the trivial one",
               p["telling_from"].get<double>());
  } else if (p.contains("K")) {
    fmt::print(
        "  the paper states no constants for this learner and schedule; trivial bound {:.4g}\n",
        p["trivial_bound"].get<double>());
  }
  fmt::print("\n");
}

void run_plan(const PlanArguments& arguments) {
  const Experiment experiment = read_experiment(arguments.file, arguments.changes);
  for (const Round rounds : experiment.rounds) {
    const World world = make_world(experiment, rounds, experiment.seeds.front());
    if (rounds == experiment.rounds.front()) tell_skipped_rows(experiment);
    const double noise = Settings(experiment.game).number("gradient_noise").value_or(0);
    const BoundConstants c = read_constants(world, noise, arguments.constants);
    Json constants;
    for (const NamedConstant& entry : named) constants[entry.name] = c.*(entry.field);
    std::vector<Json> plans;  // all of them before the first is printed: one may be refused
    for (const Settings& settings : experiment.learners)
      for (const auto& [learner, values] : candidates(settings)) {
        plans.push_back(plan_object(learner, world, rounds, c));
        if (!values.empty()) plans.back()["values"] = values;
      }
    if (!arguments.json) {
      fmt::print("constants:");
      for (const auto& [name, value] : constants.items())
        fmt::print(" {} = {:.5g}", name, value.get<double>());
      fmt::print(
          "\n(C is that of scale-free gradient ascent on rewards no larger than M0; one-point "
          "estimates reach\n"
          "d M1 / delta, so for the bandit learners it is an optimistic choice)\n\n");
    }
    for (Json& object : plans) {
      if (arguments.json) {
        object["constants"] = constants;
        fmt::print("{}\n", object.dump());
      } else {
        print_text(object);
      }
    }
  }
}

}  // namespace

void add_plan(CLI::App& app) {
  auto arguments = std::make_shared<PlanArguments>();
  CLI::App* verb = app.add_subcommand(
      "plan",
      "Every parameter of the schedules, the theorems' bounds, and from which T they say anything");
  verb->add_option("file", arguments->file, "experiment file (TOML)")->required();
  add_changes(*verb, arguments->changes);
  verb->add_option("--constant", arguments->constants,
                   "use another constant than the game's own: M1=1, L1=.., C=.. (repeat)")
      ->allow_extra_args(false);
  verb->add_flag("--json", arguments->json, "one JSON object a learner and horizon");
  verb->footer(
      "Example:\n  hindsight plan experiments/paper.toml --set rounds=1000000 --constant M1=1");
  verb->callback([arguments] { run_plan(*arguments); });
}

}  // namespace hindsight::cli
