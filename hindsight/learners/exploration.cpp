#include "hindsight/learners/exploration.hpp"

#include <algorithm>

#include "hindsight/core/error.hpp"
#include "hindsight/core/lanes.hpp"
#include "hindsight/core/wide.hpp"
#include "hindsight/estimators/one_point.hpp"
#include "hindsight/estimators/set_estimates.hpp"
#include "hindsight/learners/set_table.hpp"
#include "hindsight/rounding/independent_rounding.hpp"

namespace hindsight {
namespace {

void require_radius(double radius) { require(radius > 0, "radius", radius, "must be positive"); }

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
        along.four[j] *= factor;
        at.four[j] += radius * along.four[j];
        store(y + i, at.four[j]);
        store(x + i, along.four[j]);
      });
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
    Doubles<Width> at, along;
    load(x + i, at);
    load(u + i, along);
    for (std::size_t j = 0; j < at.count; ++j) {
      along.part[j] *= factor;
      at.part[j] += radius * along.part[j];
    }
    store(y + i, at);
    store(x + i, along);
  }
  for (; i + 4 <= n; i += 4) {
    Lanes at, along;
    load(x + i, at);
    load(u + i, along);
    along *= factor;
    store(y + i, at + radius * along);
    store(x + i, along);
  }
  for (; i < n; ++i) {
    const double along = factor * static_cast<double>(u[i]);
    y[i] = x[i] + radius * along;
    x[i] = along;
  }
}

/// y = x + radius u and x = u, where u = factor * numbers.
HINDSIGHT_EACH_WIDTH((move_numbers<Width>(n, x, radius, factor, numbers, y, fetch)),
                     void move_along(std::size_t n, double* x, double radius, double factor,
                                     const float* numbers, double* y, const Fetch& fetch))

template <class Width>
__attribute__((always_inline)) inline void move_row_numbers(const NarrowPoint& x, double step,
                                                            const float* numbers, double* y,
                                                            Fetch fetch) {
  float* const row = x.row.data();
  const std::size_t n = x.row.size();
  if (x.dimension <= longest_short_row) {
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = ((x.corner ? x.corner[i] : x.level) + static_cast<double>(row[i])) +
             step * static_cast<double>(numbers[i]);
      row[i] = numbers[i];
    }
    return;
  }
  // In f32, whose rounding would take y out of the set only along an axis (docs/oracles.md).
  Floats<Width> steps;
  steps.fill(static_cast<float>(step));
  Doubles<Width> corner;
  corner.fill(x.level);
  const double* const lower = x.corner;
  const auto move = [&](std::size_t i, bool is_first) __attribute__((always_inline)) {
    fetch.at(i, is_first);
    Floats<Width> at, along;
    load(row + i, at);
    load(numbers + i, along);
    store(row + i, along);
    for (std::size_t j = 0; j < at.count; ++j)
      multiply_add<Width>(steps.part[j], along.part[j], at.part[j], at.part[j]);
    Doubles<Width> wide;
    widen_pack(at, wide);
    if (lower) load(lower + i, corner);
    for (std::size_t j = 0; j < wide.count; ++j) wide.part[j] += corner.part[j];
    store(y + i, wide);
  };
  std::size_t i = 0;
  for (; i + 32 <= n; i += 32) {
    move(i, true);
    move(i + 16, false);
  }
  if (i < n) move(i, true);
}

/// y = x + step * numbers and x.row = numbers.
HINDSIGHT_EACH_WIDTH((move_row_numbers<Width>(x, step, numbers, y, fetch)),
                     void move_row(const NarrowPoint& x, double step, const float* numbers,
                                   double* y, const Fetch& fetch))

/// Shorter sweeps end before other threads have begun.
constexpr std::size_t shortest_shared = 4096;

/// Directions, uniform on the sphere: that of a round depends on the seed and the round alone.
class Directions {
 public:
  Directions(std::uint64_t seed, WorkersPtr workers)
      : sphere_(seed, "direction"), workers_(std::move(workers)) {}

