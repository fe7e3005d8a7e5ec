#include "hindsight/learners/bandit_gradient_ascent.hpp"

#include "hindsight/core/error.hpp"
#include "hindsight/estimators/one_point.hpp"
#include "hindsight/learners/feedback_check.hpp"

namespace hindsight {

BanditGradientAscent::BanditGradientAscent(DomainPtr interior, double radius,
                                           const AscentOptions& options)
    : Ascent(std::move(interior), options), radius_(radius), sphere_(options.seed, "direction") {
  require(radius > 0, "radius", radius, "must be positive");
}

void BanditGradientAscent::play(Suggestion& s, PointView w, Slot& slot) {
  sphere_.at(static_cast<std::uint64_t>(s.round)).fill_sphere(slot.note);
  copy(w, slot.action);
  add_scaled(slot.action, radius_, slot.note);
  s.phase = Phase::explore;
  s.action = Lent<double>::of(slot.action);
  s.direction = LentDirection::of(slot.note);
}

void BanditGradientAscent::check(const Feedback& feedback) const {
  require_fitting(feedback, 0, dimension(), true);
}

void BanditGradientAscent::estimate(const Feedback& feedback, const Slot& slot, PointRef g) {
  one_point_gradient(seen_.surprise(*feedback.value), radius_, slot.note, g);
}

void BanditGradientAscent::write_more(Writer& writer) const {
  writer.value(radius_);
  writer.value(seen_);
}

void BanditGradientAscent::read_more(Reader& reader) {
  reader.same("radius", radius_);
  seen_ = reader.value<RunningScale>();
}

}  // namespace hindsight
