/// The Cholesky factor of a Gram matrix that grows and shrinks by one row at a time.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "hindsight/domains/quad.hpp"

namespace hindsight {

/// L with L L' = G, row by row in one block. Keeps its memory from one matrix to the next.
template <class Scalar>
class Cholesky {
 public:
  std::size_t size() const { return size_; }

  /// Forgets the matrix; the next one has at most `capacity` rows.
  void reset(std::size_t capacity) {
    size_ = 0;
    capacity_ = capacity;
    if (factor_.size() < capacity * capacity) factor_.resize(capacity * capacity);
  }

  /// Appends a row and column to G: its products with the rows there are, then with itself. Returns
  /// false, and changes nothing, where the result would be singular to working precision.
  bool append(std::span<const Scalar> products) {
    Scalar* row = factor_.data() + size_ * capacity_;
    Scalar rest = products[size_];
    for (std::size_t i = 0; i < size_; ++i) {
      Scalar sum = products[i];
      for (std::size_t j = 0; j < i; ++j) sum -= at(i, j) * row[j];
      row[i] = sum / at(i, i);
      rest -= row[i] * row[i];
    }
    if (!(rest > kSingular * products[size_])) return false;
    row[size_++] = square_root(rest);
    return true;
  }

  /// Removes row and column k of G: the rows below move up, and rotations of neighbouring columns
  /// clear the entries that then stand above the diagonal.
  void remove(std::size_t k) {
    for (std::size_t i = k; i + 1 < size_; ++i)
      for (std::size_t j = 0; j <= i + 1; ++j) at(i, j) = at(i + 1, j);
    --size_;
    for (std::size_t j = k; j < size_; ++j) {
      const Scalar length = square_root(at(j, j) * at(j, j) + at(j, j + 1) * at(j, j + 1));
      const Scalar c = at(j, j) / length;
      const Scalar s = at(j, j + 1) / length;
      at(j, j) = length;
      for (std::size_t i = j + 1; i < size_; ++i) {
        const Scalar left = at(i, j);
        const Scalar right = at(i, j + 1);
        at(i, j) = c * left + s * right;
        at(i, j + 1) = c * right - s * left;
      }
    }
  }

  /// Replaces b by the solution of G x = b.
  void solve(std::span<Scalar> b) const {
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < i; ++j) b[i] -= at(i, j) * b[j];
      b[i] /= at(i, i);
    }
    for (std::size_t i = size_; i-- > 0;) {
      b[i] /= at(i, i);
      for (std::size_t j = 0; j < i; ++j) b[j] -= at(i, j) * b[i];
    }
  }

 private:
  static constexpr double kSingular = std::is_same_v<Scalar, double> ? 1e-13 : 1e-30;

  Scalar& at(std::size_t i, std::size_t j) { return factor_[i * capacity_ + j]; }
  Scalar at(std::size_t i, std::size_t j) const { return factor_[i * capacity_ + j]; }

  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::vector<Scalar> factor_;
};

}  // namespace hindsight
