#include "hindsight/learners/responsive_boost.hpp"

#include <algorithm>
#include <cmath>

#include "hindsight/core/error.hpp"
#include "hindsight/estimators/set_estimates.hpp"
#include "hindsight/learners/boosting.hpp"
#include "hindsight/learners/feedback_check.hpp"

namespace hindsight {

ResponsiveBoost::ResponsiveBoost(MatroidPtr matroid, const ResponsiveBoostOptions& options)
    : matroid_(std::move(matroid)),
      options_(options),
      draws_(options.seed, "responsive boost"),
      window_(options.ahead),
      diameter_(matroid_->diameter()),
      w_(diagonal_point(*matroid_)),
      warm_(static_cast<std::size_t>(matroid_->multipliers()), 0.0),
      rounding_(make_lossless_rounding(matroid_)),
      trials_(static_cast<std::size_t>(options.ahead)),
      points_(trials_.size(), w_.size()),
      sets_(trials_.size(), w_.size()) {
  require(options.step > 0, "step", options.step, "must be positive");
  rounding_->prepare(w_);
  drawn_.reserve(w_.size());
}

double ResponsiveBoost::exploring_share(Round t) const {
  const auto d = static_cast<double>(w_.size());
  return std::min(.5, .5 * std::cbrt(d / static_cast<double>(t)));
}

Suggestion ResponsiveBoost::suggest() {
  Suggestion s;
  s.round = window_.send();
  const std::size_t row = window_.row(s.round);
  const PointRef point = points_.row(row);
  copy(w_, point);
  Stream stream = draws_.at(static_cast<std::uint64_t>(s.round));
  Trial& trial = trials_[row];
  trial = {};
  if (stream.coin(exploring_share(s.round))) {
    s.phase = Phase::explore;
    const double z = boosting_share(stream.uniform());
    trial.item = static_cast<Item>(stream.below(w_.size()));
    trial.put_in = stream.coin(.5) ? 1 : 0;
    for (double& wi : point) wi *= z;
    drawn_.clear();
    for (std::size_t i = 0; i < w_.size(); ++i) {
      const auto item = static_cast<Item>(i);
      if (item == trial.item ? trial.put_in == 1 : stream.coin(point[i])) drawn_.push_back(item);
    }
  } else {
    s.phase = Phase::exploit;
    rounding_->draw(stream, drawn_);
  }
  s.action = Lent<double>::of(point);
  s.set = Lent<Item>::of(sets_.keep(row, drawn_));
  return s;
}

void ResponsiveBoost::observe(const Feedback& feedback) {
  window_.require_out(feedback.round);
  const Trial trial = trials_[window_.row(feedback.round)];
  require_fitting(feedback, 0, w_.size(), trial.item >= 0);
  if (trial.item >= 0 && options_.learning) {
    const double e = explored_.surprise(*feedback.value);
    const double g = coordinate_estimate(e, w_.size(), trial.put_in == 1);
    energy_ += g * g;
    if (energy_ > 0) {
      w_[static_cast<std::size_t>(trial.item)] +=
          options_.step * diameter_ / std::sqrt(energy_) * g;
      matroid_->project(w_, warm_);
      rounding_->prepare(w_);
    }
  }
  window_.settle(feedback.round);
}

void ResponsiveBoost::lose(Round round) {
  window_.require_out(round);
  window_.settle(round);
}

void ResponsiveBoost::write(Writer& writer) const {
  writer.value(fingerprint(*matroid_));
  writer.value(options_.seed);
  writer.value(options_.step);
  writer.value(options_.ahead);
  writer.value(options_.learning);
  window_.write(writer);
  window_.each_out([&](std::size_t row) { writer.value(trials_[row]); });
  writer.values(w_);
  writer.values(warm_);
  writer.value(energy_);
  writer.value(explored_);
}

void ResponsiveBoost::read(Reader& reader) {
  reader.same("domain", fingerprint(*matroid_));
  reader.same("seed", options_.seed);
  reader.same("step", options_.step);
  reader.same("ahead", options_.ahead);
  reader.same("learning", options_.learning);
  window_.read(reader);
  window_.each_out([&](std::size_t row) { trials_[row] = reader.value<Trial>(); });
  reader.values(w_);
  reader.values(warm_);
  energy_ = reader.value<double>();
  explored_ = reader.value<RunningScale>();
  rounding_->prepare(w_);
}

}  // namespace hindsight
