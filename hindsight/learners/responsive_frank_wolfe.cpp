#include "hindsight/learners/responsive_frank_wolfe.hpp"

namespace hindsight {

ResponsiveFrankWolfe::ResponsiveFrankWolfe(MatroidPtr matroid, DomainPtr interior,
                                           FrankWolfePlan plan, const FrankWolfeOptions& options,
                                           std::unique_ptr<LosslessRounding> rounding,
                                           ExplorationPtr exploration)
    : BanditFrankWolfe(std::move(interior), plan, options,
                       exploration
                           ? std::move(exploration)
                           : rounded(explore_sphere(options.seed, plan.radius, options.workers),
                                     options.seed, plan.steps, matroid->dimension())),
      coins_(options.seed, "rounding"),
      lossless_(rounding ? std::move(rounding) : make_lossless_rounding(matroid)),
      exploited_(static_cast<std::size_t>(this->plan().block_length),
                 static_cast<std::size_t>(matroid->rank())) {
  drawn_.reserve(dimension());
}

/// Line 6, Y_t = RandRound(y_t), is the exploration's.
Suggestion ResponsiveFrankWolfe::play(Round round, int k) {
  Suggestion s = BanditFrankWolfe::play(round, k);
  if (k > 0) return s;
  // Line 7: Y_t = LosslessRound(y_t).
  Stream stream = coins_.at(static_cast<std::uint64_t>(round));
  lossless_->draw(stream, drawn_);
  const auto row = static_cast<std::size_t>((round - 1) % plan().block_length);
  s.set = Lent<Item>::of(exploited_.keep(row, drawn_));
  return s;
}

void ResponsiveFrankWolfe::block_opened() {
  BanditFrankWolfe::block_opened();
  lossless_->prepare(last_iterate());
}

void ResponsiveFrankWolfe::read_more(Reader& reader) {
  BanditFrankWolfe::read_more(reader);
  lossless_->prepare(last_iterate());
}

}  // namespace hindsight
