#include "hindsight/learners/twin_gradient_ascent.hpp"

#include <cmath>

#include "hindsight/core/error.hpp"
#include "hindsight/learners/feedback_check.hpp"

namespace hindsight {

TwinGradientAscent::TwinGradientAscent(DomainPtr domain, const AscentOptions& options)
    : learning_(options.learning),
      coins_(options.seed, "twins"),
      window_(options.ahead),
      boosted_(domain, {.ascent = options}),
      plain_(domain, options),
      tasks_(static_cast<std::size_t>(options.ahead)),
      segments_(tasks_.size(), static_cast<std::size_t>(domain->dimension())),
      probes_(tasks_.size(), segments_.columns()) {}

/// Exponential weights over two, at a rate that knows no scale.
double TwinGradientAscent::plain_share() const {
  return squares_ > 0 ? 1 / (1 + std::exp(-2 * lead_ / std::sqrt(squares_))) : .5;
}

/// Of a comparison on its segment: the third number of the round's stream.
double TwinGradientAscent::place(Round round) const {
  Stream stream = coins_.streams().at(static_cast<std::uint64_t>(round));
  std::array<std::uint64_t, 2> earlier;
  stream.fill_bits(earlier);
  return stream.uniform();
}

Suggestion TwinGradientAscent::suggest() {
  const Round round = window_.send();
  const std::size_t row = window_.row(round);
  Suggestion boosted = boosted_.suggest(), plain = plain_.suggest();
  const PointView w = boosted.action.view(), x = plain.action.view();
  const PointRef segment = segments_.row(row), probe = probes_.row(row);
  const auto [coin, reason] = coins_.at(static_cast<std::uint64_t>(round));
  const bool plays_x = coin < plain_share();
  for (std::size_t i = 0; i < segment.size(); ++i) segment[i] = x[i] - w[i];
  tasks_[row] = reason < comparing             ? Task::compare
                : reason < (1 + comparing) / 2 ? Task::boost
                                               : Task::ascend;
  Suggestion s;
  s.round = round;
  switch (tasks_[row]) {
    case Task::boost:
      s.probes = std::move(boosted.probes);
      break;
    case Task::ascend:
      s.probes = std::move(plain.probes);
      break;
    case Task::compare: {
      const double along = place(round);
      for (std::size_t i = 0; i < probe.size(); ++i) probe[i] = w[i] + along * segment[i];
      s.probes = {1, Lent<double>::of(probe)};
      break;
    }
  }
  s.action = std::move(plays_x ? plain.action : boosted.action);
  return s;
}

void TwinGradientAscent::observe(const Feedback& feedback) {
  window_.require_out(feedback.round);
  require_fitting(feedback, 1, segments_.columns(), false);
  const std::size_t row = window_.row(feedback.round);
  if (tasks_[row] == Task::boost)
    boosted_.observe(feedback);
  else
    boosted_.lose(feedback.round);
  if (tasks_[row] == Task::ascend)
    plain_.observe(feedback);
  else
    plain_.lose(feedback.round);
  if (tasks_[row] == Task::compare && learning_) {
    const double ahead = dot(feedback.gradients[0], segments_.row(row));
    lead_ += ahead;
    squares_ += ahead * ahead;
  }
  window_.settle(feedback.round);
}

void TwinGradientAscent::lose(Round round) {
  window_.require_out(round);
  boosted_.lose(round);
  plain_.lose(round);
  window_.settle(round);
}

void TwinGradientAscent::write(Writer& writer) const {
  writer.text(boosted_.save());
  writer.text(plain_.save());
  window_.write(writer);
  window_.each_out([&](std::size_t row) {
    writer.value(tasks_[row]);
    writer.values(segments_.row(row));
  });
  writer.value(lead_);
  writer.value(squares_);
}

void TwinGradientAscent::read(Reader& reader) {
  const std::string before = boosted_.save();
  boosted_.restore(reader.text());
  try {
    plain_.restore(reader.text());
  } catch (const InputError&) {
    boosted_.restore(before);
    throw;
  }
  window_.read(reader);
  window_.each_out([&](std::size_t row) {
    tasks_[row] = reader.value<Task>();
    reader.values(segments_.row(row));
  });
  lead_ = reader.value<double>();
  squares_ = reader.value<double>();
}

}  // namespace hindsight
