#include "hindsight/domains/laminar_polytope.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hindsight/core/error.hpp"
#include "hindsight/domains/capped_simplex.hpp"
#include "hindsight/domains/interior.hpp"

namespace hindsight {
namespace {

std::size_t index(Item item) { return static_cast<std::size_t>(item); }

std::string entry(const char* name, std::size_t i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
}

/// Buffers of the calling thread, so that projecting and maximising allocate nothing once warm.
struct Scratch {
  Point y, floor, part;
  std::vector<Item> order;
  std::vector<double> left;
};

Scratch& scratch() {
  static thread_local Scratch buffers;
  return buffers;
}

}  // namespace

std::vector<LaminarSet> laminar_family(int dimension, const std::vector<ItemSet>& sets,
                                       const std::vector<double>& capacities, const char* name) {
  require(dimension >= 1, "dimension", dimension, "must be at least 1");
  require(capacities.size() == sets.size(), "capacities", capacities.size(),
          "must have one entry for each of the " + std::to_string(sets.size()) + " " + name);
  std::vector<std::vector<char>> member(sets.size(), std::vector<char>(index(dimension), 0));
  for (std::size_t s = 0; s < sets.size(); ++s) {
    require(!sets[s].empty(), entry(name, s), "[]", "must not be empty");
    for (const Item item : sets[s]) {
      require(item >= 0 && item < dimension, entry(name, s), item,
              "must list items from 0 to " + std::to_string(dimension - 1));
      require(!member[s][index(item)], entry(name, s), item, "must list each item once");
      member[s][index(item)] = 1;
    }
    require(std::isfinite(capacities[s]) && capacities[s] >= 0, entry("capacities", s),
            capacities[s], "must be at least 0 and finite");
  }
  for (std::size_t a = 0; a < sets.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const auto shared = static_cast<std::size_t>(std::count_if(
          sets[a].begin(), sets[a].end(), [&](Item item) { return member[b][index(item)] != 0; }));
      const bool equal = shared == sets[a].size() && shared == sets[b].size();
      const bool nested = shared == sets[a].size() || shared == sets[b].size();
      require(
          shared == 0 || (nested && !equal), entry(name, a), entry(name, b),
          equal ? "must differ from it" : "must contain it, lie inside it or be disjoint from it");
    }

  std::vector<std::size_t> order(sets.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sets[a].size() < sets[b].size(); });
  std::vector<LaminarSet> family;
  for (const std::size_t s : order) family.push_back({sets[s], capacities[s], -1});
  for (std::size_t s = 0; s < family.size(); ++s)
    for (std::size_t outer = s + 1; outer < family.size() && family[s].parent < 0; ++outer)
      if (member[order[outer]][index(family[s].items.front())])
        family[s].parent = static_cast<int>(outer);
  return family;
}

LaminarPolytope::LaminarPolytope(int dimension, double upper, std::vector<LaminarSet> family)
    : dimension_(dimension),
      upper_(upper),
      family_(std::move(family)),
      innermost_(index(dimension), -1),
      nested_(std::any_of(family_.begin(), family_.end(),
                          [](const LaminarSet& set) { return set.parent >= 0; })),
      one_simplex_(family_.size() == 1 && family_[0].items.size() == index(dimension) &&
                   std::is_sorted(family_[0].items.begin(), family_[0].items.end())) {
  for (std::size_t s = 0; s < family_.size(); ++s)
    for (const Item item : family_[s].items)
      if (innermost_[index(item)] < 0) innermost_[index(item)] = static_cast<int>(s);
}

