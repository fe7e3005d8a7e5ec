/// Which rounds are out, for learners that learn from every round as its feedback comes.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "hindsight/core/archive.hpp"
#include "hindsight/core/suggestion.hpp"

namespace hindsight {

/// A window that slides: it reaches `ahead` rounds beyond the oldest round that is not settled.
class RoundWindow {
 public:
  explicit RoundWindow(Round ahead);

  Round ahead() const { return static_cast<Round>(is_out_.size()); }
  Round next() const { return next_; }
  Round ready() const { return first_ + ahead() - next_; }

  /// The next round goes out. Rejects when the oldest feedback must come first.
  Round send() {
    if (ready() == 0) reject_sending();
    is_out_[row(next_)] = 1;
    return next_++;
  }
  /// Rejects a round that is not out. Changes nothing.
  void require_out(Round round) const {
    if (round < first_ || round >= next_ || !is_out_[row(round)]) reject_feedback(round);
  }
  /// Answered or lost; the round is out.
  void settle(Round round) {
    is_out_[row(round)] = 0;
    while (first_ < next_ && !is_out_[first_row_]) {
      ++first_;
      if (++first_row_ == is_out_.size()) first_row_ = 0;
    }
  }

  /// Where a learner keeps what it knows of a round that is out: round % ahead, without dividing.
  std::size_t row(Round round) const {
    assert(round >= first_ && round < first_ + ahead());
    const std::size_t at = first_row_ + static_cast<std::size_t>(round - first_);
    return at < is_out_.size() ? at : at - is_out_.size();
  }
  /// Calls `visit(row)` for every round that is out, the oldest first.
  template <class Visit>
  void each_out(Visit visit) const {
    for (Round round = first_; round < next_; ++round)
      if (is_out_[row(round)]) visit(row(round));
  }

  void write(Writer& writer) const;
  void read(Reader& reader);

 private:
  [[noreturn]] void reject_sending() const;
  [[noreturn]] static void reject_feedback(Round round);
  std::size_t row_of_first() const { return static_cast<std::size_t>(first_) % is_out_.size(); }

  Round first_ = 1;  // the oldest round that is out, or next_
  Round next_ = 1;
  std::size_t first_row_;
  std::vector<std::uint8_t> is_out_;  // by row
};

}  // namespace hindsight
