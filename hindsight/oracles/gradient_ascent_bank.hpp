/// Online gradient ascent (Zinkevich 2003): v <- project(v + eta d).
#pragma once

#include "hindsight/oracles/oracle_bank.hpp"

namespace hindsight {

class GradientAscentBank final : public OracleBank {
 public:
  GradientAscentBank(DomainPtr domain, std::size_t oracles, const OracleOptions& options);

  PointView decide(std::size_t k, Round q) override;
  void feed_each(std::size_t k, PointView rewards, std::span<const double> squared_norms) override;
  void write(Writer& writer) const override;
  void read(Reader& reader) override;

 private:
  void ascend(std::size_t k, PointView rewards, std::span<const double> squared_norms);

  DomainPtr domain_;
  double diameter_;
  std::optional<double> step_;
  double scale_;
  PointTable decisions_;
  PointTable multipliers_;  // warm starts of the projections
  Point squared_norms_;
};

}  // namespace hindsight
