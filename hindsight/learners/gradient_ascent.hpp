/// Online projected gradient ascent: the simple rival, with half the guarantee.
///
/// Zinkevich 2003, for monotone DR-submodular functions Chen, Hassani, Karbasi 2018 (Theorem 2
/// there): (1/2)-regret O(sqrt T), against (1-1/e) of the Frank-Wolfe learners. One gradient a
/// round, at the point played.
#pragma once

#include "hindsight/learners/ascent.hpp"

namespace hindsight {

class GradientAscent final : public Ascent {
 public:
  /// Any online linear maximiser will do; gradient ascent gives the algorithm its name.
  explicit GradientAscent(DomainPtr domain, const AscentOptions& options = {})
      : Ascent(std::move(domain), options) {}

  std::string_view kind() const override { return "gradient-ascent"; }

 private:
  void play(Suggestion& s, PointView w, Slot& slot) override;
  void check(const Feedback& feedback) const override;
  void estimate(const Feedback& feedback, const Slot& slot, PointRef g) override;
};

}  // namespace hindsight
