/// Lazy dual averaging (Nesterov 2009; scale-free as in Orabona and Pal 2018):
/// v = project(start + eta * sum of rewards).
#pragma once

#include "hindsight/oracles/oracle_bank.hpp"

namespace hindsight {

class DualAveragingBank final : public OracleBank {
 public:
  DualAveragingBank(DomainPtr domain, std::size_t oracles, const OracleOptions& options);

  PointView decide(std::size_t k, Round q, PointRef room, Workers* workers) override;
  void feed_each(std::size_t k, PointView rewards, std::span<const double> squared_norms,
                 Workers* workers) override;
  void write(Writer& writer) const override;
  void read(Reader& reader) override;

 private:
  void decide_one(std::size_t k, PointRef decision);

  DomainPtr domain_;
  double diameter_;
  std::optional<double> step_;
  double scale_;
  Point start_;
  PointTable reward_sums_;
  PointTable multipliers_;  // warm starts of the projections
  Point squared_norms_;
};

}  // namespace hindsight
