#include "hindsight/learners/meta_frank_wolfe.hpp"

#include "hindsight/core/error.hpp"
#include "hindsight/learners/feedback_check.hpp"

namespace hindsight {

MetaFrankWolfe::MetaFrankWolfe(DomainPtr domain, FrankWolfePlan plan,
                               const FrankWolfeOptions& options)
    : FrankWolfeBlocks(std::move(domain), std::move(plan), options) {
  require(this->plan().block_length == 1, "block_length", this->plan().block_length,
          "must be 1: every round is its own block");
  require(options.oracle.state == Precision::f64, "state", "f32",
          "must be \"f64\": a round asks for gradients at all iterates where they stand");
}

/// Play x_t^(K+1), then ask for the gradients at x_t^(1), ..., x_t^(K).
Suggestion MetaFrankWolfe::play(Round round, int) {
  return {.round = round,
          .action = Lent<double>::of(last_iterate()),
          .probes = {static_cast<std::size_t>(plan().steps), Lent<double>::of(iterates())}};
}

void MetaFrankWolfe::learn(const Feedback& feedback, int) {
  require_fitting(feedback, static_cast<std::size_t>(plan().steps), dimension(), false);
  for (int k = 1; k <= plan().steps; ++k)
    take_gradient(k, feedback.gradients[static_cast<std::size_t>(k - 1)]);
}

}  // namespace hindsight
