/// A domain as linear inequalities, for solvers that want them.
#pragma once

#include <optional>
#include <vector>

#include "hindsight/core/item_set.hpp"
#include "hindsight/domains/domain.hpp"

namespace hindsight {

/// sum_j entries[j] x[items[j]] <= limit
struct LinearRow {
  ItemSet items;
  std::vector<double> entries;
  double limit = 0;
};

/// K = { 0 <= x <= upper() : rows }. A graphic matroid has exponentially many rows: those that
/// matter are found by what breaks them.
class LinearRows {
 public:
  /// None for a domain of an unknown kind.
  static std::optional<LinearRows> of(DomainPtr domain);

  const Domain& domain() const { return *domain_; }
  /// u_i = max { x_i : x in K }.
  const Point& upper() const { return upper_; }
  /// Rows that hold on K; all of them, but for graphic matroids.
  const std::vector<LinearRow>& rows() const { return rows_; }
  /// Further rows of K that x, which fulfils rows(), breaks by more than `tolerance`. None only
  /// where x is in K.
  std::vector<LinearRow> broken(PointView x, double tolerance) const;

 private:
  LinearRows(DomainPtr domain, std::vector<LinearRow> rows);

  DomainPtr domain_;
  Point upper_;
  std::vector<LinearRow> rows_;
};

/// u_i = max { x_i : x in K }, the corner of the smallest box around K.
Point upper_corner(const Domain& domain);

}  // namespace hindsight
