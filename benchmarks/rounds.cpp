// What a round of each learner costs, the objective left out: values and gradients are prepared
// beforehand. A batch is a block, or up to a thousand rounds where there are none.
#include <algorithm>

#include "benchmarks/bench.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/learners/registry.hpp"

namespace hindsight::bench {
namespace {

/// Plays against prepared answers.
class Answered {
 public:
  Answered(const Settings& settings, const LearnerWorld& world, std::size_t probes)
      : horizon_(world.horizon),
        kept_(world.domain->dimension() <= 1000 ? 16 : 4),
        answers_(random_rows(kept_ + probes, static_cast<std::size_t>(world.domain->dimension()))),
        learner_(make_learner(settings, world)) {}

  void play(Round rounds) {
    const std::size_t d = answers_.columns();
    const double* const first = answers_.numbers().data();
    const double* answer = first + next_ * d;
    const double* const end = first + kept_ * d;
    played_ += rounds;
    for (Round n = 0; n < rounds; ++n) {
      const Suggestion s = learner_->suggest();
      learner_->observe({s.round,
                         *answer,
                         {s.probes.count, Lent<double>::of({answer, s.probes.numbers.size()})}});
      answer += d;
      if (answer == end) answer = first;
    }
    next_ = static_cast<std::size_t>(answer - first) / d;
  }
  Round left() const { return horizon_ - played_; }

 private:
  Round horizon_;
  std::size_t kept_;  // answers, given in turn; so few that they stay near, as if just worked out
  PointTable answers_;
  LearnerPtr learner_;
  std::size_t next_ = 0;
  Round played_ = 0;
};

/// What K oracles of dimension d must move in a block: each step writes a gradient, reads it, reads
/// and writes the oracle's row, writes the iterate and reads it when it is played.
Limit limit_of(const FrankWolfePlan& plan, int d, Real real) {
  const double cells = static_cast<double>(plan.steps) * d, size = real == Real::f64 ? 8 : 4;
  return {.sweep = Sweep::axpy,
          .real = real,
          .bytes = 6 * size * cells / static_cast<double>(plan.block_length),
          .working_set = static_cast<std::size_t>(2 * size * cells)};
}

void add_learner(const std::string& name, nlohmann::json table, int d, Round horizon) {
  const Settings settings("learner", std::move(table));
  const LearnerWorld world{uniform_matroid(d, std::max(1, 3 * d / 10)), horizon, 1};
  const LearnerKind& kind = learner_kind(*Settings(settings).text("kind"));
  Round batch = std::clamp<Round>(100'000 / d, 10, 1000);
  std::size_t probes = 1;
  std::optional<Limit> limit;
  if (kind.plan) {
    Settings copy = settings;
    const FrankWolfePlan plan = kind.plan(copy, world);
    limit = limit_of(plan, d, copy.text("state") == "f32" ? Real::f32 : Real::f64);
    if (plan.block_length > 1)
      batch = plan.block_length;
    else
      probes = static_cast<std::size_t>(plan.steps);
  }
  add(
      name + "/d=" + std::to_string(d), static_cast<double>(batch),
      [=] {
        auto game = std::make_shared<Answered>(settings, world, probes);
        return Work([=] { game->play(batch); }, [=] { return game->left() < batch; });
      },
      limit);
}

}  // namespace

void add_benchmarks() {
  for (const LearnerKind& kind : learner_kinds()) {
    if (kind.kind == "auto") continue;  // becomes one of the others
    const std::string name(kind.kind);
    const bool paper = name == "mono-frank-wolfe" || name == "bandit-frank-wolfe";
    nlohmann::json table = {{"kind", name}};
    if (kind.takes("max_steps")) table["max_steps"] = 100;  // T^{3/2} gradients a round end soon
    for (const int d : paper ? std::vector{10, 50, 100, 1000} : std::vector{10, 50})
      add_learner("round/" + name, table, d, 1'000'000);
    if (!paper) continue;
    table["state"] = "f32";
    for (const int d : {10, 100, 1000}) add_learner("round/" + name + "/f32", table, d, 1'000'000);
  }
  // How time grows: with d, with T (K = T^{3/5}), with K.
  const nlohmann::json mono = {{"kind", "mono-frank-wolfe"}};
  nlohmann::json fixed = mono;
  for (const int d : {1000, 10'000, 100'000, 1'000'000}) {
    fixed["steps"] = 100;
    add_learner("scale/mono-frank-wolfe/K=100", fixed, d, 1'000'000);
    add_learner("scale/boosted-gradient-ascent", {{"kind", "boosted-gradient-ascent"}}, d,
                1'000'000);
  }
  for (const Round horizon : {10'000, 100'000, 1'000'000, 10'000'000, 100'000'000})
    add_learner("scale/mono-frank-wolfe/T=" + std::to_string(horizon), mono, 100, horizon);
  for (const int steps : {100, 1000, 10'000}) {
    fixed["steps"] = steps;
    add_learner("scale/mono-frank-wolfe/K=" + std::to_string(steps), fixed, 100, 1'000'000);
  }
}

}  // namespace hindsight::bench
