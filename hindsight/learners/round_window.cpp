#include "hindsight/learners/round_window.hpp"

#include "hindsight/core/error.hpp"

namespace hindsight {

RoundWindow::RoundWindow(Round ahead) {
  require(ahead >= 1 && ahead <= 1'000'000, "ahead", ahead, "must be from 1 to 1000000");
  is_out_.assign(static_cast<std::size_t>(ahead), 0);
  first_row_ = row_of_first();
}

void RoundWindow::reject_sending() const {
  reject("round", next_,
         "must wait for the feedback to round " + std::to_string(first_) +
             " (or for its loss): the key ahead says how many rounds may be out");
}

void RoundWindow::reject_feedback(Round round) {
  reject("round", round, "must be out: suggested and not yet settled");
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
  first_row_ = row_of_first();
}

}  // namespace hindsight
