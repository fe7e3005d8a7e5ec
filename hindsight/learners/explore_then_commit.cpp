#include "hindsight/learners/explore_then_commit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hindsight/core/error.hpp"
#include "hindsight/learners/feedback_check.hpp"

namespace hindsight {

Round trials_an_item(Round horizon, int items, int rank) {
  const auto T = static_cast<double>(std::max<Round>(horizon, 2));
  const double c = std::sqrt(2 * std::log(T)), n = items, k = rank;
  return std::max<Round>(
      1, static_cast<Round>(std::ceil(std::pow(T * c / (n + 2 * n * k * c), 2. / 3))));
}

ExploreThenCommit::ExploreThenCommit(MatroidPtr matroid, const ExploreThenCommitOptions& options)
    : matroid_(std::move(matroid)),
      options_(options),
      window_(options.ahead),
      trials_(static_cast<std::size_t>(options.ahead), -1),
      members_(trials_.size(), static_cast<std::size_t>(matroid_->dimension())),
      sets_(trials_.size(), static_cast<std::size_t>(matroid_->rank())) {
  require(options.trials >= 1, "trials", options.trials, "must be at least 1");
  for (ItemSet* set : {&chosen_, &candidates_, &played_}) set->reserve(members_.columns());
  sums_.reserve(members_.columns());
  counts_.reserve(members_.columns());
  open_phase();
}

/// Which items fit? In a random order, so that the control's choice means nothing.
void ExploreThenCommit::open_phase() {
  candidates_.clear();
  played_ = chosen_;
  for (Item i = 0; i < matroid_->dimension(); ++i) {
    if (std::find(chosen_.begin(), chosen_.end(), i) != chosen_.end()) continue;
    played_.push_back(i);
    if (matroid_->independent(played_)) candidates_.push_back(i);
    played_.pop_back();
  }
  Stream stream = StreamFamily(options_.seed, "candidates").at(chosen_.size());
  stream.shuffle(std::span<Item>(candidates_));
  sums_.assign(candidates_.size(), 0.0);
  counts_.assign(candidates_.size(), 0.0);
  sent_ = settled_ = 0;
}

void ExploreThenCommit::close_phase() {
  std::size_t best = 0;
  const auto mean = [&](std::size_t j) { return counts_[j] > 0 ? sums_[j] / counts_[j] : 0; };
  for (std::size_t j = 1; j < candidates_.size(); ++j)
    if (mean(j) > mean(best)) best = j;
  chosen_.push_back(candidates_[best]);
  open_phase();
}

/// A phase must be settled before the next one opens.
Round ExploreThenCommit::ready() const {
  return committed() ? window_.ready() : std::min(window_.ready(), phase_length() - sent_);
}

Suggestion ExploreThenCommit::suggest() {
  if (!committed() && sent_ == phase_length())
    reject("round", "next",
           "must wait for the feedback to the rounds that are out (or for their loss)");
  Suggestion s;
  s.round = window_.send();
  const std::size_t row = window_.row(s.round);
  played_ = chosen_;
  trials_[row] = -1;
  s.phase = Phase::exploit;
  if (!committed()) {
    s.phase = Phase::explore;
    trials_[row] = static_cast<int>(sent_++ % static_cast<Round>(candidates_.size()));
    played_.push_back(candidates_[static_cast<std::size_t>(trials_[row])]);
  }
  const PointRef member = members_.row(row);
  std::fill(member.begin(), member.end(), 0.0);
  for (const Item item : played_) member[static_cast<std::size_t>(item)] = 1;
  s.action = Lent<double>::of(member);
  s.set = Lent<Item>::of(sets_.keep(row, played_));
  return s;
}

void ExploreThenCommit::observe(const Feedback& feedback) {
  window_.require_out(feedback.round);
  const int trial = trials_[window_.row(feedback.round)];
  require_fitting(feedback, 0, members_.columns(), trial >= 0);
  if (trial >= 0 && options_.learning) {
    sums_[static_cast<std::size_t>(trial)] += *feedback.value;
    counts_[static_cast<std::size_t>(trial)] += 1;
  }
  settle(feedback.round);
}

void ExploreThenCommit::lose(Round round) {
  window_.require_out(round);
  settle(round);
}

void ExploreThenCommit::settle(Round round) {
  const bool trial = trials_[window_.row(round)] >= 0;
  window_.settle(round);
  if (trial && ++settled_ == phase_length()) close_phase();
}

void ExploreThenCommit::write(Writer& writer) const {
  writer.value(fingerprint(*matroid_));
  writer.value(options_.seed);
  writer.value(options_.trials);
  writer.value(options_.ahead);
  writer.value(options_.learning);
  window_.write(writer);
  window_.each_out([&](std::size_t row) { writer.value(trials_[row]); });
  writer.value(chosen_.size());
  writer.values(chosen_);
  writer.value(sent_);
  writer.value(settled_);
  writer.values(sums_);
  writer.values(counts_);
}

void ExploreThenCommit::read(Reader& reader) {
  reader.same("domain", fingerprint(*matroid_));
  reader.same("seed", options_.seed);
  reader.same("trials", options_.trials);
  reader.same("ahead", options_.ahead);
  reader.same("learning", options_.learning);
  window_.read(reader);
  window_.each_out([&](std::size_t row) { trials_[row] = reader.value<int>(); });
  chosen_.resize(reader.value<std::size_t>());
  reader.values(chosen_);
  open_phase();
  sent_ = reader.value<Round>();
  settled_ = reader.value<Round>();
  reader.values(sums_);
  reader.values(counts_);
}

}  // namespace hindsight
