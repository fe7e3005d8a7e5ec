#include "hindsight/learners/safe.hpp"

#include <algorithm>
#include <cmath>

#include "hindsight/core/error.hpp"

namespace hindsight {

Safe::Safe(LearnerPtr expert, std::unique_ptr<SlotBandit> slots, const SafeOptions& options)
    : expert_(std::move(expert)),
      slots_(std::move(slots)),
      options_(options),
      coins_(options.seed, "safe"),
      window_(options.ahead),
      turns_(static_cast<std::size_t>(options.ahead)) {}

Learner& Safe::player_of(const Turn& turn) const {
  if (turn.role == Role::expert) return *expert_;
  return *slots_;
}

Round Safe::ready() const { return std::min({window_.ready(), expert_->ready(), slots_->ready()}); }

Suggestion Safe::suggest() {
  const Round round = window_.send();
  Stream stream = coins_.at(static_cast<std::uint64_t>(round));
  const double q = std::min(.05, .5 / std::cbrt(static_cast<double>(round)));
  const double pi = 1 / (1 + std::exp(-3 - (spread_ > 0 ? lead_ / std::sqrt(spread_) : 0)));
  Turn turn;
  turn.variance_rate = 3 / q;
  const double u = stream.uniform();
  if (u < q)
    turn.role = u < q / 3 ? Role::trial : u < 2 * q / 3 ? Role::slots : Role::expert;
  else
    turn.role = stream.coin(pi) ? Role::expert : Role::slots;
  const double share = turn.role == Role::expert ? pi : 1 - pi;
  turn.probability = turn.role == Role::trial ? q / 3 : q / 3 + (1 - q) * share;
  Suggestion s = turn.role == Role::expert  ? expert_->suggest()
                 : turn.role == Role::slots ? slots_->exploit()
                                            : slots_->explore(turn.probability);
  turn.round = s.round;
  turns_[window_.row(round)] = turn;
  s.round = round;
  return s;
}

void Safe::observe(const Feedback& feedback) {
  window_.require_out(feedback.round);
  const Turn turn = turns_[window_.row(feedback.round)];
  if (!feedback.value) reject("value", "nothing", "must be given for this round");
  Feedback inner = feedback;
  inner.round = turn.round;
  player_of(turn).observe(inner);
  window_.settle(feedback.round);
  if (!options_.learning) return;
  const double e = scale_.surprise(*feedback.value);
  spread_ += turn.variance_rate * scale_.variance;
  if (turn.role != Role::trial) lead_ += (turn.role == Role::expert ? e : -e) / turn.probability;
}

void Safe::lose(Round round) {
  window_.require_out(round);
  const Turn turn = turns_[window_.row(round)];
  player_of(turn).lose(turn.round);
  window_.settle(round);
}

void Safe::write(Writer& writer) const {
  writer.value(options_.seed);
  writer.value(options_.ahead);
  writer.value(options_.learning);
  writer.text(expert_->save());
  writer.text(slots_->save());
  window_.write(writer);
  window_.each_out([&](std::size_t row) { writer.value(turns_[row]); });
  writer.value(scale_);
  writer.value(lead_);
  writer.value(spread_);
}

void Safe::read(Reader& reader) {
  reader.same("seed", options_.seed);
  reader.same("ahead", options_.ahead);
  reader.same("learning", options_.learning);
  const std::string before = expert_->save();
  expert_->restore(reader.text());
  try {
    slots_->restore(reader.text());
  } catch (const InputError&) {
    expert_->restore(before);
    throw;
  }
  window_.read(reader);
  window_.each_out([&](std::size_t row) { turns_[row] = reader.value<Turn>(); });
  scale_ = reader.value<RunningScale>();
  lead_ = reader.value<double>();
  spread_ = reader.value<double>();
}

}  // namespace hindsight
