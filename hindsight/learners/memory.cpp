#include "hindsight/learners/memory.hpp"

#include "hindsight/domains/matroid.hpp"

namespace hindsight {

double frank_wolfe_bytes(Settings learner, const FrankWolfePlan& plan, const Domain& domain) {
  const double K = plan.steps, d = domain.dimension(), m = domain.multipliers();
  const auto L = static_cast<double>(plan.block_length);
  const double s = learner.text("state") == "f32" ? 4 : 8;
  double bytes = K * d * s + K * (d * s + m * 8 + 16) + K * 29 + L * 9;
  if (learner.text("kind") == "responsive-frank-wolfe") {
    const auto* matroid = dynamic_cast<const Matroid*>(&domain);
    bytes += K * d * 4 + L * (matroid ? matroid->rank() : d) * 4;
  }
  return bytes;
}

}  // namespace hindsight
