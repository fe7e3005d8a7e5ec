#include "hindsight/functions/coverage.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <map>
#include <numeric>
#include <string>

#include "hindsight/core/error.hpp"
#include "hindsight/core/lanes.hpp"
#include "hindsight/core/wide.hpp"
#include "hindsight/functions/inputs.hpp"
#include "hindsight/functions/marks.hpp"

namespace hindsight {
namespace {

/// Elements of up to this many coverers have loops of known length. Longer lists go by fours and
/// are filled up with any items.
constexpr std::size_t short_list = 5;
constexpr std::size_t filled_up(std::size_t coverers) {
  return coverers <= short_list ? coverers : (coverers + 3) / 4 * 4;
}

/// Elements with the same number of coverers: the coverers of the first, of the second, ..., and
/// their weights.
struct Elements {
  std::size_t coverers;
  const int* items;
  std::span<const double> weights;
};

/// sum_e w_e prod_i (1 - x_i), for n coverers each. Two sums, as one would wait for each addition
/// to end before the next.
template <std::size_t n>
double uncovered(const Elements& elements, PointView x) {
  const auto left_of = [&](const int* items, double weight) {
    for (std::size_t j = 0; j < n; ++j) weight *= 1 - x[static_cast<std::size_t>(items[j])];
    return weight;
  };
  const int* items = elements.items;
  const std::span<const double> weights = elements.weights;
  double even = 0;
  double odd = 0;
  std::size_t e = 0;
  for (; e + 2 <= weights.size(); e += 2, items += 2 * n) {
    even += left_of(items, weights[e]);
    odd += left_of(items + n, weights[e + 1]);
  }
  if (e < weights.size()) even += left_of(items, weights[e]);
  return even + odd;
}

/// out_i += sum over e that i covers of w_e prod_{l != i covers e} (1 - x_l): products from the
/// left and from the right, as dividing by 1 - x_i fails where x_i = 1.
template <std::size_t n>
void add_gradient(const Elements& elements, PointView x, PointRef out) {
  const int* items = elements.items;
  for (const double weight : elements.weights) {
    double left[n];
    double product = weight;
    for (std::size_t j = 0; j < n; ++j) {
      left[j] = product;
      product *= 1 - x[static_cast<std::size_t>(items[j])];
    }
    double right = 1;
    for (std::size_t j = n; j-- > 0;) {
      const auto i = static_cast<std::size_t>(items[j]);
      out[i] += left[j] * right;
      right *= 1 - x[i];
    }
    items += n;
  }
}

/// 1 - x_i of four coverers, and 1 where they only fill up: behind the first `some`.
__attribute__((always_inline)) inline void read_factors(const int* items, std::size_t some,
                                                        const double* x, Lanes& factors) {
  factors = Lanes{1 - x[items[0]], 1 - x[items[1]], 1 - x[items[2]], 1 - x[items[3]]};
  const Mask lane = {0, 1, 2, 3};
  factors = lane < static_cast<std::int64_t>(some) ? factors : Lanes{1, 1, 1, 1};
}

/// The sum of `uncovered` for elements with however many coverers, more than a short list: four
/// products side by side, as one would wait for each factor.
HINDSIGHT_WIDE
double uncovered_by_fours(std::span<const std::size_t> coverers, const int* items,
                          const double* weights, const double* x) {
  double total = 0;
  for (std::size_t e = 0; e < coverers.size(); ++e) {
    Lanes products = {weights[e], 1, 1, 1}, factors;
    std::size_t left = coverers[e];
    for (; left > 4; left -= 4, items += 4) {
      read_factors(items, 4, x, factors);
      products *= factors;
    }
    read_factors(items, left, x, factors);
    products *= factors;
    items += 4;
    total += (products[0] * products[2]) * (products[1] * products[3]);
  }
  return total;
}

/// What `add_gradient` adds for them. In each of four lanes products from the left and the right,
/// times those of the other lanes. `room`: eight numbers for every four coverers of an element.
HINDSIGHT_WIDE
void add_gradient_by_fours(std::span<const std::size_t> coverers, const int* items,
                           const double* weights, const double* x, double* out, double* room) {
  for (std::size_t e = 0; e < coverers.size(); ++e) {
    const std::size_t n = coverers[e], end = filled_up(n);
    Lanes left = {1, 1, 1, 1}, factors;
    for (std::size_t j = 0; j < end; j += 4) {
      read_factors(items + j, n - j, x, factors);
      store(room + 2 * j, left);
      store(room + 2 * j + 4, factors);
      left *= factors;
    }
    const Lanes neighbour = __builtin_shufflevector(left, left, 1, 0, 3, 2);
    const Lanes pair = left * neighbour;
    Lanes right = weights[e] * (neighbour * __builtin_shufflevector(pair, pair, 2, 3, 0, 1));
    for (std::size_t j = end; j > 0;) {
      j -= 4;
      Lanes gains;
      load(room + 2 * j, gains);
      load(room + 2 * j + 4, factors);
      gains *= right;
      right *= factors;
      const Mask lane = {0, 1, 2, 3};  // what fills up gains nothing
      gains = lane < static_cast<std::int64_t>(n - j) ? gains : Lanes{0, 0, 0, 0};
#pragma GCC unroll 4
      for (std::size_t l = 0; l < 4; ++l) out[items[j + l]] += gains[l];
    }
    items += end;
  }
}

class CoverageExtension final : public ContinuousFunction {
 public:
  CoverageExtension(const CoverageExtension&) = delete;  // its surrogate points to it
  explicit CoverageExtension(const Coverage& f) : dimension_(f.dimension()) {
    std::vector<std::vector<int>> coverers(f.weights().size());
    for (Item i = 0; i < dimension_; ++i)
      for (const int e : f.elements(i)) coverers[static_cast<std::size_t>(e)].push_back(i);

    // Elements with the same coverers are one element; those with equally many stand together.
    const auto shorter_first = [](const auto& a, const auto& b) {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    };
    std::map<std::vector<int>, double, decltype(shorter_first)> merged(shorter_first);
    for (std::size_t e = 0; e < coverers.size(); ++e)
      if (!coverers[e].empty() && f.weights()[e] > 0) merged[coverers[e]] += f.weights()[e];
    for (const auto& [items, weight] : merged) {
      if (items.size() <= short_list)
        ++counts_[items.size()];
      else
        long_.push_back(items.size());
      items_.insert(items_.end(), items.begin(), items.end());
      // The list's own first items: of four places no two are the same.
      for (std::size_t j = 0; items.size() + j < filled_up(items.size()); ++j)
        items_.push_back(items[j]);
      weights_.push_back(weight);
    }
    total_ = uncovered_weight(Point(static_cast<std::size_t>(dimension_), 0.0));
  }

