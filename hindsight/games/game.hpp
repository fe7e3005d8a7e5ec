/// A game: one function a round. It answers what is played, with the truth or with noise.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hindsight/core/suggestion.hpp"
#include "hindsight/domains/item_structure.hpp"
#include "hindsight/functions/function_json.hpp"
#include "hindsight/functions/noise.hpp"

namespace hindsight {

/// What a round's play was worth, and what its learner is told.
struct Answer {
  double worth = 0;   ///< F_t(y_t) or f_t(Y_t) without noise; feasibility is the ledger's business
  Feedback feedback;  ///< lent from the game until its next answer
};

/// A function and how often it comes.
struct WeightedFunction {
  RoundFunction function;
  double weight = 1;
};

/// The functions are fixed before the first round (an oblivious adversary): what is played changes
/// nothing.
class Game {
 public:
  virtual ~Game() = default;
  virtual int dimension() const = 0;
  /// F_t. Valid until the next call.
  virtual const RoundFunction& function(Round t) = 0;
  /// The distinct functions of rounds 1 .. horizon with their counts.
  virtual std::vector<WeightedFunction> mixture(Round horizon) = 0;
  /// Can every round be played with sets?
  virtual bool has_sets() const = 0;
  /// At least the facts of every function that can come.
  virtual FunctionFacts facts() const = 0;
  /// What is known of the items; empty unless they come from data.
  virtual const ItemStructure& items() const;

  Answer answer(const Suggestion& suggestion);

 protected:
  explicit Game(Noise noise) : noise_(noise) {}

 private:
  Noise noise_;
  std::vector<double> gradients_;
};

using GamePtr = std::unique_ptr<Game>;

/// The facts of whichever of two functions comes.
FunctionFacts weaker(const FunctionFacts& a, const FunctionFacts& b);

}  // namespace hindsight
