#include "hindsight/learners/nested_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hindsight/core/wide.hpp"
#include "hindsight/learners/tsallis.hpp"

namespace hindsight {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// y_i = phi(z_i - max(tau, floor_i)) and its derivative in -tau. A loop without sums, so that it
/// can be done several numbers at a time.
__attribute__((always_inline)) inline void fill(const double* __restrict z,
                                                const double* __restrict floor, std::size_t n,
                                                double tau, double* __restrict y,
                                                double* __restrict slope) {
  for (std::size_t i = 0; i < n; ++i) {
    const double shift = floor[i] > tau ? floor[i] : tau;
    const tsallis::Share share = tsallis::share(z[i] - shift);
    y[i] = share.x;
    slope[i] = floor[i] > tau ? 0 : share.slope;
  }
}

/// Four sums, so that the order of additions does not depend on the width of the machine.
__attribute__((always_inline)) inline double total(const double* v, std::size_t n) {
  double sum[4] = {0, 0, 0, 0};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += v[i + lane];
  for (; i < n; ++i) sum[0] += v[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

NestedSampler::NestedSampler(LaminarMatroidPtr matroid)
    : pipage_(matroid), x_(static_cast<std::size_t>(matroid->dimension()), 0.0) {
  find_parts(*matroid);
  const std::size_t n = items_.size();
  z_.assign(n, 0.0);
  shift_.assign(n, -infinity);
  y_.assign(n, 0.0);
  slope_.assign(n, 0.0);
  normalize();
  centre_ = y_;
  least_share_ = 1;
  for (const double c : centre_) {
    range_ += tsallis::range(c);
    mean_share_ += c / static_cast<double>(n);
    least_share_ = std::min({least_share_, c, 1 - c});
  }
  show(0);
}

/// Finds the sets that bind, and lays out the items that can be chosen such that each is
/// contiguous. An item in no binding set is in every base, one in a set of rank 0 in none.
void NestedSampler::find_parts(const LaminarMatroid& matroid) {
  const auto& family = matroid.family();
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  std::vector<double> inside(family.size(), 0.0);  // what could be taken from each, from within
  for (Item i = 0; i < matroid.dimension(); ++i)
    if (matroid.innermost(i) >= 0) inside[at(matroid.innermost(i))] += 1;
  for (std::size_t s = 0; s < family.size(); ++s)
    if (family[s].parent >= 0)
      inside[at(family[s].parent)] += std::min(inside[s], family[s].capacity);

  // The binding sets around an item, the outermost first: in their order sets are contiguous.
  std::vector<std::pair<std::vector<int>, Item>> places;
  for (Item i = 0; i < matroid.dimension(); ++i) {
    std::vector<int> around;
    bool dead = false;
    for (int s = matroid.innermost(i); s >= 0; s = family[at(s)].parent) {
      if (inside[at(s)] > family[at(s)].capacity) around.insert(around.begin(), s);
      dead = dead || family[at(s)].capacity == 0;
    }
    if (!dead && around.empty()) x_[at(i)] = 1;
    if (!dead && !around.empty()) places.emplace_back(std::move(around), i);
  }
  std::sort(places.begin(), places.end());
  for (const auto& [around, item] : places) items_.push_back(item);
  in_order_ = items_.size() == x_.size() && std::is_sorted(items_.begin(), items_.end());

  for (std::size_t s = 0; s < family.size(); ++s) {
    const auto holds = [&](const auto& place) {
      return std::find(place.first.begin(), place.first.end(), static_cast<int>(s)) !=
             place.first.end();
    };
    const auto first = std::find_if(places.begin(), places.end(), holds);
    const auto last = std::find_if_not(first, places.end(), holds);
    if (first == last) continue;
    Part part;
    part.begin = static_cast<std::size_t>(first - places.begin());
    part.end = static_cast<std::size_t>(last - places.begin());
    part.capacity = family[s].capacity;
    part.outermost = first->first.front() == static_cast<int>(s);
    part.flat = std::all_of(first, last, [](const auto& place) { return place.first.size() == 1; });
    parts_.push_back(part);
  }
}

void NestedSampler::step(PointView g, double floor) {
  if (in_order_)
    add_scaled(z_, 1, g);
  else
    for (std::size_t j = 0; j < z_.size(); ++j) z_[j] += g[static_cast<std::size_t>(items_[j])];
  normalize();
  show(floor);
  // A score below its floor would take as long to come back as it took to get there.
  if (!(floor > 0) || items_.empty()) return;
  const double lowest = tsallis::score(floor * least_share_);
  for (double& z : z_) z = std::clamp(z, lowest, -lowest);
}

/// From scores to shares. Shifts go over into the scores, so that the next ones are near 0.
HINDSIGHT_WIDE
void NestedSampler::normalize() {
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    Part& part = parts_[s];
    const Met met = meet_capacity(part);
    if (!part.outermost) {
      for (std::size_t j = part.begin; j < part.end; ++j) shift_[j] = std::max(shift_[j], met.tau);
      part.guess = met.tau;  // until the set around it is done
      continue;
    }
    for (std::size_t j = part.begin; j < part.end; ++j) {
      z_[j] -= std::max(shift_[j], met.tau);
      shift_[j] = -infinity;
    }
    part.guess = met.next - met.tau;
    for (std::size_t inner = 0; inner < s; ++inner)
      if (parts_[inner].begin >= part.begin && parts_[inner].end <= part.end)
        parts_[inner].guess = std::min(0.0, parts_[inner].guess - met.tau);
    // What is still missing or too much is shared out, by distance to 1 or to 0, such that the sum
    // is exact. Which of the two it is, is a coin: hence no branch.
    const auto end = static_cast<double>(met.sum <= part.capacity);
    const double at_end = end * static_cast<double>(part.end - part.begin);
    const double scale = (part.capacity - at_end) / (met.sum - at_end);
    double* const y = y_.data();
    for (std::size_t j = part.begin; j < part.end; ++j) y[j] = end + (y[j] - end) * scale;
  }
}

/// Newton's method inside a bracket, from where the last step left off: mostly one pass. A flat
/// part is content with 1% of its capacity, as sharing out the rest makes a step that is as good;
/// where sets are nested the sum must be exact.
__attribute__((always_inline)) inline NestedSampler::Met NestedSampler::meet_capacity(
    const Part& part) {
  const std::size_t n = part.end - part.begin;
  const double least = std::min(part.capacity, static_cast<double>(n) - part.capacity);
  const double tolerance = (part.flat ? 1e-2 : 1e-12) * least;
  double low = -infinity, high = infinity, longest = 1;
  Met met{part.guess, part.guess, 0};
  for (int pass = 0; pass < 200; ++pass) {
    met.tau = met.next;
    double* const y = y_.data() + part.begin;
    fill(z_.data() + part.begin, shift_.data() + part.begin, n, met.tau, y, slope_.data());
    met.sum = total(y, n);
    const double excess = met.sum - part.capacity;
    (excess > 0 ? low : high) = met.tau;
    met.next = met.tau + excess / total(slope_.data(), n);
    if (!(std::abs(met.next - met.tau) <= longest)) {
      met.next = met.tau + std::copysign(longest, excess);
      longest *= 2;
    }
    if (std::abs(excess) <= tolerance) break;
    if (!(met.next > low && met.next < high)) met.next = low + (high - low) / 2;
    if (met.next == met.tau) break;  // no number lies between
  }
  return met;
}

/// What is played: the shares, with a little of the centre.
void NestedSampler::show(double floor) {
  if (in_order_) {
    const double* const y = y_.data();
    const double* const centre = centre_.data();
    for (std::size_t j = 0; j < x_.size(); ++j) x_[j] = (1 - floor) * y[j] + floor * centre[j];
    return;
  }
  for (std::size_t j = 0; j < items_.size(); ++j)
    x_[static_cast<std::size_t>(items_[j])] = (1 - floor) * y_[j] + floor * centre_[j];
}

void NestedSampler::write(Writer& writer) const {
  writer.values(z_);
  writer.values(x_);
  for (const Part& part : parts_) writer.value(part.guess);
}

void NestedSampler::read(Reader& reader) {
  reader.values(z_);
  reader.values(x_);
  for (Part& part : parts_) part.guess = reader.value<double>();
}

}  // namespace hindsight
