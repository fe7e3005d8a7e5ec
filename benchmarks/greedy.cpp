// Lazy greedy, from the function to the set: what the function keeps for it included, the kernel
// excluded.
#include "hindsight/offline/greedy.hpp"

#include <cmath>

#include "benchmarks/bench.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/functions/facility_location.hpp"
#include "hindsight/functions/influence.hpp"
#include "hindsight/functions/log_det.hpp"

namespace hindsight::bench {
namespace {

/// 1 / (1 + |a - b|) between points of a square.
std::vector<Point> similarities(int n) {
  const auto size = static_cast<std::size_t>(n);
  const PointTable places = random_rows(size, 2);
  std::vector<Point> kernel(size, Point(size));
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      kernel[i][j] = 1 / (1 + std::hypot(places.row(i)[0] - places.row(j)[0],
                                         places.row(i)[1] - places.row(j)[1]));
  return kernel;
}

/// A graph of `edges` edges between random nodes.
Influence cascades(int nodes, int edges) {
  InfluenceOptions options{.nodes = nodes, .graphs = 10};
  Stream rng = StreamFamily(1, "graph").at(0);
  const auto node = [&] { return static_cast<int>(rng.below(static_cast<std::uint64_t>(nodes))); };
  for (int e = 0; e < edges; ++e) options.edges.push_back({node(), node(), .1});
  return Influence::sample(std::move(options), StreamFamily(1, "cascades"));
}

/// `make` builds the function when the benchmark runs.
template <class Make>
void add_greedy(const std::string& name, int n, int k, Make make) {
  add("lazy greedy/" + name + "/n=" + std::to_string(n) + "/k=" + std::to_string(k), 1, [=] {
    const auto f = std::make_shared<decltype(make(n))>(make(n));
    return [=, matroid = uniform_matroid(n, k)] { lazy_greedy(*matroid, *f->grow()); };
  });
}

}  // namespace

void add_benchmarks() {
  const auto facilities = [](int n) { return FacilityLocation(similarities(n)); };
  add_greedy("facility location", 1000, 100, facilities);
  add_greedy("facility location", 5000, 500, facilities);
  add_greedy("log det", 500, 100, [](int n) { return LogDet(similarities(n)); });
  // Five edges a node.
  const auto influence = [](int n) { return cascades(n, 5 * n); };
  for (const int n : {2000, 20'000, 200'000}) add_greedy("influence", n, 50, influence);
}

}  // namespace hindsight::bench
