#include "hindsight/learners/doubling.hpp"

#include "hindsight/core/error.hpp"

namespace hindsight {
namespace {

/// The inner learner counts from the start of its stage, and so do its errors.
template <class Call>
void in_global_rounds(Round round, Call call) {
  try {
    call();
  } catch (const InputError& error) {
    if (error.name() != "round") throw;
    reject("round", round, "must be out: suggested and not yet settled");
  }
}

}  // namespace

Doubling::Doubling(Round first_horizon, Factory make)
    : first_horizon_(first_horizon), make_(std::move(make)), horizon_(first_horizon) {
  require(first_horizon >= 1, "first_horizon", first_horizon, "must be at least 1");
  inner_ = make_(horizon_, stage_);
}

void Doubling::next_stage() {
  before_ += horizon_;
  horizon_ *= 2;
  settled_ = 0;
  ++stage_;
  inner_ = make_(horizon_, stage_);
  inner_->watch(watcher_);
}

Suggestion Doubling::suggest() {
  if (stage_is_over()) next_stage();
  Suggestion s = inner_->suggest();
  s.round += before_;
  return s;
}

/// At the end of a stage the next one waits until all its feedback is in.
Round Doubling::ready() const { return stage_is_over() ? 1 : inner_->ready(); }

void Doubling::observe(const Feedback& feedback) {
  if (stage_is_over() || feedback.round <= before_)
    reject("round", feedback.round, "must be out: suggested and not yet settled");
  Feedback inner = {
      feedback.round - before_,
      feedback.value,
      {feedback.gradients.count, Lent<double>::of(feedback.gradients.numbers.view())}};
  in_global_rounds(feedback.round, [&] { inner_->observe(inner); });
  ++settled_;
}

void Doubling::lose(Round round) {
  if (stage_is_over() || round <= before_)
    reject("round", round, "must be out: suggested and not yet settled");
  in_global_rounds(round, [&] { inner_->lose(round - before_); });
  ++settled_;
}

void Doubling::watch(Watcher* watcher) {
  watcher_ = watcher;
  inner_->watch(watcher);
}

void Doubling::write(Writer& writer) const {
  writer.value(first_horizon_);
  writer.value(stage_);
  writer.value(before_);
  writer.value(horizon_);
  writer.value(settled_);
  writer.text(inner_->save());
}

void Doubling::read(Reader& reader) {
  reader.same("first_horizon", first_horizon_);
  const auto stage = reader.value<int>();
  const auto before = reader.value<Round>();
  const auto horizon = reader.value<Round>();
  const auto settled = reader.value<Round>();
  LearnerPtr inner = make_(horizon, stage);
  inner->restore(reader.text());
  inner->watch(watcher_);
  stage_ = stage;
  before_ = before;
  horizon_ = horizon;
  settled_ = settled;
  inner_ = std::move(inner);
}

}  // namespace hindsight
