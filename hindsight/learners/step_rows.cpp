#include "hindsight/learners/step_rows.hpp"

#include <type_traits>

#include "hindsight/core/lanes.hpp"
#include "hindsight/core/narrow.hpp"
#include "hindsight/core/wide.hpp"
#include "hindsight/estimators/averaging.hpp"

namespace hindsight {
namespace {

template <class Number>
__attribute__((always_inline)) inline void keep(double* at, const Number& x, const Number&) {
  if constexpr (std::is_same_v<Number, Lanes>)
    store(at, x);
  else
    *at = x;
}
template <class Number>
__attribute__((always_inline)) inline void keep(float* at, const Number& x, const Number& lowest) {
  store_down(at, x - lowest);
}

/// Keeps x, then x += eta (v - corner); step by step.
template <class Kept>
__attribute__((always_inline)) inline void steps_from_corner(
    Kept* kept, std::size_t stride, std::span<const double> eta, std::span<const double* const> v,
    const double* __restrict corner, double* __restrict x, Columns columns) {
  const std::size_t end = columns.first + columns.count;
  for (std::size_t j = 0; j < eta.size(); ++j, kept += stride) {
    const double* const __restrict decided = v[j];
    std::size_t i = columns.first;
    for (; i + 4 <= end; i += 4) {
      Lanes at, towards, lowest;
      __builtin_prefetch(kept + stride + i);  // the gradient that is averaged next
      load(x + i, at);
      load(decided + i, towards);
      load(corner + i, lowest);
      keep(kept + i, at, lowest);
      store(x + i, at + eta[j] * (towards - lowest));
    }
    for (; i < end; ++i) {
      keep(kept + i, x[i], corner[i]);
      x[i] += eta[j] * (decided[i] - corner[i]);
    }
  }
}

HINDSIGHT_WIDE
void keep_and_step(double* kept, std::size_t stride, std::span<const double> eta,
                   std::span<const double* const> v, const double* corner, double* x,
                   Columns columns) {
  steps_from_corner(kept, stride, eta, v, corner, x, columns);
}

HINDSIGHT_WIDE
void keep_and_step(float* kept, std::size_t stride, std::span<const double> eta,
                   std::span<const double* const> v, const double* corner, double* x,
                   Columns columns) {
  steps_from_corner(kept, stride, eta, v, corner, x, columns);
}

HINDSIGHT_WIDE
void store_nearest(PointView from, std::span<float> to) {
  std::size_t i = 0;
  for (; i + 4 <= to.size(); i += 4) {
    Lanes numbers;
    load(&from[i], numbers);
    store(&to[i], numbers);
  }
  for (; i < to.size(); ++i) to[i] = static_cast<float>(from[i]);
}

}  // namespace

StepRows::StepRows(Precision kept, std::size_t rows, Point lower)
    : lower_(std::move(lower)),
      wide_(kept == Precision::f64 ? rows : 0, lower_.size()),
      narrow_(kept == Precision::f32 ? rows : 0, lower_.size()) {}

void StepRows::load(std::size_t k, PointRef x) const {
  if (in_place())
    copy(wide_.row(k), x);
  else
    widen(narrow_.row(k), lower_, x);
}

void StepRows::store_narrow(std::size_t k, PointView gradient) {
  store_nearest(gradient, narrow_.row(k));
}

void StepRows::load_gradient(std::size_t k, PointRef gradient) const {
  if (in_place()) return copy(wide_.row(k), gradient);
  for (std::size_t i = 0; i < gradient.size(); ++i)
    gradient[i] = static_cast<double>(narrow_.row(k)[i]);
}

void StepRows::take_steps(std::size_t k, std::span<const double> eta,
                          std::span<const double* const> v, PointRef x, Columns columns) {
  const std::size_t d = lower_.size();
  if (in_place())
    keep_and_step(wide_.row(k).data(), d, eta, v, lower_.data(), x.data(), columns);
  else
    keep_and_step(narrow_.row(k).data(), d, eta, v, lower_.data(), x.data(), columns);
}

void StepRows::average_steps(std::size_t k, PointView before, std::span<const double> rho,
                             PointRef averages, std::span<double> squared_norms, Columns columns) {
  if (in_place())
    average(before, rho, wide_.rows(k, rho.size()), averages, squared_norms, columns);
  else
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
