#include "hindsight/functions/influence.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <string>

#include "hindsight/core/error.hpp"
#include "hindsight/functions/inputs.hpp"
#include "hindsight/functions/marks.hpp"

namespace hindsight {
namespace {

void require_node(const std::string& name, int node, int nodes) {
  if (node < 0 || node >= nodes)
    reject(name, node,
           "must be at least 0 and below " + std::to_string(nodes) + ", the number of nodes");
}

void check_edges(const InfluenceOptions& options) {
  for (std::size_t e = 0; e < options.edges.size(); ++e) {
    const auto& [from, to, probability] = options.edges[e];
    const std::string name = inputs::element("edges", e);
    require_node(name + ".from", from, options.nodes);
    require_node(name + ".to", to, options.nodes);
    require(probability >= 0 && probability <= 1, name + ".probability", probability,
            "must be at least 0 and at most 1");
  }
}

void check_items(const InfluenceOptions& options) {
  Marks seen;
  seen.start(static_cast<std::size_t>(options.nodes));
  for (std::size_t i = 0; i < options.items.size(); ++i) {
    const int node = options.items[i];
    require_node(inputs::element("items", i), node, options.nodes);
    if (!seen.mark(static_cast<std::size_t>(node)))
      reject(inputs::element("items", i), node, "must not repeat a node");
  }
}

}  // namespace

Influence::Influence(InfluenceOptions options)
    : nodes_(options.nodes),
      graphs_(options.graphs),
      items_(std::move(options.items)),
      weights_(std::move(options.weights)),
      reach_limit_(options.reach_limit) {
  if (items_.empty()) {
    items_.resize(static_cast<std::size_t>(nodes_));
    std::iota(items_.begin(), items_.end(), 0);
  }
  if (weights_.empty()) weights_.assign(static_cast<std::size_t>(nodes_), 1.0);
}

Influence Influence::sample(InfluenceOptions options, const StreamFamily& streams) {
  require(options.nodes >= 1, "nodes", options.nodes, "must be at least 1");
  require(options.graphs >= 1, "graphs", options.graphs, "must be at least 1");
  require(options.reach_limit <= 1'000'000'000, "reach_limit", options.reach_limit,
          "must be at most 1000000000");
  check_edges(options);
  check_items(options);
  inputs::require_nonnegative("weights", options.weights);
  require(
      options.weights.empty() || options.weights.size() == static_cast<std::size_t>(options.nodes),
      "weights", "a list of " + std::to_string(options.weights.size()),
      "must have " + std::to_string(options.nodes) + " numbers, one for each node");

  std::vector<InfluenceEdge> edges = std::move(options.edges);
  std::stable_sort(edges.begin(), edges.end(),
                   [](const auto& a, const auto& b) { return a.from < b.from; });
  Influence f(std::move(options));
  std::vector<int> reached;
  for (int g = 0; g < f.graphs_; ++g) {
    Stream stream = streams.at(static_cast<std::uint64_t>(g));
    auto edge = edges.begin();
    for (int v = 0; v < f.nodes_; ++v) {
      reached.clear();
      for (; edge != edges.end() && edge->from == v; ++edge)
        if (stream.coin(edge->probability)) reached.push_back(edge->to);
      f.live_.append(reached);
    }
  }
  ItemSet all(f.items_.size());
  std::iota(all.begin(), all.end(), 0);
  f.max_value_ = inputs::require_finite_total("weights", f.value(all));
  return f;
}

/// Calls visit(node) once for every node that the set reaches in the graph, the set's nodes too.
template <class Visit>
void Influence::visit_reachable(int graph, ItemView set, Visit visit) const {
  thread_local Marks reached;
  thread_local std::vector<int> queue;
  reached.start(static_cast<std::size_t>(nodes_));
  queue.clear();
  const auto reach = [&](int node) {
    if (reached.mark(static_cast<std::size_t>(node))) queue.push_back(node);
  };
  for (const Item i : set) reach(items_[static_cast<std::size_t>(i)]);
  const std::size_t first_row = static_cast<std::size_t>(graph) * static_cast<std::size_t>(nodes_);
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const int node = queue[next];
    visit(node);
    for (const int neighbour : live_[first_row + static_cast<std::size_t>(node)]) reach(neighbour);
  }
}

double Influence::value(ItemView set) const {
  double total = 0;
  for (int g = 0; g < graphs_; ++g)
    visit_reachable(g, set, [&](int node) { total += weights_[static_cast<std::size_t>(node)]; });
  return total / graphs_;
}

double Influence::mean(std::span<const ItemSet> sets) const { return mean(sets, Change{}); }

void Influence::mean_differences(std::span<const ItemSet> sets, PointRef out) const {
  for (Item i = 0; i < dimension(); ++i)
    out[static_cast<std::size_t>(i)] = mean(sets, {.joins = i}) - mean(sets, {.leaves = i});
}

