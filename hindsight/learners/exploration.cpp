#include "hindsight/learners/exploration.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "hindsight/core/error.hpp"
#include "hindsight/core/lanes.hpp"
#include "hindsight/core/long_direction.hpp"
#include "hindsight/core/wide.hpp"
#include "hindsight/estimators/one_point.hpp"
#include "hindsight/estimators/set_estimates.hpp"
#include "hindsight/learners/set_table.hpp"
#include "hindsight/rounding/independent_rounding.hpp"

namespace hindsight {
namespace {

void require_radius(double radius) { require(radius > 0, "radius", radius, "must be positive"); }

/// Four numbers of f32 as they are.
__attribute__((always_inline)) inline void copy_four(const float* from, float* to) {
  *reinterpret_cast<FourFloats*>(to) = *reinterpret_cast<const FourFloats*>(from);
}

/// Few columns: all are read before any is written, as the last four may overlap those before.
template <std::size_t Fours>
__attribute__((always_inline)) inline void move_few(Few<Fours> at, std::size_t n, double* x,
                                                    double radius, double factor, const float* u,
                                                    double* y) {
  using Each = Few<Fours>;
  Each along;
  Each::each(
      n, [&](std::size_t j, std::size_t i) __attribute__((always_inline)) {
        load(x + i, at.four[j]);
        load(u + i, along.four[j]);
      });
  Each::each(
      n, [&](std::size_t j, std::size_t i) __attribute__((always_inline)) {
        at.four[j] += radius * (factor * along.four[j]);
        store(y + i, at.four[j]);
        copy_four(u + i, reinterpret_cast<float*>(x) + i);
      });
}

/// Sixteen numbers of a row in halves, of at most columns_at_a_time. What is written stands before
/// what is still to be read.
template <class Width>
__attribute__((always_inline)) inline void move_pack(std::size_t i, double* x, double radius,
                                                     double factor, const Floats<Width>& u,
                                                     double* y) {
  Doubles<Width> at, along;
  load(x + i, at);
  widen_pack(u, along);
  for (std::size_t j = 0; j < at.count; ++j) at.part[j] += radius * (factor * along.part[j]);
  store(y + i, at);
  store(reinterpret_cast<float*>(x) + i, u);
}
/// Those from i on that are fewer.
__attribute__((always_inline)) inline void move_rest(std::size_t i, std::size_t n, double* x,
                                                     double radius, double factor, const float* u,
                                                     double* y) {
  float* const left = reinterpret_cast<float*>(x);
  for (; i + 4 <= n; i += 4) {
    Lanes at, along;
    load(x + i, at);
    load(u + i, along);
    store(y + i, at + radius * (factor * along));
    copy_four(u + i, left + i);
  }
  for (; i < n; ++i) {
    y[i] = x[i] + radius * (factor * static_cast<double>(u[i]));
    std::memcpy(left + i, u + i, sizeof *u);
  }
}

template <class Width>
__attribute__((always_inline)) inline void move_numbers(std::size_t n, double* x, double radius,
                                                        double factor, const float* u, double* y,
                                                        Fetch fetch) {
  if (n >= 4 && n <= few)
    return with_few(
        n, [&](auto fours)
               __attribute__((always_inline)) { move_few(fours, n, x, radius, factor, u, y); });
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    fetch.at(i);
    Floats<Width> numbers;
    load(u + i, numbers);
    move_pack<Width>(i, x, radius, factor, numbers, y);
  }
  move_rest(i, n, x, radius, factor, u, y);
}
/// And the next direction's numbers take the place of u.
template <class Width>
__attribute__((always_inline)) inline double move_and_draw(std::size_t n, double* x, double radius,
                                                           double factor, float* u, double* y,
                                                           Fetch fetch, const PartSource& next) {
  return make_part<Width>(
      next, fetch, [=](std::size_t i, const Floats<Width>& drawn) __attribute__((always_inline)) {
        Floats<Width> numbers;
        load(u + i, numbers);
        if (i + 16 <= n)
          move_pack<Width>(i, x, radius, factor, numbers, y);
        else
          move_rest(i, n, x, radius, factor, u, y);
        store(u + i, drawn);
      });
}

/// y = x + radius factor numbers, and the numbers take the place of x, as floats in the first half.
HINDSIGHT_EACH_WIDTH((move_numbers<Width>(n, x, radius, factor, numbers, y, fetch)),
                     void move_along(std::size_t n, double* x, double radius, double factor,
                                     const float* numbers, double* y, const Fetch& fetch))
HINDSIGHT_EACH_WIDTH((move_and_draw<Width>(n, x, radius, factor, numbers, y, fetch, next)),
                     double move_along_and_draw(std::size_t n, double* x, double radius,
                                                double factor, float* numbers, double* y,
                                                const Fetch& fetch, const PartSource& next))

/// In f32, whose rounding would take y out of the set only along an axis (docs/oracles.md).
template <class Width>
struct RowMove {
  float* row;
  double* y;
  const double* lower;
  Floats<Width> steps;
  Doubles<Width> corner;

