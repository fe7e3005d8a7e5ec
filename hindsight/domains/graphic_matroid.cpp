#include "hindsight/domains/graphic_matroid.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <sstream>

#include "hindsight/core/error.hpp"
#include "hindsight/domains/min_norm_point.hpp"

namespace hindsight {
namespace {

using Edges = std::vector<std::array<int, 2>>;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

[[noreturn]] void reject_edge(std::size_t e, const std::array<int, 2>& ends,
                              std::string_view rule) {
  std::ostringstream value;
  value << '[' << ends[0] << ',' << ends[1] << ']';
  reject("edges[" + std::to_string(e) + "]", value.str(), rule);
}

class UnionFind {
 public:
  void reset(int nodes) {
    parent_.resize(index(nodes));
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  /// False where both were together before.
  bool join(const std::array<int, 2>& ends) {
    const int a = find(ends[0]);
    const int b = find(ends[1]);
    parent_[index(a)] = b;
    return a != b;
  }
  bool together(int u, int v) { return find(u) == find(v); }

 private:
  int find(int v) {
    while (parent_[index(v)] != v) {
      parent_[index(v)] = parent_[index(parent_[index(v)])];
      v = parent_[index(v)];
    }
    return v;
  }

  std::vector<int> parent_;
};

UnionFind& fresh_union_find(int nodes) {
  static thread_local UnionFind sets;
  sets.reset(nodes);
  return sets;
}

/// The tightest constraints x(E[S]) <= |S| - 1, by minimum cuts. With deg(v) the sum of x over the
/// edges at v, |S| - x(E[S]) = sum_{v in S} (1 - deg(v)/2) + x(edges leaving S)/2, which is a cut
/// in the graph with capacities x/2 and arcs to a source and a sink that carry the sum.
class TightSets {
 public:
  void prepare(const Edges& ends, int nodes, PointView x) {
    ends_ = &ends;
    x_ = x;
    nodes_ = nodes;
    arcs_.clear();
    head_.assign(index(nodes) + 2, -1);
    cost_.assign(index(nodes), 1.0);
    for (std::size_t e = 0; e < ends.size(); ++e) {
      const double half = std::max(x[e], 0.0) / 2;
      for (const int v : ends[e]) cost_[index(v)] -= half;
      if (half > 0) join(ends[e][0], ends[e][1], half, half);
    }
    first_terminal_arc_ = arcs_.size();
    for (int v = 0; v < nodes; ++v) {
      join(source(), v, 0, 0);
      join(v, sink(), 0, 0);
    }
    capacity_.resize(arcs_.size());
  }

  /// The least |S| - 1 - x(E[S]) over node sets S that hold all of `inside` and not `outside` (-1
  /// for none). It is summed up for the S found and not read off the flow, whose rounding errors
  /// add up.
  double least_slack(std::span<const int> inside, int outside) {
    for (std::size_t a = 0; a < first_terminal_arc_; ++a) capacity_[a] = arcs_[a].capacity;
    for (std::size_t v = 0; v < index(nodes_); ++v)
      set_terminals(v, std::max(-cost_[v], 0.0), std::max(cost_[v], 0.0));
    for (const int v : inside) set_terminals(index(v), std::numeric_limits<double>::infinity(), 0);
    if (outside >= 0) set_terminals(index(outside), 0, std::numeric_limits<double>::infinity());

    while (find_levels()) {
      next_ = head_;
      while (push(source(), std::numeric_limits<double>::infinity()) > 0) {
      }
    }

    double slack = -1;
    for (int v = 0; v < nodes_; ++v) slack += reached(v);
    for (std::size_t e = 0; e < ends_->size(); ++e)
      if (reached((*ends_)[e][0]) && reached((*ends_)[e][1])) slack -= std::max(x_[e], 0.0);
    return slack;
  }

  /// The S that least_slack() found.
  GraphicMatroid::Constraint constraint() const {
    GraphicMatroid::Constraint found{{}, -1};
    for (int v = 0; v < nodes_; ++v) found.limit += reached(v);
    for (std::size_t e = 0; e < ends_->size(); ++e)
      if (reached((*ends_)[e][0]) && reached((*ends_)[e][1]))
        found.edges.push_back(static_cast<Item>(e));
    return found;
  }

 private:
  struct Arc {
    int to;
    int next;  // the next arc from the same node; the reverse of arc a is a ^ 1
    double capacity;
  };

  int source() const { return nodes_; }
  int sink() const { return nodes_ + 1; }
  bool reached(int v) const { return level_[index(v)] >= 0; }

  void join(int from, int to, double capacity, double back) {
    arcs_.push_back({to, head_[index(from)], capacity});
    head_[index(from)] = static_cast<int>(arcs_.size()) - 1;
    arcs_.push_back({from, head_[index(to)], back});
    head_[index(to)] = static_cast<int>(arcs_.size()) - 1;
  }

  void set_terminals(std::size_t v, double from_source, double to_sink) {
    double* capacity = capacity_.data() + first_terminal_arc_ + 4 * v;
    capacity[0] = from_source;
    capacity[1] = 0;
    capacity[2] = to_sink;
    capacity[3] = 0;
  }

