/// Points, and tables of points, in contiguous memory.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "hindsight/core/pages.hpp"

namespace hindsight {

using Point = std::vector<double>;          ///< owns its numbers
using PointView = std::span<const double>;  ///< reads somebody's numbers
using PointRef = std::span<double>;         ///< writes somebody's numbers

/// Numbers that kernels work on; aligned to lines of the cache.
template <class Number>
using Aligned = std::vector<Number, PageAllocator<Number>>;

/// Rows of equal length, one after another: n points of dimension d.
template <class Number>
class NumberTable {
 public:
  NumberTable() = default;
  NumberTable(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), numbers_(rows * columns) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::span<Number> row(std::size_t i) { return {numbers_.data() + i * columns_, columns_}; }
  std::span<const Number> row(std::size_t i) const {
    return {numbers_.data() + i * columns_, columns_};
  }
  /// Several rows, one after another.
  std::span<Number> rows(std::size_t first, std::size_t count) {
    return {numbers_.data() + first * columns_, count * columns_};
  }
  std::span<Number> numbers() { return numbers_; }
  std::span<const Number> numbers() const { return numbers_; }

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  Aligned<Number> numbers_;
};
using PointTable = NumberTable<double>;

/// Some columns of a table: what works on each column alone can share them among threads.
struct Columns {
  std::size_t first;
  std::size_t count;
};

/// Columns that are worked on at a time, whoever does it and however many there are: so sums over a
/// row are always added up in the same order.
inline constexpr std::size_t columns_at_a_time = 1024;
inline std::size_t column_parts(std::size_t columns) {
  return (columns + columns_at_a_time - 1) / columns_at_a_time;
}
/// Where number i is found if f32 have taken the place of a row of f64: those of each part stand in
/// the first half of its room, so that who has a part's columns writes over nobody else's.
inline std::size_t place_in_halves(std::size_t i) {
  return i + i / columns_at_a_time * columns_at_a_time;
}

/// Four independent sums, so that the compiler may keep them in one register whatever its width.
inline double dot(PointView a, PointView b) {
  assert(a.size() == b.size());
  double sum[4] = {0, 0, 0, 0};
  std::size_t i = 0;
  for (; i + 4 <= a.size(); i += 4)
    for (std::size_t j = 0; j < 4; ++j) sum[j] += a[i + j] * b[i + j];
  for (; i < a.size(); ++i) sum[0] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

inline double squared_norm(PointView a) { return dot(a, a); }
inline double norm(PointView a) { return std::sqrt(squared_norm(a)); }

/// y += scale * x; x and y do not overlap.
inline void add_scaled(PointRef y, double scale, PointView x) {
  assert(x.size() == y.size());
  double* const __restrict to = y.data();
  const double* const __restrict from = x.data();
  for (std::size_t i = 0; i < y.size(); ++i) to[i] += scale * from[i];
}

/// `from` and `to` do not overlap, or are the same.
inline void copy(PointView from, PointRef to) {
  assert(from.size() == to.size());
  const std::size_t n = from.size();
  if (n < 4 || n > 16) {
    std::copy_n(from.data(), n, to.data());
    return;
  }
  // Few numbers by fours, of which the last may overlap: less than a call takes.
  constexpr std::size_t four = 4 * sizeof(double);
  for (std::size_t i = 0; i + 4 < n; i += 4) std::memcpy(to.data() + i, from.data() + i, four);
  std::memcpy(to.data() + n - 4, from.data() + n - 4, four);
}

}  // namespace hindsight
