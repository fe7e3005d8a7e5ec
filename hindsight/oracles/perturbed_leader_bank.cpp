#include "hindsight/oracles/perturbed_leader_bank.hpp"

namespace hindsight {

PerturbedLeaderBank::PerturbedLeaderBank(DomainPtr domain, std::size_t oracles,
                                         const OracleOptions& options, std::uint64_t seed)
    : domain_(std::move(domain)),
      step_(options.step),
      scale_(options.scale),
      perturbations_(seed, "oracle perturbation"),
      start_(diagonal_point(*domain_)),
      reward_sums_(oracles, start_.size()),
      squared_norms_(oracles, 0.0),
      perturbed_(start_.size()),
      decision_(start_.size()) {}

PointView PerturbedLeaderBank::decide(std::size_t k, Round q) {
  if (squared_norms_[k] == 0) return start_;  // nobody leads yet
  // sigma = d^{-1/4} sqrt(S) balances the two terms of the regret bound in docs/oracles.md.
  const double sigma = step_ ? 1 / *step_
                             : std::sqrt(squared_norms_[k]) /
                                   (scale_ * std::pow(static_cast<double>(start_.size()), .25));
  const std::uint64_t index = static_cast<std::uint64_t>(q) * squared_norms_.size() + k;
  Stream stream = perturbations_.at(index);
  stream.fill_normal(perturbed_);
  for (double& z : perturbed_) z *= sigma;
  add_scaled(perturbed_, 1, reward_sums_.row(k));
  domain_->maximize(perturbed_, decision_);
  return decision_;
}

void PerturbedLeaderBank::feed_each(std::size_t k, PointView rewards,
                                    std::span<const double> squared_norms) {
  add_scaled(reward_sums_.rows(k, squared_norms.size()), 1, rewards);
  for (const double squared : squared_norms) squared_norms_[k++] += squared;
}

void PerturbedLeaderBank::write(Writer& writer) const {
  writer.values(reward_sums_.numbers());
  writer.values(squared_norms_);
}

void PerturbedLeaderBank::read(Reader& reader) {
  reader.values(reward_sums_.numbers());
  reader.values(squared_norms_);
}

}  // namespace hindsight
