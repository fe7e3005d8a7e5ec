/// Surrogate ascent: full information about sets whose functions have a concave surrogate.
///
/// Si Salem, Ozcan, Nikolaou, Terzi, Ioannidis, AAAI 2024. For coverage, facility location and
/// their like there is a concave f~ with (1-1/e) f~ <= F <= f~, equal to f at sets
/// (docs/functions.md). Ascend on f~, play a lossless rounding of w: (1-1/e)-regret <= (1-1/e)
/// sqrt 2 D G sqrt T (docs/surrogate-ascent.md), G the longest gradient of f~.
///
/// The gradient it asks for, at w, is the surrogate's: `Suggestion::surrogate`.
#pragma once

#include "hindsight/domains/matroid.hpp"
#include "hindsight/learners/ascent.hpp"
#include "hindsight/learners/set_table.hpp"
#include "hindsight/rounding/lossless_rounding.hpp"

namespace hindsight {

class SurrogateAscent final : public Ascent {
 public:
  /// Without a rounding, the one made for the matroid is used.
  explicit SurrogateAscent(MatroidPtr matroid, const AscentOptions& options = {},
                           std::unique_ptr<LosslessRounding> rounding = nullptr);

  std::string_view kind() const override { return "surrogate-ascent"; }
  bool plays_sets() const override { return true; }
  bool asks_surrogates() const override { return true; }

 private:
  void play(Suggestion& s, PointView w, Slot& slot) override;
  void check(const Feedback& feedback) const override;
  void estimate(const Feedback& feedback, const Slot& slot, PointRef g) override;

  std::size_t ahead_;
  StreamFamily coins_;
  std::unique_ptr<LosslessRounding> rounding_;
  SetTable sets_;
  ItemSet drawn_;
};

}  // namespace hindsight
