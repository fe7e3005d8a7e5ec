#include "hindsight/learners/step_rows.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/narrow.hpp"
#include "hindsight/core/narrow_step.hpp"
#include "hindsight/core/suggestion.hpp"
#include "hindsight/core/wide.hpp"
#include "hindsight/estimators/averaging.hpp"
#include "hindsight/learners/feedback_check.hpp"

namespace hindsight {
namespace {

constexpr std::size_t widest_register = Avx512::bytes;

/// The lower corner, wherever it is; most domains have it at 0, which needs no reading.
struct Corner {
  const double* at;

  template <class Numbers>
  __attribute__((always_inline)) void read(std::size_t i, Numbers& lowest) const {
    load(at + i, lowest);
  }
  __attribute__((always_inline)) double read(std::size_t i) const { return at[i]; }
};
struct Origin {
  __attribute__((always_inline)) void read(std::size_t, Lanes& lowest) const {
    lowest = Lanes{0, 0, 0, 0};
  }
  template <class Width>
  __attribute__((always_inline)) void read(std::size_t, Doubles<Width>& lowest) const {
    lowest.fill(0);
  }
  __attribute__((always_inline)) double read(std::size_t) const { return 0; }
};

/// Four numbers of x are kept, then x += eta (v - corner).
template <class Lower>
__attribute__((always_inline)) inline void keep_and_step_four(double* kept, const Lower& corner,
                                                              std::size_t i, double eta,
                                                              const double* v, Lanes& x) {
  Lanes towards, lowest;
  load(v + i, towards);
  corner.read(i, lowest);
  store(kept + i, x);
  x += eta * (towards - lowest);
}

/// Few columns stay in registers from step to step.
template <std::size_t Fours, class Lower>
__attribute__((always_inline)) inline void step_few(Few<Fours> at, std::size_t n,
                                                    Strip<double> kept, const Lower& corner,
                                                    std::span<const double> eta,
                                                    Strip<const double> v, double* x) {
  using Each = Few<Fours>;
  Each::each(
      n, [&](std::size_t j, std::size_t i)
             __attribute__((always_inline)) { load(x + i, at.four[j]); });
  for (std::size_t step = 0; step < eta.size(); ++step)
    Each::each(
        n, [&](std::size_t j, std::size_t i) __attribute__((always_inline)) {
          keep_and_step_four(kept.row(step), corner, i, eta[step], v.row(step), at.four[j]);
        });
  Each::each(
      n, [&](std::size_t j, std::size_t i)
             __attribute__((always_inline)) { store(x + i, at.four[j]); });
}

/// Everything from the first of `n` columns on. `streams`: what is kept goes past the caches; else
/// what comes next is fetched.
template <class Width, bool streams, class Lower>
__attribute__((always_inline)) inline void step_columns(std::size_t n, Strip<double> rows,
                                                        const Lower& corner,
                                                        std::span<const double> eta,
                                                        Strip<const double> towards_rows,
                                                        double* x) {
  if (n >= 4 && n <= few)
    return with_few(
        n, [&](auto fours) __attribute__((always_inline)) {
          step_few(fours, n, rows, corner, eta, towards_rows, x);
        });
  for (std::size_t step = 0; step < eta.size(); ++step) {
    double* const kept = rows.row(step);
    const double* const v = towards_rows.row(step);
    const double* const soon = rows.row(step + eta.size());  // `average` fetches half of it
    const double size = eta[step];
    std::size_t i = 0;
    for (; i + 16 <= n; i += 16) {
      Doubles<Width> at, towards, lowest;
      load(x + i, at);
      load(v + i, towards);
      corner.read(i, lowest);
      if constexpr (streams) {
        stream(kept + i, at);
      } else {
        __builtin_prefetch(soon + (n + i) / 2);
        store(kept + i, at);
      }
      for (std::size_t j = 0; j < at.count; ++j)
        at.part[j] += size * (towards.part[j] - lowest.part[j]);
      store(x + i, at);
    }
    for (; i + 4 <= n; i += 4) {
      Lanes at;
      load(x + i, at);
      keep_and_step_four(kept, corner, i, size, v, at);
      store(x + i, at);
    }
    for (; i < n; ++i) {
      kept[i] = x[i];
      x[i] += size * (v[i] - corner.read(i));
    }
  }
}

/// `corner` and x begin with these columns as well.
template <class Width>
__attribute__((always_inline)) inline void step_from(std::size_t n, const double* corner,
                                                     Strip<double> kept, bool streams,
                                                     std::span<const double> eta,
                                                     Strip<const double> v, double* x) {
  if (corner && streams)
    step_columns<Width, true>(n, kept, Corner{corner}, eta, v, x);
  else if (corner)
    step_columns<Width, false>(n, kept, Corner{corner}, eta, v, x);
  else if (streams)
    step_columns<Width, true>(n, kept, Origin{}, eta, v, x);
  else
    step_columns<Width, false>(n, kept, Origin{}, eta, v, x);
}

HINDSIGHT_EACH_WIDTH((step_from<Width>(n, corner, kept, streams, eta, v, x)),
                     void step_by_step(std::size_t n, const double* corner, Strip<double> kept,
                                       bool streams, std::span<const double> eta,
                                       Strip<const double> v, double* x))

/// `Steps` of them go through the columns together, as x stays in registers from one to the next.
template <class Width, std::size_t Steps>
__attribute__((always_inline)) inline void step_narrow_rows(std::size_t n, std::size_t stride,
                                                            float* kept, const double* eta,
                                                            double share, const float* v,
                                                            float* high, float* low) {
  float step[Steps];
  for (std::size_t s = 0; s < Steps; ++s) step[s] = static_cast<float>(eta[s] * share);
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    Floats<Width> towards, at, rest;
    load(high + i, at);
    load(low + i, rest);
#pragma GCC unroll 4
    for (std::size_t s = 0; s < Steps; ++s) {
      // Half of the point that is moved next, each line once.
      if (i % 32 == 0) __builtin_prefetch(v + (Steps + s) * stride + (n + i) / 2);
      load(v + s * stride + i, towards);
      store(kept + s * stride + i, at);
      for (std::size_t j = 0; j < at.count; ++j)
        step_narrow<Width>(step[s], towards.part[j], at.part[j], rest.part[j]);
    }
    store(high + i, at);
    store(low + i, rest);
  }
  const auto step_some = [&](auto& at, auto& rest) __attribute__((always_inline)) {
    std::memcpy(&at, high + i, sizeof at);
    std::memcpy(&rest, low + i, sizeof rest);
#pragma GCC unroll 4
    for (std::size_t s = 0; s < Steps; ++s) {
      std::remove_cvref_t<decltype(at)> towards;
      std::memcpy(&towards, v + s * stride + i, sizeof towards);
      std::memcpy(kept + s * stride + i, &at, sizeof at);
      step_narrow<Width>(step[s], towards, at, rest);
    }
    std::memcpy(high + i, &at, sizeof at);
    std::memcpy(low + i, &rest, sizeof rest);
  };
  for (; i + 4 <= n; i += 4) {
    FourOf<float>::Register at, rest;
    step_some(at, rest);
  }
  for (; i < n; ++i) {
    float at, rest;
    step_some(at, rest);
  }
}

template <class Width>
__attribute__((always_inline)) inline void step_narrow_columns(std::size_t n, std::size_t stride,
                                                               float* kept,
                                                               std::span<const double> eta,
                                                               double share, const float* v,
                                                               float* high, float* low) {
  std::size_t step = 0;
  for (; step + 4 <= eta.size(); step += 4, kept += 4 * stride, v += 4 * stride)
    step_narrow_rows<Width, 4>(n, stride, kept, &eta[step], share, v, high, low);
  for (; step + 2 <= eta.size(); step += 2, kept += 2 * stride, v += 2 * stride)
    step_narrow_rows<Width, 2>(n, stride, kept, &eta[step], share, v, high, low);
  for (; step < eta.size(); ++step, kept += stride, v += stride)
    step_narrow_rows<Width, 1>(n, stride, kept, &eta[step], share, v, high, low);
}

HINDSIGHT_EACH_WIDTH((step_narrow_columns<Width>(n, stride, kept, eta, share, v, high, low)),
                     void step_by_step(std::size_t n, std::size_t stride, float* kept,
                                       std::span<const double> eta, double share, const float* v,
                                       float* high, float* low))

/// To the nearest. Of as many numbers from `soon` on it fetches the second half. Returns the sum of
/// their squares: without a sweep of its own, whether all of them could be kept.
template <class Width>
__attribute__((always_inline)) inline double store_rounded(PointView from, std::span<float> to,
                                                           const float* soon) {
  Doubles<Width> sums[2] = {};
  std::size_t i = 0;
  const auto store_pack = [&](Doubles<Width> & sum) __attribute__((always_inline)) {
    if (soon) __builtin_prefetch(soon + (from.size() + i) / 2);
    Doubles<Width> numbers;
    load(&from[i], numbers);
    store(&to[i], numbers);
    for (std::size_t j = 0; j < sum.count; ++j) sum.part[j] += numbers.part[j] * numbers.part[j];
    i += 16;
  };
  while (i + 32 <= from.size()) {
    store_pack(sums[0]);
    store_pack(sums[1]);
  }
  if (i + 16 <= from.size()) store_pack(sums[0]);
  for (std::size_t j = 0; j < sums[0].count; ++j) sums[0].part[j] += sums[1].part[j];
  double rest = 0;
  for (; i < from.size(); ++i) {
    to[i] = static_cast<float>(from[i]);
    rest += from[i] * from[i];
  }
  return total_of(sums[0]) + rest;
}

HINDSIGHT_EACH_WIDTH((store_rounded<Width>(from, to, soon)),
                     double store_nearest(PointView from, std::span<float> to, const float* soon))

}  // namespace

