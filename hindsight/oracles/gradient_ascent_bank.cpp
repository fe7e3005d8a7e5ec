#include "hindsight/oracles/gradient_ascent_bank.hpp"

#include <algorithm>

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/narrow.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {
namespace {

HINDSIGHT_WIDE
void scale_free_steps(double scale, double diameter, std::span<const double> squared_norms,
                      std::span<double> steps) {
  for (std::size_t j = 0; j < steps.size(); ++j)
    steps[j] = scale * scale_free_step(diameter, squared_norms[j]);
}

/// y += scale * x, row by row.
HINDSIGHT_WIDE
void add_scaled_rows(std::span<double> rows, std::span<const double> scales, PointView added) {
  const std::size_t n = rows.size() / scales.size();
  double* __restrict y = rows.data();
  const double* __restrict x = added.data();
  for (const double scale : scales) {
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
      Lanes at, more;
      load(y + i, at);
      load(x + i, more);
      store(y + i, at + scale * more);
    }
    for (; i < n; ++i) y[i] += scale * x[i];
    y += n;
    x += n;
  }
}

/// z = lower + y + scale * x, row by row.
HINDSIGHT_WIDE
void widen_and_add(PointView lower, std::span<const float> rows, std::span<const double> scales,
                   PointView added, PointRef moved) {
  const std::size_t n = lower.size();
  const float* __restrict y = rows.data();
  const double* __restrict x = added.data();
  double* __restrict z = moved.data();
  for (const double scale : scales) {
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
      Lanes low, at, more;
      load(&lower[i], low);
      load(y + i, at);
      load(x + i, more);
      store(z + i, (low + at) + scale * more);
    }
    for (; i < n; ++i) z[i] = (lower[i] + static_cast<double>(y[i])) + scale * x[i];
    y += n;
    x += n;
    z += n;
  }
}

}  // namespace

template <class Kept>
GradientAscentBank<Kept>::GradientAscentBank(DomainPtr domain, std::size_t oracles,
                                             const OracleOptions& options)
    : domain_(std::move(domain)),
      diameter_(domain_->diameter()),
      step_(options.step),
      scale_(options.scale),
      lower_(domain_->lower()),
      points_(oracles, lower_.size()),
      multipliers_(oracles, static_cast<std::size_t>(domain_->multipliers())),
      squared_norms_(oracles, 0.0),
      steps_(oracles, 0.0) {
  const Point start = diagonal_point(*domain_);
  for (std::size_t k = 0; k < oracles; ++k) {
    if constexpr (narrowed)
      narrow(start, lower_, points_.row(k));
    else
      copy(start, points_.row(k));
  }
}

template <class Kept>
PointView GradientAscentBank<Kept>::decide(std::size_t k, Round, PointRef room) {
  const std::size_t d = lower_.size(), count = room.size() / d;
  if constexpr (narrowed) {
    for (std::size_t j = 0; j < count; ++j)
      widen(points_.row(k + j), lower_, room.subspan(j * d, d));
    return room;
  } else {
    return points_.rows(k, count);
  }
}

template <class Kept>
void GradientAscentBank<Kept>::feed_each(std::size_t k, PointView rewards,
                                         std::span<const double> squared_norms) {
  const std::size_t count = squared_norms.size();
  for (std::size_t j = 0; j < count; ++j) squared_norms_[k + j] += squared_norms[j];
  const std::span<double> steps(&steps_[k], count);
  if (step_)
    std::fill(steps.begin(), steps.end(), *step_);
  else
    scale_free_steps(scale_, diameter_, {&squared_norms_[k], count}, steps);
  if constexpr (narrowed) {
    static thread_local Point moved;
    moved.resize(rewards.size());
    widen_and_add(lower_, points_.rows(k, count), steps, rewards, moved);
    domain_->project_each(moved, multipliers_.rows(k, count));
    const std::size_t d = lower_.size();
    for (std::size_t j = 0; j < count; ++j)
      narrow(PointView(moved).subspan(j * d, d), lower_, points_.row(k + j));
  } else {
    add_scaled_rows(points_.rows(k, count), steps, rewards);
    domain_->project_each(points_.rows(k, count), multipliers_.rows(k, count));
  }
}

template <class Kept>
void GradientAscentBank<Kept>::write(Writer& writer) const {
  writer.values(points_.numbers());
  writer.values(multipliers_.numbers());
  writer.values(squared_norms_);
}

template <class Kept>
void GradientAscentBank<Kept>::read(Reader& reader) {
  reader.values(points_.numbers());
  reader.values(multipliers_.numbers());
  reader.values(squared_norms_);
}

template class GradientAscentBank<double>;
template class GradientAscentBank<float>;

}  // namespace hindsight
