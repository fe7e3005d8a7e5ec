#include "hindsight/functions/coverage.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>
#include <string>

#include "hindsight/core/error.hpp"
#include "hindsight/functions/inputs.hpp"
#include "hindsight/functions/marks.hpp"

namespace hindsight {
namespace {

class CoverageExtension final : public ContinuousFunction {
 public:
  CoverageExtension(const CoverageExtension&) = delete;  // its surrogate points to it
  explicit CoverageExtension(const Coverage& f) : dimension_(f.dimension()) {
    std::vector<std::vector<int>> coverers(f.weights().size());
    for (Item i = 0; i < dimension_; ++i)
      for (const int e : f.elements(i)) coverers[static_cast<std::size_t>(e)].push_back(i);

    // Elements with the same coverers are one element. Those with equally many stand together, so
    // that the processor can foresee the length of the inner loops.
    const auto shorter_first = [](const auto& a, const auto& b) {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    };
    std::map<std::vector<int>, double, decltype(shorter_first)> merged(shorter_first);
    for (std::size_t e = 0; e < coverers.size(); ++e)
      if (!coverers[e].empty() && f.weights()[e] > 0) merged[coverers[e]] += f.weights()[e];
    for (const auto& [items, weight] : merged) {
      items_.append(items);
      weights_.push_back(weight);
      most_coverers_ = std::max(most_coverers_, items.size());
    }
    total_ = sum_over_elements([](std::span<const int>, double weight) { return weight; });
  }

  int dimension() const override { return dimension_; }

  double value(PointView x) const override {
    assert(x.size() == static_cast<std::size_t>(dimension_));
    // The total is summed in the same order, so that F(0) = 0 and F >= 0 hold without rounding.
    return total_ - sum_over_elements([&](std::span<const int> items, double uncovered) {
             for (const int i : items) uncovered *= 1 - x[static_cast<std::size_t>(i)];
             return uncovered;
           });
  }

  /// dF/dx_i = sum over e that i covers of w_e prod_{l != i covers e} (1 - x_l): products from the
  /// left and from the right, as dividing by 1 - x_i fails where x_i = 1.
  void gradient(PointView x, PointRef out) const override {
    assert(x.size() == static_cast<std::size_t>(dimension_) && out.size() == x.size());
    thread_local std::vector<double> scratch;
    if (scratch.size() < most_coverers_) scratch.resize(most_coverers_);
    double* const left = scratch.data();

    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t e = 0; e < weights_.size(); ++e) {
      const std::span<const int> items = items_[e];
      double product = weights_[e];
      for (std::size_t j = 0; j < items.size(); ++j) {
        left[j] = product;
        product *= 1 - x[static_cast<std::size_t>(items[j])];
      }
      double right = 1;
      for (std::size_t j = items.size(); j-- > 0;) {
        const auto i = static_cast<std::size_t>(items[j]);
        out[i] += left[j] * right;
        right *= 1 - x[i];
      }
    }
  }

  /// The gradient falls in every coordinate, so that it is longest at 0. So is every entry of the
  /// Hessian, where -H_ij is the weight that i and j both cover; its norm is at most a row's sum.
  FunctionFacts facts() const override {
    Point gain(static_cast<std::size_t>(dimension_), 0.0);
    Point shared = gain;
    for (std::size_t e = 0; e < weights_.size(); ++e)
      for (const int i : items_[e]) {
        gain[static_cast<std::size_t>(i)] += weights_[e];
        shared[static_cast<std::size_t>(i)] +=
            weights_[e] * static_cast<double>(items_[e].size() - 1);
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
      return F_.sum_over_elements([&](std::span<const int> items, double weight) {
        return weight * std::min(1.0, load(items, x));
      });
    }
    void gradient(PointView x, PointRef out) const override {
      std::fill(out.begin(), out.end(), 0.0);
      for (std::size_t e = 0; e < F_.weights_.size(); ++e)
        if (load(F_.items_[e], x) < 1)
          for (const int i : F_.items_[e]) out[static_cast<std::size_t>(i)] += F_.weights_[e];
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

  /// Two sums, as one would wait for each addition to end before the next.
  template <class Term>
  double sum_over_elements(Term term) const {
    double even = 0;
    double odd = 0;
    std::size_t e = 0;
    for (; e + 2 <= weights_.size(); e += 2) {
      even += term(items_[e], weights_[e]);
      odd += term(items_[e + 1], weights_[e + 1]);
    }
    if (e < weights_.size()) even += term(items_[e], weights_[e]);
    return even + odd;
  }

  int dimension_;
  Lists items_;  // by element
  std::vector<double> weights_;
  std::size_t most_coverers_ = 0;
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
  ItemSet all(elements_.size());
  std::iota(all.begin(), all.end(), 0);
  max_value_ = inputs::require_finite_total("weights", value(all));
}

double Coverage::value(ItemView set) const {
  thread_local Marks covered;
  covered.start(weights_.size());
  double total = 0;
  for (const Item i : set)
    for (const int e : elements(i))
      if (covered.mark(static_cast<std::size_t>(e))) total += weights_[static_cast<std::size_t>(e)];
  return total;
}

std::unique_ptr<const ContinuousFunction> Coverage::closed_extension() const {
  return std::make_unique<CoverageExtension>(*this);
}

}  // namespace hindsight
