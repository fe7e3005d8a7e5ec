#include "hindsight/learners/responsive_frank_wolfe.hpp"

#include "hindsight/rounding/independent_rounding.hpp"

namespace hindsight {

ResponsiveFrankWolfe::ResponsiveFrankWolfe(MatroidPtr matroid, DomainPtr interior,
                                           FrankWolfePlan plan, const FrankWolfeOptions& options,
                                           std::unique_ptr<LosslessRounding> rounding)
    : BanditFrankWolfe(std::move(interior), std::move(plan), options),
      coins_(options.seed, "rounding"),
      lossless_(rounding ? std::move(rounding) : make_lossless_rounding(matroid)),
      explored_(static_cast<std::size_t>(this->plan().steps), dimension()),
      exploited_(static_cast<std::size_t>(this->plan().block_length),
                 static_cast<std::size_t>(matroid->rank())) {
  drawn_.reserve(dimension());
}

void ResponsiveFrankWolfe::play(Suggestion& s, int k) {
  BanditFrankWolfe::play(s, k);  // y_t
  Stream stream = coins_.at(static_cast<std::uint64_t>(s.round));
  if (k > 0) {  // line 6: Y_t = RandRound(y_t)
    independent_round(s.action.view(), stream, drawn_);
    s.set = Lent<Item>::of(explored_.keep(static_cast<std::size_t>(k - 1), drawn_));
  } else {  // line 7: Y_t = LosslessRound(y_t)
    lossless_->draw(stream, drawn_);
    const auto row = static_cast<std::size_t>((s.round - 1) % plan().block_length);
    s.set = Lent<Item>::of(exploited_.keep(row, drawn_));
  }
}

void ResponsiveFrankWolfe::block_opened() { lossless_->prepare(last_iterate()); }

void ResponsiveFrankWolfe::read_more(Reader& reader) {
  BanditFrankWolfe::read_more(reader);
  lossless_->prepare(last_iterate());
}

}  // namespace hindsight
