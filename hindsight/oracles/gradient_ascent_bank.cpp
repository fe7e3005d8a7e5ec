#include "hindsight/oracles/gradient_ascent_bank.hpp"

#include <algorithm>

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

/// Multipliers grow and shrink with the step, nearly in proportion: `seen` becomes seen + more, and
/// a scale-free step the root of their share.
HINDSIGHT_WIDE
void expect_multipliers(std::span<const double> seen, std::span<const double> more,
                        std::span<double> multipliers) {
  const std::size_t each = multipliers.size() / seen.size();
  const auto shrink = [&](double& multiplier, std::size_t j) __attribute__((always_inline)) {
    const double share = seen[j] / (seen[j] + more[j]);
    multiplier *= seen[j] > 0 ? std::sqrt(share) : 1;
  };
  if (each == 1)  // as is usual, and then several at a time
    for (std::size_t j = 0; j < seen.size(); ++j) shrink(multipliers[j], j);
  else
    for (std::size_t i = 0; i < multipliers.size(); ++i) shrink(multipliers[i], i / each);
}

/// Steps and moves that f32 can hold. Whoever moves by 1e30 ends where one ends who moves further.
void keep_within_floats(std::span<const double> squared_norms, std::span<double> steps) {
  for (std::size_t j = 0; j < steps.size(); ++j) {
    if (steps[j] <= 1e37 && steps[j] * steps[j] * squared_norms[j] <= 1e60) [[likely]]
      continue;
    steps[j] =
        squared_norms[j] > 0 ? std::min({steps[j], 1e30 / std::sqrt(squared_norms[j]), 1e37}) : 0;
  }
}

}  // namespace

template <class Kept>
GradientAscentBank<Kept>::GradientAscentBank(DomainPtr domain, std::size_t oracles,
                                             const OracleOptions& options, std::size_t threads)
    : domain_(std::move(domain)),
      diameter_(domain_->diameter()),
      step_(options.step),
      scale_(options.scale),
      lower_(domain_->lower()),
      points_(oracles, narrowed ? narrow_length(lower_.size()) : lower_.size(),
              !narrowed && domain_->ascends_in_strips(threads) ? threads : 1),
      multipliers_(oracles, static_cast<std::size_t>(domain_->multipliers())),
      surprises_(oracles / group + 1, 0.0),
      squared_norms_(oracles, 0.0),
      steps_(oracles, 0.0) {
  const Point start = diagonal_point(*domain_);
  for (std::size_t k = 0; k < oracles; ++k) {
    if constexpr (narrowed)
      narrow(start, lower_, points_.row(k));
    else
      points_.store(k, start);
  }
}

template <class Kept>
PointView GradientAscentBank<Kept>::decide(std::size_t k, Round, PointRef room, Workers*) {
  const std::size_t d = lower_.size(), count = room.size() / d;
  if constexpr (narrowed) {
    for (std::size_t j = 0; j < count; ++j)
      widen(points_.row(k + j), lower_.data(), room.subspan(j * d, d));
    return room;
  } else {
    if (strips() == 1) return points_.rows(k, count);
    for (std::size_t j = 0; j < count; ++j) points_.load(k + j, room.subspan(j * d, d));
    return room;
  }
}

template <class Kept>
ConstTableRows GradientAscentBank<Kept>::decisions(std::size_t k) const {
  if constexpr (narrowed)
    return OracleBank::decisions(k);
  else
    return {&points_, k};
}

template <class Kept>
ConstRowsOf<float> GradientAscentBank<Kept>::narrow_decisions(std::size_t k) const {
  if constexpr (narrowed)
    return {&points_, k};
  else
    return OracleBank::narrow_decisions(k);
}

/// What is seen of rewards before they move anything: how long they are, and so the steps.
template <class Kept>
void GradientAscentBank<Kept>::expect_rewards(std::size_t k,
                                              std::span<const double> squared_norms) {
  const std::size_t count = squared_norms.size();
  const std::span<double> seen(&squared_norms_[k], count), steps(&steps_[k], count);
  if (!step_) expect_multipliers(seen, squared_norms, multipliers_.rows(k, count));
  for (std::size_t j = 0; j < count; ++j) seen[j] += squared_norms[j];
  if (step_)
    std::fill(steps.begin(), steps.end(), *step_);
  else
    scale_free_steps(scale_, diameter_, seen, steps);
  if constexpr (narrowed) keep_within_floats(squared_norms, steps);
}

template <class Kept>
void GradientAscentBank<Kept>::begin_rewards() {
  std::ranges::fill(surprises_, 0.0);
}

template <class Kept>
void GradientAscentBank<Kept>::feed_each(std::size_t k, PointView rewards,
                                         std::span<const double> squared_norms, Workers* workers) {
  const std::size_t count = squared_norms.size();
  if constexpr (narrowed) {
    NumberTable<float> rounded(count, points_.columns());
    for (std::size_t j = 0; j < count; ++j)
      std::ranges::copy(rewards.subspan(j * lower_.size(), lower_.size()), rounded.row(j).begin());
    feed_narrow(k, {rounded.numbers(), rounded.numbers()}, squared_norms, workers);
  } else {
    expect_rewards(k, squared_norms);
    ascend_by_groups(k, k + count, [&](std::size_t first, std::size_t some) {
      const std::size_t d = lower_.size();
      domain_->ascend_each(points_.rows(first, some), {&steps_[first], some},
                           rewards.subspan((first - k) * d, some * d),
                           multipliers_.rows(first, some), workers);
    });
  }
}