  /// Breadth first from the source (Dinic); false where the sink is out of reach.
  bool find_levels() {
    level_.assign(head_.size(), -1);
    level_[index(source())] = 0;
    queue_.assign(1, source());
    for (std::size_t done = 0; done < queue_.size(); ++done)
      for (int a = head_[index(queue_[done])]; a >= 0; a = arcs_[index(a)].next)
        if (capacity_[index(a)] > 0 && level_[index(arcs_[index(a)].to)] < 0) {
          level_[index(arcs_[index(a)].to)] = level_[index(queue_[done])] + 1;
          queue_.push_back(arcs_[index(a)].to);
        }
    return reached(sink());
  }

  /// Sends at most `flow` along one path of growing levels. The narrowest arc is emptied exactly,
  /// so that rounding does not keep the search from ending.
  double push(int v, double flow) {
    if (v == sink()) return flow;
    for (int& a = next_[index(v)]; a >= 0; a = arcs_[index(a)].next) {
      const int to = arcs_[index(a)].to;
      if (!(capacity_[index(a)] > 0) || level_[index(to)] != level_[index(v)] + 1) continue;
      const double sent = push(to, std::min(flow, capacity_[index(a)]));
      if (sent > 0) {
        capacity_[index(a)] -= sent;
        capacity_[index(a ^ 1)] += sent;
        return sent;
      }
    }
    return 0;
  }

  const Edges* ends_ = nullptr;
  PointView x_;
  int nodes_ = 0;
  std::vector<double> cost_;  // 1 - deg(v)/2
  std::vector<Arc> arcs_;
  std::size_t first_terminal_arc_ = 0;
  std::vector<double> capacity_;  // what is left of it
  std::vector<int> head_, next_, level_, queue_;
};

TightSets& tight_sets(const Edges& ends, int nodes, PointView x) {
  static thread_local TightSets sets;
  sets.prepare(ends, nodes, x);
  return sets;
}

MinNormPoint& min_norm_point() {
  static thread_local MinNormPoint workspace;
  return workspace;
}

}  // namespace

class GraphicMatroid::Forests final : public VertexOracle {
 public:
  explicit Forests(const GraphicMatroid& matroid) : matroid_(matroid) {}
  std::size_t dimension() const override { return matroid_.edges_.size(); }
  void best_vertex(std::span<const double> weights, std::span<std::uint8_t> out) const override {
    matroid_.best_forest(weights, out);
  }
  void best_vertex(std::span<const Quad> weights, std::span<std::uint8_t> out) const override {
    matroid_.best_forest(weights, out);
  }

 private:
  const GraphicMatroid& matroid_;
};

GraphicMatroid::GraphicMatroid(std::vector<std::array<int, 2>> edges)
    : edges_(std::move(edges)), ends_(edges_) {
  require(!edges_.empty(), "edges", "[]", "must hold at least one edge");
  std::map<int, int> number;  // the nodes that appear
  std::map<std::array<int, 2>, int> parallel;
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const auto [u, v] = edges_[e];
    if (u < 0 || v < 0) reject_edge(e, edges_[e], "must join nodes that count from 0");
    if (u == v) reject_edge(e, edges_[e], "must join two different nodes");
    most_parallel_ = std::max(most_parallel_, ++parallel[{std::min(u, v), std::max(u, v)}]);
    for (int& end : ends_[e])
      end = number.try_emplace(end, static_cast<int>(number.size())).first->second;
  }
  nodes_ = static_cast<int>(number.size());