void LaminarPolytope::maximize(PointView weights, PointRef out) const {
  // The polymatroid greedy: by decreasing positive weight, each item takes what its sets have left.
  auto& [y, floor, part, order, left] = scratch();
  order.clear();
  for (Item i = 0; i < dimension_; ++i)
    if (weights[index(i)] > 0) order.push_back(i);
  const auto heavier = [&](Item a, Item b) {
    const double wa = weights[index(a)], wb = weights[index(b)];
    return wa > wb || (wa == wb && a < b);
  };
  std::fill(out.begin(), out.end(), 0.0);
  if (one_simplex_) {
    // Only who is among the first matters here, not their order.
    const auto whole = static_cast<std::size_t>(family_[0].capacity / upper_);
    if (whole < order.size())
      std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(whole),
                       order.end(), heavier);
    for (std::size_t j = 0; j < std::min(whole, order.size()); ++j) out[index(order[j])] = upper_;
    if (whole < order.size())
      out[index(order[whole])] = family_[0].capacity - static_cast<double>(whole) * upper_;
    return;
  }
  std::sort(order.begin(), order.end(), heavier);
  left.clear();
  for (const LaminarSet& set : family_) left.push_back(set.capacity);
  for (const Item item : order) {
    double amount = upper_;
    for (int s = innermost(item); s >= 0; s = family_[index(s)].parent)
      amount = std::min(amount, left[index(s)]);
    out[index(item)] = amount;
    for (int s = innermost(item); s >= 0; s = family_[index(s)].parent) left[index(s)] -= amount;
  }
}

void LaminarPolytope::project_each(std::span<double> points, std::span<double> warm) const {
  if (one_simplex_)
    project_capped_simplices(points, upper_, family_[0].capacity, warm);
  else
    Domain::project_each(points, warm);
}

void LaminarPolytope::ascend_each(std::span<double> points, std::span<const double> steps,
                                  PointView directions, std::span<double> warm,
                                  Workers* workers) const {
  if (one_simplex_)
    ascend_capped_simplices(points, steps, directions, upper_, family_[0].capacity, warm, workers);
  else
    Domain::ascend_each(points, steps, directions, warm, workers);
}

void LaminarPolytope::ascend_each_in(const AffineMap& image, std::span<double> points,
                                     std::span<const double> steps, PointView directions,
                                     std::span<double> warm, Workers* workers) const {
  if (one_simplex_)
    ascend_capped_simplices(image, points, steps, directions, upper_, family_[0].capacity, warm,
                            workers);
  else
    Domain::ascend_each_in(image, points, steps, directions, warm, workers);
}

/// If there are columns for every thread.
bool LaminarPolytope::ascends_in_strips(std::size_t threads) const {
  return one_simplex_ && threads > 1 &&
         column_parts(static_cast<std::size_t>(dimension_)) >= threads;
}

void LaminarPolytope::ascend_strips(const AffineMap& image, const TableRows& points,
                                    std::span<const double> steps, const ConstTableRows& directions,
                                    std::span<double> warm, Workers& workers) const {
  ascend_capped_strips(image, points, steps, directions, upper_, family_[0].capacity, warm,
                       workers);
}

void LaminarPolytope::ascend_each(std::span<float> distances, PointView lower, double scale,
                                  std::span<const double> steps, const NarrowDirections& directions,
                                  std::span<double> warm) const {
  if (one_simplex_)
    ascend_capped_simplices(distances, steps, directions, scale * upper_,
                            scale * family_[0].capacity, warm);
  else
    Domain::ascend_each(distances, lower, scale, steps, directions, warm);
}

double LaminarPolytope::ascend_along(std::span<float> distance, double scale, double step,
                                     std::span<double> warm, const NarrowStep& along) const {
  return ascend_capped_simplex(distance, step, scale * upper_, scale * family_[0].capacity, warm[0],
                               along);
}

