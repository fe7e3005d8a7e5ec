/// Which rounds are out, for learners that learn from every round as its feedback comes.
#pragma once

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
  Round send();
  /// Rejects a round that is not out. Changes nothing.
  void require_out(Round round) const;
  /// Answered or lost; the round is out.
  void settle(Round round);

  /// Where a learner keeps what it knows of a round that is out.
  std::size_t row(Round round) const { return static_cast<std::size_t>(round) % is_out_.size(); }
  /// Calls `visit(row)` for every round that is out, the oldest first.
  template <class Visit>
  void each_out(Visit visit) const {
    for (Round round = first_; round < next_; ++round)
      if (is_out_[row(round)]) visit(row(round));
  }

  void write(Writer& writer) const;
  void read(Reader& reader);

 private:
  Round first_ = 1;  // the oldest round that is out, or next_
  Round next_ = 1;
  std::vector<std::uint8_t> is_out_;  // by row
};

}  // namespace hindsight
