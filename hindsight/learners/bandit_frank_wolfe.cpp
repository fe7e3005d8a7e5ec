#include "hindsight/learners/bandit_frank_wolfe.hpp"

#include "hindsight/learners/feedback_check.hpp"

namespace hindsight {

BanditFrankWolfe::BanditFrankWolfe(DomainPtr interior, FrankWolfePlan plan,
                                   const FrankWolfeOptions& options, ExplorationPtr exploration)
    : BanditFrankWolfe(exploration ? std::move(exploration)
                                   : explore_sphere(options.seed, plan.radius, options.workers),
                       interior, plan, options) {}

BanditFrankWolfe::BanditFrankWolfe(ExplorationPtr exploration, DomainPtr interior,
                                   FrankWolfePlan plan, const FrankWolfeOptions& options)
    : FrankWolfeBlocks(std::move(interior), std::move(plan), options, exploration->rounds_a_step(),
                       exploration->plays_rows()),
      exploration_(std::move(exploration)),
      plays_rows_(exploration_->plays_rows()) {}

Suggestion BanditFrankWolfe::play(Round round, int k) {
  if (k > 0) return explore(round, k);
  // Line 7, exploitation: y_t = x_q.
  return {.round = round, .action = Lent<double>::of(last_iterate()), .phase = Phase::exploit};
}

void BanditFrankWolfe::learn(const Feedback& feedback, int k) {
  require_fitting(feedback, 0, dimension(), k > 0, largest_usable());
  if (k > 0) learn_step(feedback, k);
}

/// Line 6, exploration: y_t = x_q^(k) + delta u_{q,k}; u takes the place of x_q^(k), which has no
/// other use.
Suggestion BanditFrankWolfe::explore(Round round, int k) {
  Suggestion s{.round = round, .phase = Phase::explore, .step = k};
  const auto step = static_cast<std::size_t>(k - 1);
  if (!plays_rows_)
    exploration_->play(step, iterate(k), note(k), s);
  else if (has_narrow_rows())
    expect_row(k, exploration_->play_row(step, narrow_iterate(k), room_beside(k), s,
                                         {next_round(), round_after_next(), next_row()}));
  else
    expect_row(k, exploration_->play_row(step, row_of(k), note(k), s,
                                         {next_round(), round_after_next(), next_iterate()}));
  return s;
}

/// Line 9: g_{q,k} = (d / delta) F_t(y_t) u_{q,k}, of which u is there.
void BanditFrankWolfe::learn_step(const Feedback& feedback, int k) {
  const PointRef noted = note(k), x = plays_rows_ ? noted : iterate(k);
  const std::optional<double> factor = exploration_->learn(
      static_cast<std::size_t>(k - 1), feedback.round, *feedback.value, x, noted);
  if (!factor) return;
  if (plays_rows_)
    take_row(k, *factor);
  else
    take_gradient(k, x, *factor);
}

void BanditFrankWolfe::block_opened() { exploration_->open_block(first_round(), steps()); }

void BanditFrankWolfe::write_more(Writer& writer) const { exploration_->write(writer); }

void BanditFrankWolfe::read_more(Reader& reader) { exploration_->read(reader); }

}  // namespace hindsight
