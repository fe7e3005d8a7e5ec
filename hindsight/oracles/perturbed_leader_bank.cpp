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
      squared_norms_(oracles, 0.0) {}

PointView PerturbedLeaderBank::decide(std::size_t k, Round q, PointRef room, Workers* workers) {
  const std::size_t d = start_.size();
  share_rows(workers, room.size() / d, [&](std::size_t first, std::size_t count) {
    for (std::size_t j = first; j < first + count; ++j)
      decide_one(k + j, q, room.subspan(j * d, d));
  });
  return room;
}

void PerturbedLeaderBank::decide_one(std::size_t k, Round q, PointRef decision) const {
  if (squared_norms_[k] == 0) return copy(start_, decision);  // nobody leads yet
  // sigma = d^{-1/4} sqrt(S) balances the two terms of the regret bound in docs/oracles.md.
  const double sigma = step_ ? 1 / *step_
                             : std::sqrt(squared_norms_[k]) /
                                   (scale_ * std::pow(static_cast<double>(start_.size()), .25));
  const std::uint64_t index = static_cast<std::uint64_t>(q) * squared_norms_.size() + k;
  static thread_local Point perturbed;
  perturbed.resize(start_.size());
  perturbations_.at(index).fill_normal(perturbed);
  for (double& z : perturbed) z *= sigma;
  add_scaled(perturbed, 1, reward_sums_.row(k));
  domain_->maximize(perturbed, decision);
}

void PerturbedLeaderBank::feed_each(std::size_t k, PointView rewards,
                                    std::span<const double> squared_norms, Workers* workers) {
  const std::size_t d = start_.size();
  share_rows(workers, squared_norms.size(), [&](std::size_t first, std::size_t count) {
    add_scaled(reward_sums_.rows(k + first, count), 1, rewards.subspan(first * d, count * d));
  });
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
