/// Follow the perturbed leader (Kalai and Vempala 2005; Gaussian as in Cohen and Hazan 2015):
/// v = maximise <sum of rewards + sigma Z, .>, Z standard normal, drawn anew each block. Needs no
/// projection.
#pragma once

#include "hindsight/core/rng.hpp"
#include "hindsight/oracles/oracle_bank.hpp"

namespace hindsight {

class PerturbedLeaderBank final : public OracleBank {
 public:
  PerturbedLeaderBank(DomainPtr domain, std::size_t oracles, const OracleOptions& options,
                      std::uint64_t seed);

  PointView decide(std::size_t k, Round q, PointRef room, Workers* workers) override;
  void feed_each(std::size_t k, PointView rewards, std::span<const double> squared_norms,
                 Workers* workers) override;
  void write(Writer& writer) const override;
  void read(Reader& reader) override;

 private:
  void decide_one(std::size_t k, Round q, PointRef decision) const;

  DomainPtr domain_;
  std::optional<double> step_;
  double scale_;
  StreamFamily perturbations_;
  Point start_;
  PointTable reward_sums_;
  Point squared_norms_;
};

}  // namespace hindsight
