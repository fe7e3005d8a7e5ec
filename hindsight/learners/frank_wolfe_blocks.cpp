#include "hindsight/learners/frank_wolfe_blocks.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "hindsight/core/error.hpp"

namespace hindsight {
namespace {

/// How many steps are gone through together: so few that what one part of the algorithm has
/// written is still in the nearest cache when the next one reads it, though the rows of the next
/// are fetched meanwhile; several for each thread.
std::size_t stretch(std::size_t dimension, Precision kept, const WorkersPtr& workers) {
  if (workers) {
    const auto threads = static_cast<std::size_t>(workers->threads());
    const std::size_t steps = std::clamp(20'000 * threads / dimension, threads, 16 * threads);
    if (kept == Precision::f64) return steps;  // of a row's numbers each thread has its share
    constexpr std::size_t group = OracleBank::group;
    return std::max((steps + group - 1) / group, threads) * group;
  }
  const std::size_t numbers = kept == Precision::f32 ? 1024 : 512;
  const std::size_t steps = std::max<std::size_t>(1, numbers / dimension);
  return steps < 8 ? steps : steps / 8 * 8;  // whole groups for projections side by side
}

std::size_t threads_of(const WorkersPtr& workers) {
  return workers ? static_cast<std::size_t>(workers->threads()) : 1;
}

}  // namespace

FrankWolfeBlocks::FrankWolfeBlocks(DomainPtr playground, FrankWolfePlan plan,
                                   const FrankWolfeOptions& options, int rounds_a_step,
                                   bool takes_rows)
    : playground_(std::move(playground)),
      plan_(std::move(plan)),
      oracle_(options.oracle),
      learning_(options.learning),
      seed_(options.seed),
      largest_usable_(options.oracle.state == Precision::f32 ? largest_narrow_feedback
                                                             : largest_feedback),
      rounds_a_step_(static_cast<std::size_t>(rounds_a_step)),
      orders_(options.seed, "order of a block"),
      lower_(playground_->lower()),
      workers_(lower_.size() >= playground_->shortest_shared() ? options.workers : nullptr),
      bank_(make_oracle_bank(playground_, static_cast<std::size_t>(plan_.steps), options.oracle,
                             options.seed, threads_of(workers_))),
      book_(plan_.block_length),
      rows_(options.oracle.state, static_cast<std::size_t>(plan_.steps), lower_, takes_rows,
            threads_of(workers_)),
      arrived_(static_cast<std::size_t>(plan_.steps), 0),
      factors_(static_cast<std::size_t>(plan_.steps), 1.0),
      room_of_(static_cast<std::size_t>(plan_.steps), -1),
      order_(static_cast<std::size_t>(plan_.block_length)),
      steps_of_(static_cast<std::size_t>(plan_.block_length), 0),
      informing_(steps_of_.size() / 64 + 1, 0),
      weights_(bank_->feeds_along() ? 1 : stretch(lower_.size(), options.oracle.state, workers_)),
      taken_(weights_.size()),
      averages_(rows_.in_place() ? weights_.size() : 0, lower_.size(), bank_->strips()),
      narrow_averages_(rows_.in_place() ? 0 : std::max<std::size_t>(2, weights_.size()),
                       rows_.columns()),
      norms_(column_parts(rows_.columns()), (weights_.size() + 7) / 8 * 8),
      decided_(rows_.in_place() ? weights_.size() : 1, lower_.size()) {}

Suggestion FrankWolfeBlocks::suggest() {
  if (!book_.is_open()) open_block();
  const Round round = book_.send();
  const int k = step_of(round);
  if (k > 0 && rows_.looks_ahead()) expect_step_after(round);
  return play(round, k);
}

/// A round that explores works on a row that is far away: on its way from the last such round but
/// one on, as rounds may take less time than that.
void FrankWolfeBlocks::expect_step_after(Round round) {
  const auto round_at = [&](std::size_t position) {
    return position < steps_of_.size() ? book_.first() + static_cast<Round>(position) : 0;
  };
  const std::size_t next = informing_after(book_.position(round));
  const std::size_t further = informing_after(next);
  next_round_ = round_at(next);
  round_after_next_ = round_at(further);
  if (round_after_next_ == 0) return;
  const auto step = static_cast<std::size_t>(steps_of_[further] - 1);
  rows_.expect(step);
  __builtin_prefetch(&room_of_[step]);
  __builtin_prefetch(&factors_[step]);
  __builtin_prefetch(&arrived_[step]);
}

/// The first position behind that one whose round informs a step; none if it is beyond all.
std::size_t FrankWolfeBlocks::informing_after(std::size_t position) const {
  const std::size_t after = position + 1;
  std::size_t word = after / 64;
  if (word >= informing_.size()) return steps_of_.size();
  std::uint64_t bits = informing_[word] & ~std::uint64_t{0} << after % 64;
  while (bits == 0 && ++word < informing_.size()) bits = informing_[word];
  return bits == 0 ? steps_of_.size()
                   : 64 * word + static_cast<std::size_t>(std::countr_zero(bits));
}

Round FrankWolfeBlocks::ready() const {
  if (book_.is_open()) return book_.ready();
  return std::min(plan_.block_length, plan_.horizon - book_.last());
}

void FrankWolfeBlocks::observe(const Feedback& feedback) {
  book_.require_out(feedback.round);
  const int k = step_of(feedback.round);
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
  if (book_.last() >= plan_.horizon)
    reject("round", book_.last() + 1,
           "must be at most the horizon " + std::to_string(plan_.horizon));
  ++block_;
  book_.open(std::min(plan_.block_length, plan_.horizon - book_.last()));
  if (block_ > plan_.blocks) {
    // T is not a multiple of the block length: the rest of the rounds play the last x_q.
    inform_nothing();
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
  rows_.finish_stores();
  if (ends) {  // line 2: d^(0)
    newest_ = 0;
    averages_.fill(0);
    narrow_averages_.fill(0);
    for (std::size_t k = 0; k < room_of_.size() && free_rooms_.size() < rooms_.size(); ++k)
      if (room_of_[k] >= 0) leave_room(k);  // what was lost
    bank_->begin_rewards();
  }
  if (begins) rows_.begin_steps();  // line 2: x^(1)
  if (bank_->feeds_along()) {
    pass_along();
  } else {
    const std::size_t together = weights_.size();
    for (std::size_t k = 0; k < rows_.rows(); k += together) {
      const std::size_t end = std::min(k + together, rows_.rows());
      if (ends) learn_steps(k, end);
      if (begins) take_steps(k, end, ends ? block_ + 1 : block_);
    }
  }
  if (begins) rows_.end_steps();
}

/// The same where the sweep that finds what oracle k decides also takes the step from x^(k) to
/// x^(k+1), and averages the gradient whose place that takes. Before the first block no gradient
/// has arrived, and no oracle is told anything; after the last one nobody will ask for the
/// iterates.
void FrankWolfeBlocks::pass_along() {
  const std::span<float> average = narrow_averages_.row(0), room = narrow_averages_.row(1);
  const ConstRowsOf<float> decisions = bank_->narrow_decisions(0);
  const std::size_t last = rows_.rows() - 1;
  Point gradient(watcher_ ? dimension() : 0);
  if (watcher_) rows_.load_gradient(0, gradient);
  average_steps(0, 1);
  add_up_norms(1);
  if (watcher_) show_step(0, gradient, 0);
  rows_.begin_along();
  double squared_norm = norms_.row(0)[0];
  for (std::size_t k = 0; k <= last; ++k) {
    NarrowStep step = rows_.along(k, plan_.step_sizes[k]);
    if (k < last)
      weigh(k + 1, 0);
    else
      weights_[0] = taken_[0] = 0;
    step.kept = static_cast<float>(1 - weights_[0]);
    step.added = static_cast<float>(taken_[0]);
    step.average = average.data();
    step.room = room.data();
    step.soon_point = decisions.table->row(std::min(k + 2, last)).data();
    if (watcher_ && k < last) rows_.load_gradient(k + 1, gradient);
    squared_norm = learning_ && arrived_[k] ? bank_->feed_along(k, squared_norm, step)
                                            : take_step(decisions.table->row(k), step);
    if (watcher_ && k < last) show_step(k + 1, gradient, 0);
  }
}

/// Line 3. What the oracles decide is found for each step alone; then the steps are taken one after
/// another, in each column alone.
void FrankWolfeBlocks::take_steps(std::size_t first, std::size_t end, Round q) {
  const std::size_t count = end - first;
  const std::span<const double> eta(&plan_.step_sizes[first], count);
  const auto step = [&](auto decided) {
    share_columns(workers_.get(), rows_.columns(), [=, this](std::size_t, Columns columns) {
      rows_.take_steps(first, eta, decided.strip(columns.first), columns);
      if (workers_) rows_.finish_stores();
    });
  };
  if (!rows_.in_place()) return step(bank_->narrow_decisions(first));
  if (const ConstTableRows standing = bank_->decisions(first); standing.table)
    return step(standing);
  bank_->decide(first, q, decided_.rows(0, count), workers_.get());
  step(ConstTableRows{&decided_, 0});
}

void FrankWolfeBlocks::show_block() {
  PointTable decisions(rows_.rows(), dimension()), iterates(rows_.rows() + 1, dimension());
  for (std::size_t k = 0; k < rows_.rows(); ++k) {
    copy(bank_->decide(k, block_, decisions.row(k)), decisions.row(k));
    rows_.load(k, iterates.row(k));
  }
  copy(rows_.newest(), iterates.row(rows_.rows()));
  std::vector<Round> order(order_.begin(), order_.end());
  for (Round& round : order) round += book_.first();
  watcher_->opened(block_, decisions, iterates, order);
}

/// Line 4. The order depends on the seed and q alone, so it needs no saving.
void FrankWolfeBlocks::draw_order() {
  std::iota(order_.begin(), order_.end(), 0u);
  Stream stream = orders_.at(static_cast<std::uint64_t>(block_));
  stream.shuffle(std::span(order_));
  inform_nothing();
  std::size_t n = 0;
  for (std::size_t turn = 0; turn < rounds_a_step_; ++turn)
    for (int k = 1; k <= plan_.steps && n < order_.size(); ++k) inform(order_[n++], k);
}

void FrankWolfeBlocks::inform_nothing() {
  std::ranges::fill(steps_of_, 0);
  std::ranges::fill(informing_, 0u);
}

void FrankWolfeBlocks::inform(std::size_t position, int k) {
  steps_of_[position] = k;
  if (rows_.looks_ahead()) informing_[position / 64] |= std::uint64_t{1} << position % 64;
}

FrankWolfeBlocks::Room& FrankWolfeBlocks::room_of(int k) {
  const auto step = static_cast<std::size_t>(k - 1);
  if (room_of_[step] < 0) {
    if (free_rooms_.empty()) {
      free_rooms_.push_back(static_cast<int>(rooms_.size()));
      const std::size_t length = rows_.columns();
      rooms_.push_back({Aligned<double>(rows_.in_place() ? 0 : length), Aligned<double>(length)});
      free_rooms_.reserve(rooms_.capacity());
    }
    room_of_[step] = free_rooms_.back();
    free_rooms_.pop_back();
  }
  return rooms_[static_cast<std::size_t>(room_of_[step])];
}

void FrankWolfeBlocks::leave_room(std::size_t k) {
  free_rooms_.push_back(room_of_[k]);
  room_of_[k] = -1;
}

/// The first of the steps [first, end) whose gradient has not come, or end.
std::size_t FrankWolfeBlocks::first_missing(std::size_t first, std::size_t end) const {
  const void* const missing = std::memchr(&arrived_[first], 0, end - first);
  if (!missing) return end;
  return static_cast<std::size_t>(static_cast<const std::uint8_t*>(missing) - arrived_.data());
}

/// rho_k, or 0 where the gradient has not come.
void FrankWolfeBlocks::weigh(std::size_t k, std::size_t j) {
  weights_[j] = arrived_[k] ? plan_.averaging[k] : 0;
  taken_[j] = weights_[j] * factors_[k];
}

void FrankWolfeBlocks::average_steps(std::size_t first, std::size_t count) {
  for (std::size_t j = 0; j < count; ++j) weigh(first + j, j);
  share_columns(workers_.get(), rows_.columns(), [=, this](std::size_t part, Columns columns) {
    const PointView rho(weights_.data(), count);
    if (rows_.in_place())
      rows_.average_steps(first, rho, taken_, averages_, newest_, norms_.row(part), columns);
    else
      rows_.average_steps(first, rho, taken_, narrow_averages_, newest_, norms_.row(part), columns);
  });
  newest_ = count - 1;
}

void FrankWolfeBlocks::add_up_norms(std::size_t count) {
  for (std::size_t part = 1; part < norms_.rows(); ++part)
    for (std::size_t j = 0; j < count; ++j) norms_.row(0)[j] += norms_.row(part)[j];
}

/// The last line of the algorithms. A step whose feedback was lost carries d^(k-1) on and leaves
/// its oracle alone: d^(k-1) is about another iterate, and an old gradient would count twice.
void FrankWolfeBlocks::learn_steps(std::size_t first, std::size_t end) {
  average_steps(first, end - first);
  if (watcher_) show_steps(first, end);
  if (!learning_) return;
  add_up_norms(end - first);
  for (std::size_t k = first; k < end;) {
    const std::size_t missing = first_missing(k, end);
    if (missing > k) feed_steps(k, first, missing - k);
    k = missing + 1;
  }
}

/// Tells `count` oracles from k on what was averaged for them; the stretch begins at `first`.
void FrankWolfeBlocks::feed_steps(std::size_t k, std::size_t first, std::size_t count) {
  const std::span<const double> squared_norms = norms_.row(0).subspan(k - first, count);
  if (bank_->strips() > 1)
    bank_->feed_strips(k, {&averages_, k - first}, squared_norms, *workers_);
  else if (rows_.in_place())
    bank_->feed_each(k, averages_.rows(k - first, count), squared_norms, workers_.get());
  else
    bank_->feed_narrow(k, {narrow_averages_.rows(k - first, count), rows_.narrow_rows(k, count)},
                       squared_norms, workers_.get());
}

void FrankWolfeBlocks::show_steps(std::size_t first, std::size_t end) {
  Point gradient(dimension());
  for (std::size_t k = first; k < end; ++k) {
    rows_.load_gradient(k, gradient);
    show_step(k, gradient, k - first);
  }
}

/// `gradient` as it is kept, and its average in that row.
void FrankWolfeBlocks::show_step(std::size_t k, PointRef gradient, std::size_t row) {
  if (!arrived_[k]) return;
  Point average(dimension());
  if (rows_.in_place())
    averages_.load(row, average);
  else
    std::ranges::copy(narrow_averages_.row(row).first(dimension()), average.begin());
  for (double& g : gradient) g *= factors_[k];
  watcher_->updated(block_, static_cast<int>(k) + 1, gradient, average);
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
  rows_.write(writer);
  writer.values(arrived_);
  writer.values(factors_);
  writer.values(rows_.newest());
  writer.values(steps_of_);
  for (std::size_t k = 0; k < room_of_.size(); ++k) {
    if (room_of_[k] < 0) continue;
    const Room& room = rooms_[static_cast<std::size_t>(room_of_[k])];
    writer.value(static_cast<int>(k) + 1);
    writer.values(PointView(room.iterate));
    writer.values(PointView(room.note));
  }
  writer.value(0);
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
  rows_.read(reader);
  reader.values(arrived_);
  reader.values(factors_);
  reader.values(rows_.newest());
  reader.values(steps_of_);
  std::ranges::fill(informing_, 0u);
  for (std::size_t n = 0; n < steps_of_.size(); ++n)
    if (steps_of_[n] > 0) inform(n, steps_of_[n]);
  for (std::size_t k = 0; k < room_of_.size(); ++k)
    if (room_of_[k] >= 0) leave_room(k);
  while (const int k = reader.value<int>()) {
    Room& room = room_of(k);
    reader.values(PointRef(room.iterate));
    reader.values(PointRef(room.note));
  }
  bank_->read(reader);
  read_more(reader);
}

}  // namespace hindsight
