#include "hindsight/learners/exploration.hpp"

#include "hindsight/core/error.hpp"
#include "hindsight/estimators/one_point.hpp"
#include "hindsight/estimators/set_estimates.hpp"
#include "hindsight/learners/set_table.hpp"
#include "hindsight/rounding/independent_rounding.hpp"

namespace hindsight {
namespace {

void require_radius(double radius) { require(radius > 0, "radius", radius, "must be positive"); }

class Sphere final : public Exploration {
 public:
  Sphere(std::uint64_t seed, std::size_t steps, std::size_t dimension, double radius)
      : sphere_(seed, "direction"), radius_(radius), directions_(steps, dimension) {
    require_radius(radius);
  }

  std::string_view kind() const override { return "one-point"; }
  void play(std::size_t k, PointRef x, Suggestion& s) override {
    const PointRef u = directions_.row(k);
    sphere_.at(static_cast<std::uint64_t>(s.round)).fill_sphere(u);
    add_scaled(x, radius_, u);
    s.action = Lent<double>::of(x);
    s.direction = Lent<double>::of(u);
  }
  bool learn(std::size_t k, Round, double value, PointRef x) override {
    one_point_gradient(value, radius_, directions_.row(k), x);
    return true;
  }
  void write(Writer& writer) const override { writer.values(directions_.numbers()); }
  void read(Reader& reader) override { reader.values(directions_.numbers()); }

 private:
  StreamFamily sphere_;
  double radius_;
  PointTable directions_;  // u_{q,k}
};

class Pairs final : public Exploration {
 public:
  Pairs(std::uint64_t seed, std::size_t steps, std::size_t dimension, double radius)
      : sphere_(seed, "direction"),
        radius_(radius),
        directions_(steps, dimension),
        mirrored_(steps, dimension),
        pairs_(steps) {
    require_radius(radius);
  }

  std::string_view kind() const override { return "pairs"; }
  int rounds_a_step() const override { return 2; }
  void open_block() override { pairs_.assign(pairs_.size(), Pair{}); }
  void play(std::size_t k, PointRef x, Suggestion& s) override {
    const PointRef u = directions_.row(k);
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
  bool learn(std::size_t k, Round round, double value, PointRef x) override {
    Pair& pair = pairs_[k];
    (round == pair.first ? pair.above : pair.below) = value;
    if (++pair.seen < 2) return false;
    pair_gradient(pair.above, pair.below, radius_, directions_.row(k), x);
    return true;
  }
  void write(Writer& writer) const override {
    writer.values(directions_.numbers());
    writer.values(mirrored_.numbers());
    writer.values(pairs_);
  }
  void read(Reader& reader) override {
    reader.values(directions_.numbers());
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
  PointTable directions_;
  PointTable mirrored_;  // x - delta u
  std::vector<Pair> pairs_;
};

class Score final : public Exploration {
 public:
  Score(std::uint64_t seed, std::size_t steps, std::size_t dimension)
      : coins_(seed, "rounding"), members_(steps, dimension), sets_(steps, dimension) {
    drawn_.reserve(dimension);
  }

  std::string_view kind() const override { return "score"; }
  void play(std::size_t k, PointRef x, Suggestion& s) override {
    Stream stream = coins_.at(static_cast<std::uint64_t>(s.round));
    independent_round(x, stream, drawn_);
    const PointRef member = members_.row(k);
    for (double& m : member) m = 0;
    for (const Item i : drawn_) member[static_cast<std::size_t>(i)] = 1;
    s.action = Lent<double>::of(x);
    s.set = Lent<Item>::of(sets_.keep(k, drawn_));
  }
  bool learn(std::size_t k, Round, double value, PointRef x) override {
    score_estimate(value, members_.row(k), x, x);
    return true;
  }
  void write(Writer& writer) const override { writer.values(members_.numbers()); }
  void read(Reader& reader) override { reader.values(members_.numbers()); }

 private:
  StreamFamily coins_;
  PointTable members_;  // the set of each step as 0s and 1s
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
  void open_block() override {
    baselines_.next_block();
    inner_->open_block();
  }
  void play(std::size_t k, PointRef x, Suggestion& s) override { inner_->play(k, x, s); }
  bool learn(std::size_t k, Round round, double value, PointRef x) override {
    baselines_.note(k, value);
    return inner_->learn(k, round, baselines_.centred(k, value), x);
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
  void open_block() override { inner_->open_block(); }
  void play(std::size_t k, PointRef x, Suggestion& s) override {
    inner_->play(k, x, s);
    Stream stream = coins_.at(static_cast<std::uint64_t>(s.round));
    independent_round(s.action.view(), stream, drawn_);
    s.set = Lent<Item>::of(sets_.keep(k, drawn_));
  }
  bool learn(std::size_t k, Round round, double value, PointRef x) override {
    return inner_->learn(k, round, value, x);
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

ExplorationPtr explore_sphere(std::uint64_t seed, int steps, int dimension, double radius) {
  return std::make_unique<Sphere>(seed, static_cast<std::size_t>(steps),
                                  static_cast<std::size_t>(dimension), radius);
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
