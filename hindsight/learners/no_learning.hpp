/// The two lines that every learner must beat: decisions that never learn.
#pragma once

#include "hindsight/domains/matroid.hpp"
#include "hindsight/learners/learner.hpp"
#include "hindsight/learners/round_book.hpp"
#include "hindsight/learners/set_table.hpp"
#include "hindsight/rounding/swap_rounding.hpp"

namespace hindsight {

/// What both share: feedback is accepted and forgotten, and up to 64 rounds may be out at once.
class NoLearning : public Learner {
 public:
  bool needs_monotone() const final { return false; }
  Suggestion suggest() final;
  Round ready() const final { return book_.is_open() ? book_.ready() : ahead; }
  void observe(const Feedback& feedback) final;
  void lose(Round round) final;

 protected:
  static constexpr Round ahead = 64;

  NoLearning(int dimension, std::uint64_t seed);
  /// Fills in what s.round plays; `row` (below `ahead`) is where its memory may live.
  virtual void play(Suggestion& s, std::size_t row) = 0;
  void write(Writer& writer) const final;
  void read(Reader& reader) final;

 private:
  std::size_t dimension_;
  std::uint64_t seed_;
  RoundBook book_;
};

/// Plays the largest multiple of 1 in K, for ever.
class ConstantPoint final : public NoLearning {
 public:
  explicit ConstantPoint(DomainPtr domain);
  std::string_view kind() const override { return "constant"; }

 private:
  void play(Suggestion& s, std::size_t row) override;
  Point point_;
};

/// The same for sets: the swap rounding of that point, drawn anew each round.
class ConstantMarginals final : public NoLearning {
 public:
  ConstantMarginals(MatroidPtr matroid, std::uint64_t seed);
  std::string_view kind() const override { return "constant"; }
  bool plays_sets() const override { return true; }

 private:
  void play(Suggestion& s, std::size_t row) override;
  Point point_;
  SwapRounding rounding_;
  StreamFamily coins_;
  SetTable sets_;
  ItemSet drawn_;
};

/// A uniformly random base each round.
class RandomBase final : public NoLearning {
 public:
  RandomBase(MatroidPtr matroid, std::uint64_t seed);
  std::string_view kind() const override { return "random-base"; }
  bool plays_sets() const override { return true; }

 private:
  void play(Suggestion& s, std::size_t row) override;
  MatroidPtr matroid_;
  StreamFamily bases_;
  PointTable indicators_;
  SetTable sets_;
  ItemSet drawn_;
};

}  // namespace hindsight
