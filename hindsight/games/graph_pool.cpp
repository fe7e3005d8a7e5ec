#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>

#include "hindsight/functions/influence.hpp"
#include "hindsight/games/data_pools.hpp"
#include "hindsight/games/ranked_names.hpp"

namespace hindsight {
namespace {

struct Graph {
  Names nodes;
  std::map<std::pair<int, int>, double> edges;  // with weights; a later one replaces an earlier one
};

Graph read_graph(const GraphOptions& options, Malformed& malformed) {
  RowReader reader(options.path, malformed);
  Graph graph;
  reader.each([&](const Fields& fields) {
    require(fields.size() == 2 || fields.size() == 3, "row",
            std::to_string(fields.size()) + " fields", "must be two nodes and a weight or none");
    for (const std::string_view node : {fields[0], fields[1]})
      read_whole("node", node, 0, std::numeric_limits<std::int64_t>::max());
    const double weight = fields.size() == 3 ? read_number("weight", fields[2]) : 1.0;
    require(weight > 0, "weight", weight, "must be positive");
    const int from = graph.nodes.add(fields[0]), to = graph.nodes.add(fields[1]);
    if (from == to) return;  // who reaches himself reaches nobody new
    const bool turn = !options.directed && from > to;
    graph.edges[turn ? std::pair(to, from) : std::pair(from, to)] = weight;
  });
  if (graph.edges.empty()) reader.fail("must hold at least one edge");
  return graph;
}

}  // namespace

DataPool graph_pool(const GraphOptions& options) {
  DataPool pool;
  pool.malformed.skip = options.skip_malformed;
  const Graph graph = read_graph(options, pool.malformed);
  InfluenceOptions influence;
  influence.nodes = graph.nodes.size();
  influence.graphs = options.graphs;
  std::vector<double> degree(static_cast<std::size_t>(graph.nodes.size()), 0.0);
  const auto add_edge = [&](int from, int to, double weight) {
    // A weight counts contacts, each of which may succeed.
    influence.edges.push_back({from, to, 1 - std::pow(1 - options.probability, weight)});
    ++degree[static_cast<std::size_t>(from)];
  };
  for (const auto& [ends, weight] : graph.edges) {
    add_edge(ends.first, ends.second, weight);
    if (!options.directed) add_edge(ends.second, ends.first, weight);
  }
  influence.items = most_frequent(degree, options.items);
  for (const int node : influence.items) pool.items.names.push_back(graph.nodes[node]);
  pool.summary = fmt::format("{} nodes, {} edges", graph.nodes.size(), graph.edges.size());
  // The pool belongs to the data: seeds of games draw from it, and do not change it.
  for (int n = 0; n < options.pool; ++n)
    pool.add(std::make_shared<Influence>(Influence::sample(
        influence, StreamFamily(static_cast<std::uint64_t>(n), "live edges of a batch"))));
  return pool;
}

}  // namespace hindsight
