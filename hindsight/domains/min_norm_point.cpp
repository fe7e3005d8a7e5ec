#include "hindsight/domains/min_norm_point.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>

namespace hindsight {
namespace {

constexpr double kErrorAllowed = 1e-9;
constexpr double kGapAllowed = 0.9 * kErrorAllowed * kErrorAllowed;  // leaves room for rounding

}  // namespace

template <>
MinNormPoint::Numbers<double>& MinNormPoint::numbers() {
  return fast_;
}
template <>
MinNormPoint::Numbers<Quad>& MinNormPoint::numbers() {
  return precise_;
}

void MinNormPoint::solve(const VertexOracle& oracle, PointView y) {
  y_ = y;
  dimension_ = y.size();
  size_ = 0;
  vertices_.resize((dimension_ + 2) * dimension_);
  candidate_.resize(dimension_);
  factor_.reset(dimension_ + 2);

  oracle.best_vertex(y, candidate_);
  fast_.weights.clear();
  precise_.weights.clear();
  append_candidate();
  fast_.weights[0] = 1;

  // Where doubles see no further gap; whether that is enough the precise run decides.
  double scale = 1;
  for (const double value : y) scale = std::max(scale, std::abs(value));
  approach<double>(oracle, 1e-15 * scale);

  precise_.weights.assign(fast_.weights.begin(), fast_.weights.end());
  if (!approach<Quad>(oracle, kGapAllowed))
    throw std::runtime_error("a projection could not be certified to 1e-9; its numbers reach " +
                             std::to_string(scale));

  rounded_.resize(dimension_);
  for (std::size_t i = 0; i < dimension_; ++i)
    rounded_[i] = static_cast<double>(y[i] - precise_.residual[i]);
}

/// Major cycles, until the gap is small enough. False where arithmetic of this precision gets
/// stuck.
template <class Scalar>
bool MinNormPoint::approach(const VertexOracle& oracle, double gap_allowed) {
  if (!settle<Scalar>()) return false;
  for (std::size_t cycle = 0; cycle < 1000 + 100 * dimension_; ++cycle) {
    oracle.best_vertex(std::span<const Scalar>(numbers<Scalar>().residual), candidate_);
    const Scalar excess = gap<Scalar>();
    error_bound_ = std::sqrt(std::max(0.0, static_cast<double>(excess)));
    if (excess <= gap_allowed) return true;
    if (corral_holds_candidate() || !append_candidate()) return false;
    if (!settle<Scalar>()) return false;
  }
  return false;
}

/// Minor cycles: moves to the nearest point of the affine hull of the corral, dropping vertices
/// until that point is in their convex hull. False where the newest vertex is dropped at once:
/// then the gap that brought it in was rounding.
template <class Scalar>
bool MinNormPoint::settle() {
  auto& [weights, trial, residual] = numbers<Scalar>();
  for (bool first = true;; first = false) {
    find_affine_minimiser<Scalar>();
    Scalar step = 1;
    std::size_t blocking = size_;
    for (std::size_t j = 0; j < size_; ++j) {
      if (trial[j] > 0) continue;
      const Scalar until = weights[j] > 0 ? weights[j] / (weights[j] - trial[j]) : Scalar(0);
      if (blocking == size_ || until < step) {
        step = until;
        blocking = j;
      }
    }
    if (blocking == size_) {
      std::copy(trial.begin(), trial.end(), weights.begin());
      return true;  // find_affine_minimiser left its residual
    }
    if (first && size_ > 1 && blocking == size_ - 1 && !(weights[blocking] > 0)) {
      drop(blocking);
      find_residual<Scalar>(weights);
      return false;
    }
    for (std::size_t j = 0; j < size_; ++j) weights[j] += step * (trial[j] - weights[j]);
    weights[blocking] = 0;
    for (std::size_t j = size_; j-- > 0;)
      if (!(weights[j] > 0)) drop(j);
  }
}

/// trial = weights + e, with e the solution of min |y - V (weights + e)|, sum(weights + e) = 1. The
/// system is solved in doubles and its residual taken in Scalar, so that repetition is iterative
/// refinement.
template <class Scalar>
void MinNormPoint::find_affine_minimiser() {
  auto& [weights, trial, residual] = numbers<Scalar>();
  trial.assign(weights.begin(), weights.end());
  correction_.resize(size_);
  ones_.assign(size_, 1.0);
  factor_.solve(ones_);
  double ones_total = 0;
  for (const double value : ones_) ones_total += value;

  constexpr bool refine = !std::is_same_v<Scalar, double>;
  constexpr int most_passes = refine ? 20 : 1;
  double last_change = 0;
  find_residual<Scalar>(trial);
  for (int pass = 0; pass < most_passes; ++pass) {
    // Near the solution all products are equal. A common part only moves the shift below, so it is
    // taken off before doubles would round the differences away.
    Scalar missing = 1;
    Scalar common = 0;
    for (std::size_t j = 0; j < size_; ++j) {
      missing -= trial[j];
      Scalar product = 0;
      const auto row = vertex(j);
      for (std::size_t i = 0; i < dimension_; ++i)
        if (row[i]) product += residual[i];
      if (j == 0) common = product;
      correction_[j] = static_cast<double>(product - common);
    }
    factor_.solve(correction_);
    double total = 0;
    for (const double value : correction_) total += value;
    const double shift = (static_cast<double>(missing) - total) / ones_total;
    double change = 0;
    for (std::size_t j = 0; j < size_; ++j) {
      const double e = correction_[j] + shift * ones_[j];
      trial[j] += e;
      change = std::max(change, std::abs(e));
    }
    find_residual<Scalar>(trial);
    // An error of the weights enters the gap times |y - x|; what is left after this pass is the
    // change times the relative error of a solve in doubles.
    if (change < 1e-16 || (pass > 1 && change >= last_change)) break;
    last_change = change;
  }
}

template <class Scalar>
void MinNormPoint::find_residual(const std::vector<Scalar>& weights) {
  auto& residual = numbers<Scalar>().residual;
  residual.assign(y_.begin(), y_.end());
  for (std::size_t j = 0; j < size_; ++j) {
    const auto row = vertex(j);
    for (std::size_t i = 0; i < dimension_; ++i)
      if (row[i]) residual[i] -= weights[j];
  }
}

/// <y - x, v - x> for the candidate v.
template <class Scalar>
Scalar MinNormPoint::gap() {
  const auto& residual = numbers<Scalar>().residual;
  Scalar sum = 0;
  for (std::size_t i = 0; i < dimension_; ++i)
    sum += residual[i] * (residual[i] - Scalar(y_[i]) + Scalar(candidate_[i]));
  return sum;
}

bool MinNormPoint::append_candidate() {
  products_.resize(size_ + 1);
  const auto product = [&](std::span<const std::uint8_t> row) {
    int common = 1;
    for (std::size_t i = 0; i < dimension_; ++i) common += row[i] & candidate_[i];
    return static_cast<double>(common);
  };
  for (std::size_t j = 0; j < size_; ++j) products_[j] = product(vertex(j));
  products_[size_] = product(candidate_);
  if (!factor_.append(products_)) return false;
  std::copy(candidate_.begin(), candidate_.end(),
            vertices_.begin() + static_cast<std::ptrdiff_t>(size_ * dimension_));
  ++size_;
  fast_.weights.resize(size_, 0.0);
  precise_.weights.resize(size_, Quad(0));
  return true;
}

bool MinNormPoint::corral_holds_candidate() const {
  for (std::size_t j = 0; j < size_; ++j)
    if (std::ranges::equal(vertex(j), candidate_)) return true;
  return false;
}

void MinNormPoint::drop(std::size_t j) {
  factor_.remove(j);
  const auto row = [&](std::size_t k) {
    return vertices_.begin() + static_cast<std::ptrdiff_t>(k * dimension_);
  };
  std::copy(row(j + 1), row(size_), row(j));
  const auto position = static_cast<std::ptrdiff_t>(j);
  fast_.weights.erase(fast_.weights.begin() + position);
  precise_.weights.erase(precise_.weights.begin() + position);
  --size_;
}

}  // namespace hindsight
