#include "hindsight/domains/domain_registry.hpp"

#include <array>
#include <limits>

#include "hindsight/core/nearest.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/domains/box.hpp"
#include "hindsight/domains/clp_program.hpp"
#include "hindsight/domains/graphic_matroid.hpp"
#include "hindsight/domains/laminar_matroid.hpp"

namespace hindsight {
namespace {

constexpr DomainKind kinds[] = {
    {"box", "every coordinate on its own: 0 <= x <= upper", "upper = number or list (1)"},
    {"uniform-matroid", "any `rank` of the items", "rank"},
    {"partition-matroid", "at most capacities[j] items of each part",
     "parts = [[items], ...] or \"game\", capacities or capacity (of each part)"},
    {"laminar-matroid", "at most capacities[j] items of each set; sets are nested or disjoint",
     "sets = [[items], ...], capacities"},
    {"graphic-matroid", "edges of a graph without a cycle; one item an edge",
     "edges = [[u, v], ...] or \"game\""},
    {"packing", "0 <= x <= upper, A x <= b with A >= 0",
     "A = [[...], ...], b, or random_rows: A uniform in [0, 1], b = 1; upper (1)"},
};

Point upper_bounds(Settings& settings, int dimension) {
  const auto d = static_cast<std::size_t>(dimension);
  if (!settings.is_list("upper")) return Point(d, settings.number("upper").value_or(1.0));
  Point upper = *settings.numbers("upper");
  require(upper.size() == d, "upper", "a list of " + std::to_string(upper.size()),
          "must have " + std::to_string(d) + " numbers, the dimension of the game");
  return upper;
}

/// The same for every seed of an experiment: the domain is part of the problem.
std::vector<std::vector<double>> random_rows(std::size_t rows, std::size_t dimension) {
  const StreamFamily streams(1, "rows of a packing domain");
  std::vector<std::vector<double>> A(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    Stream stream = streams.at(i);
    for (std::size_t j = 0; j < dimension; ++j) A[i].push_back(stream.uniform());
  }
  return A;
}

/// Whether this key is left to the game, which must then have what it asks for.
bool from_game(Settings& settings, const std::string& key, bool has) {
  if (!settings.is_text(key) || settings.text(key) != "game") return false;
  require(has, key, "game", "needs a game whose items have " + key);
  return true;
}

DomainPtr build_partition(Settings& settings, const ItemStructure& items) {
  std::vector<ItemSet> parts;
  std::string order;  // in which the game's parts take their capacities
  if (from_game(settings, "parts", !items.parts.empty())) {
    parts = items.parts;
    for (const std::string& name : items.part_names) order += (order.empty() ? "" : ", ") + name;
  } else {
    parts = settings.needed("parts", settings.item_sets("parts"));
  }
  if (const auto capacity = settings.integer("capacity", 0, std::numeric_limits<int>::max())) {
    require(!settings.has("capacities"), "capacity", *capacity, "must not stand beside capacities");
    return partition_matroid(parts, std::vector<int>(parts.size(), static_cast<int>(*capacity)));
  }
  const auto capacities = settings.needed("capacities", settings.integers("capacities"));
  require(order.empty() || capacities.size() == parts.size(), "capacities", capacities.size(),
          "must be as many as the game's parts: " + order);
  return partition_matroid(parts, capacities);
}

std::vector<std::array<int, 2>> read_edges(Settings& settings, const ItemStructure& items) {
  if (from_game(settings, "edges", !items.edges.empty())) return items.edges;
  std::vector<std::array<int, 2>> edges;
  for (const ItemSet& edge : settings.needed("edges", settings.item_sets("edges"))) {
    require(edge.size() == 2, "edges[" + std::to_string(edges.size()) + "]", edge.size(),
            "must be a pair of nodes");
    edges.push_back({edge[0], edge[1]});
  }
  return edges;
}

DomainPtr build_packing(Settings& settings, int dimension) {
  const Point upper = upper_bounds(settings, dimension);
  if (const auto rows = settings.integer("random_rows", 1, 10'000)) {
    const auto m = static_cast<std::size_t>(*rows);
    return packing_polytope(random_rows(m, static_cast<std::size_t>(dimension)), Point(m, 1.0),
                            upper);
  }
  return packing_polytope(settings.needed("A", settings.rows("A")),
                          settings.needed("b", settings.numbers("b")), upper);
}

DomainPtr build(Settings& settings, const std::string& kind, int dimension,
                const ItemStructure& items) {
  if (kind == "box") return std::make_shared<Box>(upper_bounds(settings, dimension));
  if (kind == "uniform-matroid")
    return uniform_matroid(dimension, static_cast<int>(settings.needed(
                                          "rank", settings.integer("rank", 0, dimension))));
  if (kind == "partition-matroid") return build_partition(settings, items);
  if (kind == "laminar-matroid")
    return laminar_matroid(dimension, settings.needed("sets", settings.item_sets("sets")),
                           settings.needed("capacities", settings.integers("capacities")));
  if (kind == "graphic-matroid")
    return std::make_shared<GraphicMatroid>(read_edges(settings, items));
  if (kind == "packing") return build_packing(settings, dimension);
  std::vector<std::string> known;
  for (const DomainKind& entry : kinds) known.emplace_back(entry.kind);
  reject("kind", kind, "is not a domain" + did_you_mean(kind, known));
}

}  // namespace

std::span<const DomainKind> domain_kinds() { return kinds; }

DomainPtr make_domain(Settings& settings, int dimension, const ItemStructure& items) {
  const std::string kind = settings.needed("kind", settings.text("kind"));
  const DomainPtr domain = settings.guard([&] { return build(settings, kind, dimension, items); });
  settings.finish();
  settings.guard([&] {
    require(domain->dimension() == dimension, "kind", kind,
            "must have the dimension of the game, " + std::to_string(dimension) + ", not " +
                std::to_string(domain->dimension()));
  });
  return domain;
}

}  // namespace hindsight
