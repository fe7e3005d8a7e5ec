/// Boosted gradient ascent: gradient ascent that asks elsewhere than it plays, and thereby climbs a
/// function whose local optima are good enough.
///
/// Zhang, Deng, Chen, Hu, Yang, ICML 2022 (monotone, 0 in K); as a wrapper around any online linear
/// maximiser, for four classes of functions f and sets K: if f is of the class, then for every y
/// in K, over the draw of Z, alpha f(y) - f(h(w)) <= beta E<g, y - w>. So the alpha-regret is at
/// most beta times the maximiser's: with scale-free gradient ascent sqrt 2 beta D G sqrt T, G the
/// longest gradient. docs/boosted-gradient-ascent.md proves it, row by row.
///
/// | class | alpha | beta | play h(w) | density of Z | ask at | g |
/// | --- | --- | --- | --- | --- | --- | --- |
/// | monotone | 1-1/e | 1-1/e | w | e^{z-1}/(1-1/e) | u + Z(w-u) | grad |
/// | monotone_any_set | 1/2 | 1/2 | w | - | w | grad |
/// | non_monotone | 1/e | 1-1/e | 1-e^{-w} | e^{z-1}/(1-1/e) | 1-e^{-Zw} | grad * e^{-Zw} |
/// | non_monotone_any_set | (1-max a)/4 | 3/8 | (a+w)/2 | 1/(3(1-z/2)^3) | a + Z(w-a)/2 | grad |
///
/// u is the lower corner of K, a the anchor, any point of K. `monotone` asks that u is in K,
/// `non_monotone` that K is down-closed with u = 0; the last two that f >= 0 on [0,1]^d, which
/// holds K.
#pragma once

#include <optional>

#include "hindsight/core/rng.hpp"
#include "hindsight/learners/ascent.hpp"

namespace hindsight {

enum class BoostClass { monotone, monotone_any_set, non_monotone, non_monotone_any_set };

struct BoostedOptions {
  BoostClass functions = BoostClass::monotone;
  std::optional<Point> anchor = std::nullopt;  ///< for non_monotone_any_set; the lower corner
  AscentOptions ascent = {};
};

class BoostedGradientAscent final : public Ascent {
 public:
  explicit BoostedGradientAscent(DomainPtr domain, const BoostedOptions& options = {});

  std::string_view kind() const override { return "boosted-gradient-ascent"; }
  bool needs_monotone() const override;
  double alpha() const;
  double beta() const;

 private:
  void play(Suggestion& s, PointView w, Slot& slot) override;
  void check(const Feedback& feedback) const override;
  void estimate(const Feedback& feedback, const Slot& slot, PointRef g) override;
  void write_more(Writer& writer) const override;
  void read_more(Reader& reader) override;

  BoostClass functions_;
  Point anchor_;  // a, or u: what the line to w starts from
  UniformFamily draws_;
};

}  // namespace hindsight
