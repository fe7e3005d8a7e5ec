/// Influence in a network: whom a set of first adopters reaches.
#pragma once

#include <optional>
#include <vector>

#include "hindsight/core/rng.hpp"
#include "hindsight/functions/coverage.hpp"
#include "hindsight/functions/lists.hpp"

namespace hindsight {

/// `from`, once reached, reaches `to` with this probability; edges act independently.
struct InfluenceEdge {
  int from = 0;
  int to = 0;
  double probability = 0;
};

struct InfluenceOptions {
  int nodes = 0;
  std::vector<InfluenceEdge> edges = {};
  int graphs = 100;                  ///< live-edge graphs to draw
  std::vector<int> items = {};       ///< the node of each item; none: every node is an item
  std::vector<double> weights = {};  ///< what reaching a node is worth; none: 1 for each
  /// The extension is closed where items reach nodes at most this often, counted over all graphs.
  std::size_t reach_limit = 1'000'000;
};

/// The independent cascade model (Kempe, Kleinberg, Tardos, "Maximizing the spread of influence
/// through a social network", KDD 2003): f(S) = average over live-edge graphs, in which each edge
/// is present with its probability, of the weight reachable from S. With the graphs drawn, f is
/// known exactly; it estimates the influence in the model. In each graph f is a coverage function,
/// where a node is covered by the items that reach it: so is the extension, unless it would be
/// large.
class Influence final : public SetFunction {
 public:
  /// Graph g is drawn from streams.at(g).
  static Influence sample(InfluenceOptions options, const StreamFamily& streams);

  int dimension() const override { return static_cast<int>(items_.size()); }
  double value(ItemView set) const override;
  double max_value() const override { return max_value_; }
  /// Null beyond reach_limit.
  std::unique_ptr<const ContinuousFunction> closed_extension() const override;
  /// Keeps what is reached: a gain walks over new nodes alone.
  std::unique_ptr<GrowingSet> grow() const override;
  /// 64 sets walk together, a bit each.
  double mean(std::span<const ItemSet> sets) const override;
  void mean_differences(std::span<const ItemSet> sets, PointRef out) const override;
  /// The same function: an element for each node of each graph. None beyond reach_limit.
  std::optional<Coverage> as_coverage() const;

  int graphs() const { return graphs_; }

 private:
  class Growing;

  explicit Influence(InfluenceOptions options);

  /// Changes to every set: an item that joins, one that leaves; -1: none.
  struct Change {
    Item joins = -1, leaves = -1;
  };
  double mean(std::span<const ItemSet> sets, Change change) const;
  template <class Visit>
  void visit_reachable(int graph, ItemView set, Visit visit) const;

  int nodes_;
  int graphs_;
  std::vector<int> items_;
  std::vector<double> weights_;
  std::size_t reach_limit_;
  Lists live_;  // row graph * nodes + v: the nodes that v reaches directly
  double max_value_ = 0;
};

}  // namespace hindsight
