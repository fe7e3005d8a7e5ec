#include "hindsight/oracles/gradient_ascent_bank.hpp"

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {
namespace {

__attribute__((always_inline)) inline void add_scaled(double* __restrict y, double scale,
                                                      const double* __restrict x, std::size_t n) {
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    Lanes at, more;
    load(y + i, at);
    load(x + i, more);
    store(y + i, at + scale * more);
  }
  for (; i < n; ++i) y[i] += scale * x[i];
}

}  // namespace

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

HINDSIGHT_WIDE
void GradientAscentBank::ascend(std::size_t k, PointView rewards,
                                std::span<const double> squared_norms) {
  const std::size_t d = decisions_.columns();
  double* v = decisions_.row(k).data();
  const double* reward = rewards.data();
  for (const double squared : squared_norms) {
    squared_norms_[k] += squared;
    const double eta = step_ ? *step_ : scale_ * scale_free_step(diameter_, squared_norms_[k]);
    add_scaled(v, eta, reward, d);
    reward += d;
    v += d;
    ++k;
  }
}

void GradientAscentBank::feed_each(std::size_t k, PointView rewards,
                                   std::span<const double> squared_norms) {
  const std::size_t count = squared_norms.size();
  ascend(k, rewards, squared_norms);
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
