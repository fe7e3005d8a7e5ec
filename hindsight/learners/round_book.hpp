/// Which rounds of the open block are out, and which are answered.
#pragma once

#include <cstdint>
#include <vector>

#include "hindsight/core/archive.hpp"
#include "hindsight/core/suggestion.hpp"

namespace hindsight {

class RoundBook {
 public:
  /// Blocks of at most this many rounds will be opened.
  explicit RoundBook(Round longest_block);

  /// Opens a block right after the last one.
  void open(Round length);
  bool is_open() const { return settled_ < length_; }
  Round ready() const { return length_ - out_; }

  /// The next round goes out. Rejects when the block has no more: feedback is awaited.
  Round send() {
    if (out_ == length_) reject_sending();
    return first_ + out_++;
  }
  /// Rejects a round that is not out or was settled before. Changes nothing.
  void require_out(Round round) const {
    if (round < first_ || round >= first_ + out_ || is_settled_[position(round)])
      reject_feedback(round);
  }
  /// Answered or lost; the round is out.
  void settle(Round round) {
    is_settled_[position(round)] = 1;
    ++settled_;
  }

  Round first() const { return first_; }
  /// The last round of the block before `open` is called, of all blocks so far.
  Round last() const { return first_ + length_ - 1; }
  std::size_t position(Round round) const { return static_cast<std::size_t>(round - first_); }

  void write(Writer& writer) const;
  void read(Reader& reader);

 private:
  [[noreturn]] void reject_sending() const;
  [[noreturn]] void reject_feedback(Round round) const;

  Round first_ = 1;
  Round length_ = 0;
  Round out_ = 0;
  Round settled_ = 0;
  std::vector<std::uint8_t> is_settled_;
};

}  // namespace hindsight
