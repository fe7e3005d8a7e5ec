/// Bandit gradient ascent: one online linear maximiser, fed with one-point estimates. The honest
/// rival of the bandit learners: no blocks, no path, every round explores.
///
/// Flaxman, Kalai, McMahan, SODA 2005, with a baseline: w lives in the delta-interior K', w +
/// delta u is played, g = (d / delta) (F - b) u, b the mean of earlier values. For monotone F the
/// (1/2)-regret is O(sqrt T / delta + delta T): with delta ~ T^{-1/4}, O(T^{3/4})
/// (docs/bandit-gradient-ascent.md).
#pragma once

#include "hindsight/core/rng.hpp"
#include "hindsight/learners/ascent.hpp"
#include "hindsight/learners/running_scale.hpp"

namespace hindsight {

class BanditGradientAscent final : public Ascent {
 public:
  /// `interior` is K': a ball of this radius around each of its points may be played.
  BanditGradientAscent(DomainPtr interior, double radius, const AscentOptions& options = {});

  std::string_view kind() const override { return "bandit-gradient-ascent"; }

 private:
  void play(Suggestion& s, PointView w, Slot& slot) override;
  void check(const Feedback& feedback) const override;
  void estimate(const Feedback& feedback, const Slot& slot, PointRef g) override;
  void write_more(Writer& writer) const override;
  void read_more(Reader& reader) override;

  double radius_;
  StreamFamily sphere_;
  RunningScale seen_;
};

}  // namespace hindsight