  UnionFind components;
  components.reset(nodes_);
  std::vector<std::vector<Incidence>> at(index(nodes_));
  for (std::size_t e = 0; e < ends_.size(); ++e) {
    const auto [u, v] = ends_[e];
    at[index(u)].push_back({static_cast<Item>(e), v});
    at[index(v)].push_back({static_cast<Item>(e), u});
    components.join({u, v});
  }
  for (const auto& edges_at : at) {
    first_incidence_.push_back(incidences_.size());
    incidences_.insert(incidences_.end(), edges_at.begin(), edges_at.end());
  }
  first_incidence_.push_back(incidences_.size());
  for (int v = 0; v < nodes_; ++v)
    if (std::ranges::all_of(roots_, [&](int root) { return !components.together(root, v); }))
      roots_.push_back(v);
}

template <class Scalar>
void GraphicMatroid::best_forest(std::span<const Scalar> weights,
                                 std::span<std::uint8_t> out) const {
  static thread_local ItemSet order;
  order.clear();
  for (std::size_t e = 0; e < weights.size(); ++e) {
    out[e] = 0;
    if (weights[e] > 0) order.push_back(static_cast<Item>(e));
  }
  std::sort(order.begin(), order.end(), [&](Item a, Item b) {
    const Scalar& left = weights[index(a)];
    const Scalar& right = weights[index(b)];
    return left > right || (left == right && a < b);
  });
  UnionFind& trees = fresh_union_find(nodes_);
  for (const Item e : order) out[index(e)] = trees.join(ends_[index(e)]);
}

void GraphicMatroid::maximize(PointView weights, PointRef out) const {
  static thread_local std::vector<std::uint8_t> forest;
  forest.resize(weights.size());
  best_forest(weights, std::span(forest));
  std::copy(forest.begin(), forest.end(), out.begin());
}

void GraphicMatroid::project(PointRef x, std::span<double>) const {
  // K is down-closed, so that a negative coordinate is as good as 0, and a point that is then in K
  // is its own projection. Membership is seen to 1e-14, and a point with x(E[S]) <= (1 + t)(|S| -
  // 1) is t |x| away from x/(1 + t) in K.
  for (double& value : x) value = std::max(value, 0.0);
  if (contains(x, 1e-14)) return;
  MinNormPoint& nearest = min_norm_point();
  nearest.solve(Forests(*this), x);
  copy(nearest.point(), x);
}

bool GraphicMatroid::contains(PointView x, double tolerance) const {
  double sum = 0;
  for (const double value : x) {
    if (!(value >= -tolerance && value <= 1 + tolerance)) return false;
    sum += std::max(value, 0.0);
  }
  if (sum > rank() + tolerance * static_cast<double>(roots_.size())) return false;
  TightSets& sets = tight_sets(ends_, nodes_, x);
  for (int v = 0; v < nodes_; ++v)
    if (sets.least_slack({&v, 1}, -1) < -tolerance) return false;
  return true;
}

std::vector<GraphicMatroid::Constraint> GraphicMatroid::broken_constraints(PointView x,
                                                                           double tolerance) const {
  std::vector<Constraint> broken;
  TightSets& sets = tight_sets(ends_, nodes_, x);
  for (int v = 0; v < nodes_; ++v)
    if (sets.least_slack({&v, 1}, -1) < -tolerance) {
      Constraint found = sets.constraint();
      if (std::ranges::none_of(broken, [&](const Constraint& c) { return c.edges == found.edges; }))
        broken.push_back(std::move(found));
    }
  return broken;
}

double GraphicMatroid::inner_radius() const { return 1 / std::sqrt(most_parallel_); }

std::string GraphicMatroid::describe() const {
  return "graphic matroid, forests among " + std::to_string(dimension()) + " edges on " +
         std::to_string(nodes_) + " nodes";
}

bool GraphicMatroid::independent(ItemView set) const {
  UnionFind& trees = fresh_union_find(nodes_);
  return std::ranges::all_of(set, [&](Item e) { return trees.join(ends_[index(e)]); });
}

void GraphicMatroid::random_base(Stream& stream, ItemSet& out) const {
  static thread_local std::vector<Incidence> way;  // out of each node, as last taken
  static thread_local std::vector<std::uint8_t> in_tree;
  way.resize(index(nodes_));
  in_tree.assign(index(nodes_), 0);
  for (const int root : roots_) in_tree[index(root)] = 1;
  out.clear();
  for (int start = 0; start < nodes_; ++start) {
    // Walk until the tree is met. The last way out of each node is the walk with loops erased.
    for (int v = start; !in_tree[index(v)]; v = way[index(v)].other) {
      const std::size_t first = first_incidence_[index(v)];
      way[index(v)] = incidences_[first + stream.below(first_incidence_[index(v) + 1] - first)];
    }
    for (int v = start; !in_tree[index(v)]; v = way[index(v)].other) {
      in_tree[index(v)] = 1;
      out.push_back(way[index(v)].edge);
    }
  }
}

ConvexCombination GraphicMatroid::decompose(PointView x) const {
  MinNormPoint& nearest = min_norm_point();
  nearest.solve(Forests(*this), x);
  for (std::size_t e = 0; e < x.size(); ++e)
    require(std::abs(nearest.point()[e] - x[e]) <= 1e-6, "x[" + std::to_string(e) + "]", x[e],
            "must be in the matroid polytope; the nearest point of it has " +
                std::to_string(nearest.point()[e]));

  ConvexCombination combination;
  for (std::size_t j = 0; j < nearest.vertices(); ++j) {
    if (!(nearest.weight(j) > 0)) continue;
    combination.weights.push_back(nearest.weight(j));
    ItemSet& set = combination.sets.emplace_back();
    for (std::size_t e = 0; e < x.size(); ++e)
      if (nearest.vertex(j)[e]) set.push_back(static_cast<Item>(e));
  }
  return combination;
}

double GraphicMatroid::room(PointView x, Item up, Item down) const {
  assert(up != down);
  const auto& inside = ends_[index(up)];
  TightSets& sets = tight_sets(ends_, nodes_, x);
  if (down < 0) return std::max(sets.least_slack(inside, -1), 0.0);

  // Only a node set without one of the ends of `down` sees x(E[S]) grow.
  double most = x[index(down)];
  for (const int end : ends_[index(down)])
    if (end != inside[0] && end != inside[1]) most = std::min(most, sets.least_slack(inside, end));
  return std::max(most, 0.0);
}

}  // namespace hindsight
