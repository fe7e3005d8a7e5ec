#include "hindsight/learners/memory.hpp"

#include "hindsight/core/narrow.hpp"
#include "hindsight/domains/matroid.hpp"

namespace hindsight {

double frank_wolfe_bytes(Settings learner, const FrankWolfePlan& plan, const Domain& domain) {
  const auto d = static_cast<std::size_t>(domain.dimension());
  const auto L = static_cast<double>(plan.block_length);
  const double K = plan.steps, m = domain.multipliers();
  const bool narrow = learner.text("state") == "f32";
  const double row =
      static_cast<double>(narrow ? narrow_length(d) * sizeof(float) : d * sizeof(double));
  double bytes = K * row + K * (row + m * 8 + 16 + (narrow ? 1 : 0)) + K * 29 + L * 9.125;
  if (learner.text("kind") == "responsive-frank-wolfe") {
    const auto* matroid = dynamic_cast<const Matroid*>(&domain);
    const double rank = matroid ? matroid->rank() : domain.dimension();
    bytes += K * domain.dimension() * 4 + L * rank * 4;
  }
  return bytes;
}

}  // namespace hindsight
