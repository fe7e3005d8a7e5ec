/// Explore-then-commit greedy: for functions that are drawn independently from one law, and only
/// for those.
///
/// Nie, Agarwal, Umrawal, Aggarwal, Quinn, UAI 2022, for cardinality: phase i plays S + a for each
/// item a that fits, m times, and adds the best to S; then S is played for ever. With their m and
/// i.i.d. functions (1-1/e)-regret O(k n^{1/3} T^{2/3}) up to logarithms. On any other matroid
/// greedy reaches 1/2 instead. Once it has committed it learns nothing more: where functions shift,
/// it is wrong and stays wrong.
#pragma once

#include "hindsight/domains/matroid.hpp"
#include "hindsight/learners/learner.hpp"
#include "hindsight/learners/round_window.hpp"
#include "hindsight/learners/set_table.hpp"

namespace hindsight {

/// m of the paper: ceil((T c / (n + 2 n k c))^{2/3}), c = sqrt(2 ln T), at least 1.
Round trials_an_item(Round horizon, int items, int rank);

struct ExploreThenCommitOptions {
  Round trials = 1;      ///< m
  Round ahead = 64;      ///< how many rounds may be out at once
  bool learning = true;  ///< false: the control; what is observed is forgotten
  std::uint64_t seed = 1;
};

class ExploreThenCommit final : public Learner {
 public:
  explicit ExploreThenCommit(MatroidPtr matroid, const ExploreThenCommitOptions& options);

  std::string_view kind() const override { return "explore-then-commit"; }
  bool plays_sets() const override { return true; }
  Suggestion suggest() override;
  Round ready() const override;
  void observe(const Feedback& feedback) override;
  void lose(Round round) override;

 private:
  bool committed() const { return candidates_.empty(); }
  Round phase_length() const { return options_.trials * static_cast<Round>(candidates_.size()); }
  void open_phase();
  void close_phase();
  void settle(Round round);
  void write(Writer& writer) const override;
  void read(Reader& reader) override;

  MatroidPtr matroid_;
  ExploreThenCommitOptions options_;
  RoundWindow window_;
  ItemSet chosen_;                     // S
  ItemSet candidates_;                 // items that fit; empty once committed
  Round sent_ = 0, settled_ = 0;       // rounds of the phase
  std::vector<double> sums_, counts_;  // by candidate
  std::vector<int> trials_;            // by row: which candidate, -1 none
  PointTable members_;
  SetTable sets_;
  ItemSet played_;
};

}  // namespace hindsight
