#include "hindsight/offline/cutting_planes.hpp"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>

#include "hindsight/domains/matroid.hpp"

namespace hindsight {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double tolerance = 1e-9;  // relative, of the set that is proven

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

/// max sum_s t_s over x in K and t_s <= every cut of share s. The solver's tolerances are absolute,
/// so that it sees x/u in [0,1], rows whose largest entry is 1, and t_s in units of a share of the
/// first bound.
class CuttingPlanes::Program {
 public:
  Program(const MixtureMajorant& majorant, const LinearRows& rows)
      : majorant_(majorant), rows_(rows), shares_(majorant.shares()), point_(rows.upper().size()) {
    model_.setLogLevel(0);
    model_.setPrimalTolerance(1e-9);
    model_.setDualTolerance(1e-9);
    model_.resize(0, static_cast<int>(items() + shares_));
    for (Item i = 0; i < majorant.dimension(); ++i)
      model_.setColumnBounds(i, 0, rows_.upper()[index(i)] > 0 ? 1 : 0);
    for (std::size_t s = 0; s < shares_; ++s) {
      model_.setColumnBounds(column(s), -COIN_DBL_MAX, COIN_DBL_MAX);
      model_.setObjectiveCoefficient(column(s), -1);
    }

    std::vector<Cut> first(shares_);
    Cut sum{0, Point(items(), 0.0)};
    for (std::size_t s = 0; s < shares_; ++s) {
      majorant_.tangent(s, point_, first[s]);
      sum.constant += first[s].constant;
      add_scaled(sum.slope, 1, first[s].slope);
    }
    Point w(items());
    rows_.domain().maximize(sum.slope, w);
    const double most = sum.constant + dot(sum.slope, w);
    if (most > 0) unit_ = most / static_cast<double>(shares_);
    for (const LinearRow& row : rows_.rows()) append(row);
    for (std::size_t s = 0; s < shares_; ++s) append(std::move(first[s]), s);
    flush();
  }

  const MixtureMajorant& majorant() const { return majorant_; }
  const LinearRows& rows() const { return rows_; }
  const Point& point() const { return point_; }
  /// The program's own optimum: what the bound will be, but for rounding.
  double objective() const { return -model_.objectiveValue() * unit_; }

  void fix(Item i, double low, double high) { model_.setColumnBounds(i, low, high); }

  void add_tangents(PointView x) {
    for (std::size_t s = 0; s < shares_; ++s) {
      Cut cut;
      majorant_.tangent(s, x, cut);
      append(std::move(cut), s);
    }
    flush();
  }

  /// False where the solver gives up, or there is no such x.
  bool solve() {
    model_.dual();
    if (model_.status() != 0) return false;
    const double* z = model_.primalColumnSolution();
    for (std::size_t i = 0; i < items(); ++i)
      point_[i] = rows_.upper()[i] * std::clamp(z[i], 0.0, 1.0);
    levels_.assign(z + items(), z + items() + shares_);
    multipliers_.assign(model_.dualRowSolution(), model_.dualRowSolution() + model_.numberRows());
    return true;
  }

  /// Adds what the solution breaks; false if it breaks nothing.
  bool refine() {
    drop_slack_cuts();
    const std::size_t before = in_model_.size();
    for (const LinearRow& row : rows_.broken(point_, 1e-7)) append(row);
    for (std::size_t s = 0; s < shares_; ++s) {
      Cut cut;
      majorant_.tangent(s, point_, cut);
      const double value = (cut.constant + dot(cut.slope, point_)) / unit_;
      if (levels_[s] > value + 1e-9 * std::max(1.0, std::abs(value))) append(std::move(cut), s);
    }
    flush();
    return in_model_.size() > before;
  }

  /// The cuts, combined by the multipliers of the last solution.
  Cut combined() const {
    std::vector<double> total(shares_, 0.0);
    for (std::size_t r = 0; r < multipliers_.size(); ++r)
      if (in_model_[r].is_cut()) total[in_model_[r].share] += multiplier(r);
    Cut sum{0, Point(items(), 0.0)};
    for (std::size_t r = 0; r < in_model_.size(); ++r) {
      const auto& [share, cut] = in_model_[r];
      if (!in_model_[r].is_cut()) continue;
      double weight = multiplier(r) / total[share];
      if (total[share] == 0) weight = total[share] = 1;  // its first cut, as none was chosen
      sum.constant += weight * cut.constant;
      add_scaled(sum.slope, weight, cut.slope);
    }
    return sum;
  }