  __attribute__((always_inline)) RowMove(const NarrowPoint& x, double step, double* to)
      : row(x.row.data()), y(to), lower(x.corner) {
    steps.fill(static_cast<float>(step));
    corner.fill(x.level);
  }
  __attribute__((always_inline)) void move_pack(std::size_t i, const Floats<Width>& along) {
    Floats<Width> at;
    load(row + i, at);
    store(row + i, along);
    for (std::size_t j = 0; j < at.count; ++j)
      multiply_add<Width>(steps.part[j], along.part[j], at.part[j], at.part[j]);
    Doubles<Width> wide;
    widen_pack(at, wide);
    if (lower) load(lower + i, corner);
    for (std::size_t j = 0; j < wide.count; ++j) wide.part[j] += corner.part[j];
    store(y + i, wide);
  }
};

template <class Width>
__attribute__((always_inline)) inline void move_row_numbers(const NarrowPoint& x, double step,
                                                            const float* numbers, double* y,
                                                            Fetch fetch) {
  const std::size_t n = x.row.size();
  if (x.dimension <= longest_short_row) {
    float* const row = x.row.data();
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = ((x.corner ? x.corner[i] : x.level) + static_cast<double>(row[i])) +
             step * static_cast<double>(numbers[i]);
      row[i] = numbers[i];
    }
    return;
  }
  RowMove<Width> moving(x, step, y);
  for (std::size_t i = 0; i < n; i += 16) {
    fetch.at(i);
    Floats<Width> along;
    load(numbers + i, along);
    moving.move_pack(i, along);
  }
}
template <class Width>
__attribute__((always_inline)) inline double move_row_and_draw(const NarrowPoint& x, double step,
                                                               float* numbers, double* y,
                                                               Fetch fetch,
                                                               const PartSource& next) {
  RowMove<Width> moving(x, step, y);
  return make_part<Width>(
      next, fetch, [&](std::size_t i, const Floats<Width>& drawn) __attribute__((always_inline)) {
        Floats<Width> along;
        load(numbers + i, along);
        moving.move_pack(i, along);
        store(numbers + i, drawn);
      });
}

/// y = x + step * numbers and x.row = numbers.
HINDSIGHT_EACH_WIDTH((move_row_numbers<Width>(x, step, numbers, y, fetch)),
                     void move_row(const NarrowPoint& x, double step, const float* numbers,
                                   double* y, const Fetch& fetch))
HINDSIGHT_EACH_WIDTH((move_row_and_draw<Width>(x, step, numbers, y, fetch, next)),
                     double move_row_and_draw_next(const NarrowPoint& x, double step,
                                                   float* numbers, double* y, const Fetch& fetch,
                                                   const PartSource& next))

/// Directions, uniform on the sphere: that of a round depends on the seed and the round alone.
/// Short ones are drawn for some rounds at once.
class Directions {
 public:
  explicit Directions(std::uint64_t seed) : sphere_(seed, "direction") {}

  void open_block(Round first, std::span<const int> steps) {
    first_ = first;
    steps_ = steps;
    ahead_.rounds.clear();
    next_ = 0;
  }
  /// Until the next block, directions are drawn one by one.
  void close_block() { open_block(1, {}); }
  /// Stays until the next one is drawn.
  Direction& draw(Round round, std::size_t dimension) {
    if (steps_.empty()) {
      sphere_.at(static_cast<std::uint64_t>(round)).draw_direction(dimension, alone_);
      return alone_;
    }
    if (next_ == ahead_.rounds.size() ||
        ahead_.rounds[next_] != static_cast<std::uint64_t>(round)) {
      find_rounds(round, dimension);
      next_ = 0;
      draw_ahead(dimension);
    }
    return ahead_.drawn[next_++];
  }

