#include "hindsight/learners/bandit_frank_wolfe.hpp"

#include "hindsight/estimators/one_point.hpp"
#include "hindsight/learners/feedback_check.hpp"

namespace hindsight {

BanditFrankWolfe::BanditFrankWolfe(DomainPtr interior, FrankWolfePlan plan,
                                   const FrankWolfeOptions& options)
    : FrankWolfeBlocks(std::move(interior), std::move(plan), options),
      sphere_(options.seed, "direction"),
      directions_(static_cast<std::size_t>(this->plan().steps), dimension()) {
  require(this->plan().radius > 0, "radius", this->plan().radius, "must be positive");
}

void BanditFrankWolfe::play(Suggestion& s, int k) {
  if (k == 0) {  // line 7, exploitation: y_t = x_q
    s.phase = Phase::exploit;
    s.action = Lent<double>::of(last_iterate());
    return;
  }
  // Line 6, exploration: y_t = x_q^(k) + delta u_{q,k}, written over x_q^(k), which has no other
  // use.
  s.phase = Phase::explore;
  const PointRef u = directions_.row(static_cast<std::size_t>(k - 1));
  Stream stream = sphere_.at(static_cast<std::uint64_t>(s.round));
  stream.fill_sphere(u);
  const PointRef y = iterate(k);
  add_scaled(y, plan().radius, u);
  s.action = Lent<double>::of(y);
  s.direction = Lent<double>::of(u);
}

void BanditFrankWolfe::check(const Feedback& feedback, int k) const {
  require_fitting(feedback, 0, dimension(), k > 0);
}

/// Line 9: g_{q,k} = (d / delta) F_t(y_t) u_{q,k}.
void BanditFrankWolfe::learn(const Feedback& feedback, int k) {
  if (k > 0)
    one_point_gradient(*feedback.value, plan().radius,
                       directions_.row(static_cast<std::size_t>(k - 1)), take_gradient(k));
}

void BanditFrankWolfe::write_more(Writer& writer) const { writer.values(directions_.numbers()); }

void BanditFrankWolfe::read_more(Reader& reader) { reader.values(directions_.numbers()); }

}  // namespace hindsight