void LaminarPolytope::project(PointRef x, std::span<double> warm) const {
  const auto guess = [&](std::size_t s) { return warm.empty() ? 0.0 : warm[s]; };
  const auto remember = [&](std::size_t s, double shift) {
    if (!warm.empty()) warm[s] = shift;
  };
  if (one_simplex_) {
    remember(0, project_capped_simplex(x, upper_, family_[0].capacity, guess(0)));
    return;
  }
  auto& [y, floor, part, order, left] = scratch();
  if (!nested_) {
    for (std::size_t s = 0; s < family_.size(); ++s) {
      const ItemSet& items = family_[s].items;
      part.resize(items.size());
      for (std::size_t j = 0; j < items.size(); ++j) part[j] = x[index(items[j])];
      remember(s, project_capped_simplex(part, upper_, family_[s].capacity, guess(s)));
      for (std::size_t j = 0; j < items.size(); ++j) x[index(items[j])] = part[j];
    }
    for (Item i = 0; i < dimension_; ++i)
      if (innermost(i) < 0) x[index(i)] = std::clamp(x[index(i)], 0.0, upper_);
    return;
  }
  y.assign(x.begin(), x.end());
  floor.assign(x.size(), 0.0);
  for (std::size_t s = 0; s < family_.size(); ++s) {
    const LaminarSet& set = family_[s];
    const double shift = capped_shift(y, floor, set.items, upper_, set.capacity, guess(s));
    remember(s, shift);
    for (const Item item : set.items) floor[index(item)] = std::max(floor[index(item)], shift);
  }
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(y[i] - floor[i], 0.0, upper_);
}

bool LaminarPolytope::contains(PointView x, double tolerance) const {
  for (const double xi : x)
    if (!(xi >= -tolerance && xi <= upper_ + tolerance)) return false;
  for (const LaminarSet& set : family_) {
    double sum = 0;
    for (const Item item : set.items) sum += x[index(item)];
    if (!(sum <= set.capacity + tolerance)) return false;
  }
  return true;
}

double LaminarPolytope::inner_radius() const {
  // x(F) <= sqrt|F| |x|, with equality on the diagonal of F.
  double r = upper_;
  for (const LaminarSet& set : family_)
    r = std::min(r, set.capacity / std::sqrt(static_cast<double>(set.items.size())));
  return r;
}

double LaminarPolytope::largest_total(double factor) const {
  std::vector<double> inside(family_.size(), 0.0);
  double total = 0;
  for (Item i = 0; i < dimension_; ++i)
    (innermost(i) < 0 ? total : inside[index(innermost(i))]) += upper_;
  for (std::size_t s = 0; s < family_.size(); ++s) {
    const double most = std::min(inside[s], factor * family_[s].capacity);
    (family_[s].parent < 0 ? total : inside[index(family_[s].parent)]) += most;
  }
  return total;
}

double LaminarPolytope::radius() const {
  return std::sqrt(upper_ * largest_total(1));  // sum x_i^2 <= upper sum x_i
}

double LaminarPolytope::diameter() const {
  // z_i = |x_i - y_i| <= max(x_i, y_i) has z(F) <= x(F) + y(F) <= 2 c_F.
  return std::sqrt(upper_ * largest_total(2));
}

DomainPtr LaminarPolytope::erode(double delta) const {
  // Each face moves inwards by delta: x >= delta, x <= upper - delta, x(F) <= c_F - delta sqrt|F|.
  // Written for w = x - delta 1 this is a polytope of the same kind.
  require(delta > 0 && 2 * delta < upper_, "radius", delta,
          "must be positive and less than half the upper bound " + std::to_string(upper_));
  std::vector<LaminarSet> eroded = family_;
  for (LaminarSet& set : eroded) {
    const auto n = static_cast<double>(set.items.size());
    set.capacity -= delta * (n + std::sqrt(n));
    require(set.capacity > 0, "radius", delta,
            "must leave room in every set: at most " +
                std::to_string((set.capacity + delta * (n + std::sqrt(n))) / (n + std::sqrt(n))));
  }
  return std::make_shared<AffineImage>(
      std::make_shared<LaminarPolytope>(dimension_, upper_ - 2 * delta, std::move(eroded)), 1.0,
      delta);
}

std::string LaminarPolytope::describe() const {
  return "laminar polytope with " + std::to_string(family_.size()) + " sets on " +
         std::to_string(dimension_) + " items";
}

}  // namespace hindsight
