// In f32, where sweeps that find a point also step and average: the same bytes as if each were done
// apart. And long directions, of which each takes the place of the one before.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "hindsight/core/error.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/domains/interior.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/learners/bandit_frank_wolfe.hpp"
#include "hindsight/learners/mono_frank_wolfe.hpp"

namespace hindsight {
namespace {

/// A domain whose points are found as ever, and then all else is done.
class Apart : public Domain {
 public:
  explicit Apart(DomainPtr base) : base_(std::move(base)) {}

  int dimension() const override { return base_->dimension(); }
  void maximize(PointView weights, PointRef out) const override { base_->maximize(weights, out); }
  void project(PointRef x, std::span<double> warm) const override { base_->project(x, warm); }
  int multipliers() const override { return base_->multipliers(); }
  void ascend_each(std::span<double> points, std::span<const double> steps, PointView directions,
                   std::span<double> warm, Workers* workers) const override {
    base_->ascend_each(points, steps, directions, warm, workers);
  }
  void ascend_each(std::span<float> distances, PointView lower, double scale,
                   std::span<const double> steps, const NarrowDirections& directions,
                   std::span<double> warm) const override {
    base_->ascend_each(distances, lower, scale, steps, directions, warm);
  }
  bool contains(PointView x, double tolerance) const override {
    return base_->contains(x, tolerance);
  }
  Point lower() const override { return base_->lower(); }
  double inner_radius() const override { return base_->inner_radius(); }
  double diameter() const override { return base_->diameter(); }
  double radius() const override { return base_->radius(); }
  std::string describe() const override { return base_->describe(); }

 protected:
  DomainPtr base_;
};

/// Goes along the way, but a little wrong.
class Wrong final : public Apart {
 public:
  using Spoil = void (*)(NarrowStep& step);
  Wrong(DomainPtr base, Spoil spoil) : Apart(std::move(base)), spoil_(spoil) {}
  bool ascends_along() const override { return true; }
  double ascend_along(std::span<float> distance, double scale, double step, std::span<double> warm,
                      const NarrowStep& along) const override {
    NarrowStep wrong = along;
    spoil_(wrong);
    return base_->ascend_along(distance, scale, step, warm, wrong);
  }

