#include "hindsight/learners/round_window.hpp"

#include "hindsight/core/error.hpp"

namespace hindsight {

RoundWindow::RoundWindow(Round ahead) {
  require(ahead >= 1 && ahead <= 1'000'000, "ahead", ahead, "must be from 1 to 1000000");
  is_out_.assign(static_cast<std::size_t>(ahead), 0);
}

Round RoundWindow::send() {
  if (ready() == 0)
    reject("round", next_,
           "must wait for the feedback to round " + std::to_string(first_) +
               " (or for its loss): the key ahead says how many rounds may be out");
  is_out_[row(next_)] = 1;
  return next_++;
}

void RoundWindow::require_out(Round round) const {
  if (round < first_ || round >= next_ || !is_out_[row(round)])
    reject("round", round, "must be out: suggested and not yet settled");
}

void RoundWindow::settle(Round round) {
  is_out_[row(round)] = 0;
  while (first_ < next_ && !is_out_[row(first_)]) ++first_;
}

void RoundWindow::write(Writer& writer) const {
  writer.value(first_);
  writer.value(next_);
  writer.values(is_out_);
}

void RoundWindow::read(Reader& reader) {
  first_ = reader.value<Round>();
  next_ = reader.value<Round>();
  reader.values(is_out_);
}

}  // namespace hindsight
