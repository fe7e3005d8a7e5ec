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

/// The columns of one of so many threads: the same ones in task after task, so that their numbers
/// stay near it. Whole parts; the first threads have those that are left over.
inline Columns columns_of(std::size_t thread, std::size_t threads, std::size_t columns) {
  const auto begin_of = [=](std::size_t n) {
    const std::size_t parts = (column_parts(columns) * n + threads - 1) / threads;
    return std::min(parts * columns_at_a_time, columns);
  };
  return {begin_of(thread), begin_of(thread + 1) - begin_of(thread)};
}
/// Whose a column is.
inline std::size_t thread_of(std::size_t column, std::size_t threads, std::size_t columns) {
  return column / columns_at_a_time * threads / column_parts(columns);
}

/// Some columns of rows that stand so many numbers apart.
template <class Number>
struct Strip {
  Number* numbers;
  std::size_t stride;

  Number* row(std::size_t i) const { return numbers + i * stride; }
};

/// Rows of equal length, one after another: n points of dimension d. Or, where threads have columns
/// of their own, in strips: a thread's columns of all rows stand together. In whole rows, what a
/// processor fetches ahead at the end of one thread's columns is what another thread is writing,
/// and fetching it back takes longer than all the work on a row.
template <class Number>
class NumberTable {
 public:
  NumberTable() = default;
  NumberTable(std::size_t rows, std::size_t columns, std::size_t strips = 1)
      : rows_(rows), columns_(columns), strips_(strips), numbers_(rows * columns) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::size_t strips() const { return strips_; }
  std::span<const Number> numbers() const { return numbers_; }

  /// From row i on, the columns from `first` on that are one thread's.
  Strip<Number> strip(std::size_t i, std::size_t first) {
    const auto [offset, stride] = place(i, first);
    return {numbers_.data() + offset, stride};
  }
  Strip<const Number> strip(std::size_t i, std::size_t first) const {
    const auto [offset, stride] = place(i, first);
    return {numbers_.data() + offset, stride};
  }

  /// If rows are whole.
  std::span<Number> row(std::size_t i) { return rows(i, 1); }
  std::span<const Number> row(std::size_t i) const {
    assert(strips_ == 1);
    return {numbers_.data() + i * columns_, columns_};
  }
  /// Several of them, one after another.
  std::span<Number> rows(std::size_t first, std::size_t count) {
    assert(strips_ == 1);
    return {numbers_.data() + first * columns_, count * columns_};
  }
  std::span<Number> numbers() {
    assert(strips_ == 1);
    return numbers_;
  }

  void fill(Number number) { std::ranges::fill(numbers_, number); }

  /// However they stand.
  void load(std::size_t i, std::span<Number> to) const {
    each_strip([&](Columns c) { std::copy_n(strip(i, c.first).numbers, c.count, &to[c.first]); });
  }
  void store(std::size_t i, std::span<const Number> from) {
    each_strip([&](Columns c) { std::copy_n(&from[c.first], c.count, strip(i, c.first).numbers); });
  }

 private:
  struct Place {
    std::size_t offset, stride;
  };
  Place place(std::size_t i, std::size_t column) const {
    if (strips_ == 1) return {i * columns_ + column, columns_};
    const auto [first, count] = columns_of(thread_of(column, strips_, columns_), strips_, columns_);
    return {first * rows_ + i * count + (column - first), count};
  }
  template <class Each>
  void each_strip(Each each) const {
    for (std::size_t n = 0; n < strips_; ++n)
      if (const Columns columns = columns_of(n, strips_, columns_); columns.count > 0)
        each(columns);
  }

  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::size_t strips_ = 1;
  Aligned<Number> numbers_;
};
using PointTable = NumberTable<double>;

/// The rows of a table from one of them on; none if there is no table.
template <class Table>
struct TableRowsOf {
  Table* table = nullptr;
  std::size_t first = 0;

  auto strip(std::size_t column) const { return table->strip(first, column); }
  /// Where the first one's are from `column` on, null if there is none.
  auto numbers(std::size_t column) const {
    return table ? strip(column).numbers : decltype(strip(column).numbers)(nullptr);
  }
};
using TableRows = TableRowsOf<PointTable>;
template <class Number>
using ConstRowsOf = TableRowsOf<const NumberTable<Number>>;
using ConstTableRows = ConstRowsOf<double>;

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