StepRows::StepRows(Precision kept, std::size_t rows, PointView lower, bool in_halves,
                   std::size_t threads)
    : lower_(kept == Precision::f32 ? narrow_length(lower.size()) : lower.size(), 0.0),
      in_halves_(in_halves),
      is_level_(std::ranges::all_of(lower, [&](double x) { return x == lower[0]; })),
      at_origin_(is_level_ && lower[0] == 0),
      wide_(kept == Precision::f64 ? rows : 0, lower.size(), in_halves ? threads : 1),
      narrow_(kept == Precision::f32 ? rows : 0, lower_.size()),
      newest_(lower.begin(), lower.end()),
      // A row for distance between strips, where there are several.
      moving_(threads > 1 ? 2 : 1, lower.size(), threads),
      high_(in_place() ? 0 : narrow_.columns()),
      low_(high_.size()),
      next_low_(high_.size()),
      // With the oracles' points, as many again, they fill a usual second cache.
      are_far_(std::as_const(wide_).numbers().size_bytes() + narrow_.numbers().size_bytes() >
               512 * 1024),
      // Between two visits to a row all rows and the oracles' points, as many again, are visited.
      streamed_(larger_than_caches(2 * std::as_const(wide_).numbers().size_bytes())),
      streams_steps_(in_halves && streamed_ &&
                     lower.size() * sizeof(double) % widest_register == 0) {
  std::ranges::copy(lower, lower_.begin());
}

