#include "hindsight/offline/pair_bound.hpp"

#include <algorithm>
#include <cmath>

namespace hindsight {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// average += rate (value - average)
void mix(PointRef average, double rate, PointView value) {
  for (std::size_t i = 0; i < average.size(); ++i) average[i] += rate * (value[i] - average[i]);
}

}  // namespace

PairMaximum::PairMaximum(const Matroid& matroid, Bases bases) : matroid_(matroid), bases_(bases) {
  const auto d = static_cast<std::size_t>(matroid.dimension());
  for (Point* p : {&point_, &weights_, &sums_}) p->resize(d);
  products_ = PointTable(d, d);
}

double PairMaximum::bound(const PairCut& cut) {
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const PointView pairs = cut.pairs.row(i);
    best_base(pairs, bases_ == Bases::sets ? i : none, products_.row(i));
    sums_[i] = cut.slope[i] + dot(pairs, products_.row(i));
  }
  best_base(sums_, none, point_);
  for (std::size_t i = 0; i < sums_.size(); ++i)
    for (double& product : products_.row(i)) product *= point_[i];
  return cut.constant + dot(sums_, point_);
}

/// Greedy; all weights are lifted above 0, so that it ends with a base, and that of `holding` above
/// all others, so that it begins with it.
void PairMaximum::best_base(PointView weights, std::size_t holding, PointRef base) {
  const auto [low, high] = std::minmax_element(weights.begin(), weights.end());
  const double least = *low, range = std::max(*high - *low, 1e-300);
  for (std::size_t i = 0; i < weights.size(); ++i) weights_[i] = 1 + (weights[i] - least) / range;
  if (holding != none) weights_[holding] = 3;
  matroid_.maximize(weights_, base);
}

/// The bound is convex in the mixture and in the division, and what attains it is a subgradient. So
/// the division moves against products(i,j) - products(j,i), with Polyak's step to what is hoped
/// for: a share of the way to `lower`, halved whenever the gain falls short of it. The mixture
/// takes in the tangent at the average of what attained the bounds (fictitious play).
double pair_bound(const MixtureMajorant& majorant, const Matroid& matroid, Bases bases,
                  PointView start, double lower) {
  constexpr int most_steps = 1000, patience = 20;
  constexpr double inertia = 0.7, enough = 0.03, least_hope = 0.01;
  const std::size_t d = start.size();
  Point x(start.begin(), start.end());
  PointTable products(d, d), division(d, d), direction(d, d);
  for (std::size_t i = 0; i < d; ++i) add_scaled(products.row(i), x[i], x);
  PairCut tangent, mixture, divided;
  mixture.slope.resize(d);
  mixture.pairs = PointTable(d, d);
  PairMaximum maximum(matroid, bases);
  double least = INFINITY, milestone = INFINITY, hope = 1;
  for (int step = 0; step < most_steps; ++step) {
    const double rate = 2.0 / (step + 2);  // the later, the heavier
    majorant.pair_tangent(x, products, tangent);
    mixture.constant += rate * (tangent.constant - mixture.constant);
    mix(mixture.slope, rate, tangent.slope);
    mix(mixture.pairs.numbers(), rate, tangent.pairs.numbers());
    divided = mixture;
    add_scaled(divided.pairs.numbers(), 1, division.numbers());
    const double bound = maximum.bound(divided);
    least = std::min(least, bound);
    const double left = least - lower;
    if (left <= 1e-9 * std::abs(lower)) break;
    if (step % patience == 0) {
      if (milestone - least < enough * hope * left) hope /= 2;
      if (hope < least_hope) break;
      milestone = least;
    }

    mix(x, rate, maximum.point());
    const PointTable& found = maximum.products();
    double squares = 0;
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j) {
        const double one = found.row(i)[j], other = found.row(j)[i];
        double& product = products.row(i)[j];
        product += rate * ((one + other) / 2 - product);
        double& towards = direction.row(i)[j];
        towards = inertia * towards + (1 - inertia) * (one - other);
        squares += (one - other) * (one - other);
      }
    if (squares > 0)
      add_scaled(division.numbers(), -(bound - least + hope * left) / squares, direction.numbers());
  }
  return least;
}

}  // namespace hindsight
