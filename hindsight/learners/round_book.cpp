#include "hindsight/learners/round_book.hpp"

#include <algorithm>
#include <cassert>
#include <string>

#include "hindsight/core/error.hpp"

namespace hindsight {

RoundBook::RoundBook(Round longest_block) : is_settled_(static_cast<std::size_t>(longest_block)) {}

void RoundBook::open(Round length) {
  assert(!is_open() && length >= 1 && static_cast<std::size_t>(length) <= is_settled_.size());
  first_ += length_;
  length_ = length;
  out_ = 0;
  settled_ = 0;
  std::fill_n(is_settled_.begin(), length, std::uint8_t{0});
}

void RoundBook::reject_sending() const {
  reject("round", first_ + out_,
         "must wait for the feedback to the rounds that are out (or for their loss)");
}

void RoundBook::reject_feedback(Round round) const {
  if (round < first_ || round >= first_ + out_)
    reject("round", round,
           out_ == 0 || !is_open()
               ? "must be out: suggested and not yet settled"
               : "must be one of the rounds that are out, " + std::to_string(first_) + " to " +
                     std::to_string(first_ + out_ - 1));
  reject("round", round, "must not be answered twice");
}

void RoundBook::write(Writer& writer) const {
  writer.value(first_);
  writer.value(length_);
  writer.value(out_);
  writer.value(settled_);
  writer.values(is_settled_);
}

void RoundBook::read(Reader& reader) {
  first_ = reader.value<Round>();
  length_ = reader.value<Round>();
  out_ = reader.value<Round>();
  settled_ = reader.value<Round>();
  reader.values(is_settled_);
}

}  // namespace hindsight