void StepRows::load(std::size_t k, PointRef x) const {
  if (in_place())
    wide_.load(k, x);
  else
    widen(narrow_.row(k), corner(), x, soon_.numbers(0));
}

void StepRows::load_gradient(std::size_t k, PointRef g) const {
  if (!in_place())
    std::ranges::copy(narrow_.row(k).first(g.size()), g.begin());
  else if (in_halves_)
    copy(LentDirection::of_halves(1, {&wide_, k}).point(), g);
  else
    wide_.load(k, g);
}

void StepRows::store_narrow(std::size_t k, PointView gradient) {
  store_nearest(gradient, narrow_.row(k), soon_.numbers(0));
}

bool StepRows::store_if_within(std::size_t k, PointView gradient, double bound, PointView iterate) {
  if (in_place()) {
    if (!all_within(gradient, bound)) return false;
    store(k, gradient);
    return true;
  }
  const std::span<float> row = narrow_.row(k);
  const double squared_norm = store_nearest(gradient, row, soon_.numbers(0));
  if (surely_within(squared_norm, bound) || all_within(gradient, bound)) return true;
  // The iterate goes back to where it came from: exactly, as gradients are told at iterates in sets
  // whose corner is 0.
  for (std::size_t i = 0; i < gradient.size(); ++i)
    row[i] = static_cast<float>(iterate[i] - lower_[i]);
  return false;
}

