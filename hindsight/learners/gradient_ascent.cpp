#include "hindsight/learners/gradient_ascent.hpp"

#include "hindsight/learners/feedback_check.hpp"

namespace hindsight {

void GradientAscent::play(Suggestion& s, PointView w, Slot& slot) {
  copy(w, slot.action);
  s.action = Lent<double>::of(slot.action);
  s.probes = {1, Lent<double>::of(slot.action)};
}

void GradientAscent::check(const Feedback& feedback) const {
  require_fitting(feedback, 1, dimension(), false);
}

void GradientAscent::estimate(const Feedback& feedback, const Slot&, PointRef g) {
  copy(feedback.gradients[0], g);
}

}  // namespace hindsight
