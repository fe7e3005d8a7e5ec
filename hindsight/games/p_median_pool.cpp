#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hindsight/games/customer_rounds.hpp"
#include "hindsight/games/data_pools.hpp"

namespace hindsight {
namespace {

/// Lengths of shortest paths, from the lengths of edges (Floyd, Warshall).
void close_paths(std::vector<Point>& length) {
  const std::size_t n = length.size();
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i) {
      const double first = length[i][k];
      if (i == k || std::isinf(first)) continue;
      const double* const rest = length[k].data();
      double* const whole = length[i].data();
      for (std::size_t j = 0; j < n; ++j) whole[j] = std::min(whole[j], first + rest[j]);
    }
}

/// A line with the numbers of nodes, edges and medians; then `node node cost`.
std::vector<Point> read_distances(const std::string& path, Malformed& malformed) {
  RowReader reader(path, malformed);
  std::int64_t nodes = 0, edges = 0;
  reader.each(
      [&](const Fields& fields) {
        require(fields.size() == 3, "row", std::to_string(fields.size()) + " fields",
                "must be the numbers of nodes, edges and medians");
        edges = read_whole("edges", fields[1], 0, 100'000'000);
        read_whole("p", fields[2], 1, 5000);
        nodes = read_whole("nodes", fields[0], 1, 5000);
      },
      1);
  if (nodes == 0) reader.fail("must begin with the numbers of nodes, edges and medians");
  const auto n = static_cast<std::size_t>(nodes);
  std::vector<Point> length(n, Point(n, INFINITY));
  for (std::size_t i = 0; i < n; ++i) length[i][i] = 0;
  reader.each([&](const Fields& fields) {
    require(fields.size() == 3, "row", std::to_string(fields.size()) + " fields",
            "must be two nodes and a cost");
    const auto u = static_cast<std::size_t>(read_whole("node", fields[0], 1, nodes) - 1);
    const auto v = static_cast<std::size_t>(read_whole("node", fields[1], 1, nodes) - 1);
    const double cost = read_number("cost", fields[2]);
    require(cost >= 0, "cost", cost, "must be at least 0");
    if (u != v) length[u][v] = length[v][u] = cost;  // of an edge listed twice, the last counts
  });
  const auto listed = static_cast<std::int64_t>(reader.rows()) - 1;
  if (listed != edges)
    reader.fail(fmt::format("must have the {} edges that it promises, not {}", edges, listed));
  close_paths(length);
  for (std::size_t j = 0; j < n; ++j)
    if (std::isinf(length[0][j]))
      reader.fail(fmt::format("must be connected, but no path joins nodes 1 and {}", j + 1));
  return length;
}

}  // namespace

DataPool p_median_pool(const DataOptions& options) {
  DataPool pool;
  pool.malformed.skip = options.skip_malformed;
  std::vector<Point> benefits = read_distances(options.path, pool.malformed);
  double longest = 0;
  for (const Point& row : benefits)
    longest = std::max(longest, *std::max_element(row.begin(), row.end()));
  for (Point& row : benefits)
    for (double& b : row) b = longest - b;
  for (std::size_t i = 1; i <= benefits.size(); ++i)
    pool.items.names.push_back(fmt::format("node {}", i));
  pool.summary = fmt::format("{} nodes, longest distance {}", benefits.size(), longest);
  add_customer_rounds(benefits, options.batch, pool);
  return pool;
}

}  // namespace hindsight
