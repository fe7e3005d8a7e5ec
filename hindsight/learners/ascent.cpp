#include "hindsight/learners/ascent.hpp"

namespace hindsight {

Ascent::Ascent(DomainPtr playground, const AscentOptions& options)
    : playground_(std::move(playground)),
      options_(options),
      bank_(make_oracle_bank(playground_, 1, options.oracle, options.seed)),
      window_(options.ahead),
      slots_(static_cast<std::size_t>(options.ahead)),
      decision_(static_cast<std::size_t>(playground_->dimension())),
      gradient_(static_cast<std::size_t>(playground_->dimension())) {}

Suggestion Ascent::suggest() {
  Suggestion s;
  s.round = window_.send();
  Slot& slot = slots_[window_.row(s.round)];
  slot.action.resize(dimension());
  slot.note.resize(dimension());
  play(s, bank_->decide(0, s.round, decision_), slot);
  return s;
}

void Ascent::observe(const Feedback& feedback) {
  window_.require_out(feedback.round);
  check(feedback);
  estimate(feedback, slots_[window_.row(feedback.round)], gradient_);
  if (options_.learning) bank_->feed(0, gradient_);
  window_.settle(feedback.round);
}

void Ascent::lose(Round round) {
  window_.require_out(round);
  window_.settle(round);
}

void Ascent::write(Writer& writer) const {
  writer.value(fingerprint(*playground_));
  writer.value(dimension());
  writer.value(options_.seed);
  writer.value(options_.learning);
  writer.value(options_.ahead);
  options_.oracle.write(writer);
  write_more(writer);
  window_.write(writer);
  window_.each_out([&](std::size_t row) { writer.values(slots_[row].note); });
  bank_->write(writer);
}

void Ascent::read(Reader& reader) {
  reader.same("domain", fingerprint(*playground_));
  reader.same("dimension", dimension());
  reader.same("seed", options_.seed);
  reader.same("learning", options_.learning);
  reader.same("ahead", options_.ahead);
  options_.oracle.require_same(reader);
  read_more(reader);
  window_.read(reader);
  window_.each_out([&](std::size_t row) {
    slots_[row].note.resize(dimension());
    reader.values(slots_[row].note);
  });
  bank_->read(reader);
}

}  // namespace hindsight