 private:
  static constexpr std::size_t of_domain = static_cast<std::size_t>(-1);
  struct Row {
    std::size_t share;
    Cut cut;
    bool is_cut() const { return share != of_domain; }
  };

  std::size_t items() const { return point_.size(); }
  int column(std::size_t share) const { return static_cast<int>(items() + share); }
  double multiplier(std::size_t row) const {
    return row < multipliers_.size() ? std::max(0.0, -multipliers_[row]) : 0.0;
  }

  /// A program that only grows becomes slow. What is dropped can be found again.
  void drop_slack_cuts() {
    if (in_model_.size() < 200 + 8 * shares_) return;
    std::vector<int> slack;
    std::size_t kept = 0;
    for (std::size_t r = 0; r < in_model_.size(); ++r) {
      const auto& [share, cut] = in_model_[r];
      if (in_model_[r].is_cut() &&
          (cut.constant + dot(cut.slope, point_)) / unit_ > levels_[share] + 1e-6) {
        slack.push_back(static_cast<int>(r));
        continue;
      }
      multipliers_[kept] = multipliers_[r];
      if (kept != r) in_model_[kept] = std::move(in_model_[r]);
      ++kept;
    }
    in_model_.resize(kept);
    multipliers_.resize(kept);
    model_.deleteRows(static_cast<int>(slack.size()), slack.data());
  }

  void append(const LinearRow& row) {
    double largest = 0;
    for (std::size_t j = 0; j < row.items.size(); ++j)
      largest = std::max(largest, row.entries[j] * rows_.upper()[index(row.items[j])]);
    if (largest == 0) return;  // limits nothing
    for (std::size_t j = 0; j < row.items.size(); ++j) {
      columns_.push_back(row.items[j]);
      entries_.push_back(row.entries[j] * rows_.upper()[index(row.items[j])] / largest);
    }
    end_row({of_domain, {}}, row.limit / largest);
  }

  void append(Cut cut, std::size_t share) {
    columns_.push_back(column(share));
    entries_.push_back(1.0);
    for (std::size_t i = 0; i < items(); ++i)
      if (const double slope = cut.slope[i] * rows_.upper()[i]; slope != 0) {
        columns_.push_back(static_cast<int>(i));
        entries_.push_back(-slope / unit_);
      }
    const double limit = cut.constant / unit_;
    end_row({share, std::move(cut)}, limit);
  }

  void end_row(Row row, double limit) {
    in_model_.push_back(std::move(row));
    limits_.push_back(limit);
    starts_.push_back(static_cast<CoinBigIndex>(columns_.size()));
  }

  void flush() {
    const std::vector<double> from_below(limits_.size(), -COIN_DBL_MAX);
    model_.addRows(static_cast<int>(limits_.size()), from_below.data(), limits_.data(),
                   starts_.data(), columns_.data(), entries_.data());
    starts_ = {0};
    columns_.clear();
    entries_.clear();
    limits_.clear();
  }

  const MixtureMajorant& majorant_;
  const LinearRows& rows_;
  std::size_t shares_;
  double unit_ = 1;
  ClpSimplex model_;
  std::vector<Row> in_model_;
  // Rows that wait to be added to the model:
  std::vector<CoinBigIndex> starts_ = {0};
  std::vector<int> columns_;
  std::vector<double> entries_, limits_;
  // The last solution:
  Point point_, levels_;             // x, and t in units
  std::vector<double> multipliers_;  // of the rows that were there
};

/// Depth first over "with item i" and "without item i".
class CuttingPlanes::Search {
 public:
  Search(Program& program, const SetValue& f, ItemSet start, double seconds)
      : program_(program),
        matroid_(dynamic_cast<const Matroid&>(program.rows().domain())),
        f_(f),
        side_(index(matroid_.dimension()), Side::open),
        seconds_(seconds) {
    best_ = {std::move(start), 0, 0};
    best_.value = best_.upper = f_(best_.set);
  }

  std::optional<ProvenSet> run() {
    if (!explore()) return std::nullopt;
    best_.upper = std::max(best_.upper, best_.value);
    return best_;
  }

 private:
  enum class Side { open, in, out };

