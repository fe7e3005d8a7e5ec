#include "hindsight/runs/runner.hpp"

namespace hindsight {

void play(Learner& learner, Game& game, Ledger& ledger, Round rounds) {
  for (Round n = 0; n < rounds; ++n) {
    const Suggestion suggestion = learner.suggest();
    const Answer answer = game.answer(suggestion);
    ledger.record(suggestion, answer.worth);
    learner.observe(answer.feedback);
  }
}

}  // namespace hindsight