 private:
  struct Batch {
    std::vector<std::uint64_t> rounds;
    std::vector<Direction> drawn;
  };

  /// `round` and some of those that explore after it.
  void find_rounds(Round round, std::size_t dimension) {
    const std::size_t most = std::clamp<std::size_t>(512 / dimension, 1, 16);
    ahead_.rounds.resize(most);
    std::size_t found = 0;
    for (auto n = static_cast<std::size_t>(round - first_); n < steps_.size() && found < most;
         ++n) {  // which rounds explore is random: no branch
      ahead_.rounds[found] = static_cast<std::uint64_t>(first_) + n;
      found += static_cast<std::size_t>(steps_[n] > 0);
    }
    ahead_.rounds.resize(found);
    if (ahead_.drawn.size() < found) ahead_.drawn.resize(found);
  }
  void draw_ahead(std::size_t dimension) {
    sphere_.draw_directions(ahead_.rounds, dimension, {ahead_.drawn.data(), ahead_.rounds.size()});
  }

  StreamFamily sphere_;
  Round first_ = 1;
  std::span<const int> steps_;  // of the block; none after a restart, until the next one
  Batch ahead_;
  std::size_t next_ = 0;  // of these
  Direction alone_;
};

/// The same directions, long ones: whoever moves along the numbers of one replaces them by those of
/// the next on the way, as making them and moving wait for different parts of a processor. If there
/// are threads, each has columns of its own.
class LongDirections {
 public:
  LongDirections(std::uint64_t seed, WorkersPtr workers)
      : sphere_(seed, "direction"), workers_(std::move(workers)), begun_(threads()) {}

  /// Calls move(dimension, columns, numbers, factor, fetch, next) with all parts of `row` columns,
  /// and with what the direction of `round` has there; `next` is null, or the direction of the
  /// round that explores next, whose numbers are to take the place of these and whose sum of
  /// squares is returned. Returns the factor.
  template <class Number, class Move>
  double move_along(Round round, std::size_t dimension, std::size_t row, const Soon<Number>& soon,
                    Move move) {
    if (drawn_ != round) draw_all(round, dimension);
    const double factor = 1 / std::sqrt(squared_length(dimension));  // 0 has no chance
    drawn_ = soon.round;
    share(row, [dimension, move, factor, wanted = soon.iterate, next = soon.round,
                after = soon.after](LongDirections& self, std::size_t thread, std::size_t part,
                                    Columns columns, bool is_last) {
      float* const numbers = self.numbers_.strip(0, columns.first).numbers;
      const Fetch fetch(wanted.numbers(columns.first));
      if (next == 0) {
        move(dimension, columns, numbers, factor, fetch, nullptr);
        return;
      }
      const PartSource source = self.begin(next, thread, columns, dimension, is_last, after);
      self.squares_[thread * self.parts_of_one(dimension) + part] =
          move(dimension, columns, numbers, factor, fetch, &source);
    });
    return factor;
  }

 private:
  /// The words that a part begins with, of the direction of a round.
  struct alignas(64) Begun {
    std::array<std::uint32_t, words_of_part> words;
    Following whose = {0, 0};  // no round is 0
  };

