#include "hindsight/learners/memory.hpp"

#include "hindsight/domains/matroid.hpp"

namespace hindsight {

double frank_wolfe_bytes(std::string_view kind, const FrankWolfePlan& plan, const Domain& domain) {
  const double K = plan.steps, d = domain.dimension(), m = domain.multipliers();
  const auto L = static_cast<double>(plan.block_length);
  double bytes = K * d * 8 + K * (d + m + 1) * 8 + K * 17 + L * 13;
  const bool responsive = kind == "responsive-frank-wolfe";
  if (responsive || kind == "bandit-frank-wolfe") bytes += K * d * 8;
  if (responsive) {
    const auto* matroid = dynamic_cast<const Matroid*>(&domain);
    bytes += K * d * 4 + L * (matroid ? matroid->rank() : d) * 4;
  }
  return bytes;
}

}  // namespace hindsight