  void open_block(Round first, std::span<const int> steps) {
    first_ = first;
    steps_ = steps;
    here_.rounds.clear();
    soon_.rounds.clear();
    next_ = 0;
  }
  /// Until the next block, directions are drawn one by one.
  void close_block() { open_block(1, {}); }
  /// Stays until the next one is drawn.
  const Direction& draw(Round round, Round next, std::size_t dimension, const Fetch& fetch) {
    if (steps_.empty() || draws_alone(dimension)) {
      sphere_.at(static_cast<std::uint64_t>(round))
          .draw_direction(dimension, alone_, fetch, ahead_,
                          static_cast<std::uint64_t>(next > 0 ? next : round));
      return alone_;
    }
    if (next_ == here_.rounds.size()) {
      std::swap(here_, soon_);
      soon_.rounds.clear();
      next_ = 0;
    }
    if (here_.rounds.empty() || here_.rounds[next_] != static_cast<std::uint64_t>(round)) {
      find_rounds(round, dimension, here_);
      next_ = 0;
      draw_ahead(dimension);
    }
    return here_.drawn[next_++];
  }

  /// Long directions without others to share the work: one by one anyway.
  bool draws_alone(std::size_t dimension) const {
    return !shares(dimension) && together(dimension) == 1;
  }

  /// Directions that threads may draw now, for `next` and the rounds that explore after it, one
  /// each, while they share something else: none while there are others.
  std::size_t find_next(Round next, std::size_t dimension) {
    if (next_ < here_.rounds.size() || next == 0 || steps_.empty()) return 0;
    find_rounds(next, dimension, soon_);
    return soon_.rounds.size();
  }
  void draw_next(std::size_t which, std::size_t dimension, const Fetch& fetch) {
    const std::uint64_t round = soon_.rounds[which];
    Beginning none;
    sphere_.at(round).draw_direction(dimension, soon_.drawn[which], fetch, none, round);
  }

 private:
  struct Batch {
    std::vector<std::uint64_t> rounds;
    std::vector<Direction> drawn;
  };

  bool shares(std::size_t dimension) const {
    return workers_ && dimension >= Workers::shortest_row;
  }
  static std::size_t together(std::size_t dimension) {
    return std::clamp<std::size_t>(512 / dimension, 1, 16);
  }
  std::size_t most_ahead(std::size_t dimension) const {
    if (!shares(dimension)) return together(dimension);
    const auto threads = static_cast<std::size_t>(workers_->threads());
    return dimension >= shortest_shared ? threads : 16 * threads;
  }
  /// `round` and some of those that explore after it.
  void find_rounds(Round round, std::size_t dimension, Batch& batch) const {
    const std::size_t most = most_ahead(dimension);
    batch.rounds.resize(most);
    std::size_t found = 0;
    for (auto n = static_cast<std::size_t>(round - first_); n < steps_.size() && found < most;
         ++n) {  // which rounds explore is random: no branch
      batch.rounds[found] = static_cast<std::uint64_t>(first_) + n;
      found += static_cast<std::size_t>(steps_[n] > 0);
    }
    batch.rounds.resize(found);
    if (batch.drawn.size() < found) batch.drawn.resize(found);
  }
  void draw_ahead(std::size_t dimension) {
    const std::size_t each = together(dimension), count = here_.rounds.size();
    const auto draw_part = [&](std::size_t part) {
      const std::size_t begin = part * each, some = std::min(each, count - begin);
      sphere_.draw_directions({&here_.rounds[begin], some}, dimension, {&here_.drawn[begin], some});
    };
    if (shares(dimension))
      workers_->each((count + each - 1) / each, draw_part);
    else
      draw_part(0);
  }

  StreamFamily sphere_;
  WorkersPtr workers_;
  Round first_ = 1;
  std::span<const int> steps_;  // of the block; none after a restart, until the next one
  Batch here_, soon_;           // drawn ahead
  std::size_t next_ = 0;        // of those here
  Direction alone_;
  Beginning ahead_;
};

class Sphere final : public Exploration {
 public:
  Sphere(std::uint64_t seed, double radius, WorkersPtr workers)
      : directions_(seed, workers), radius_(radius), workers_(std::move(workers)) {
    require_radius(radius);
  }

