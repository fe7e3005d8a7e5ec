#include "hindsight/learners/mono_frank_wolfe.hpp"

#include "hindsight/learners/feedback_check.hpp"

namespace hindsight {

MonoFrankWolfe::MonoFrankWolfe(DomainPtr domain, FrankWolfePlan plan,
                               const FrankWolfeOptions& options)
    : FrankWolfeBlocks(std::move(domain), std::move(plan), options) {}

/// Line 5: play y_t = x_q; t = t_{q,k}, so ask for the gradient at x_q^(k).
Suggestion MonoFrankWolfe::play(Round round, int k) {
  Suggestion s{.round = round, .action = Lent<double>::of(last_iterate()), .step = k};
  if (k > 0) s.probes = {1, Lent<double>::of(iterate(k))};
  return s;
}

void MonoFrankWolfe::learn(const Feedback& feedback, int k) {
  const std::size_t probes = k > 0 ? 1 : 0;
  require_shape(feedback, probes, dimension(), false, largest_usable());
  if (k > 0 && !take_told_gradient(k, feedback.gradients.numbers.view()))
    reject_unfitting(feedback, probes, dimension(), false, largest_usable());
}

}  // namespace hindsight