 private:
  Spoil spoil_;
};
constexpr float too_large = 1 + 0x1p-20f;

constexpr Round horizon = 400;

/// Plays answers that depend on what was played, loses a few, and returns what was said.
std::string played(Learner& learner, int d, double loudness) {
  Stream rng = StreamFamily(4, "answers").at(0);
  std::string said;
  const auto say = [&](std::span<const double> numbers) {
    said.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  };
  Point gradient(static_cast<std::size_t>(d));
  for (Round t = 1; t <= horizon; ++t) {
    const Suggestion s = learner.suggest();
    say(s.action.view());
    say(s.probes.numbers.view());
    if (t % 50 == 7) {
      learner.lose(s.round);
      continue;
    }
    Feedback feedback{s.round, loudness * (.5 + .1 * s.action[1] + .1 * rng.uniform()), {}};
    if (s.probes.count > 0) {
      for (std::size_t i = 0; i < gradient.size(); ++i)
        gradient[i] = loudness * (1 - .5 * s.probes.numbers[i] + .3 * rng.uniform());
      feedback.gradients = {1, Lent<double>::of(gradient)};
    }
    learner.observe(feedback);
  }
  return said;
}

std::string mono(const DomainPtr& domain, double loudness = 1, bool learning = true) {
  FrankWolfePlan plan = mono_plan(horizon);
  MonoFrankWolfe learner(domain, plan,
                         {.oracle = {.state = Precision::f32}, .learning = learning, .seed = 3});
  return played(learner, domain->dimension(), loudness);
}
std::string bandit(const DomainPtr& interior, double radius) {
  FrankWolfePlan plan = mono_plan(horizon);
  plan.radius = radius;
  plan.block_length = 2 * plan.steps;
  plan.blocks = horizon / plan.block_length;
  BanditFrankWolfe learner(interior, plan, {.oracle = {.state = Precision::f32}, .seed = 3});
  return played(learner, interior->dimension(), 1);
}

/// Rows of one part that fills no eight packs, of eight, of more, and of two parts; of which some
/// are filled up.
const int dimensions[] = {33, 48, 128, 300, 1000, 1024, 1100, 1500};

TEST(StepsAlong, AreThoseThatAreTakenApart) {
  for (const int d : dimensions) {
    SCOPED_TRACE(d);
    const DomainPtr domain = uniform_matroid(d, std::max(1, d / 5));
    const DomainPtr apart = std::make_shared<Apart>(domain);
    ASSERT_TRUE(domain->ascends_along());
    ASSERT_FALSE(apart->ascends_along());
    EXPECT_TRUE(mono(domain) == mono(apart));
    EXPECT_TRUE(mono(domain, 1e-20) == mono(apart, 1e-20)) << "squares that f32 cannot hold";
    EXPECT_TRUE(mono(domain, 1e22) == mono(apart, 1e22));
    EXPECT_TRUE(mono(domain, 1, false) == mono(apart, 1, false)) << "without learning";
    const double radius = .02 * domain->inner_radius() / std::sqrt(d);
    const DomainPtr interior = shrunk_interior(domain, radius);
    EXPECT_TRUE(bandit(interior, radius) == bandit(std::make_shared<Apart>(interior), radius));

    const auto step_too_far = [](NarrowStep& step) { step.eta *= too_large; };
    const auto weigh_too_much = [](NarrowStep& step) { step.added *= too_large; };
    for (const Wrong::Spoil spoil : {Wrong::Spoil(step_too_far), Wrong::Spoil(weigh_too_much)})
      EXPECT_FALSE(mono(domain) == mono(std::make_shared<Wrong>(domain, spoil)));
  }
}

/// Whether it was made ahead or not, and by parts: a direction is its stream's. In between the
/// learner is another one, restored, which has made nothing ahead; or it goes back to where it was,
/// and has made others ahead.
TEST(LongDirections, AreThoseOfTheirStreams) {
  const StreamFamily family(3, "direction");
  for (const Precision state : {Precision::f64, Precision::f32})
    for (const int d : {10, 257, 300, 1000, 1024, 2100}) {
      const DomainPtr domain = uniform_matroid(d, std::max(1, d / 5));
      const double radius = .02 * domain->inner_radius() / std::sqrt(d);
      FrankWolfePlan plan = mono_plan(horizon);
      plan.radius = radius;
      plan.block_length = 2 * plan.steps;
      plan.blocks = horizon / plan.block_length;
      const auto make = [&] {
        return std::make_unique<BanditFrankWolfe>(
            shrunk_interior(domain, radius), plan,
            FrankWolfeOptions{.oracle = {.state = state}, .seed = 3});
      };
      auto learner = make();
      int seen = 0, same_as_before = 0;
      Direction u, before;
      for (Round t = 1; t <= horizon; ++t) {
        if (t % 31 == 0) {
          const std::string saved = learner->save();
          if (t % 2 == 0) learner = make();
          for (int ahead = 0; ahead < 4 && t % 2 == 1; ++ahead)
            learner->observe({.round = learner->suggest().round, .value = .5});
          learner->restore(saved);
        }
        const Suggestion s = learner->suggest();
        if (!s.direction.empty()) {
          family.at(static_cast<std::uint64_t>(s.round))
              .draw_direction(static_cast<std::size_t>(d), u);
          for (std::size_t i = 0; i < s.direction.size(); ++i)
            ASSERT_EQ(s.direction[i], u.factor * static_cast<double>(u.numbers[i]))
                << "d = " << d << ", round " << t << ", number " << i;
          same_as_before += !before.numbers.empty() && before.numbers[0] == u.numbers[0] ? 1 : 0;
          before = u;
          ++seen;
        }
        learner->observe({.round = s.round, .value = .5});
      }
      EXPECT_GT(seen, 100);
      EXPECT_LT(same_as_before, 2);  // or a stream that is always the same would pass
    }
}

/// The iterate that a gradient was written over goes back to its place.
TEST(GradientsOfF32, AreRefusedWithoutATrace) {
  for (const int d : {5, 20, 100, 1000}) {
    MonoFrankWolfe learner(uniform_matroid(d, 2), mono_plan(horizon),
                           {.oracle = {.state = Precision::f32}, .seed = 3});
    Point gradient(static_cast<std::size_t>(d), .5);
    for (Round t = 1; t <= 150; ++t) {
      const Suggestion s = learner.suggest();
      if (s.probes.count > 0 && t > 100) {
        const Point probe(s.probes.numbers.begin(), s.probes.numbers.end());
        const std::string before = learner.save();
        for (const double wrong : {std::numeric_limits<double>::quiet_NaN(),
                                   std::numeric_limits<double>::infinity(), -2e25, 1e300})
          for (const std::size_t at : {std::size_t{0}, gradient.size() - 1}) {
            Point spoiled = gradient;
            spoiled[at] = wrong;
            EXPECT_THROW(learner.observe({.round = s.round, .gradients = {1, spoiled}}),
                         InputError);
            EXPECT_TRUE(learner.save() == before) << "d = " << d << ", " << wrong;
          }
        EXPECT_EQ(Point(s.probes.numbers.begin(), s.probes.numbers.end()), probe);
        gradient[0] = 1e25;  // the largest that is not refused
      }
      learner.observe({s.round, {}, {s.probes.count, s.probes.count > 0 ? gradient : Point()}});
    }
  }
}

}  // namespace
}  // namespace hindsight