  std::string_view kind() const override { return "one-point"; }
  void open_block(Round first, std::span<const int> steps) override {
    directions_.open_block(first, steps);
  }
  void play(std::size_t, PointRef x, PointRef y, Suggestion& s, const Soon<double>& soon) override {
    const Direction& u =
        directions_.draw(s.round, soon.round, x.size(), Fetch::first_half(soon.iterate));
    share(x.size(), x.size(), soon,
          [=, radius = radius_, factor = u.factor, numbers = u.numbers.data()](
              std::size_t first, std::size_t count, const Fetch& fetch) {
            move_along(count, x.data() + first, radius, factor, numbers + first, y.data() + first,
                       fetch);
          });
    s.action = Lent<double>::of(y);
    s.direction = LentDirection::of(x);
  }
  bool plays_rows() const override { return true; }
  double play_row(std::size_t, const NarrowPoint& x, PointRef y, Suggestion& s,
                  const Soon<float>& soon) override {
    const std::size_t d = x.dimension;
    const Direction& u = directions_.draw(s.round, soon.round, d, Fetch::first_half(soon.iterate));
    share(d, x.row.size(), soon,
          [=, step = radius_ * u.factor, numbers = u.numbers.data()](
              std::size_t first, std::size_t count, const Fetch& fetch) {
            move_row(
                {d, x.row.subspan(first, count), x.corner ? x.corner + first : nullptr, x.level},
                step, numbers + first, y.data() + first, fetch);
          });
    s.action = Lent<double>::of(y.first(d));
    s.direction = LentDirection::of(u.factor, x.row.first(d));
    return u.factor;
  }
  std::optional<double> learn(std::size_t, Round, double value, PointRef u, PointView) override {
    return one_point_factor(value, radius_, u.size());
  }
  void read(Reader&) override { directions_.close_block(); }

 private:
  /// What is still to be fetched when a direction is there: only where it is drawn alone, its
  /// drawing has fetched a half.
  template <class Number>
  Fetch rest_of(const Number* soon, std::size_t numbers) const {
    return directions_.draws_alone(numbers) ? Fetch::second_half(soon, numbers) : Fetch::all(soon);
  }
  /// Calls move(first, count, fetch) for all of a row's numbers: by threads if they are many, who
  /// then draw the next directions before they meet again.
  template <class Number, class Move>
  void share(std::size_t dimension, std::size_t numbers, const Soon<Number>& soon, Move move) {
    if (dimension < shortest_shared || !workers_)
      return move(0, numbers, rest_of(soon.iterate, numbers));
    const auto threads = static_cast<std::size_t>(workers_->threads());
    const std::size_t drawn = directions_.find_next(soon.round, dimension);
    workers_->each(threads, [=, this](std::size_t thread) {
      const auto [first, count] = columns_of(thread, threads, numbers);
      // Of what is moved next half is fetched while a thread draws, if it does.
      const std::size_t later = thread < drawn ? count / 2 : 0;
      move(first, count, Fetch::spread(soon.iterate, first, count - later, count));
      if (thread < drawn)
        directions_.draw_next(thread, dimension,
                              Fetch::spread(soon.iterate, first + count - later, later, dimension));
    });
  }

  Directions directions_;
  double radius_;
  WorkersPtr workers_;
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
  void play(std::size_t k, PointRef x, PointRef y, Suggestion& s,
            const Soon<double>& soon) override {
    if (pairs_[k].first == 0) {
      pairs_[k].first = s.round;
      sphere_.at(static_cast<std::uint64_t>(s.round)).draw_direction(x.size(), u_);
      copy(x, mirrored_.row(k));
      move_along(x.size(), x.data(), radius_, u_.factor, u_.numbers.data(), y.data(),
                 Fetch::all(soon.iterate));
      add_scaled(mirrored_.row(k), -radius_, x);
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
  void play(std::size_t k, PointRef x, PointRef member, Suggestion& s,
            const Soon<double>&) override {
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
  void play(std::size_t k, PointRef x, PointRef note, Suggestion& s,
            const Soon<double>& soon) override {
    inner_->play(k, x, note, s, soon);
  }
  bool plays_rows() const override { return inner_->plays_rows(); }
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
  void play(std::size_t k, PointRef x, PointRef note, Suggestion& s,
            const Soon<double>& soon) override {
    inner_->play(k, x, note, s, soon);
    round_action(k, s);
  }
  bool plays_rows() const override { return inner_->plays_rows(); }
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