  int dimension() const override { return dimension_; }

  double value(PointView x) const override {
    assert(x.size() == static_cast<std::size_t>(dimension_));
    // The total is summed in the same order, so that F(0) = 0 and F >= 0 hold without rounding.
    return total_ - uncovered_weight(x);
  }

  void gradient(PointView x, PointRef out) const override {
    assert(x.size() == static_cast<std::size_t>(dimension_) && out.size() == x.size());
    std::fill(out.begin(), out.end(), 0.0);
    Elements at = first();
    add_gradient<1>(at, x, out);
    add_gradient<2>(at = next(at), x, out);
    add_gradient<3>(at = next(at), x, out);
    add_gradient<4>(at = next(at), x, out);
    add_gradient<5>(at = next(at), x, out);
    if (long_.empty()) return;
    at = next(at);
    thread_local std::vector<double> room;
    if (room.size() < 2 * filled_up(long_.back())) room.resize(2 * filled_up(long_.back()));
    add_gradient_by_fours(long_, at.items, at.weights.data(), x.data(), out.data(), room.data());
  }

  /// The gradient falls in every coordinate, so that it is longest at 0. So is every entry of the
  /// Hessian, where -H_ij is the weight that i and j both cover; its norm is at most a row's sum.
  FunctionFacts facts() const override {
    Point gain(static_cast<std::size_t>(dimension_), 0.0);
    Point shared = gain;
    Elements at = first();
    for (std::size_t n = 0; n < short_list + long_.size(); ++n, at = next(at))
      for (std::size_t j = 0; j < at.weights.size() * at.coverers; ++j) {
        const double weight = at.weights[j / at.coverers];
        const auto i = static_cast<std::size_t>(at.items[j]);
        gain[i] += weight;
        shared[i] += weight * static_cast<double>(at.coverers - 1);
      }
    return {.max_value = total_,
            .lipschitz = norm(gain),
            .smoothness = *std::max_element(shared.begin(), shared.end()),
            .surrogate = true};
  }

  const ContinuousFunction* surrogate() const override { return &surrogate_; }

 private:
  /// sum_e w_e min(1, sum_{i covers e} x_i): 1 - prod (1 - x_i) is at most that, and at least 1 -
  /// (1 - min(1, s)/n)^n >= (1 - 1/e) min(1, s) where n numbers have the sum s.
  class Surrogate final : public ContinuousFunction {
   public:
    explicit Surrogate(const CoverageExtension& F) : F_(F) {}
    int dimension() const override { return F_.dimension(); }
    double value(PointView x) const override {
      double total = 0;
      F_.each_element([&](std::span<const int> items, double weight) {
        total += weight * std::min(1.0, load(items, x));
      });
      return total;
    }
    void gradient(PointView x, PointRef out) const override {
      std::fill(out.begin(), out.end(), 0.0);
      F_.each_element([&](std::span<const int> items, double weight) {
        if (load(items, x) < 1)
          for (const int i : items) out[static_cast<std::size_t>(i)] += weight;
      });
    }
    FunctionFacts facts() const override {
      const FunctionFacts facts = F_.facts();
      return {.max_value = facts.max_value, .lipschitz = facts.lipschitz, .concave = true};
    }

