#include "hindsight/learners/step_rows.hpp"

#include <algorithm>
#include <type_traits>

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/narrow.hpp"
#include "hindsight/core/wide.hpp"
#include "hindsight/estimators/averaging.hpp"

namespace hindsight {
namespace {

/// Points in f32 are kept by their distance from the corner.
template <class Kept>
constexpr bool by_distance = std::is_same_v<Kept, float>;

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

/// Keeps x, then x += eta (v - corner); `v` as it was kept. For one number, four or sixteen.
template <class Kept, class Number>
__attribute__((always_inline)) inline void keep_and_step(Kept* kept, const Number& corner,
                                                         double eta, const Number& v, Number& x) {
  if constexpr (by_distance<Kept>) {
    keep(kept, x - corner);
    x += eta * v;
  } else {
    keep(kept, x);
    x += eta * (v - corner);
  }
}
template <class Kept, class Width>
__attribute__((always_inline)) inline void keep_and_step(Kept* kept, const Doubles<Width>& corner,
                                                         double eta, const Doubles<Width>& v,
                                                         Doubles<Width>& x) {
  Doubles<Width> leaves = x, step = v;
  for (std::size_t j = 0; j < x.count; ++j) {
    (by_distance<Kept> ? leaves : step).part[j] -= corner.part[j];
    x.part[j] += eta * step.part[j];
  }
  keep(kept, leaves);
}

template <class Kept, class Lower>
__attribute__((always_inline)) inline void keep_and_step_four(Kept* kept, const Lower& corner,
                                                              std::size_t i, double eta,
                                                              const Kept* v, Lanes& x) {
  Lanes towards, lowest;
  load(v + i, towards);
  corner.read(i, lowest);
  keep_and_step(kept + i, lowest, eta, towards, x);
}

/// Few columns stay in registers from step to step.
template <std::size_t Fours, class Kept, class Lower>
__attribute__((always_inline)) inline void step_few(Few<Fours> at, std::size_t n,
                                                    std::size_t stride, Kept* kept,
                                                    const Lower& corner,
                                                    std::span<const double> eta, const Kept* v,
                                                    double* x) {
  using Each = Few<Fours>;
  Each::each(
      n, [&](std::size_t j, std::size_t i)
             __attribute__((always_inline)) { load(x + i, at.four[j]); });
  for (std::size_t step = 0; step < eta.size(); ++step, kept += stride, v += stride)
    Each::each(
        n, [&](std::size_t j, std::size_t i) __attribute__((always_inline)) {
          keep_and_step_four(kept, corner, i, eta[step], v, at.four[j]);
        });
  Each::each(
      n, [&](std::size_t j, std::size_t i)
             __attribute__((always_inline)) { store(x + i, at.four[j]); });
}

/// Everything from the first of `n` columns on.
template <class Width, class Kept, class Lower>
__attribute__((always_inline)) inline void step_columns(std::size_t n, std::size_t stride,
                                                        Kept* kept, const Lower& corner,
                                                        std::span<const double> eta, const Kept* v,
                                                        double* x) {
  if (n >= 4 && n <= few)
    return with_few(
        n, [&](auto fours) __attribute__((always_inline)) {
          step_few(fours, n, stride, kept, corner, eta, v, x);
        });
  for (std::size_t step = 0; step < eta.size(); ++step, kept += stride, v += stride) {
    const double size = eta[step];
    std::size_t i = 0;
    for (; i + 16 <= n; i += 16) {
      __builtin_prefetch(kept + stride + i);  // the gradient that is averaged next
      if (sizeof(Kept) == 8) __builtin_prefetch(kept + stride + i + 8);
      Doubles<Width> at, towards, lowest;
      load(x + i, at);
      load(v + i, towards);
      corner.read(i, lowest);
      keep_and_step(kept + i, lowest, size, towards, at);
      store(x + i, at);
    }
    for (; i + 4 <= n; i += 4) {
      Lanes at;
      load(x + i, at);
      keep_and_step_four(kept, corner, i, size, v, at);
      store(x + i, at);
    }
    for (; i < n; ++i)
      keep_and_step(kept + i, corner.read(i), size, static_cast<double>(v[i]), x[i]);
  }
}

template <class Width, class Kept>
__attribute__((always_inline)) inline void step_from(const double* corner, std::size_t stride,
                                                     Kept* kept, std::span<const double> eta,
                                                     const Kept* v, double* x, Columns columns) {
  const auto [first, n] = columns;
  if (corner)
    step_columns<Width>(n, stride, kept + first, Corner{corner + first}, eta, v + first, x + first);
  else
    step_columns<Width>(n, stride, kept + first, Origin{}, eta, v + first, x + first);
}

HINDSIGHT_EACH_WIDTH((step_from<Width>(corner, stride, kept, eta, v, x, columns)),
                     void step_by_step(const double* corner, std::size_t stride, double* kept,
                                       std::span<const double> eta, const double* v, double* x,
                                       Columns columns))

HINDSIGHT_EACH_WIDTH((step_from<Width>(corner, stride, kept, eta, v, x, columns)),
                     void step_by_step(const double* corner, std::size_t stride, float* kept,
                                       std::span<const double> eta, const float* v, double* x,
                                       Columns columns))

template <class Width>
__attribute__((always_inline)) inline void store_rounded(PointView from, std::span<float> to) {
  std::size_t i = 0;
  for (; i + 16 <= to.size(); i += 16) {
    Doubles<Width> numbers;
    load(&from[i], numbers);
    store(&to[i], numbers);
  }
  for (; i < to.size(); ++i) to[i] = static_cast<float>(from[i]);
}

HINDSIGHT_EACH_WIDTH((store_rounded<Width>(from, to)),
                     void store_nearest(PointView from, std::span<float> to))

}  // namespace

StepRows::StepRows(Precision kept, std::size_t rows, Point lower)
    : lower_(std::move(lower)),
      at_origin_(std::count(lower_.begin(), lower_.end(), 0.0) ==
                 static_cast<std::ptrdiff_t>(lower_.size())),
      wide_(kept == Precision::f64 ? rows : 0, lower_.size()),
      narrow_(kept == Precision::f32 ? rows : 0, lower_.size()),
      // Between two visits to a row all rows and the oracles' points, as many again, are visited.
      streamed_(larger_than_caches(2 * wide_.numbers().size_bytes())) {}

void StepRows::load(std::size_t k, PointRef x) const {
  if (in_place())
    copy(wide_.row(k), x);
  else
    widen(narrow_.row(k), corner(), x, soon_);
}

void StepRows::store_narrow(std::size_t k, PointView gradient) {
  store_nearest(gradient, narrow_.row(k));
}

void StepRows::load_gradient(std::size_t k, PointRef gradient) const {
  if (in_place())
    copy(wide_.row(k), gradient);
  else
    widen(narrow_.row(k), nullptr, gradient);
}

void StepRows::take_steps(std::size_t k, std::span<const double> eta, const double* v, PointRef x,
                          Columns columns) {
  step_by_step(corner(), lower_.size(), wide_.row(k).data(), eta, v, x.data(), columns);
}

void StepRows::take_steps(std::size_t k, std::span<const double> eta, const float* v, PointRef x,
                          Columns columns) {
  step_by_step(corner(), lower_.size(), narrow_.row(k).data(), eta, v, x.data(), columns);
}

void StepRows::average_steps(std::size_t k, PointView before, std::span<const double> rho,
                             PointRef averages, std::span<double> squared_norms, Columns columns) {
  average(before, rho, wide_.rows(k, rho.size()), averages, squared_norms, columns);
}

void StepRows::average_steps(std::size_t k, std::span<const float> before,
                             std::span<const double> rho, std::span<float> averages,
                             std::span<double> squared_norms, Columns columns) {
  average(before, rho, narrow_.rows(k, rho.size()), averages, squared_norms, columns);
}

void StepRows::write(Writer& writer) const {
  writer.values(wide_.numbers());
  writer.values(narrow_.numbers());
}

void StepRows::read(Reader& reader) {
  reader.values(wide_.numbers());
  reader.values(narrow_.numbers());
}

}  // namespace hindsight
