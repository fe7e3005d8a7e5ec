#include "hindsight/learners/frank_wolfe_blocks.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "hindsight/core/error.hpp"
#include "hindsight/core/lanes.hpp"
#include "hindsight/core/wide.hpp"
#include "hindsight/estimators/averaging.hpp"

namespace hindsight {
namespace {

/// How many steps are gone through together: so few that what one part of the algorithm has
/// written is still in the nearest cache when the next one reads it.
std::size_t stretch(std::size_t dimension) {
  const std::size_t steps = std::max<std::size_t>(1, 512 / dimension);
  return steps < 8 ? steps : steps / 8 * 8;  // whole groups for projections side by side
}

/// Keeps x in `row`, then x += eta (v - corner).
HINDSIGHT_WIDE
void step_from_corner(PointRef x, PointRef row, double eta, PointView v, PointView corner) {
  double* const __restrict to = x.data();
  double* const __restrict kept = row.data();
  const double* const __restrict from = v.data();
  const double* const __restrict low = corner.data();
  const std::size_t n = x.size();
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    Lanes at, decided, lowest;
    load(to + i, at);
    load(from + i, decided);
    load(low + i, lowest);
    store(kept + i, at);
    store(to + i, at + eta * (decided - lowest));
  }
  for (; i < n; ++i) {
    kept[i] = to[i];
    to[i] += eta * (from[i] - low[i]);
  }
}

}  // namespace

FrankWolfeBlocks::FrankWolfeBlocks(DomainPtr playground, FrankWolfePlan plan,
                                   const FrankWolfeOptions& options, int rounds_a_step)
    : playground_(std::move(playground)),
      plan_(std::move(plan)),
      oracle_(options.oracle),
      learning_(options.learning),
      seed_(options.seed),
      rounds_a_step_(static_cast<std::size_t>(rounds_a_step)),
      orders_(options.seed, "order of a block"),
      lower_(playground_->lower()),
      bank_(make_oracle_bank(playground_, static_cast<std::size_t>(plan_.steps), options.oracle,
                             options.seed)),
      book_(plan_.block_length),
      rows_(static_cast<std::size_t>(plan_.steps), lower_.size()),
      arrived_(static_cast<std::size_t>(plan_.steps), 0),
      last_(lower_),
      averages_(stretch(lower_.size()), lower_.size()),
      squared_norms_(averages_.rows()),
      order_(static_cast<std::size_t>(plan_.block_length)),
      steps_of_(static_cast<std::size_t>(plan_.block_length), 0) {}

Suggestion FrankWolfeBlocks::suggest() {
  if (!book_.is_open()) {
    if (book_.last() >= plan_.horizon)
      reject("round", book_.last() + 1,
             "must be at most the horizon " + std::to_string(plan_.horizon));
    open_block();
  }
  Suggestion suggestion;
  suggestion.round = book_.send();
  suggestion.step = step_of(suggestion.round);
  play(suggestion, suggestion.step);
  return suggestion;
}

Round FrankWolfeBlocks::ready() const {
  if (book_.is_open()) return book_.ready();
  return std::min(plan_.block_length, plan_.horizon - book_.last());
}

void FrankWolfeBlocks::observe(const Feedback& feedback) {
  book_.require_out(feedback.round);
  const int k = step_of(feedback.round);
  check(feedback, k);
  learn(feedback, k);
  settle(feedback.round);
}

void FrankWolfeBlocks::lose(Round round) {
  book_.require_out(round);
  settle(round);
}

void FrankWolfeBlocks::settle(Round round) {
  book_.settle(round);
  const bool rest = block_ > plan_.blocks;
  if (!book_.is_open() && !rest) pass_steps(true, block_ < plan_.blocks);
}

void FrankWolfeBlocks::open_block() {
  ++block_;
  book_.open(std::min(plan_.block_length, plan_.horizon - book_.last()));
  if (block_ > plan_.blocks) {
    // T is not a multiple of the block length: the rest of the rounds play the last x_q.
    std::fill(steps_of_.begin(), steps_of_.end(), 0);
    return;
  }
  if (block_ == 1) pass_steps(false, true);
  std::fill(arrived_.begin(), arrived_.end(), std::uint8_t{0});
  draw_order();
  block_opened();
  if (watcher_) show_block();
}

