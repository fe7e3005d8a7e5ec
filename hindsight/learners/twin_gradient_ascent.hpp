/// Twin gradient ascent: boosted and plain ascent side by side, on one gradient a round.
///
/// Boosted ascent leaves traps but stops short of the best point inside the domain; plain ascent
/// finds that point wherever functions are concave but stays in traps. Asking and playing are
/// different things: each round's gradient is asked for one of three reasons, by chance,
///     boost     on the way to w, for a step of w,
///     ascend    at x, for a step of x,
///     compare   at a uniform point p of the segment from w to x: E<grad f(p), x - w> = f(x) -
///     f(w),
/// and what is played is x with the probability that a hedge over the two has learned from the
/// comparisons. So the (1-1/e)-regret is O(sqrt T), and so is the regret itself where the functions
/// are concave (docs/twin-gradient-ascent.md).
#pragma once

#include "hindsight/core/rng.hpp"
#include "hindsight/learners/boosted_gradient_ascent.hpp"
#include "hindsight/learners/gradient_ascent.hpp"
#include "hindsight/learners/round_window.hpp"

namespace hindsight {

class TwinGradientAscent final : public Learner {
 public:
  explicit TwinGradientAscent(DomainPtr domain, const AscentOptions& options = {});

  std::string_view kind() const override { return "twin-gradient-ascent"; }
  std::string_view oracle() const override { return boosted_.oracle(); }
  Suggestion suggest() override;
  Round ready() const override { return window_.ready(); }
  void observe(const Feedback& feedback) override;
  void lose(Round round) override;

  /// The probability with which the next round plays x.
  double plain_share() const;

 private:
  enum class Task : std::uint8_t { boost, ascend, compare };
  static constexpr double comparing = .2;  // of the rounds; the twins share the others equally

  double place(Round round) const;
  void write(Writer& writer) const override;
  void read(Reader& reader) override;

  bool learning_;
  UniformFamily coins_;
  RoundWindow window_;
  BoostedGradientAscent boosted_;  // the twins' rounds are our rounds
  GradientAscent plain_;
  std::vector<Task> tasks_;  // by row, as the tables
  PointTable segments_;      // x - w
  PointTable probes_;
  double lead_ = 0;     // of x, the sum of the comparisons
  double squares_ = 0;  // of the comparisons
};

}  // namespace hindsight