   private:
    static double load(std::span<const int> items, PointView x) {
      double sum = 0;
      for (const int i : items) sum += x[static_cast<std::size_t>(i)];
      return sum;
    }
    const CoverageExtension& F_;
  };

  template <class Visit>
  void each_element(Visit visit) const {
    Elements at = first();
    for (std::size_t n = 0; n < short_list + long_.size(); ++n, at = next(at))
      for (std::size_t e = 0; e < at.weights.size(); ++e)
        visit(std::span<const int>(at.items + e * at.coverers, at.coverers), at.weights[e]);
  }

  double uncovered_weight(PointView x) const {
    Elements at = first();
    double total = uncovered<1>(at, x);
    total += uncovered<2>(at = next(at), x);
    total += uncovered<3>(at = next(at), x);
    total += uncovered<4>(at = next(at), x);
    total += uncovered<5>(at = next(at), x);
    if (long_.empty()) return total;
    at = next(at);
    return total + uncovered_by_fours(long_, at.items, at.weights.data(), x.data());
  }

  Elements first() const { return {1, items_.data(), {weights_.data(), counts_[1]}}; }
  /// The elements with one coverer more; past `short_list` every element stands for itself.
  Elements next(const Elements& at) const {
    const int* const items = at.items + filled_up(at.coverers) * at.weights.size();
    const double* const weights = at.weights.data() + at.weights.size();
    if (at.coverers < short_list)
      return {at.coverers + 1, items, {weights, counts_[at.coverers + 1]}};
    const auto done = static_cast<std::size_t>(weights - weights_.data());
    const std::size_t n = done - (weights_.size() - long_.size());
    return n < long_.size() ? Elements{long_[n], items, {weights, 1}} : Elements{0, items, {}};
  }

  int dimension_;
  std::array<std::size_t, short_list + 1> counts_{};  // how many elements have 1, 2, ... coverers
  std::vector<std::size_t> long_;                     // the coverers of each element with more
  std::vector<int> items_;  // of all elements, those with the fewest coverers first
  std::vector<double> weights_;
  double total_ = 0;
  Surrogate surrogate_{*this};
};

}  // namespace

Coverage::Coverage(std::vector<double> weights, const std::vector<std::vector<int>>& sets)
    : weights_(std::move(weights)), elements_(sets) {
  inputs::require_nonnegative("weights", weights_);
  require(!sets.empty(), "sets", "[]", "must have at least one item");
  Marks seen;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    seen.start(weights_.size());
    for (std::size_t j = 0; j < sets[i].size(); ++j) {
      const int e = sets[i][j];
      const auto name = [&] { return inputs::element(inputs::element("sets", i), j); };
      if (e < 0 || static_cast<std::size_t>(e) >= weights_.size())
        reject(name(), e,
               "must be at least 0 and below " + std::to_string(weights_.size()) +
                   ", the number of weights");
      if (!seen.mark(static_cast<std::size_t>(e)))
        reject(name(), e, "must not repeat an element of the same item");
    }
  }
  const auto rising = [](const auto& list) { return std::is_sorted(list.begin(), list.end()); };
  if (weights_.size() <= 64 && std::all_of(sets.begin(), sets.end(), rising))
    for (const auto& list : sets) {
      std::uint64_t& mask = masks_.emplace_back(0);
      for (const int e : list) mask |= std::uint64_t{1} << e;
    }
  ItemSet all(elements_.size());
  std::iota(all.begin(), all.end(), 0);
  max_value_ = inputs::require_finite_total("weights", value(all));
}

double Coverage::value(ItemView set) const {
  return masks_.empty() ? value_by_lists(set) : value_by_masks(set);
}

double Coverage::value_by_masks(ItemView set) const {
  std::uint64_t covered = 0;
  double total = 0;
  for (const Item i : set) {
    const std::uint64_t mask = masks_[static_cast<std::size_t>(i)];
    for (std::uint64_t fresh = mask & ~covered; fresh != 0; fresh &= fresh - 1)
      total += weights_[static_cast<std::size_t>(std::countr_zero(fresh))];
    covered |= mask;
  }
  return total;
}

double Coverage::value_by_lists(ItemView set) const {
  thread_local Marks covered;
  covered.start(weights_.size());
  double total = 0;
  for (const Item i : set)
    for (const int e : elements(i)) {
      const auto at = static_cast<std::size_t>(e);
      total += static_cast<double>(covered.mark(at)) * weights_[at];  // no branch: it is a coin
    }
  return total;
}

std::unique_ptr<const ContinuousFunction> Coverage::closed_extension() const {
  return std::make_unique<CoverageExtension>(*this);
}

}  // namespace hindsight
