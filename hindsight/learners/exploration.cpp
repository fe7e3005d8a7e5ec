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

/// Writes g: `four` works out the four numbers from i on, `one` a single number, where there are
/// fewer than four. The last four overlap those before them if they must, and are worked out before
/// any is written, as g may be what they are worked out from.
template <class Four, class One>
__attribute__((always_inline)) inline void write_each(PointRef g, Four four, One one) {
  const std::size_t n = g.size();
  if (n < 4) {
    for (std::size_t i = 0; i < n; ++i) g[i] = one(i);
    return;
  }
  Lanes last, next;
  four(n - 4, last);
  for (std::size_t i = 0; i + 4 < n; i += 4) {
    four(i, next);
    store(&g[i], next);
  }
  store(&g[n - 4], last);
}

HINDSIGHT_WIDE
void move_along(PointRef x, double radius, PointView u) {
  write_each(
      x,
      [&](std::size_t i, Lanes & moved) __attribute__((always_inline)) {
        Lanes along;
        load(&x[i], moved);
        load(&u[i], along);
        moved += radius * along;
      },
      [&](std::size_t i) __attribute__((always_inline)) { return x[i] + radius * u[i]; });
}

HINDSIGHT_WIDE
void scale_to(double factor, PointView u, PointRef g) {
  write_each(
      g,
      [&](std::size_t i, Lanes & scaled) __attribute__((always_inline)) {
        load(&u[i], scaled);
        scaled *= factor;
      },
      [&](std::size_t i) __attribute__((always_inline)) { return factor * u[i]; });
}

/// Directions, uniform on the sphere: that of a round depends on the seed and the round alone.
class Directions {
 public:
  Directions(std::uint64_t seed, WorkersPtr workers)
      : sphere_(seed, "direction"), workers_(std::move(workers)) {}

  void open_block(Round first, std::span<const int> steps) {
    first_ = first;
    steps_ = steps;
    rounds_.clear();
    next_ = 0;
  }
  /// Until the next block, directions are drawn one by one.
  void close_block() { open_block(1, {}); }
  /// Into `u`, which may change places with one that was drawn ahead.
  void draw(Round round, Point& u) {
    if (steps_.empty()) return sphere_.at(static_cast<std::uint64_t>(round)).fill_sphere(u);
    if (next_ == rounds_.size() || rounds_[next_] != static_cast<std::uint64_t>(round))
      draw_ahead(round, u.size());
    u.swap(drawn_[next_++]);
  }

 private:
  /// For `round` and some of those that explore after it.
  void draw_ahead(Round round, std::size_t dimension) {
    const std::size_t each = std::clamp<std::size_t>(512 / dimension, 1, 16);  // at a time
    const bool share = workers_ && dimension >= Workers::shortest_row;
    const std::size_t most = share ? 16 * static_cast<std::size_t>(workers_->threads()) : each;
    rounds_.resize(most);
    std::size_t found = 0;
    for (auto n = static_cast<std::size_t>(round - first_); n < steps_.size() && found < most;
         ++n) {  // which rounds explore is random: no branch
      rounds_[found] = static_cast<std::uint64_t>(first_) + n;
      found += static_cast<std::size_t>(steps_[n] > 0);
    }
    rounds_.resize(found);
    if (drawn_.size() < rounds_.size()) drawn_.resize(rounds_.size(), Point(dimension));
    const std::size_t parts = (rounds_.size() + each - 1) / each;
    const auto draw_part = [&](std::size_t part) {
      const std::size_t begin = part * each, count = std::min(each, rounds_.size() - begin);
      sphere_.fill_spheres({&rounds_[begin], count}, {&drawn_[begin], count});
    };
    if (share)
      workers_->each(parts, draw_part);
    else
      draw_part(0);
    next_ = 0;
  }

  StreamFamily sphere_;
  WorkersPtr workers_;
  Round first_ = 1;
  std::span<const int> steps_;         // of the block; none after a restart, until the next one
  std::vector<std::uint64_t> rounds_;  // drawn ahead for these
  std::vector<Point> drawn_;
  std::size_t next_ = 0;
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
  void play(std::size_t, PointRef x, Point& u, Suggestion& s) override {
    directions_.draw(s.round, u);
    share(x.size(), [&](std::size_t first, std::size_t count) {
      move_along(x.subspan(first, count), radius_, PointView(u).subspan(first, count));
    });
    s.action = Lent<double>::of(x);
    s.direction = Lent<double>::of(u);
  }
  bool learn(std::size_t, Round, double value, PointRef x, PointView u) override {
    const double factor = one_point_factor(value, radius_, u.size());
    share(x.size(), [&](std::size_t first, std::size_t count) {
      scale_to(factor, u.subspan(first, count), x.subspan(first, count));
    });
    return true;
  }
  void read(Reader&) override { directions_.close_block(); }

 private:
  /// Calls task(first, count) for all of so many numbers: by threads if they are many, as a shorter
  /// sweep ends before others have begun.
  template <class Task>
  void share(std::size_t numbers, Task task) const {
    if (numbers < 4096 || !workers_) return task(0, numbers);
    share_columns(workers_.get(), numbers,
                  [&](std::size_t, Columns part) { task(part.first, part.count); });
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
  void play(std::size_t k, PointRef x, Point& u, Suggestion& s) override {
    if (pairs_[k].first == 0) {
      pairs_[k].first = s.round;
      sphere_.at(static_cast<std::uint64_t>(s.round)).fill_sphere(u);
      copy(x, mirrored_.row(k));
      add_scaled(mirrored_.row(k), -radius_, u);
      add_scaled(x, radius_, u);
    }
    s.action = Lent<double>::of(s.round == pairs_[k].first ? x : mirrored_.row(k));
    s.direction = Lent<double>::of(u);
  }
  bool learn(std::size_t k, Round round, double value, PointRef x, PointView u) override {
    Pair& pair = pairs_[k];
    (round == pair.first ? pair.above : pair.below) = value;
    if (++pair.seen < 2) return false;
    pair_gradient(pair.above, pair.below, radius_, u, x);
    return true;
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
  void play(std::size_t k, PointRef x, Point& member, Suggestion& s) override {
    Stream stream = coins_.at(static_cast<std::uint64_t>(s.round));
    independent_round(x, stream, drawn_);
    for (double& m : member) m = 0;
    for (const Item i : drawn_) member[static_cast<std::size_t>(i)] = 1;
    s.action = Lent<double>::of(x);
    s.set = Lent<Item>::of(sets_.keep(k, drawn_));
  }
  bool learn(std::size_t, Round, double value, PointRef x, PointView member) override {
    score_estimate(value, member, x, x);
    return true;
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
  void play(std::size_t k, PointRef x, Point& note, Suggestion& s) override {
    inner_->play(k, x, note, s);
  }
  bool learn(std::size_t k, Round round, double value, PointRef x, PointView note) override {
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
  void play(std::size_t k, PointRef x, Point& note, Suggestion& s) override {
    inner_->play(k, x, note, s);
    Stream stream = coins_.at(static_cast<std::uint64_t>(s.round));
    independent_round(s.action.view(), stream, drawn_);
    s.set = Lent<Item>::of(sets_.keep(k, drawn_));
  }
  bool learn(std::size_t k, Round round, double value, PointRef x, PointView note) override {
    return inner_->learn(k, round, value, x, note);
  }
  void write(Writer& writer) const override { inner_->write(writer); }
  void read(Reader& reader) override { inner_->read(reader); }

 private:
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
