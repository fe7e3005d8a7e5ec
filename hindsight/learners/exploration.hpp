/// How a bandit Frank-Wolfe learner explores around the K iterates of a block, and which gradients
/// the values it is told stand for. One a kind of estimate (docs/estimators.md); wrappers add a
/// baseline, or round points to sets.
#pragma once

#include <cassert>
#include <memory>
#include <optional>
#include <vector>

#include "hindsight/core/archive.hpp"
#include "hindsight/core/narrow.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/core/suggestion.hpp"
#include "hindsight/core/workers.hpp"
#include "hindsight/estimators/step_baselines.hpp"

namespace hindsight {

/// The round that explores next, whose direction may be made now, and the one after it, whose
/// direction may begin; 0 if none is known. And an iterate that will be wanted soon, none where
/// fetching it makes no difference.
template <class Number>
struct Soon {
  Round round = 0;
  Round after = 0;
  ConstRowsOf<Number> iterate = {};
};

class Exploration {
 public:
  virtual ~Exploration() = default;

  /// Its name in experiment files and snapshots.
  virtual std::string_view kind() const = 0;
  /// Rounds that one gradient takes.
  virtual int rounds_a_step() const { return 1; }
  /// A block begins with the round `first`; steps[n] > 0 where round first + n explores. `steps`
  /// stays until the next block.
  virtual void open_block(Round first, std::span<const int> steps) {
    static_cast<void>(first), static_cast<void>(steps);
  }
  /// Does it play iterates where they are kept, and leave there, in f32, the numbers of its
  /// gradient?
  virtual bool plays_rows() const { return false; }
  /// Fills in what s.round plays to inform step k (from 0), if it does not play rows. `x` holds the
  /// iterate x^(k) and may be written over; `note` has as many numbers. Both are kept, and may be
  /// lent, until the step's gradient is complete.
  virtual void play(std::size_t k, PointRef x, PointRef note, Suggestion& s) {
    static_cast<void>(k), static_cast<void>(x), static_cast<void>(note), static_cast<void>(s);
    assert(false && "plays rows");
  }
  /// The same if it plays rows: numbers of f32 take the place of the first of `x`, in halves
  /// (LentDirection), and the gradient will be these, times the number returned, times that of
  /// `learn`.
  virtual double play_row(std::size_t k, const TableRows& x, PointRef note, Suggestion& s,
                          const Soon<double>& soon) {
    static_cast<void>(k), static_cast<void>(x), static_cast<void>(note), static_cast<void>(s);
    static_cast<void>(soon);
    assert(false && "does not play rows");
    return 1;
  }
  /// The same with iterates of f32; `note` is as long as `x.row`.
  virtual double play_row(std::size_t k, const NarrowPoint& x, PointRef note, Suggestion& s,
                          const Soon<float>& soon) {
    static_cast<void>(k), static_cast<void>(x), static_cast<void>(note), static_cast<void>(s);
    static_cast<void>(soon);
    assert(false && "does not play rows");
    return 1;
  }
  /// The play of `round` was worth `value`. If that completes a gradient: it is what now stands in
  /// `x`, times the number returned; of `x` only the length counts if it plays rows.
  virtual std::optional<double> learn(std::size_t k, Round round, double value, PointRef x,
                                      PointView note) = 0;

  /// What it keeps besides.
  virtual void write(Writer& writer) const { static_cast<void>(writer); }
  virtual void read(Reader& reader) { static_cast<void>(reader); }
};

using ExplorationPtr = std::unique_ptr<Exploration>;

/// "one-point", line 6 and 9 of Algorithm 2: x + delta u, u uniform on the sphere.
/// Several threads share long directions, and the move along them; what is played is the same as
/// without.
ExplorationPtr explore_sphere(std::uint64_t seed, double radius, WorkersPtr workers = nullptr);

/// "pairs": two rounds a step, x + delta u and x - delta u.
ExplorationPtr explore_pairs(std::uint64_t seed, int steps, int dimension, double radius);

/// "score", for sets: Y ~ x independently, and the score function of the learner's own coins. Needs
/// 0 < x_i < 1 in every coordinate.
ExplorationPtr explore_score(std::uint64_t seed, int steps, int dimension);

/// The same with a baseline for each step taken off the values.
ExplorationPtr centred(ExplorationPtr exploration, int steps);

/// Points to sets, line 6 of Algorithm 3: Y = RandRound of what would be played.
ExplorationPtr rounded(ExplorationPtr exploration, std::uint64_t seed, int steps, int dimension);

}  // namespace hindsight
