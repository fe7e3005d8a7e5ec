/// What Algorithms 1, 2 and 3 of the paper and Meta-FW, VR-FW have in common: blocks of rounds, K
/// oracles, and the K Frank-Wolfe steps of a block. What a round plays and learns is the derived
/// learner's.
///
/// Algorithms 1, 2, 3 number their lines alike up to the rounds of a block:
/// - line 1: for q = 1 .. Q
/// - line 2: d_q^(0) <- 0, x_q^(1) <- lower corner
/// - line 3: v_q^(k) from oracle k, x_q^(k+1) <- x_q^(k) + eta_k (v_q^(k) - lower)
/// - line 4: (t_{q,1}, t_{q,2}, ...) a random order of the block's rounds
/// - last line: d_q^(k) <- (1 - rho_k) d_q^(k-1) + rho_k g_{q,k}, fed to oracle k
#pragma once

#include <cstdint>
#include <vector>

#include "hindsight/core/rng.hpp"
#include "hindsight/core/workers.hpp"
#include "hindsight/domains/domain.hpp"
#include "hindsight/learners/feedback_check.hpp"
#include "hindsight/learners/learner.hpp"
#include "hindsight/learners/round_book.hpp"
#include "hindsight/learners/step_rows.hpp"
#include "hindsight/oracles/oracle_bank.hpp"
#include "hindsight/schedules/frank_wolfe_plan.hpp"

namespace hindsight {

struct FrankWolfeOptions {
  OracleOptions oracle = {};
  bool learning = true;  ///< false: the control; everything the same, but no oracle is ever fed
  std::uint64_t seed = 1;
  WorkersPtr workers = nullptr;  ///< share the work between two blocks; the same bytes without
};

class FrankWolfeBlocks : public Learner {
 public:
  Suggestion suggest() final;
  Round ready() const final;
  void observe(const Feedback& feedback) final;
  void lose(Round round) final;
  void watch(Watcher* watcher) final { watcher_ = watcher; }
  std::string_view oracle() const final { return oracle_.kind; }

  const FrankWolfePlan& plan() const { return plan_; }
  /// The set the oracles and iterates live in: K, or its interior K'.
  const Domain& playground() const { return *playground_; }
  PointView lower() const { return lower_; }

 protected:
  /// `rounds_a_step`: how many rounds of a block inform each step. `takes_rows`: gradients are
  /// those of `take_row`.
  FrankWolfeBlocks(DomainPtr playground, FrankWolfePlan plan, const FrankWolfeOptions& options,
                   int rounds_a_step = 1, bool takes_rows = false);

  /// What `round` plays; k (from 1) is the step it informs, 0 if none.
  virtual Suggestion play(Round round, int k) = 0;
  /// Rejects feedback that the round cannot use, before anything has changed; turns it into
  /// gradients, through `take_gradient`.
  virtual void learn(const Feedback& feedback, int k) = 0;
  /// How it explores, for snapshots: they fit only a learner that does the same.
  virtual std::string_view exploration() const { return ""; }
  /// A new x_q is there.
  virtual void block_opened() {}
  virtual void write_more(Writer& writer) const { static_cast<void>(writer); }
  virtual void read_more(Reader& reader) { static_cast<void>(reader); }

  std::size_t dimension() const { return lower_.size(); }
  /// Of feedback, for `require_fitting`.
  double largest_usable() const { return largest_usable_; }
  /// x_q^(k), k = 1 .. K. May be written over; stays until the step's gradient is taken.
  PointRef iterate(int k) {
    const auto step = static_cast<std::size_t>(k - 1);
    if (rows_.in_place()) return rows_.row(step);
    const bool is_new = room_of_[step] < 0;
    const PointRef x = room_of(k).iterate;
    if (is_new) rows_.load(step, x);  // all of the row: there is no remainder
    return x.first(dimension());
  }
  /// The rounds of the block that will ask for an iterate next and after that, 0 if none is known;
  /// and where one stands that will be asked for soon: worth fetching; null where it makes no
  /// difference.
  Round next_round() const { return next_round_; }
  Round round_after_next() const { return round_after_next_; }
  ConstTableRows next_iterate() const { return rows_.expected(); }
  ConstRowsOf<float> next_row() const { return rows_.narrow_expected(); }
  /// Room for what turns step k's answer into a gradient; stays as long.
  PointRef note(int k) { return PointRef(room_of(k).note).first(dimension()); }
  /// x_q^(1), ..., x_q^(K), one after another; in f64 only.
  PointView iterates() const { return rows_.all(); }
  /// x_q = x_q^(K+1), what is exploited.
  PointView last_iterate() const { return rows_.newest(); }

  /// The first round of the block, and by position in the block the step k a round informs, or 0.
  Round first_round() const { return book_.first(); }
  std::span<const int> steps() const { return steps_of_; }

