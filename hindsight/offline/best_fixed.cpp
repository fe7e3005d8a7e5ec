#include "hindsight/offline/best_fixed.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hindsight/domains/matroid.hpp"
#include "hindsight/offline/certificate.hpp"
#include "hindsight/offline/continuous_greedy.hpp"
#include "hindsight/offline/cutting_planes.hpp"
#include "hindsight/offline/enumeration.hpp"
#include "hindsight/offline/greedy.hpp"
#include "hindsight/offline/pair_bound.hpp"
#include "hindsight/offline/projected_ascent.hpp"

namespace hindsight {
namespace {

Point indicator(const ItemSet& set, int dimension) {
  Point x(static_cast<std::size_t>(dimension), 0.0);
  for (const Item i : set) x[static_cast<std::size_t>(i)] = 1;
  return x;
}

/// At most d choose rank bases.
double bases_at_most(const Matroid& matroid) {
  double count = 1;
  for (int i = 1; i <= matroid.rank(); ++i)
    count *= static_cast<double>(matroid.dimension() - matroid.rank() + i) / i;
  return count;
}

class Interval {
 public:
  explicit Interval(int dimension) : dimension_(dimension) {
    result_.lower = -INFINITY;
    result_.upper = INFINITY;
  }
  const BestFixed& result() const { return result_; }
  /// Are the ends still apart?
  bool open() const { return result_.upper > result_.lower + 1e-9 * std::abs(result_.lower); }
  BestFixed closed() const {
    BestFixed result = result_;
    if (!open()) result.upper = result.lower;
    if (result.set) std::sort(result.set->begin(), result.set->end());
    return result;
  }

  void offer_point(double value, Point point, std::optional<ItemSet> set, const std::string& how) {
    // A point replaces what is there only if it is better by more than rounding: sets come first.
    if (value <= result_.lower + 1e-12 * std::abs(result_.lower)) return;
    result_.lower = value;
    result_.point = std::move(point);
    result_.set = std::move(set);
    result_.lower_by = how;
  }
  void offer_set(double value, const ItemSet& set, const std::string& how) {
    offer_point(value, indicator(set, dimension_), set, how);
  }
  void offer_bound(double bound, const std::string& how) {
    if (bound >= result_.upper) return;
    result_.upper = bound;
    result_.upper_by = how;
  }

