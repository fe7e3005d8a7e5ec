#include "hindsight/oracles/dual_averaging_bank.hpp"

namespace hindsight {

DualAveragingBank::DualAveragingBank(DomainPtr domain, std::size_t oracles,
                                     const OracleOptions& options)
    : domain_(std::move(domain)),
      diameter_(domain_->diameter()),
      step_(options.step),
      scale_(options.scale),
      start_(diagonal_point(*domain_)),
      reward_sums_(oracles, start_.size()),
      multipliers_(oracles, static_cast<std::size_t>(domain_->multipliers())),
      squared_norms_(oracles, 0.0) {}

PointView DualAveragingBank::decide(std::size_t k, Round, PointRef room, Workers* workers) {
  const std::size_t d = start_.size();
  share_rows(workers, room.size() / d, [&](std::size_t first, std::size_t count) {
    for (std::size_t j = first; j < first + count; ++j) decide_one(k + j, room.subspan(j * d, d));
  });
  return room;
}

void DualAveragingBank::decide_one(std::size_t k, PointRef decision) {
  const double eta = step_ ? *step_ : scale_ * scale_free_step(diameter_, squared_norms_[k]);
  copy(start_, decision);
  add_scaled(decision, eta, reward_sums_.row(k));
  domain_->project(decision, multipliers_.row(k));
}

void DualAveragingBank::feed_each(std::size_t k, PointView rewards,
                                  std::span<const double> squared_norms, Workers* workers) {
  const std::size_t d = start_.size();
  share_rows(workers, squared_norms.size(), [&](std::size_t first, std::size_t count) {
    add_scaled(reward_sums_.rows(k + first, count), 1, rewards.subspan(first * d, count * d));
  });
  for (const double squared : squared_norms) squared_norms_[k++] += squared;
}

void DualAveragingBank::write(Writer& writer) const {
  writer.values(reward_sums_.numbers());
  writer.values(multipliers_.numbers());
  writer.values(squared_norms_);
}

void DualAveragingBank::read(Reader& reader) {
  reader.values(reward_sums_.numbers());
  reader.values(multipliers_.numbers());
  reader.values(squared_norms_);
}

}  // namespace hindsight
