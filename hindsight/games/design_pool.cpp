#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hindsight/functions/extension.hpp"
#include "hindsight/functions/log_det.hpp"
#include "hindsight/games/data_pools.hpp"

namespace hindsight {
namespace {

/// Columns with mean 0 and variance 1; a column of equal numbers becomes 0.
void standardize(std::vector<Point>& rows) {
  const auto n = static_cast<double>(rows.size());
  for (std::size_t j = 0; j < rows.front().size(); ++j) {
    double mean = 0, variance = 0;
    for (const Point& row : rows) mean += row[j] / n;
    for (const Point& row : rows) variance += (row[j] - mean) * (row[j] - mean) / n;
    const double deviation = std::sqrt(variance);
    for (Point& row : rows) row[j] = deviation > 0 ? (row[j] - mean) / deviation : 0.0;
  }
}

/// x_i' x_j over the columns in use.
std::vector<Point> kernel_of(const std::vector<Point>& rows, const std::vector<char>& in_use) {
  std::vector<Point> kernel(rows.size(), Point(rows.size(), 0.0));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double product = 0;
      for (std::size_t c = 0; c < in_use.size(); ++c)
        if (in_use[c]) product += rows[i][c] * rows[j][c];
      kernel[i][j] = kernel[j][i] = product;
    }
  return kernel;
}

double choices(int n, int k) {
  double count = 1;
  for (int i = 1; i <= k; ++i) count *= static_cast<double>(n - k + i) / i;
  return count;
}

}  // namespace

DataPool design_pool(const DesignOptions& options) {
  DataPool pool;
  pool.malformed.skip = options.skip_malformed;
  RowReader reader(options.path, pool.malformed);
  reader.require_columns(2);
  const std::size_t columns = reader.header().size() - 1;
  std::vector<Point> table;
  reader.each([&](const Fields& fields) {
    Point row;
    for (std::size_t j = 0; j <= columns; ++j)
      row.push_back(read_number(reader.header()[j], fields[j]));
    row.pop_back();  // the response
    table.push_back(std::move(row));
  });
  if (table.empty()) reader.fail("must hold at least one row");
  pool.summary = fmt::format("{} rows of {} columns and a response", table.size(), columns);
  const int all = static_cast<int>(columns);
  const int factors = options.factors > 0 ? options.factors : all;
  require(factors <= all, "factors", factors,
          fmt::format("must be at most {}, the columns before the response", all));
  require(choices(all, factors) <= 1000, "factors", factors,
          fmt::format("must leave at most 1000 ways to choose from {} columns", all));

  standardize(table);
  const std::size_t items = std::min(table.size(), static_cast<std::size_t>(options.items));
  std::vector<Point> candidates;  // spread over the file, which is often sorted
  for (std::size_t i = 0; i < items; ++i) {
    const std::size_t row = i * table.size() / items;
    candidates.push_back(table[row]);
    pool.items.names.push_back(fmt::format("row {}", row + 1));
  }
  std::vector<char> in_use(columns, 0);
  std::fill_n(in_use.begin(), factors, 1);
  do {
    const auto f = std::make_shared<LogDet>(kernel_of(candidates, in_use), options.scale);
    pool.add(f, extend(f, {.samples = options.samples}));
  } while (std::prev_permutation(in_use.begin(), in_use.end()));
  return pool;
}

}  // namespace hindsight
