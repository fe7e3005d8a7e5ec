#include "hindsight/offline/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hindsight/domains/clp_program.hpp"
#include "hindsight/offline/linear_rows.hpp"

namespace hindsight {
namespace {

/// max { <g, w> : w in K, w <= room }. A polymatroid cut by a box is one again, so that greedy is
/// optimal: the largest g first, each as high as it can go.
double boxed_maximum(const Matroid& matroid, PointView g, PointView room) {
  ItemSet order(g.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](Item i) { return g[static_cast<std::size_t>(i)]; };
  std::stable_sort(order.begin(), order.end(), [&](Item i, Item j) { return at(i) > at(j); });
  Point w(g.size(), 0.0);
  for (const Item item : order) {
    const auto i = static_cast<std::size_t>(item);
    if (g[i] > 0 && room[i] > 0) w[i] = std::min(room[i], matroid.room(w, item, -1));
  }
  return dot(g, w);
}

/// The same on a packing polytope, which cut by a box is one again. Items with hardly any room are
/// not shown to the solver, whose scaling they would spoil, but counted as if they filled it.
double boxed_maximum(const PackingPolytope& packing, PointView g, PointView room) {
  std::vector<Point> A(packing.limits().size());
  Point gains, upper;
  double sum = 0;
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (room[i] <= 1e-9 * packing.upper()[i]) {
      sum += g[i] * room[i];
      continue;
    }
    for (std::size_t r = 0; r < A.size(); ++r) A[r].push_back(packing.rows().row(r)[i]);
    gains.push_back(g[i]);
    upper.push_back(room[i]);
  }
  if (gains.empty()) return sum;
  Point w(gains.size());
  const PointView limits = packing.limits();
  packing_polytope(A, Point(limits.begin(), limits.end()), upper)->maximize(gains, w);
  return sum + dot(gains, w);
}

}  // namespace

PointCertificate::PointCertificate(DomainPtr domain)
    : domain_(std::move(domain)), upper_(upper_corner(*domain_)) {}

double PointCertificate::bound(const ContinuousFunction& function, PointView x) const {
  Point g(x.size());
  function.gradient(x, g);
  for (double& gain : g) gain = std::max(0.0, gain);
  return function.value(x) + std::min(scaled(g, x), boxed(g, x));
}

double PointCertificate::scaled(PointView gradient, PointView x) const {
  Point g(gradient.begin(), gradient.end()), w(g.size());
  for (std::size_t i = 0; i < g.size(); ++i)
    g[i] = upper_[i] > 0 ? g[i] * std::max(0.0, 1 - x[i] / upper_[i]) : 0.0;
  domain_->maximize(g, w);
  return dot(g, w);
}

double PointCertificate::boxed(PointView gradient, PointView x) const {
  Point room = upper_;
  for (std::size_t i = 0; i < room.size(); ++i) room[i] = std::max(0.0, room[i] - x[i]);
  if (const auto* matroid = dynamic_cast<const Matroid*>(domain_.get()))
    return boxed_maximum(*matroid, gradient, room);
  if (const auto* packing = dynamic_cast<const PackingPolytope*>(domain_.get()))
    return boxed_maximum(*packing, gradient, room);
  return INFINITY;
}

double set_certificate(const Matroid& matroid, const SetValue& f, const ItemSet& set) {
  const auto d = static_cast<std::size_t>(matroid.dimension());
  const double value = f(set);
  Point gains(d, 0.0), w(d);
  ItemSet larger = set;
  for (Item i = 0; i < matroid.dimension(); ++i) {
    if (std::find(set.begin(), set.end(), i) != set.end()) continue;
    larger.push_back(i);
    gains[static_cast<std::size_t>(i)] = f(larger) - value;
    larger.pop_back();
  }
  matroid.maximize(gains, w);
  return value + dot(gains, w);
}

}  // namespace hindsight
