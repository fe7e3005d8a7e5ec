/// A learner: suggests what to play, and is told afterwards how good it was.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "hindsight/core/archive.hpp"
#include "hindsight/core/suggestion.hpp"

namespace hindsight {

/// Sees what a learner does inside, for traces and tests. Calls come in the order of the algorithm.
class Watcher {
 public:
  virtual ~Watcher() = default;
  /// Block q begins: v^(1..K), x^(1..K+1), and t_{q,1}, t_{q,2}, ...
  virtual void opened(Round q, const PointTable& decisions, const PointTable& iterates,
                      std::span<const Round> order) = 0;
  /// Step k (from 1) of block q took the gradient g and handed d to its oracle.
  virtual void updated(Round q, int k, PointView g, PointView d) = 0;
};

/// `suggest` and `observe` alternate in the simplest use. `suggest` may also run ahead by up to
/// `ready()` rounds, and the feedback to what is out may come late and in any order, once a round.
/// A rejected call (InputError) leaves the learner unchanged. A learner prints nothing, reads no
/// clock and starts no thread; two learners never share state, one learner is used by one thread at
/// a time.
class Learner {
 public:
  virtual ~Learner() = default;

  /// Its name in experiment files and snapshots: "mono-frank-wolfe".
  virtual std::string_view kind() const = 0;

  /// Does it play sets? Then every function must be a set function.
  virtual bool plays_sets() const { return false; }
  /// The kind of its online linear maximisers; empty if it has none.
  virtual std::string_view oracle() const { return ""; }
  /// Must every function be monotone? (`FunctionFacts::monotone`)
  virtual bool needs_monotone() const { return true; }
  /// Does it ask for gradients of surrogates? Then every function must have one.
  virtual bool asks_surrogates() const { return false; }

  /// The next round. What it views stays valid until that round is observed or lost; a copy owns
  /// its data.
  virtual Suggestion suggest() = 0;
  /// How many suggestions may be asked for now, before further feedback.
  virtual Round ready() const = 0;
  virtual void observe(const Feedback& feedback) = 0;
  /// The feedback to this round will never come.
  virtual void lose(Round round) = 0;

  /// Everything needed to continue bit for bit, in a learner constructed with the same arguments.
  std::string save() const;
  void restore(std::string_view snapshot);

  /// Null: nobody watches. The watcher must outlive its watching.
  virtual void watch(Watcher* watcher) { static_cast<void>(watcher); }

 protected:
  virtual void write(Writer& writer) const = 0;
  /// Must check that the snapshot fits before it changes anything.
  virtual void read(Reader& reader) = 0;
};

using LearnerPtr = std::unique_ptr<Learner>;

}  // namespace hindsight
