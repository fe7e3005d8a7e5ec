/// Responsive-Boost: sets under any matroid, where infeasible sets answer but earn nothing.
///
/// Derived from Zhang et al., ICML 2022 (boosting) and the coordinate estimate: with probability p
/// a round explores. Then R ~ Z w independently, Z with density e^{z-1}/(1-1/e); a uniform item is
/// put in or out by a fair coin; and g = +-2d (f - b) e_i, unbiased for the gradient of the
/// extension at Z w, makes a projected step of w. All other rounds play a lossless rounding of w.
/// With p ~ t^{-1/3} the (1-1/e)-regret is O(T^{2/3}) (docs/responsive-boost.md). Replaces
/// Responsive-Frank-Wolfe in practice.
#pragma once

#include "hindsight/domains/matroid.hpp"
#include "hindsight/learners/learner.hpp"
#include "hindsight/learners/round_window.hpp"
#include "hindsight/learners/running_scale.hpp"
#include "hindsight/learners/set_table.hpp"
#include "hindsight/rounding/lossless_rounding.hpp"

namespace hindsight {

struct ResponsiveBoostOptions {
  double step = 1;       ///< multiple of the scale-free step D / sqrt(sum |g|^2)
  Round ahead = 64;      ///< how many rounds may be out at once
  bool learning = true;  ///< false: the control
  std::uint64_t seed = 1;
};

class ResponsiveBoost final : public Learner {
 public:
  explicit ResponsiveBoost(MatroidPtr matroid, const ResponsiveBoostOptions& options = {});

  std::string_view kind() const override { return "responsive-boost"; }
  bool plays_sets() const override { return true; }
  Suggestion suggest() override;
  Round ready() const override { return window_.ready(); }
  void observe(const Feedback& feedback) override;
  void lose(Round round) override;

 private:
  /// What a round that is out explored; item = -1: nothing.
  struct Trial {
    Item item = -1;
    int put_in = 0;  // a number, so that nothing undefined is saved
  };

  double exploring_share(Round t) const;
  void write(Writer& writer) const override;
  void read(Reader& reader) override;

  MatroidPtr matroid_;
  ResponsiveBoostOptions options_;
  StreamFamily draws_;
  RoundWindow window_;
  double diameter_;
  Point w_, warm_;
  double energy_ = 0;      // sum |g|^2
  RunningScale explored_;  // the level of what exploring rounds are worth
  std::unique_ptr<LosslessRounding> rounding_;
  std::vector<Trial> trials_;  // by row
  PointTable points_;
  SetTable sets_;
  ItemSet drawn_;
};

}  // namespace hindsight
