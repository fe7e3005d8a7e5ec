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

PointView DualAveragingBank::decide(std::size_t k, Round, PointRef room) {
  const std::size_t d = start_.size();
  for (std::size_t at = 0; at < room.size(); at += d) decide_one(k++, room.subspan(at, d));
  return room;
}

void DualAveragingBank::decide_one(std::size_t k, PointRef decision) {
  const double eta = step_ ? *step_ : scale_ * scale_free_step(diameter_, squared_norms_[k]);
  copy(start_, decision);
  add_scaled(decision, eta, reward_sums_.row(k));
  domain_->project(decision, multipliers_.row(k));
}

void DualAveragingBank::feed_each(std::size_t k, PointView rewards,
                                  std::span<const double> squared_norms) {
  add_scaled(reward_sums_.rows(k, squared_norms.size()), 1, rewards);
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