/// A node knows which of 64 sets reach it. When it learns of more, it goes into the queue and tells
/// its neighbours; what they know already is not told again.
double Influence::mean(std::span<const ItemSet> sets, Change change) const {
  struct Node {
    std::uint64_t reached_by = 0;
    bool queued = false;
  };
  thread_local std::vector<Node> known;  // all 0 between calls
  thread_local std::vector<int> queue;
  if (known.size() < static_cast<std::size_t>(nodes_))
    known.resize(static_cast<std::size_t>(nodes_));
  const auto tell = [&](int node, std::uint64_t news) {
    Node& to = known[static_cast<std::size_t>(node)];
    if ((news & ~to.reached_by) == 0) return;
    to.reached_by |= news;
    if (!to.queued) queue.push_back(node);
    to.queued = true;
  };
  const auto tell_item = [&](Item i, std::uint64_t news) {
    tell(items_[static_cast<std::size_t>(i)], news);
  };

  double total = 0;
  for (std::size_t first = 0; first < sets.size(); first += 64) {
    const auto together = sets.subspan(first, std::min<std::size_t>(64, sets.size() - first));
    for (std::size_t row = 0; row < live_.size(); row += static_cast<std::size_t>(nodes_)) {
      queue.clear();
      for (std::size_t s = 0; s < together.size(); ++s) {
        const std::uint64_t bit = std::uint64_t{1} << s;
        for (const Item i : together[s])
          if (i != change.leaves) tell_item(i, bit);
        if (change.joins >= 0) tell_item(change.joins, bit);
      }
      for (std::size_t next = 0; next < queue.size(); ++next) {
        const auto node = static_cast<std::size_t>(queue[next]);
        known[node].queued = false;
        for (const int neighbour : live_[row + node]) tell(neighbour, known[node].reached_by);
      }
      for (const int node : queue) {  // some stand in it twice: the first time counts
        Node& at = known[static_cast<std::size_t>(node)];
        total += weights_[static_cast<std::size_t>(node)] * std::popcount(at.reached_by);
        at.reached_by = 0;
      }
    }
  }
  return total / graphs_ / static_cast<double>(sets.size());
}

/// In every graph, the nodes that the set reaches.
class Influence::Growing final : public GrowingSet {
 public:
  explicit Growing(const Influence& f)
      : f_(f), reached_(static_cast<std::size_t>(f.graphs_) * static_cast<std::size_t>(f.nodes_)) {}

  double gain(Item i) override {
    const double sum = walk(i);
    for (const std::size_t row : found_) reached_[row] = false;
    return sum;
  }
  void add(Item i) override { walk(i); }

 private:
  /// Marks what the item reaches and the set does not; returns what that is worth.
  double walk(Item i) {
    const auto nodes = static_cast<std::size_t>(f_.nodes_);
    const auto start = static_cast<std::size_t>(f_.items_[static_cast<std::size_t>(i)]);
    double total = 0;
    found_.clear();
    std::size_t next = 0;
    for (std::size_t first_row = 0; first_row < reached_.size(); first_row += nodes) {
      reach(first_row + start);
      for (; next < found_.size(); ++next) {
        total += f_.weights_[found_[next] - first_row];
        for (const int neighbour : f_.live_[found_[next]])
          reach(first_row + static_cast<std::size_t>(neighbour));
      }
    }
    return total / f_.graphs_;
  }
  void reach(std::size_t row) {
    if (reached_[row]) return;
    reached_[row] = true;
    found_.push_back(row);
  }

  const Influence& f_;
  std::vector<bool> reached_;       // by row of live_
  std::vector<std::size_t> found_;  // by the last walk
};

std::unique_ptr<GrowingSet> Influence::grow() const { return std::make_unique<Growing>(*this); }

std::unique_ptr<const ContinuousFunction> Influence::closed_extension() const {
  const auto coverage = as_coverage();
  return coverage ? coverage->closed_extension() : nullptr;
}

std::optional<Coverage> Influence::as_coverage() const {
  std::vector<double> element_weights;
  std::vector<std::vector<int>> sets(items_.size());
  std::size_t entries = 0;
  std::vector<int> element_of(static_cast<std::size_t>(nodes_));
  for (int g = 0; g < graphs_; ++g) {
    std::fill(element_of.begin(), element_of.end(), -1);
    for (Item i = 0; i < dimension(); ++i) {
      visit_reachable(g, {&i, 1}, [&](int node) {
        int& element = element_of[static_cast<std::size_t>(node)];
        if (element < 0) {
          element = static_cast<int>(element_weights.size());
          element_weights.push_back(weights_[static_cast<std::size_t>(node)] / graphs_);
        }
        sets[static_cast<std::size_t>(i)].push_back(element);
        ++entries;
      });
      if (entries > reach_limit_) return std::nullopt;
    }
  }
  return Coverage(std::move(element_weights), sets);
}

}  // namespace hindsight