  std::size_t threads() const {
    return workers_ ? static_cast<std::size_t>(workers_->threads()) : 1;
  }
  /// Room for one thread's, in lines of the cache that nobody else writes to.
  std::size_t parts_of_one(std::size_t dimension) const {
    return (column_parts(dimension) / threads() / 8 + 1) * 8;
  }
  /// As `share_columns`, and tells whose and who does a part, and whether it is his last.
  template <class Task>
  void share(std::size_t columns, Task task) {
    const auto do_all_of = [=, this](std::size_t thread) {
      const auto [first, count] = columns_of(thread, threads(), columns);
      for (std::size_t begin = 0; begin < count; begin += columns_at_a_time)
        task(*this, thread, begin / columns_at_a_time,
             Columns{first + begin, std::min(columns_at_a_time, count - begin)},
             begin + columns_at_a_time >= count);
    };
    if (workers_)
      workers_->each(threads(), do_all_of);
    else
      do_all_of(0);
  }
  static Following counters_of(Round round, std::size_t column) {
    return {static_cast<std::uint64_t>(round), counters_at_a_time * (column / columns_at_a_time)};
  }
  /// A thread's part of the direction of `round`; behind it the thread begins its next part, or if
  /// it is its last, its first part of the direction of round `after`.
  PartSource begin(Round round, std::size_t thread, Columns columns, std::size_t dimension,
                   bool is_last, Round after) {
    Begun& begun = begun_[thread];
    const RoundKeys keys(sphere_.key());
    const Following here = counters_of(round, columns.first);
    // Not what was begun, if the learner has gone back to an earlier state.
    if (begun.whose.high != here.high || begun.whose.low != here.low)
      begin_part(keys, here, begun.words.data());
    const std::size_t first = columns_of(thread, threads(), dimension).first;
    begun.whose =
        is_last ? counters_of(after, first) : counters_of(round, columns.first + columns_at_a_time);
    return {keys, begun.words.data(), std::min(columns.count, dimension - columns.first),
            begun.whose.high > 0, begun.whose};
  }
  void draw_all(Round round, std::size_t dimension) {
    // A row for distance between strips.
    if (numbers_.rows() == 0) numbers_ = {2, room_of_direction(dimension), threads()};
    squares_.resize(threads() * parts_of_one(dimension));
    share(dimension, [round, dimension](LongDirections& self, std::size_t thread, std::size_t part,
                                        Columns columns, bool) {
      self.squares_[thread * self.parts_of_one(dimension) + part] =
          self.sphere_.at(static_cast<std::uint64_t>(round))
              .draw_part(columns.first / columns_at_a_time,
                         {self.numbers_.strip(0, columns.first).numbers, columns.count});
    });
  }
  double squared_length(std::size_t dimension) const {
    double sum = 0;
    for (std::size_t thread = 0; thread < threads(); ++thread) {
      const auto [first, count] = columns_of(thread, threads(), dimension);
      for (std::size_t part = 0; part < column_parts(count); ++part)
        sum += squares_[thread * parts_of_one(dimension) + part];
    }
    return sum;
  }

  StreamFamily sphere_;
  WorkersPtr workers_;
  NumberTable<float> numbers_;   // in row 0
  Aligned<double> squares_;      // of its numbers, by threads and their parts
  std::vector<Begun> begun_;     // by threads
  alignas(64) Round drawn_ = 0;  // whose numbers are there, 0: nobody's; for the caller alone
};

class Sphere final : public Exploration {
 public:
  Sphere(std::uint64_t seed, double radius, const WorkersPtr& workers)
      : directions_(seed), alone_(seed, nullptr), radius_(radius) {
    require_radius(radius);
    if (workers) shared_.emplace(seed, workers);
  }

  std::string_view kind() const override { return "one-point"; }
  void open_block(Round first, std::span<const int> steps) override {
    directions_.open_block(first, steps);
  }
  bool plays_rows() const override { return true; }
  double play_row(std::size_t, const TableRows& x, PointRef y, Suggestion& s,
                  const Soon<double>& soon) override {
    const std::size_t d = y.size();
    const double factor = move(s.round, d, d, soon,
                               [x, to = y.data(), radius = radius_](
                                   std::size_t, Columns columns, float* numbers, double times,
                                   const Fetch& fetch, const PartSource* next) {
                                 const auto [first, count] = columns;
                                 double* const row = x.strip(first).numbers;
                                 if (next)
                                   return move_along_and_draw(count, row, radius, times, numbers,
                                                              to + first, fetch, *next);
                                 move_along(count, row, radius, times, numbers, to + first, fetch);
                                 return 0.0;
                               });
    s.action = Lent<double>::of(y);
    s.direction = LentDirection::of_halves(factor, {x.table, x.first});
    return factor;
  }
  double play_row(std::size_t, const NarrowPoint& x, PointRef y, Suggestion& s,
                  const Soon<float>& soon) override {
    const std::size_t d = x.dimension;
    const double factor = move(
        s.round, d, x.row.size(), soon,
        [row = x.row.data(), corner = x.corner, level = x.level, to = y.data(), radius = radius_](
            std::size_t dimension, Columns columns, float* numbers, double times,
            const Fetch& fetch, const PartSource* next) {
          const auto [first, count] = columns;
          const NarrowPoint some{
              dimension, {row + first, count}, corner ? corner + first : nullptr, level};
          if (next)
            return move_row_and_draw_next(some, radius * times, numbers, to + first, fetch, *next);
          move_row(some, radius * times, numbers, to + first, fetch);
          return 0.0;
        });
    s.action = Lent<double>::of(y.first(d));
    s.direction = LentDirection::of(factor, x.row.first(d));
    return factor;
  }
  std::optional<double> learn(std::size_t, Round, double value, PointRef u, PointView) override {
    return one_point_factor(value, radius_, u.size());
  }
  void read(Reader&) override { directions_.close_block(); }

