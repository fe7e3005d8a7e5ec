#include "hindsight/offline/cutting_planes.hpp"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace hindsight {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// max sum_s t_s over x in K and t_s <= every cut of share s. The solver's tolerances are absolute,
/// so that it sees x/u in [0,1] and t_s in units of the largest total, divided by the shares.
class Program {
 public:
  Program(const MixtureMajorant& majorant, const LinearRows& rows)
      : majorant_(majorant),
        rows_(rows),
        d_(rows.upper().size()),
        point_(d_, 0.0),
        levels_(majorant.shares(), 0.0) {
    first_cuts(point_);
    Point slope(d_, 0.0), w(d_);
    double total = 0;
    for (const Cut& cut : cuts_) {
      total += cut.constant;
      add_scaled(slope, 1, cut.slope);
    }
    rows_.domain().maximize(slope, w);
    total += dot(slope, w);
    unit_ = total > 0 ? total / static_cast<double>(majorant_.shares()) : 1.0;

    model_.setLogLevel(0);
    model_.setPrimalTolerance(1e-9);
    model_.setDualTolerance(1e-9);
    model_.resize(0, static_cast<int>(d_ + majorant_.shares()));
    for (std::size_t i = 0; i < d_; ++i)
      model_.setColumnBounds(static_cast<int>(i), 0, rows_.upper()[i] > 0 ? 1 : 0);
    for (std::size_t s = 0; s < majorant_.shares(); ++s) {
      model_.setColumnBounds(static_cast<int>(d_ + s), -COIN_DBL_MAX, COIN_DBL_MAX);
      model_.setObjectiveCoefficient(static_cast<int>(d_ + s), -1);
    }
    for (const LinearRow& row : rows_.rows()) append(row);
    for (std::size_t c = 0; c < cuts_.size(); ++c) append(cuts_[c], of_[c]);
    flush();
  }

  void add_tangents(PointView x) {
    Cut cut;
    for (std::size_t s = 0; s < majorant_.shares(); ++s) {
      majorant_.tangent(s, x, cut);
      keep(cut, s);
    }
    flush();
  }

  bool solve() {
    model_.dual();
    if (model_.status() != 0) return false;
    const double* z = model_.primalColumnSolution();
    for (std::size_t i = 0; i < d_; ++i) point_[i] = rows_.upper()[i] * std::clamp(z[i], 0.0, 1.0);
    levels_.assign(z + d_, z + d_ + majorant_.shares());
    const double* multipliers = model_.dualRowSolution();
    multipliers_.assign(multipliers, multipliers + model_.numberRows());
    return true;
  }

  /// Adds what the solution breaks; false if it breaks nothing.
  bool refine() {
    const std::size_t before = cuts_.size() + found_.size();
    for (LinearRow& row : rows_.broken(point_, 1e-7)) {
      append(row);
      found_.push_back(std::move(row));
    }
    Cut cut;
    for (std::size_t s = 0; s < majorant_.shares(); ++s) {
      majorant_.tangent(s, point_, cut);
      const double value = cut.constant + dot(cut.slope, point_);
      if (levels_[s] * unit_ > value + 1e-9 * std::max(unit_, std::abs(value))) keep(cut, s);
    }
    flush();
    return cuts_.size() + found_.size() > before;
  }

  double objective() const { return -model_.objectiveValue() * unit_; }

  double bound() const {
    std::vector<double> total(majorant_.shares(), 0.0);
    const auto multiplier = [&](std::size_t c) {
      return row_of_[c] < multipliers_.size() ? std::max(0.0, -multipliers_[row_of_[c]]) : 0.0;
    };
    for (std::size_t c = 0; c < cuts_.size(); ++c) total[of_[c]] += multiplier(c);
    double constant = 0;
    Point slope(d_, 0.0), w(d_);
    for (std::size_t c = 0; c < cuts_.size(); ++c) {
      // A share without multipliers is bounded by its first cut.
      const double weight = total[of_[c]] > 0 ? multiplier(c) / total[of_[c]] : c < total.size();
      if (weight == 0) continue;
      constant += weight * cuts_[c].constant;
      add_scaled(slope, weight, cuts_[c].slope);
    }
    rows_.domain().maximize(slope, w);
    return constant + dot(slope, w);
  }

  Relaxation result() const {
    Relaxation out{.bound = bound(), .point = point_, .rows = found_};
    for (std::size_t c = 0; c < cuts_.size(); ++c) {
      const double value = cuts_[c].constant + dot(cuts_[c].slope, point_);
      if (levels_[of_[c]] * unit_ < value - 0.01 * unit_) continue;
      out.cuts.push_back(cuts_[c]);
      out.of.push_back(of_[c]);
    }
    return out;
  }

 private:
  void first_cuts(PointView x) {
    cuts_.resize(majorant_.shares());
    of_.resize(majorant_.shares());
    std::iota(of_.begin(), of_.end(), 0u);
    for (std::size_t s = 0; s < majorant_.shares(); ++s) majorant_.tangent(s, x, cuts_[s]);
  }

  void keep(const Cut& cut, std::size_t share) {
    cuts_.push_back(cut);
    of_.push_back(share);
    append(cut, share);
  }

  void append(const LinearRow& row) {
    double length = 0;
    for (std::size_t j = 0; j < row.items.size(); ++j) {
      columns_.push_back(row.items[j]);
      entries_.push_back(row.entries[j] * rows_.upper()[static_cast<std::size_t>(row.items[j])]);
      length = std::max(length, entries_.back());
    }
    for (std::size_t j = index(starts_.back()); length > 0 && j < entries_.size(); ++j)
      entries_[j] /= length;
    end_row(length > 0 ? row.limit / length : 0.0);
  }

  void append(const Cut& cut, std::size_t share) {
    columns_.push_back(static_cast<int>(d_ + share));
    entries_.push_back(1.0);
    for (std::size_t i = 0; i < d_; ++i)
      if (const double slope = cut.slope[i] * rows_.upper()[i]; slope != 0) {
        columns_.push_back(static_cast<int>(i));
        entries_.push_back(-slope / unit_);
      }
    row_of_.push_back(index(model_.numberRows()) + limits_.size());
    end_row(cut.constant / unit_);
  }

  void end_row(double limit) {
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
  std::size_t d_;
  double unit_ = 1;
  std::vector<Cut> cuts_;
  std::vector<std::size_t> of_;      // the share of each cut
  std::vector<std::size_t> row_of_;  // and its row in the model
  std::vector<LinearRow> found_;     // beyond rows_.rows()
  ClpSimplex model_;
  // Rows that wait to be added to it:
  std::vector<CoinBigIndex> starts_ = {0};
  std::vector<int> columns_;
  std::vector<double> entries_, limits_;
  // The last solution:
  Point point_, levels_;             // x, and t in units
  std::vector<double> multipliers_;  // of the rows that were there
};

}  // namespace

Relaxation relax(const MixtureMajorant& majorant, const LinearRows& rows,
                 const std::vector<Point>& starts, double lower, int most_rounds) {
  Program program(majorant, rows);
  for (const Point& x : starts) program.add_tangents(x);
  int r = 0;
  for (; r < most_rounds; ++r) {
    if (!program.solve()) break;
    if (getenv("KELLEY")) fprintf(stderr, "%d %.12g\n", r, program.objective());
    if (program.objective() <= lower * (1 + 1e-10)) break;
    if (!program.refine()) break;
  }
  return program.result();
}

}  // namespace hindsight