template <class Kept>
void GradientAscentBank<Kept>::feed_strips(std::size_t k, const ConstTableRows& rewards,
                                           std::span<const double> squared_norms,
                                           Workers& workers) {
  if constexpr (narrowed) {
    OracleBank::feed_strips(k, rewards, squared_norms, workers);
  } else {
    expect_rewards(k, squared_norms);
    ascend_by_groups(k, k + squared_norms.size(), [&](std::size_t first, std::size_t some) {
      domain_->ascend_strips({}, {&points_, first}, {&steps_[first], some},
                             {rewards.table, rewards.first + (first - k)},
                             multipliers_.rows(first, some), workers);
    });
  }
}

/// All or some of one group at a time. What surprised the group before, and not who came just
/// before, so that it makes no difference how many are fed at once.
template <class Kept>
template <class Ascend>
void GradientAscentBank<Kept>::ascend_by_groups(std::size_t k, std::size_t end, Ascend ascend) {
  if (!guesses()) return ascend(k, end - k);
  for (std::size_t next = 0; k < end; k = next) {
    const std::size_t g = k / group;
    next = std::min(end, (g + 1) * group);
    const double surprise = g > 0 ? surprises_[g - 1] : 0;
    double& last = multipliers_.row(next - 1)[0];
    const double guess = last;
    for (double& multiplier : multipliers_.rows(k, next - k))
      multiplier = std::max(multiplier + surprise, 0.0);
    ascend(k, next - k);
    surprises_[g] = last - guess;
  }
}

template <class Kept>
void GradientAscentBank<Kept>::feed_narrow(std::size_t k, const NarrowDirections& rewards,
                                           std::span<const double> squared_norms,
                                           Workers* workers) {
  if constexpr (narrowed) {
    expect_rewards(k, squared_norms);
    const std::size_t end = k + squared_norms.size(), columns = points_.columns();
    const std::size_t first_group = k / group, end_group = (end + group - 1) / group;
    share_rows(workers, end_group - first_group, [&](std::size_t first, std::size_t groups) {
      const std::size_t from = std::max(k, (first_group + first) * group);
      const std::size_t to = std::min(end, (first_group + first + groups) * group);
      ascend_narrow(from, to - from, rewards.part((from - k) * columns, (to - from) * columns));
    });
  } else {
    OracleBank::feed_narrow(k, rewards, squared_norms, workers);
  }
}

/// As one before it in the group was surprised.
template <class Kept>
template <class Ascend>
void GradientAscentBank<Kept>::guess_multiplier(std::size_t k, Ascend ascend) {
  double& multiplier = multipliers_.row(k)[0];
  double& surprise = surprises_[k / group];
  const double guess = multiplier;
  multiplier = std::max(guess + surprise, 0.0);
  ascend();
  surprise = multiplier - guess;
}

template <class Kept>
double GradientAscentBank<Kept>::feed_along(std::size_t k, double squared_norm,
                                            const NarrowStep& along) {
  if constexpr (narrowed) {
    double result = 0;
    expect_rewards(k, {&squared_norm, 1});
    guess_multiplier(k, [&] {
      result = domain_->ascend_along(points_.row(k), 1, steps_[k], multipliers_.row(k), along);
    });
    return result;
  } else {
    return OracleBank::feed_along(k, squared_norm, along);
  }
}

/// Of those that keep f32: k, ..., k + count - 1.
template <class Kept>
void GradientAscentBank<Kept>::ascend_narrow(std::size_t k, std::size_t count,
                                             const NarrowDirections& rewards) {
  if constexpr (narrowed) {
    const auto ascend_some = [&](std::size_t first, std::size_t n) {
      domain_->ascend_each(points_.rows(first, n), lower_, 1, {&steps_[first], n},
                           rewards.part((first - k) * points_.columns(), n * points_.columns()),
                           multipliers_.rows(first, n));
    };
    if (!guesses()) return ascend_some(k, count);
    for (std::size_t j = k; j < k + count; ++j) guess_multiplier(j, [&] { ascend_some(j, 1); });
  } else {
    static_cast<void>(k), static_cast<void>(count), static_cast<void>(rewards);
  }
}

template <class Kept>
void GradientAscentBank<Kept>::write(Writer& writer) const {
  writer.table(points_);
  writer.values(multipliers_.numbers());
  writer.values(squared_norms_);
}

template <class Kept>
void GradientAscentBank<Kept>::read(Reader& reader) {
  reader.table(points_);
  reader.values(multipliers_.numbers());
  reader.values(squared_norms_);
}

template class GradientAscentBank<double>;
template class GradientAscentBank<float>;

}  // namespace hindsight