  double target() const { return best_.value + tolerance * std::abs(best_.value); }

  /// False when the time is over.
  bool explore() {
    if (std::chrono::duration<double>(Clock::now() - start_).count() > seconds_) return false;
    if (const double bound = tighten(); bound <= target()) {
      best_.upper = std::max(best_.upper, bound);
      return true;
    }
    const Item i = branching_item();
    if (i < 0) return true;  // one set is left, and tighten() has looked at it
    for (const Side side : {Side::in, Side::out}) {
      if (side == Side::in && !fits(i)) continue;
      side_[index(i)] = side;
      program_.fix(i, side == Side::in ? 1 : 0, side == Side::out ? 0 : 1);
      const bool done = explore();
      side_[index(i)] = Side::open;
      program_.fix(i, 0, 1);
      if (!done) return false;
    }
    return true;
  }

  /// A bound on the sets of this branch, from as many rounds of tangents as are worth it.
  double tighten() {
    double before = INFINITY;
    while (program_.solve()) {
      look_at_rounded_point();
      const double now = program_.objective();
      if (now <= target() || before - now < 0.1 * (now - target())) break;
      before = now;
      if (!program_.refine()) break;
    }
    return branch_bound(program_.combined());
  }

  /// The combined cut's largest value over the sets with all items that are in and none that is
  /// out: greedy, which takes those that are in first.
  double branch_bound(const Cut& cut) {
    const double first = 1 + *std::max_element(cut.slope.begin(), cut.slope.end());
    Point weights = cut.slope, w(weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (side_[i] == Side::in) weights[i] = first;
      if (side_[i] == Side::out) weights[i] = -1;
    }
    matroid_.maximize(weights, w);
    return cut.constant + dot(cut.slope, w);
  }

  void look_at_rounded_point() {
    Point weights = program_.point(), w(weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (side_[i] == Side::in) weights[i] = 2;
      if (side_[i] == Side::out) weights[i] = -1;
    }
    matroid_.maximize(weights, w);
    ItemSet set;
    for (Item i = 0; i < matroid_.dimension(); ++i)
      if (w[index(i)] > 0.5) set.push_back(i);
    if (const double value = f_(set); value > best_.value) {
      best_.set = std::move(set);
      best_.value = value;
    }
  }

  bool fits(Item i) const {
    ItemSet set = {i};
    for (Item j = 0; j < matroid_.dimension(); ++j)
      if (side_[index(j)] == Side::in) set.push_back(j);
    return matroid_.independent(set);
  }

  /// The open item whose x is the least whole; -1 if none is open.
  Item branching_item() const {
    Item best = -1;
    double most = -1;
    for (Item i = 0; i < matroid_.dimension(); ++i) {
      const double x = program_.point()[index(i)];
      if (side_[index(i)] != Side::open || x * (1 - x) <= most) continue;
      best = i;
      most = x * (1 - x);
    }
    return best;
  }

  Program& program_;
  const Matroid& matroid_;
  const SetValue& f_;
  std::vector<Side> side_;
  Clock::time_point start_ = Clock::now();
  double seconds_;
  ProvenSet best_;
};

CuttingPlanes::CuttingPlanes(const MixtureMajorant& majorant, const LinearRows& rows)
    : program_(std::make_unique<Program>(majorant, rows)) {}
CuttingPlanes::~CuttingPlanes() = default;

void CuttingPlanes::add_tangents(PointView x) { program_->add_tangents(x); }

const Point& CuttingPlanes::point() const { return program_->point(); }

double CuttingPlanes::bound(double lower) {
  constexpr int patience = 10;  // rounds that may pass without a hundredth of the way to `lower`
  double milestone = INFINITY;
  int rounds = 0;
  while (program_->solve()) {
    const double now = program_->objective();
    if (milestone - now > 0.01 * (now - lower)) {
      milestone = now;
      rounds = 0;
    }
    if (now <= lower || ++rounds > patience) break;
    if (!program_->refine()) break;
  }
  const Cut cut = program_->combined();
  Point w(cut.slope.size());
  program_->rows().domain().maximize(cut.slope, w);
  return cut.constant + dot(cut.slope, w);
}

std::optional<ProvenSet> CuttingPlanes::prove(const SetValue& f, ItemSet start, double seconds) {
  return Search(*program_, f, std::move(start), seconds).run();
}

}  // namespace hindsight