  /// g_{q,k} = factor * gradient, which may stand where iterate(k) was.
  void take_gradient(int k, PointView gradient, double factor = 1) {
    const auto step = static_cast<std::size_t>(k - 1);
    rows_.store(step, gradient);
    take(step, factor);
  }
  /// The same as somebody tells it. False, and nothing has changed, if some number is beyond
  /// `largest_usable`.
  bool take_told_gradient(int k, PointView gradient) {
    const auto step = static_cast<std::size_t>(k - 1);
    if (!rows_.store_if_within(step, gradient, largest_usable_, iterate(k))) return false;
    take(step, 1);
    return true;
  }

  /// Iterates in f32 may be used where they are kept as well. What uses one has room for a point as
  /// long as its row; note(k) is this from then on, and iterate(k) any numbers, until the gradient
  /// is taken. A row that is taken is the gradient in f32, of f64 in halves (LentDirection), times
  /// `factor`.
  bool has_narrow_rows() const { return !rows_.in_place(); }
  TableRows row_of(int k) { return rows_.strips_of(static_cast<std::size_t>(k - 1)); }
  NarrowPoint narrow_iterate(int k) {
    return rows_.narrow_iterate(static_cast<std::size_t>(k - 1));
  }
  PointRef room_beside(int k) { return room_of(k).note; }
  void expect_row(int k, double factor) { factors_[static_cast<std::size_t>(k - 1)] = factor; }
  void take_row(int k, double factor) {
    const auto step = static_cast<std::size_t>(k - 1);
    factors_[step] *= factor;
    arrived_[step] = 1;
    leave_room(step);
  }

  void write(Writer& writer) const final;
  void read(Reader& reader) final;

 private:
  /// What a step keeps while its round is out: of K steps mostly one is.
  struct Room {
    Aligned<double> iterate;  // only where rows cannot be used in place
    Aligned<double> note;
  };

  void open_block();
  void pass_steps(bool ends, bool begins);
  void pass_along();
  void weigh(std::size_t k, std::size_t j);
  void average_steps(std::size_t first, std::size_t count);
  void add_up_norms(std::size_t count);
  std::size_t first_missing(std::size_t first, std::size_t end) const;
  void learn_steps(std::size_t first, std::size_t end);
  void feed_steps(std::size_t k, std::size_t first, std::size_t count);
  void take_steps(std::size_t first, std::size_t end, Round q);
  void show_block();
  void show_steps(std::size_t first, std::size_t end);
  void show_step(std::size_t k, PointRef gradient, std::size_t row);
  void draw_order();
  void inform_nothing();
  void inform(std::size_t position, int k);
  /// Row k is a gradient, times the factor.
  void take(std::size_t k, double factor) {
    factors_[k] = factor;
    arrived_[k] = 1;
    if (room_of_[k] >= 0) leave_room(k);
  }
  int step_of(Round round) const { return steps_of_[book_.position(round)]; }
  void expect_step_after(Round round);
  std::size_t informing_after(std::size_t position) const;
  void settle(Round round);
  Room& room_of(int k);
  void leave_room(std::size_t k);

  DomainPtr playground_;
  FrankWolfePlan plan_;
  OracleOptions oracle_;
  bool learning_;
  std::uint64_t seed_;
  double largest_usable_;
  std::size_t rounds_a_step_;
  StreamFamily orders_;
  Point lower_;
  WorkersPtr workers_;
  std::unique_ptr<OracleBank> bank_;

  Round block_ = 0;  // q
  RoundBook book_;
  StepRows rows_;                      // x_q^(k), then g_{q,k}
  std::vector<std::uint8_t> arrived_;  // is row k a gradient?
  Point factors_;                      // then times this
  std::vector<Room> rooms_;
  std::vector<int> free_rooms_;
  std::vector<int> room_of_;          // by step, -1: none
  std::vector<std::uint32_t> order_;  // t_{q,1}, t_{q,2}, ..., as positions in the block
  Round next_round_ = 0;
  Round round_after_next_ = 0;
  std::vector<int> steps_of_;             // by position in the block: the step k it informs, or 0
  std::vector<std::uint64_t> informing_;  // a bit for each of them: is it one?
  Watcher* watcher_ = nullptr;

  // Of the stretch of steps at hand, row by row:
  Point weights_;                       // rho_k, 0 where the gradient has not come
  Point taken_;                         // rho_k times the gradient's factor, or 0
  PointTable averages_;                 // d_q^(k)
  NumberTable<float> narrow_averages_;  // in f32; along the way one, and room
  std::size_t newest_ = 0;              // the last of them
  PointTable norms_;                    // their squared norms, by parts, each in its own lines
  PointTable decided_;                  // room for v_q^(k)
};

}  // namespace hindsight
