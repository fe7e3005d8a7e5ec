#include "hindsight/oracles/gradient_ascent_bank.hpp"

namespace hindsight {

GradientAscentBank::GradientAscentBank(DomainPtr domain, std::size_t oracles,
                                       const OracleOptions& options)
    : domain_(std::move(domain)),
      diameter_(domain_->diameter()),
      step_(options.step),
      scale_(options.scale),
      decisions_(oracles, static_cast<std::size_t>(domain_->dimension())),
      multipliers_(oracles, static_cast<std::size_t>(domain_->multipliers())),
      squared_norms_(oracles, 0.0) {
  const Point start = diagonal_point(*domain_);
  for (std::size_t k = 0; k < oracles; ++k) copy(start, decisions_.row(k));
}

PointView GradientAscentBank::decide(std::size_t k, Round) { return decisions_.row(k); }

void GradientAscentBank::feed(std::size_t k, PointView rewards) {
  const std::size_t d = decisions_.columns(), count = rewards.size() / d;
  for (std::size_t j = 0; j < count; ++j) {
    const PointView reward = rewards.subspan(j * d, d);
    double& squared_norms = squared_norms_[k + j];
    squared_norms += squared_norm(reward);
    const double eta = step_ ? *step_ : scale_ * scale_free_step(diameter_, squared_norms);
    add_scaled(decisions_.row(k + j), eta, reward);
  }
  domain_->project_each(decisions_.rows(k, count), multipliers_.rows(k, count));
}

void GradientAscentBank::write(Writer& writer) const {
  writer.values(decisions_.numbers());
  writer.values(multipliers_.numbers());
  writer.values(squared_norms_);
}

void GradientAscentBank::read(Reader& reader) {
  reader.values(decisions_.numbers());
  reader.values(multipliers_.numbers());
  reader.values(squared_norms_);
}

}  // namespace hindsight
