#include "hindsight/learners/slot_bandit.hpp"

#include <algorithm>
#include <cmath>

#include "hindsight/core/error.hpp"
#include "hindsight/learners/boosting.hpp"
#include "hindsight/learners/feedback_check.hpp"

namespace hindsight {

SlotBandit::SlotBandit(LaminarMatroidPtr matroid, const SlotBanditOptions& options)
    : matroid_(std::move(matroid)),
      options_(options),
      coins_(options.seed, "slot coin"),
      trial_draws_(options.seed, "slot trial"),
      item_draws_(options.seed, "slot items"),
      window_(options.ahead),
      trials_(static_cast<std::size_t>(options.ahead)),
      members_(trials_.size(), static_cast<std::size_t>(matroid_->dimension())),
      sets_(trials_.size(), members_.columns()) {
  require(options.step > 0, "step", options.step, "must be positive");
  const auto& family = matroid_->family();
  const bool partition = std::all_of(family.begin(), family.end(),
                                     [](const LaminarSet& set) { return set.parent < 0; });
  require(partition, "domain", matroid_->describe(),
          "must be a uniform or partition matroid for slots; sampled-vertex plays any matroid");
  require(!options.greedy || family.size() == 1, "domain", matroid_->describe(),
          "must be a uniform matroid for online-greedy; slot-boost plays partition matroids too");
  for (const LaminarSet& part : family) {
    const auto count = std::min(static_cast<std::size_t>(part.capacity), part.items.size());
    for (std::size_t s = 0; s < count; ++s) {
      slots_.push_back({items_.size(), part.items.size(), scores_.size()});
      scores_.resize(scores_.size() + part.items.size(), 0.0);
      odds_.resize(scores_.size(), 1.0 / static_cast<double>(part.items.size()));
    }
    items_.insert(items_.end(), part.items.begin(), part.items.end());
    most_choices_ = std::max(most_choices_, static_cast<double>(part.items.size()));
  }
  for (Item i = 0; i < matroid_->dimension(); ++i)
    if (matroid_->innermost(i) < 0) certain_.push_back(i);
  drawn_.reserve(members_.columns());
}

double SlotBandit::exploring_share(Round t) const {
  const double n = most_choices_, k = static_cast<double>(slots_.size());
  return std::min(.5, .5 * std::cbrt(k * n * std::log(std::max(n, 2.0)) / static_cast<double>(t)));
}

Suggestion SlotBandit::suggest() {
  const Round t = window_.next();
  const double p = exploring_share(t);
  return coins_.at(static_cast<std::uint64_t>(t)).coin(p) ? explore(p) : exploit();
}

Suggestion SlotBandit::explore(double probability) {
  if (slots_.empty()) return exploit();
  Stream stream = trial_draws_.at(static_cast<std::uint64_t>(window_.next()));
  Trial trial;
  trial.slot = static_cast<int>(stream.below(slots_.size()));
  const Slot& slot = slots_[static_cast<std::size_t>(trial.slot)];
  trial.choice = static_cast<int>(stream.below(slot.count));
  trial.credit = static_cast<double>(slots_.size() * slot.count) / probability;
  return play(trial, boosting_share(stream.uniform()));
}

Suggestion SlotBandit::play(Trial trial, double kept) {
  Suggestion s;
  s.round = window_.send();
  const std::size_t row = window_.row(s.round);
  const PointRef member = members_.row(row);
  std::fill(member.begin(), member.end(), 0.0);
  drawn_.assign(certain_.begin(), certain_.end());
  for (const Item item : certain_) member[static_cast<std::size_t>(item)] = 1;
  const auto take = [&](const Slot& slot, std::size_t choice) {
    const Item item = items_[slot.items + choice];
    double& is_member = member[static_cast<std::size_t>(item)];
    if (is_member == 0) drawn_.push_back(item);
    is_member = 1;
  };
  trials_[row] = trial;
  const bool explores = trial.slot >= 0;
  s.phase = explores ? Phase::explore : Phase::exploit;
  Stream stream = item_draws_.at(static_cast<std::uint64_t>(s.round));
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const double u = stream.uniform();
    const auto explored = static_cast<std::size_t>(trial.slot);
    if (explores && i == explored)
      take(slots_[i], static_cast<std::size_t>(trial.choice));
    else if (!explores || (options_.greedy ? i < explored : stream.coin(kept)))
      take(slots_[i], draw_choice(slots_[i], u));
  }
  s.action = Lent<double>::of(member);
  s.set = Lent<Item>::of(sets_.keep(row, drawn_));
  return s;
}

std::size_t SlotBandit::draw_choice(const Slot& slot, double u) const {
  const double* const odds = odds_.data() + slot.weights;
  std::size_t choice = 0;
  while (choice + 1 < slot.count && u >= odds[choice]) u -= odds[choice++];
  return choice;
}

void SlotBandit::observe(const Feedback& feedback) {
  window_.require_out(feedback.round);
  require_fitting(feedback, 0, members_.columns(), true);
  const double surprise = scale_.surprise(*feedback.value);
  const Trial& trial = trials_[window_.row(feedback.round)];
  if (options_.learning && trial.slot >= 0) credit(trial, surprise * trial.credit);
  window_.settle(feedback.round);
}

void SlotBandit::lose(Round round) {
  window_.require_out(round);
  window_.settle(round);
}

/// Hedge with the step of Auer et al. for what was credited so far: sqrt(ln n / energy).
void SlotBandit::credit(const Trial& trial, double amount) {
  Slot& slot = slots_[static_cast<std::size_t>(trial.slot)];
  double* const scores = scores_.data() + slot.weights;
  double* const odds = odds_.data() + slot.weights;
  const auto choice = static_cast<std::size_t>(trial.choice);
  scores[choice] += amount;
  slot.energy +=
      std::max(odds[choice], 1.0 / static_cast<double>(slot.count * slot.count)) * amount * amount;
  if (!(slot.energy > 0)) return;
  const double eta =
      options_.step * std::sqrt(std::log(static_cast<double>(slot.count)) / slot.energy);
  const double best = *std::max_element(scores, scores + slot.count);
  double sum = 0;
  for (std::size_t j = 0; j < slot.count; ++j) sum += odds[j] = std::exp(eta * (scores[j] - best));
  for (std::size_t j = 0; j < slot.count; ++j) odds[j] /= sum;
}

void SlotBandit::write(Writer& writer) const {
  writer.value(fingerprint(*matroid_));
  writer.value(options_.seed);
  writer.value(options_.step);
  writer.value(options_.ahead);
  writer.value(options_.learning);
  window_.write(writer);
  window_.each_out([&](std::size_t row) { writer.value(trials_[row]); });
  for (const Slot& slot : slots_) writer.value(slot.energy);
  writer.values(scores_);
  writer.values(odds_);
  writer.value(scale_);
}

void SlotBandit::read(Reader& reader) {
  reader.same("domain", fingerprint(*matroid_));
  reader.same("seed", options_.seed);
  reader.same("step", options_.step);
  reader.same("ahead", options_.ahead);
  reader.same("learning", options_.learning);
  window_.read(reader);
  window_.each_out([&](std::size_t row) { trials_[row] = reader.value<Trial>(); });
  for (Slot& slot : slots_) slot.energy = reader.value<double>();
  reader.values(scores_);
  reader.values(odds_);
  scale_ = reader.value<RunningScale>();
}

}  // namespace hindsight