 private:
  /// Calls move(dimension, columns, numbers, factor, fetch, next) as LongDirections do, by threads
  /// if the numbers are many. Returns the factor.
  template <class Number, class Move>
  double move(Round round, std::size_t dimension, std::size_t row, const Soon<Number>& soon,
              Move move) {
    if (shared_ && dimension >= Workers::shortest_row)
      return shared_->move_along(round, dimension, row, soon, move);
    if (is_long_direction(dimension)) return alone_.move_along(round, dimension, row, soon, move);
    Direction& u = directions_.draw(round, dimension);
    move(dimension, Columns{0, row}, u.numbers.data(), u.factor, Fetch(soon.iterate.numbers(0)),
         nullptr);
    return u.factor;
  }

  Directions directions_;
  LongDirections alone_;
  std::optional<LongDirections> shared_;
  double radius_;
};

class Pairs final : public Exploration {
 public:
  Pairs(std::uint64_t seed, std::size_t steps, std::size_t dimension, double radius)
      : sphere_(seed, "direction"), radius_(radius), mirrored_(steps, dimension), pairs_(steps) {
    require_radius(radius);
  }

  std::string_view kind() const override { return "pairs"; }
  int rounds_a_step() const override { return 2; }
  void open_block(Round, std::span<const int>) override { pairs_.assign(pairs_.size(), Pair{}); }
  void play(std::size_t k, PointRef x, PointRef y, Suggestion& s) override {
    if (pairs_[k].first == 0) {
      pairs_[k].first = s.round;
      sphere_.at(static_cast<std::uint64_t>(s.round)).draw_direction(x.size(), u_);
      const PointRef mirrored = mirrored_.row(k);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double center = x[i];
        x[i] = u_.factor * static_cast<double>(u_.numbers[i]);
        y[i] = center + radius_ * x[i];
        mirrored[i] = center - radius_ * x[i];
      }
    }
    s.action = Lent<double>::of(s.round == pairs_[k].first ? y : mirrored_.row(k));
    s.direction = LentDirection::of(x);
  }
  std::optional<double> learn(std::size_t k, Round round, double value, PointRef u,
                              PointView) override {
    Pair& pair = pairs_[k];
    (round == pair.first ? pair.above : pair.below) = value;
    if (++pair.seen < 2) return std::nullopt;
    return pair_factor(pair.above, pair.below, radius_, u.size());
  }
  void write(Writer& writer) const override {
    writer.values(mirrored_.numbers());
    writer.values(pairs_);
  }
  void read(Reader& reader) override {
    reader.values(mirrored_.numbers());
    reader.values(pairs_);
  }

 private:
  struct Pair {
    Round first = 0;  // the round that plays x + delta u; 0 before it
    double above = 0;
    double below = 0;
    std::int64_t seen = 0;
  };
  StreamFamily sphere_;
  double radius_;
  Direction u_;          // the latest
  PointTable mirrored_;  // x - delta u
  std::vector<Pair> pairs_;
};

class Score final : public Exploration {
 public:
  Score(std::uint64_t seed, std::size_t steps, std::size_t dimension)
      : coins_(seed, "rounding"), sets_(steps, dimension) {
    drawn_.reserve(dimension);
  }

  std::string_view kind() const override { return "score"; }
  /// The set as 0s and 1s is the note.
  void play(std::size_t k, PointRef x, PointRef member, Suggestion& s) override {
    Stream stream = coins_.at(static_cast<std::uint64_t>(s.round));
    independent_round(x, stream, drawn_);
    for (double& m : member) m = 0;
    for (const Item i : drawn_) member[static_cast<std::size_t>(i)] = 1;
    s.action = Lent<double>::of(x);
    s.set = Lent<Item>::of(sets_.keep(k, drawn_));
  }
  std::optional<double> learn(std::size_t, Round, double value, PointRef x,
                              PointView member) override {
    score_estimate(value, member, x, x);
    return 1;
  }

 private:
  StreamFamily coins_;
  SetTable sets_;
  ItemSet drawn_;
};

class Centred final : public Exploration {
 public:
  Centred(ExplorationPtr inner, std::size_t steps)
      : inner_(std::move(inner)),
        kind_("centred " + std::string(inner_->kind())),
        baselines_(steps) {}

