#include "hindsight/learners/guarded.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hindsight/learners/feedback_check.hpp"

namespace hindsight {

void Guarded::Record::add(double value) {
  ++count;
  const double e = value - mean;
  mean += e / count;
  squares += e * (value - mean);
}

double Guarded::Record::squared_error() const {
  return count > 1 ? squares / (count - 1) / count : std::numeric_limits<double>::infinity();
}

Guarded::Guarded(Factory make, const GuardedOptions& options)
    : make_(std::move(make)),
      options_(options),
      coins_(options.seed, "guard"),
      window_(options.ahead),
      turns_(static_cast<std::size_t>(options.ahead)),
      points_(turns_.size(), static_cast<std::size_t>(options.dimension)),
      sets_(turns_.size(), points_.columns()),
      incumbent_{0, make_(0)},
      challenger_{1, make_(1)},
      life_(5.0 * options.dimension) {}

Round Guarded::ready() const {
  return std::min({window_.ready(), incumbent_.learner->ready(), challenger_.learner->ready()});
}

Suggestion Guarded::suggest() {
  const Player& player = challenges(window_.next()) ? challenger_ : incumbent_;
  const Round round = window_.send();
  const std::size_t row = window_.row(round);
  Suggestion s = player.learner->suggest();
  turns_[row] = {s.round, player.generation};
  s.round = round;
  copy(s.action.view(), points_.row(row));
  s.action = Lent<double>::of(points_.row(row));
  if (s.set) s.set = Lent<Item>::of(sets_.keep(row, s.set->view()));
  return s;
}

/// With probability q = min(.02, t^{-1/3} / 2).
bool Guarded::challenges(Round t) {
  const double u = coins_.at(static_cast<std::uint64_t>(t))[0];
  return u < .02 && u < .5 / std::cbrt(static_cast<double>(t));
}

/// Null: it was replaced while its round was out.
Guarded::Player* Guarded::player_of(const Turn& turn) {
  if (turn.generation == incumbent_.generation) return &incumbent_;
  return turn.generation == challenger_.generation ? &challenger_ : nullptr;
}

void Guarded::observe(const Feedback& feedback) {
  window_.require_out(feedback.round);
  require_fitting(feedback, 0, points_.columns(), true);
  const Turn turn = turns_[window_.row(feedback.round)];
  Player* const player = player_of(turn);
  if (player) player->learner->observe({.round = turn.round, .value = feedback.value});
  window_.settle(feedback.round);
  if (!player || !options_.learning) return;
  const bool challenged = player == &challenger_;
  if (2 * age_ >= life_) (challenged ? challengers_ : incumbents_).add(*feedback.value);
  if (challenged && ++age_ >= life_) compare();
}

void Guarded::compare() {
  const double lead = challengers_.mean - incumbents_.mean;
  if (lead > 2.5 * std::sqrt(challengers_.squared_error() + incumbents_.squared_error()))
    std::swap(incumbent_, challenger_);
  const int next = std::max(incumbent_.generation, challenger_.generation) + 1;
  challenger_ = {next, make_(next)};
  life_ *= 1.5;
  age_ = 0;
  incumbents_ = challengers_ = {};
}

void Guarded::lose(Round round) {
  window_.require_out(round);
  const Turn turn = turns_[window_.row(round)];
  if (Player* const player = player_of(turn)) player->learner->lose(turn.round);
  window_.settle(round);
}

void Guarded::write(Writer& writer) const {
  writer.value(options_.seed);
  writer.value(options_.dimension);
  writer.value(options_.ahead);
  writer.value(options_.learning);
  for (const Player* player : {&incumbent_, &challenger_}) {
    writer.value(player->generation);
    writer.text(player->learner->save());
  }
  window_.write(writer);
  window_.each_out([&](std::size_t row) { writer.value(turns_[row]); });
  writer.value(life_);
  writer.value(age_);
  writer.value(incumbents_);
  writer.value(challengers_);
}

void Guarded::read(Reader& reader) {
  reader.same("seed", options_.seed);
  reader.same("dimension", options_.dimension);
  reader.same("ahead", options_.ahead);
  reader.same("learning", options_.learning);
  Player players[2];
  for (Player& player : players) {
    player.generation = reader.value<int>();
    player.learner = make_(player.generation);
    player.learner->restore(reader.text());
  }
  incumbent_ = std::move(players[0]);
  challenger_ = std::move(players[1]);
  window_.read(reader);
  window_.each_out([&](std::size_t row) { turns_[row] = reader.value<Turn>(); });
  life_ = reader.value<double>();
  age_ = reader.value<double>();
  incumbents_ = reader.value<Record>();
  challengers_ = reader.value<Record>();
}

}  // namespace hindsight
