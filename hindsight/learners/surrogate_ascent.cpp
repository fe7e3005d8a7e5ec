#include "hindsight/learners/surrogate_ascent.hpp"

#include "hindsight/learners/feedback_check.hpp"

namespace hindsight {

SurrogateAscent::SurrogateAscent(MatroidPtr matroid, const AscentOptions& options,
                                 std::unique_ptr<LosslessRounding> rounding)
    : Ascent(matroid, options),
      ahead_(static_cast<std::size_t>(options.ahead)),
      coins_(options.seed, "rounding"),
      rounding_(rounding ? std::move(rounding) : make_lossless_rounding(matroid)),
      sets_(ahead_, static_cast<std::size_t>(matroid->rank())) {
  drawn_.reserve(dimension());
}

void SurrogateAscent::play(Suggestion& s, PointView w, Slot& slot) {
  copy(w, slot.action);
  rounding_->prepare(w);
  Stream stream = coins_.at(static_cast<std::uint64_t>(s.round));
  rounding_->draw(stream, drawn_);
  s.action = Lent<double>::of(slot.action);
  s.set = Lent<Item>::of(sets_.keep(static_cast<std::size_t>(s.round) % ahead_, drawn_));
  s.probes = {1, Lent<double>::of(slot.action)};
  s.surrogate = true;
}

void SurrogateAscent::check(const Feedback& feedback) const {
  require_fitting(feedback, 1, dimension(), false);
}

void SurrogateAscent::estimate(const Feedback& feedback, const Slot&, PointRef g) {
  copy(feedback.gradients[0], g);
}

}  // namespace hindsight
