#include "hindsight/functions/inputs.hpp"

#include <algorithm>
#include <cmath>

#include "hindsight/core/error.hpp"

namespace hindsight::inputs {

std::string element(std::string_view name, std::size_t i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
}

void require_finite(std::string_view name, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) reject(element(name, i), values[i], "must be finite");
}

void require_nonnegative(std::string_view name, std::span<const double> values) {
  require_finite(name, values);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] < 0) reject(element(name, i), values[i], "must be at least 0");
}

std::size_t require_rectangular(std::string_view name, const Rows& rows) {
  require(!rows.empty(), name, "[]", "must have at least one row");
  const std::size_t columns = rows[0].size();
  require(columns > 0, element(name, 0), "[]", "must have at least one number");
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (rows[r].size() != columns)
      reject(element(name, r), "a row of " + std::to_string(rows[r].size()),
             "must have " + std::to_string(columns) + " numbers, like " + element(name, 0));
  return columns;
}

void require_symmetric(std::string_view name, const Rows& rows) {
  const std::size_t n = require_rectangular(name, rows);
  require(rows.size() == n, name, std::to_string(rows.size()) + " rows",
          "must be square, with " + std::to_string(n) + " rows");
  double largest = 0;
  for (std::size_t r = 0; r < n; ++r) {
    require_finite(element(name, r), rows[r]);
    for (const double v : rows[r]) largest = std::max(largest, std::abs(v));
  }
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c < r; ++c)
      // Products such as A'A come out symmetric only up to rounding.
      if (std::abs(rows[r][c] - rows[c][r]) > 1e-12 * largest)
        reject(element(element(name, r), c), rows[r][c],
               "must equal " + element(element(name, c), r) + ", as the matrix is symmetric");
}

double require_finite_total(std::string_view name, double total) {
  require(std::isfinite(total), name, total, "must have a finite total");
  return total;
}

}  // namespace hindsight::inputs