/// Learns from the block that ends and takes the steps of the next one. What oracle k learns in one
/// it plays in the other: so both go through the steps together, a stretch at a time, and the
/// tables pass through the processor once.
void FrankWolfeBlocks::pass_steps(bool ends, bool begins) {
  if (ends) {  // line 2: d^(0)
    newest_ = 0;
    std::fill(averages_.row(0).begin(), averages_.row(0).end(), 0.0);
  }
  if (begins) copy(lower_, last_);  // line 2: x^(1); from here on `last_` is the newest iterate
  const std::size_t together = averages_.rows();
  for (std::size_t k = 0; k < rows_.rows(); k += together) {
    const std::size_t end = std::min(k + together, rows_.rows());
    if (ends) learn_steps(k, end);
    if (begins) take_steps(k, end, ends ? block_ + 1 : block_);
  }
}

/// Line 3.
void FrankWolfeBlocks::take_steps(std::size_t first, std::size_t end, Round q) {
  for (std::size_t k = first; k < end; ++k)
    step_from_corner(last_, rows_.row(k), plan_.step_sizes[k], bank_->decide(k, q), lower_);
}

void FrankWolfeBlocks::show_block() {
  PointTable decisions(rows_.rows(), dimension()), iterates(rows_.rows() + 1, dimension());
  for (std::size_t k = 0; k < rows_.rows(); ++k) copy(bank_->decide(k, block_), decisions.row(k));
  copy(rows_.numbers(), iterates.rows(0, rows_.rows()));
  copy(last_, iterates.row(rows_.rows()));
  watcher_->opened(block_, decisions, iterates, order_);
}

/// Line 4. The order depends on the seed and q alone, so it needs no saving.
void FrankWolfeBlocks::draw_order() {
  std::iota(order_.begin(), order_.end(), book_.first());
  Stream stream = orders_.at(static_cast<std::uint64_t>(block_));
  stream.shuffle(std::span<Round>(order_));
  std::fill(steps_of_.begin(), steps_of_.end(), 0);
  const std::size_t exploring = std::min(order_.size(), rounds_a_step_ * rows_.rows());
  for (std::size_t n = 0; n < exploring; ++n)
    steps_of_[book_.position(order_[n])] = static_cast<int>(n % rows_.rows()) + 1;
}

PointRef FrankWolfeBlocks::take_gradient(int k) {
  arrived_[static_cast<std::size_t>(k - 1)] = 1;
  return iterate(k);
}

/// The last line of the algorithms. A step whose feedback was lost carries d^(k-1) on and leaves
/// its oracle alone: d^(k-1) is about another iterate, and an old gradient would count twice.
void FrankWolfeBlocks::learn_steps(std::size_t first, std::size_t end) {
  std::size_t k = first;
  while (k < end) {
    std::size_t known = 0;  // steps from k on
    while (k + known < end && arrived_[k + known]) ++known;
    if (known > 0) {
      const std::span<double> squared_norms(squared_norms_.data(), known);
      average(averages_.row(newest_), {plan_.averaging.data() + k, known}, rows_.rows(k, known),
              averages_.rows(0, known), squared_norms);
      newest_ = known - 1;
      if (watcher_)
        for (std::size_t j = 0; j < known; ++j)
          watcher_->updated(block_, static_cast<int>(k + j) + 1, rows_.row(k + j),
                            averages_.row(j));
      if (learning_) bank_->feed_each(k, averages_.rows(0, known), squared_norms);
    }
    k += known + 1;
  }
}

void FrankWolfeBlocks::write(Writer& writer) const {
  writer.value(plan_.horizon);
  writer.value(plan_.steps);
  writer.value(plan_.block_length);
  writer.value(plan_.radius);
  writer.value(plan_.averaging.front());  // 1 without averaging
  writer.value(fingerprint(*playground_));
  writer.value(lower_.size());
  writer.value(seed_);
  writer.value(learning_);
  oracle_.write(writer);
  writer.text(exploration());
  writer.value(block_);
  book_.write(writer);
  writer.values(rows_.numbers());
  writer.values(arrived_);
  writer.values(last_);
  writer.values(steps_of_);
  bank_->write(writer);
  write_more(writer);
}

void FrankWolfeBlocks::read(Reader& reader) {
  reader.same("horizon", plan_.horizon);
  reader.same("steps", plan_.steps);
  reader.same("block_length", plan_.block_length);
  reader.same("radius", plan_.radius);
  reader.same("averaging", plan_.averaging.front());
  reader.same("domain", fingerprint(*playground_));
  reader.same("dimension", lower_.size());
  reader.same("seed", seed_);
  reader.same("learning", learning_);
  oracle_.require_same(reader);
  reader.same_text("estimate", exploration());
  block_ = reader.value<Round>();
  book_.read(reader);
  reader.values(rows_.numbers());
  reader.values(arrived_);
  reader.values(last_);
  reader.values(steps_of_);
  bank_->read(reader);
  read_more(reader);
}

}  // namespace hindsight
