#include "hindsight/learners/mixture_sampler.hpp"

#include <algorithm>
#include <cmath>

#include "hindsight/learners/tsallis.hpp"

namespace hindsight {
namespace {

std::size_t index(Item item) { return static_cast<std::size_t>(item); }

/// Psi' where it is finite; beyond, Psi goes on as a straight line.
double bounded_score(double share, double least) {
  return tsallis::score(std::clamp(share, least, 1 - least));
}

void read_items(PointView indicator, ItemSet& out) {
  out.clear();
  for (std::size_t i = 0; i < indicator.size(); ++i)
    if (indicator[i] > .5) out.push_back(static_cast<Item>(i));
}

double total(PointView weights, const ItemSet& set) {
  double sum = 0;
  for (const Item item : set) sum += weights[index(item)];
  return sum;
}

bool holds(const ItemSet& sorted, Item item) {
  return std::binary_search(sorted.begin(), sorted.end(), item);
}

}  // namespace

MixtureSampler::MixtureSampler(MatroidPtr matroid)
    : matroid_(std::move(matroid)),
      rounding_(matroid_),
      y_(index(matroid_->dimension())),
      x_(y_.size()),
      target_(y_.size()),
      slope_(y_.size()),
      indicator_(y_.size()) {
  // A base for every item that is in one, of random company; then the maximum of the entropy.
  const StreamFamily company(0, "centre");
  ItemSet base;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    Stream stream = company.at(i);
    for (double& weight : slope_) weight = 1 + stream.uniform();
    slope_[i] = 3;
    matroid_->maximize(slope_, indicator_);
    read_items(indicator_, base);
    add_weight(base, 1.0 / static_cast<double>(y_.size()));
  }
  read_shares();
  ascend(50 * static_cast<int>(y_.size()), 1e-4);
  centre_ = y_;
  centre_mixture_ = mixture_;
  least_share_ = 1;
  double free = 0;
  for (const double c : centre_) {
    if (c < 1e-9 || c > 1 - 1e-9) continue;
    range_ += tsallis::range(c);
    mean_share_ += c;
    least_share_ = std::min({least_share_, c, 1 - c});
    ++free;
  }
  if (free > 0) mean_share_ /= free;
  show();
}

void MixtureSampler::draw(Stream& stream, ItemSet& out) {
  rounding_.draw_from(stream.coin(floor_) ? centre_mixture_ : mixture_, stream, out);
}

void MixtureSampler::step(PointView g, double floor) {
  const double least = std::max(1e-9, floor * least_share_);
  for (std::size_t i = 0; i < y_.size(); ++i) target_[i] = bounded_score(y_[i], least) + g[i];
  ascend(8, least);
  floor_ = floor;
  show();
}

/// Pairwise Frank-Wolfe steps towards the maximum of <target, y> - Psi(y).
void MixtureSampler::ascend(int most_moves, double least) {
  static thread_local ItemSet best;
  for (int move = 0; move < most_moves; ++move) {
    double lowest = 0;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      slope_[i] = target_[i] - bounded_score(y_[i], least);
      lowest = std::min(lowest, slope_[i]);
    }
    // Every weight positive, so that the maximiser is a base.
    for (double& slope : slope_) slope += 1 - lowest;
    matroid_->maximize(slope_, indicator_);
    read_items(indicator_, best);
    std::size_t worst = 0;
    double worst_total = 0;
    for (std::size_t j = 0; j < mixture_.sets.size(); ++j) {
      const double value = total(slope_, mixture_.sets[j]);
      if (j > 0 && value >= worst_total) continue;
      worst = j;
      worst_total = value;
    }
    if (total(slope_, best) - worst_total < 1e-6) return;
    const double most = mixture_.weights[worst];
    const double moved = move_along(best, mixture_.sets[worst], most, least);
    if (moved < most) {
      mixture_.weights[worst] -= moved;
    } else {
      std::swap(mixture_.weights[worst], mixture_.weights.back());
      std::swap(mixture_.sets[worst], mixture_.sets.back());
      mixture_.weights.pop_back();
      mixture_.sets.pop_back();
    }
    add_weight(best, moved);
    read_shares();
  }
}

/// The step of at most `most` from `worst` towards `best` that maximises, by bisection.
double MixtureSampler::move_along(const ItemSet& best, const ItemSet& worst, double most,
                                  double least) const {
  const auto rises = [&](double step) {
    double slope = 0;
    for (const Item i : best)
      if (!holds(worst, i)) slope += target_[index(i)] - bounded_score(y_[index(i)] + step, least);
    for (const Item i : worst)
      if (!holds(best, i)) slope -= target_[index(i)] - bounded_score(y_[index(i)] - step, least);
    return slope > 0;
  };
  if (rises(most)) return most;
  double low = 0, high = most;
  for (int halving = 0; halving < 12; ++halving) {
    const double middle = (low + high) / 2;
    (rises(middle) ? low : high) = middle;
  }
  return high;
}

void MixtureSampler::add_weight(const ItemSet& base, double weight) {
  auto& [weights, sets] = mixture_;
  const auto found = std::find(sets.begin(), sets.end(), base);
  if (found != sets.end()) {
    weights[static_cast<std::size_t>(found - sets.begin())] += weight;
  } else {
    weights.push_back(weight);
    sets.push_back(base);
  }
}

void MixtureSampler::read_shares() {
  double sum = 0;
  for (const double weight : mixture_.weights) sum += weight;
  std::fill(y_.begin(), y_.end(), 0.0);
  for (std::size_t j = 0; j < mixture_.sets.size(); ++j) {
    mixture_.weights[j] /= sum;  // against drift
    for (const Item item : mixture_.sets[j]) y_[index(item)] += mixture_.weights[j];
  }
}

void MixtureSampler::show() {
  for (std::size_t i = 0; i < x_.size(); ++i)
    x_[i] = std::min(1.0, (1 - floor_) * y_[i] + floor_ * centre_[i]);
}

void MixtureSampler::write(Writer& writer) const {
  writer.value(floor_);
  writer.value(mixture_.sets.size());
  writer.values(mixture_.weights);
  for (const ItemSet& set : mixture_.sets) writer.values(set);
  writer.values(y_);
}

void MixtureSampler::read(Reader& reader) {
  floor_ = reader.value<double>();
  const auto count = reader.value<std::size_t>();
  mixture_.weights.resize(count);
  mixture_.sets.assign(count, ItemSet(index(matroid_->rank())));
  reader.values(mixture_.weights);
  for (ItemSet& set : mixture_.sets) reader.values(set);
  reader.values(y_);
  show();
}

}  // namespace hindsight
