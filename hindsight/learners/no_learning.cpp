#include "hindsight/learners/no_learning.hpp"

#include <algorithm>

#include "hindsight/learners/feedback_check.hpp"

namespace hindsight {

NoLearning::NoLearning(int dimension, std::uint64_t seed)
    : dimension_(static_cast<std::size_t>(dimension)), seed_(seed), book_(ahead) {}

Suggestion NoLearning::suggest() {
  if (!book_.is_open()) book_.open(ahead);
  Suggestion s;
  s.round = book_.send();
  play(s, book_.position(s.round));
  return s;
}

void NoLearning::observe(const Feedback& feedback) {
  book_.require_out(feedback.round);
  require_fitting(feedback, 0, dimension_, false);
  book_.settle(feedback.round);
}

void NoLearning::lose(Round round) {
  book_.require_out(round);
  book_.settle(round);
}

void NoLearning::write(Writer& writer) const {
  writer.value(dimension_);
  writer.value(seed_);
  book_.write(writer);
}

void NoLearning::read(Reader& reader) {
  reader.same("dimension", dimension_);
  reader.same("seed", seed_);
  book_.read(reader);
}

ConstantPoint::ConstantPoint(DomainPtr domain)
    : NoLearning(domain->dimension(), 0), point_(diagonal_point(*domain)) {}

void ConstantPoint::play(Suggestion& s, std::size_t) { s.action = Lent<double>::of(point_); }

ConstantMarginals::ConstantMarginals(MatroidPtr matroid, std::uint64_t seed)
    : NoLearning(matroid->dimension(), seed),
      point_(diagonal_point(*matroid)),
      rounding_(matroid),
      coins_(seed, "rounding"),
      sets_(ahead, static_cast<std::size_t>(matroid->rank())) {
  rounding_.prepare(point_);
  drawn_.reserve(point_.size());
}

void ConstantMarginals::play(Suggestion& s, std::size_t row) {
  s.action = Lent<double>::of(point_);
  Stream stream = coins_.at(static_cast<std::uint64_t>(s.round));
  rounding_.draw(stream, drawn_);
  s.set = Lent<Item>::of(sets_.keep(row, drawn_));
}

RandomBase::RandomBase(MatroidPtr matroid, std::uint64_t seed)
    : NoLearning(matroid->dimension(), seed),
      matroid_(std::move(matroid)),
      bases_(seed, "random base"),
      indicators_(ahead, static_cast<std::size_t>(matroid_->dimension())),
      sets_(ahead, static_cast<std::size_t>(matroid_->rank())) {
  drawn_.reserve(static_cast<std::size_t>(matroid_->dimension()));
}

void RandomBase::play(Suggestion& s, std::size_t row) {
  Stream stream = bases_.at(static_cast<std::uint64_t>(s.round));
  matroid_->random_base(stream, drawn_);
  const PointRef indicator = indicators_.row(row);
  std::fill(indicator.begin(), indicator.end(), 0.0);
  for (const Item item : drawn_) indicator[static_cast<std::size_t>(item)] = 1;
  s.action = Lent<double>::of(indicator);
  s.set = Lent<Item>::of(sets_.keep(row, drawn_));
}

}  // namespace hindsight