 private:
  int dimension_;
  BestFixed result_;
};

/// The base that greedy makes of the largest coordinates.
ItemSet rounded_to_base(const Matroid& matroid, PointView x) {
  Point weights(x.begin(), x.end()), w(x.size());
  for (double& weight : weights) weight += 1e-9;  // a base, not only its support
  matroid.maximize(weights, w);
  ItemSet set;
  for (Item i = 0; i < matroid.dimension(); ++i)
    if (w[static_cast<std::size_t>(i)] > 0.5) set.push_back(i);
  return set;
}

void search_sets(const Mixture& mixture, const Matroid& matroid, Interval& interval) {
  const SetValue f = [&](ItemView set) { return mixture.value_of_set(set); };
  const ItemSet greedy = lazy_greedy(matroid, *mixture.grow());
  const double scale = std::abs(f(greedy));
  interval.offer_set(f(greedy), greedy, "lazy greedy");
  const ItemSet swapped = local_search(matroid, f, greedy, 1e-12 * scale, 100);
  interval.offer_set(f(swapped), swapped, "lazy greedy and local search");
  ItemSet prefix;
  for (std::size_t n = 0; n <= greedy.size(); ++n) {
    interval.offer_bound(set_certificate(matroid, f, prefix), "certificate at a greedy set");
    if (n < greedy.size()) prefix.push_back(greedy[n]);
  }
  interval.offer_bound(set_certificate(matroid, f, swapped), "certificate at a local optimum");
}

/// Where values are estimates they are true at the corners, and so are the certificates there.
void bound_at_level_sets(const Mixture& mixture, PointView x, const PointCertificate& certificate,
                         Interval& interval) {
  Point corner(x.size(), 0.0);
  interval.offer_bound(certificate.bound(mixture, corner), "certificate at 0");
  if (!mixture.has_sets()) return;  // a function of points alone may not reach to 1
  ItemSet order(x.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](Item i) { return x[static_cast<std::size_t>(i)]; };
  std::sort(order.begin(), order.end(), [&](Item i, Item j) { return at(i) > at(j); });
  for (const Item i : order) {
    corner[static_cast<std::size_t>(i)] = 1;
    interval.offer_bound(certificate.bound(mixture, corner), "certificate at a level set");
  }
}

/// Continuous greedy, with a certificate at some of the points it visits.
void search_points(const Mixture& mixture, const DomainPtr& domain, int steps, Interval& interval) {
  const PointCertificate certificate(domain);
  const int stride = std::max(1, steps / 16);
  const bool exact = mixture.exact();
  const FunctionFacts facts = mixture.facts();
  Point x = continuous_greedy(mixture, *domain, steps, [&](int k, PointView visited) {
    // The first is exact where F is linear, and at 0 it holds also where F is not monotone.
    if (exact && (k == 1 || (facts.monotone && ((k - 1) % stride == 0 || k == steps + 1))))
      interval.offer_bound(certificate.bound(mixture, visited),
                           "certificate along continuous greedy");
  });
  domain->project(x);  // takes back the rounding of `steps` additions
  if (!exact) bound_at_level_sets(mixture, x, certificate, interval);
  if (facts.concave || !facts.monotone) {  // continuous greedy is not the best there is
    x = projected_ascent(mixture, *domain, std::move(x), 20 * steps);
    if (facts.concave)
      interval.offer_bound(mixture.value(x) + frank_wolfe_gap(mixture, *domain, x),
                           "Frank-Wolfe gap");
  }
  const double value = mixture.sure_value(x);
  interval.offer_point(value, std::move(x), std::nullopt,
                       facts.concave || !facts.monotone ? "projected ascent" : "continuous greedy");
}

/// Cutting planes from above; for sets also their rounded optimum, and branch and cut.
void search_majorant(const Mixture& mixture, const DomainPtr& domain, const Matroid* sets,
                     double seconds, Interval& interval) {
  const auto rows = LinearRows::of(domain);
  const auto majorant = rows ? MixtureMajorant::of(mixture, rows->upper()) : std::nullopt;
  if (!majorant) return;
  CuttingPlanes planes(*majorant, *rows);
  planes.add_tangents(interval.result().point);
  interval.offer_bound(planes.bound(interval.result().lower), "cutting planes");
  if (!sets) {
    Point x = planes.point();
    domain->project(x);  // takes back the solver's tolerance
    const double value = mixture.sure_value(x);
    return interval.offer_point(value, std::move(x), std::nullopt, "cutting planes");
  }
  const SetValue f = [&](ItemView set) { return mixture.value_of_set(set); };
  if (interval.open()) {
    const ItemSet rounded = local_search(*sets, f, rounded_to_base(*sets, planes.point()),
                                         1e-12 * interval.result().lower, 100);
    interval.offer_set(f(rounded), rounded, "cutting planes, rounding and local search");
  }
  if (!interval.open() || seconds <= 0) return;
  if (const auto proven = planes.prove(f, *interval.result().set, seconds)) {
    interval.offer_set(proven->value, proven->set, "branch and cut");
    interval.offer_bound(proven->upper, "branch and cut");
  }
}

/// From above, where products of two items say more than the items.
void bound_pairs(const Mixture& mixture, const Matroid& matroid, Interval& interval) {
  const auto majorant = MixtureMajorant::of(mixture, upper_corner(matroid));
  if (!majorant || !majorant->has_pairs() || !mixture.facts().monotone) return;
  const Bases bases = mixture.has_sets() ? Bases::sets : Bases::hull;
  const BestFixed& best = interval.result();
  interval.offer_bound(pair_bound(*majorant, matroid, bases, best.point, best.lower),
                       "pairs of items");
}

void enumerate(const Mixture& mixture, const Matroid& matroid, Interval& interval) {
  const BestSet best = best_base(matroid, [&](ItemView set) { return mixture.value_of_set(set); });
  interval.offer_set(best.value, best.set, "enumeration");
  interval.offer_bound(best.value, "enumeration");
}

}  // namespace

BestFixed best_fixed(const Mixture& mixture, const DomainPtr& domain,
                     const BestFixedOptions& options) {
  const auto matroid = std::dynamic_pointer_cast<const Matroid>(domain);
  const Matroid* const sets = mixture.has_sets() ? matroid.get() : nullptr;
  Interval interval(domain->dimension());
  if (sets) {
    const bool few = bases_at_most(*sets) <= options.most_bases;
    search_sets(mixture, *sets, interval);
    if (interval.open())
      search_majorant(mixture, domain, sets, few ? 0 : options.seconds, interval);
    if (interval.open() && few) enumerate(mixture, *sets, interval);
    if (interval.open()) bound_pairs(mixture, *sets, interval);
    // The sets' own certificates are true; a search by estimates would add nothing that is sure.
    if (interval.open() && mixture.exact()) search_points(mixture, domain, options.steps, interval);
  } else {
    search_points(mixture, domain, options.steps, interval);
    if (interval.open()) search_majorant(mixture, domain, nullptr, 0, interval);
    if (interval.open() && matroid) bound_pairs(mixture, *matroid, interval);
  }
  return interval.closed();
}

}  // namespace hindsight
