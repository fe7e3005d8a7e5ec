#include "hindsight/learners/gradient_ascent.hpp"

#include "hindsight/learners/feedback_check.hpp"

namespace hindsight {

GradientAscent::GradientAscent(DomainPtr domain, const GradientAscentOptions& options)
    : domain_(domain),
      oracle_(options.oracle),
      bank_(make_oracle_bank(domain, 1, options.oracle, options.seed)),
      learning_(options.learning),
      seed_(options.seed),
      book_(1),
      played_(static_cast<std::size_t>(domain->dimension())) {}

Suggestion GradientAscent::suggest() {
  if (!book_.is_open()) book_.open(1);
  Suggestion s;
  s.round = book_.send();
  copy(bank_->decide(0, s.round), played_);
  s.action = Lent<double>::of(played_);
  s.probes = {1, Lent<double>::of(played_)};
  return s;
}

void GradientAscent::observe(const Feedback& feedback) {
  book_.require_out(feedback.round);
  require_fitting(feedback, 1, played_.size(), false);
  if (learning_) bank_->feed(0, feedback.gradients[0]);
  book_.settle(feedback.round);
}

void GradientAscent::lose(Round round) {
  book_.require_out(round);
  book_.settle(round);
}

void GradientAscent::write(Writer& writer) const {
  writer.value(fingerprint(*domain_));
  writer.value(played_.size());
  writer.value(seed_);
  writer.value(learning_);
  writer.text(oracle_.kind);
  writer.value(oracle_.step.value_or(0));
  book_.write(writer);
  bank_->write(writer);
}

void GradientAscent::read(Reader& reader) {
  reader.same("domain", fingerprint(*domain_));
  reader.same("dimension", played_.size());
  reader.same("seed", seed_);
  reader.same("learning", learning_);
  reader.same_text("oracle", oracle_.kind);
  reader.same("oracle_step", oracle_.step.value_or(0));
  book_.read(reader);
  bank_->read(reader);
}

}  // namespace hindsight
