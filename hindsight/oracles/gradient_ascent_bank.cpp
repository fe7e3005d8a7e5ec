#include "hindsight/oracles/gradient_ascent_bank.hpp"

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {
namespace {

/// squared_norm(x), in its order of additions.
__attribute__((always_inline)) inline double sum_of_squares(const double* x, std::size_t n) {
  Lanes sum = {0, 0, 0, 0}, v;
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    load(x + i, v);
    sum += v * v;
  }
  for (; i < n; ++i) sum[0] += x[i] * x[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

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
void GradientAscentBank::ascend(std::size_t k, PointView rewards) {
  const std::size_t d = decisions_.columns();
  double* v = decisions_.row(k).data();
  for (const double* reward = rewards.data(); reward < rewards.data() + rewards.size();
       reward += d, v += d, ++k) {
    squared_norms_[k] += sum_of_squares(reward, d);
    const double eta = step_ ? *step_ : scale_ * scale_free_step(diameter_, squared_norms_[k]);
    add_scaled(v, eta, reward, d);
  }
}

void GradientAscentBank::feed(std::size_t k, PointView rewards) {
  const std::size_t count = rewards.size() / decisions_.columns();
  ascend(k, rewards);
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
