/// What the learners with one online linear maximiser have in common: it decides w, the derived
/// learner plays something made of w, and whenever an answer arrives the gradient it stands for is
/// fed to the maximiser. Answers may be late; they are applied in the order they come.
#pragma once

#include <vector>

#include "hindsight/learners/learner.hpp"
#include "hindsight/learners/round_window.hpp"
#include "hindsight/oracles/oracle_bank.hpp"

namespace hindsight {

struct AscentOptions {
  OracleOptions oracle = {};
  bool learning = true;  ///< false: the control; everything the same, but no oracle is ever fed
  Round ahead = 64;      ///< rounds that may be out at once
  std::uint64_t seed = 1;
};

class Ascent : public Learner {
 public:
  Suggestion suggest() final;
  Round ready() const final { return window_.ready(); }
  void observe(const Feedback& feedback) final;
  void lose(Round round) final;
  std::string_view oracle() const final { return options_.oracle.kind; }

 protected:
  /// `playground` is where w lives: K, or an interior of it.
  Ascent(DomainPtr playground, const AscentOptions& options);

  /// What a round that is out must remember.
  struct Slot {
    Point action;
    Point note;  ///< what turns the answer into a gradient: a probe, a direction
  };

  /// Fills in what s.round plays, given w; `slot` is its memory.
  virtual void play(Suggestion& s, PointView w, Slot& slot) = 0;
  /// Rejects feedback that cannot be used. Changes nothing.
  virtual void check(const Feedback& feedback) const = 0;
  /// The gradient this answer stands for.
  virtual void estimate(const Feedback& feedback, const Slot& slot, PointRef g) = 0;
  virtual void write_more(Writer& writer) const { static_cast<void>(writer); }
  /// Checks first what must be the same, then reads.
  virtual void read_more(Reader& reader) { static_cast<void>(reader); }

  std::size_t dimension() const { return gradient_.size(); }

  void write(Writer& writer) const final;
  void read(Reader& reader) final;

 private:
  DomainPtr playground_;
  AscentOptions options_;
  std::unique_ptr<OracleBank> bank_;
  RoundWindow window_;
  std::vector<Slot> slots_;  // filled when first used: in simple use there is one
  Point decision_;
  Point gradient_;
};

}  // namespace hindsight