void StepRows::begin_steps() {
  moving_.store(0, PointView(lower_).first(newest_.size()));
  copy(PointView(lower_).first(newest_.size()), newest_);
  std::ranges::fill(high_, 0.0f);
  std::ranges::fill(low_, 0.0f);
}

void StepRows::take_steps(std::size_t k, std::span<const double> eta, Strip<const double> v,
                          Columns columns) {
  const auto [first, n] = columns;
  step_by_step(n, corner() ? corner() + first : nullptr, wide_.strip(k, first), streams_steps_, eta,
               v, moving_.strip(0, first).numbers);
}

void StepRows::take_steps(std::size_t k, std::span<const double> eta, Strip<const float> v,
                          Columns columns) {
  const auto [first, n] = columns;
  const Strip<float> kept = narrow_.strip(k, first);
  assert(v.stride == kept.stride);
  step_by_step(n, kept.stride, kept.numbers, eta, share_of_step(), v.numbers, &high_[first],
               &low_[first]);
}

/// x^(1) is at the corner: the place of the first gradient.
void StepRows::begin_along() {
  std::ranges::fill(narrow_.row(0), 0.0f);
  std::ranges::fill(low_, 0.0f);
}

NarrowStep StepRows::along(std::size_t k, double eta) {
  const std::size_t last = rows() - 1;
  const std::span<float> next = k < last ? narrow_.row(k + 1) : std::span<float>(high_);
  low_.swap(next_low_);
  return {.gradient = next.data(),
          .eta = static_cast<float>(eta * share_of_step()),
          .high = narrow_.row(k).data(),
          .low = next_low_.data(),
          .next_high = next.data(),
          .next_low = low_.data(),
          .soon_gradient = narrow_.row(std::min(k + 2, last)).data()};
}

void StepRows::end_steps() {
  if (in_place()) return moving_.load(0, newest_);
  for (std::size_t i = 0; i < newest_.size(); ++i)
    newest_[i] += static_cast<double>(high_[i]) + static_cast<double>(low_[i]);
}

void StepRows::average_steps(std::size_t k, PointView rho, PointView taken, PointTable& averages,
                             std::size_t before, std::span<double> squared_norms,
                             Columns columns) const {
  const auto [first, n] = columns;
  const Strip<const double> gradients = wide_.strip(k, first);
  const Strip<double> to = averages.strip(0, first);
  const PointView old(to.row(before), n);
  if (in_halves_)
    average_halves(old, rho, taken, gradients, to, squared_norms);
  else
    average(old, rho, taken, gradients, to, squared_norms);
}

void StepRows::average_steps(std::size_t k, PointView rho, PointView taken,
                             NumberTable<float>& averages, std::size_t before,
                             std::span<double> squared_norms, Columns columns) const {
  const auto [first, n] = columns;
  const Strip<float> to = averages.strip(0, first);
  average({to.row(before), n}, rho, taken, narrow_.strip(k, first), to, squared_norms);
}

void StepRows::write(Writer& writer) const {
  writer.table(wide_);
  writer.table(narrow_);
}

void StepRows::read(Reader& reader) {
  reader.table(wide_);
  reader.table(narrow_);
}

}  // namespace hindsight