  std::string_view kind() const override { return kind_; }
  int rounds_a_step() const override { return inner_->rounds_a_step(); }
  void open_block(Round first, std::span<const int> steps) override {
    baselines_.next_block();
    inner_->open_block(first, steps);
  }
  void play(std::size_t k, PointRef x, PointRef note, Suggestion& s) override {
    inner_->play(k, x, note, s);
  }
  bool plays_rows() const override { return inner_->plays_rows(); }
  double play_row(std::size_t k, const TableRows& x, PointRef note, Suggestion& s,
                  const Soon<double>& soon) override {
    return inner_->play_row(k, x, note, s, soon);
  }
  double play_row(std::size_t k, const NarrowPoint& x, PointRef note, Suggestion& s,
                  const Soon<float>& soon) override {
    return inner_->play_row(k, x, note, s, soon);
  }
  std::optional<double> learn(std::size_t k, Round round, double value, PointRef x,
                              PointView note) override {
    baselines_.note(k, value);
    return inner_->learn(k, round, baselines_.centred(k, value), x, note);
  }
  void write(Writer& writer) const override {
    baselines_.write(writer);
    inner_->write(writer);
  }
  void read(Reader& reader) override {
    baselines_.read(reader);
    inner_->read(reader);
  }

 private:
  ExplorationPtr inner_;
  std::string kind_;
  StepBaselines baselines_;
};

class Rounded final : public Exploration {
 public:
  Rounded(ExplorationPtr inner, std::uint64_t seed, std::size_t steps, std::size_t dimension)
      : inner_(std::move(inner)), coins_(seed, "rounding"), sets_(steps, dimension) {
    drawn_.reserve(dimension);
  }

  std::string_view kind() const override { return inner_->kind(); }
  void open_block(Round first, std::span<const int> steps) override {
    inner_->open_block(first, steps);
  }
  void play(std::size_t k, PointRef x, PointRef note, Suggestion& s) override {
    inner_->play(k, x, note, s);
    round_action(k, s);
  }
  bool plays_rows() const override { return inner_->plays_rows(); }
  double play_row(std::size_t k, const TableRows& x, PointRef note, Suggestion& s,
                  const Soon<double>& soon) override {
    const double factor = inner_->play_row(k, x, note, s, soon);
    round_action(k, s);
    return factor;
  }
  double play_row(std::size_t k, const NarrowPoint& x, PointRef note, Suggestion& s,
                  const Soon<float>& soon) override {
    const double factor = inner_->play_row(k, x, note, s, soon);
    round_action(k, s);
    return factor;
  }
  std::optional<double> learn(std::size_t k, Round round, double value, PointRef x,
                              PointView note) override {
    return inner_->learn(k, round, value, x, note);
  }
  void write(Writer& writer) const override { inner_->write(writer); }
  void read(Reader& reader) override { inner_->read(reader); }

 private:
  void round_action(std::size_t k, Suggestion& s) {
    Stream stream = coins_.at(static_cast<std::uint64_t>(s.round));
    independent_round(s.action.view(), stream, drawn_);
    s.set = Lent<Item>::of(sets_.keep(k, drawn_));
  }

  ExplorationPtr inner_;
  StreamFamily coins_;
  SetTable sets_;
  ItemSet drawn_;
};

}  // namespace

ExplorationPtr explore_sphere(std::uint64_t seed, double radius, WorkersPtr workers) {
  return std::make_unique<Sphere>(seed, radius, std::move(workers));
}

ExplorationPtr explore_pairs(std::uint64_t seed, int steps, int dimension, double radius) {
  return std::make_unique<Pairs>(seed, static_cast<std::size_t>(steps),
                                 static_cast<std::size_t>(dimension), radius);
}

ExplorationPtr explore_score(std::uint64_t seed, int steps, int dimension) {
  return std::make_unique<Score>(seed, static_cast<std::size_t>(steps),
                                 static_cast<std::size_t>(dimension));
}

ExplorationPtr centred(ExplorationPtr exploration, int steps) {
  return std::make_unique<Centred>(std::move(exploration), static_cast<std::size_t>(steps));
}

ExplorationPtr rounded(ExplorationPtr exploration, std::uint64_t seed, int steps, int dimension) {
  return std::make_unique<Rounded>(std::move(exploration), seed, static_cast<std::size_t>(steps),
                                   static_cast<std::size_t>(dimension));
}

}  // namespace hindsight
