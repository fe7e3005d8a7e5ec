#include "hindsight/functions/facility_location.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <string>

#include "hindsight/core/error.hpp"
#include "hindsight/core/wide.hpp"
#include "hindsight/functions/inputs.hpp"

namespace hindsight {
namespace {

class FacilityLocationExtension final : public ContinuousFunction {
 public:
  FacilityLocationExtension(const FacilityLocationExtension&) =
      delete;  // its surrogate points to it
  explicit FacilityLocationExtension(const FacilityLocation& f)
      : dimension_(static_cast<std::size_t>(f.dimension())), max_value_(f.max_value()) {
    std::vector<int> order(dimension_);
    for (std::size_t c = 0; c < f.weights().size(); ++c) {
      const PointView benefit = f.benefits().row(c);
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return benefit[static_cast<std::size_t>(a)] > benefit[static_cast<std::size_t>(b)];
      });
      for (const int i : order) {
        const double worth = f.weights()[c] * benefit[static_cast<std::size_t>(i)];
        if (worth > 0) offers_.push_back({static_cast<std::size_t>(i), worth});
      }
      starts_.push_back(offers_.size());
    }
  }

  int dimension() const override { return static_cast<int>(dimension_); }

  double value(PointView x) const override {
    assert(x.size() == dimension_);
    double total = 0;
    for (std::size_t c = 0; c + 1 < starts_.size(); ++c) {
      double none_better = 1;  // the odds that the customer still looks
      for (std::size_t j = starts_[c]; j < starts_[c + 1] && none_better > 0; ++j) {
        const auto [item, worth] = offers_[j];
        total += none_better * x[item] * worth;
        none_better *= 1 - x[item];
      }
    }
    return total;
  }

  void gradient(PointView x, PointRef out) const override {
    assert(x.size() == dimension_ && out.size() == dimension_);
    std::fill(out.begin(), out.end(), 0.0);
    const std::size_t customers = starts_.size() - 1;
    std::size_t c = 0;
    for (; c + together <= customers; c += together) add_gradients<together>(c, x, out);
    for (; c < customers; ++c) add_gradients<1>(c, x, out);
  }

  /// As for coverage, gradient and Hessian are largest at 0, where -H_ij = sum_c min(b_ci, b_cj):
  /// for the j-th best item (from 0) a row's sum is j b_j + the sum of the smaller ones.
  FunctionFacts facts() const override {
    Point gain(dimension_, 0.0);
    Point shared(dimension_, 0.0);
    for (std::size_t c = 0; c + 1 < starts_.size(); ++c) {
      double smaller = 0;
      for (std::size_t j = starts_[c + 1]; j-- > starts_[c];) {
        const auto [item, worth] = offers_[j];
        gain[item] += worth;
        shared[item] += static_cast<double>(j - starts_[c]) * worth + smaller;
        smaller += worth;
      }
    }
    return {.max_value = max_value_,
            .lipschitz = norm(gain),
            .smoothness = *std::max_element(shared.begin(), shared.end()),
            .surrogate = true};
  }

  const ContinuousFunction* surrogate() const override { return &surrogate_; }

 private:
  /// A customer's best benefit is sum_j (b_j - b_{j+1}) [one of the j best is open]: coverage, with
  /// the surrogate of coverage. With c_j = x_1 + .. + x_j it is sum_j b_j (min(1, c_j) - min(1,
  /// c_{j-1})): as much of the best as there is, up to 1 in all.
  class Surrogate final : public ContinuousFunction {
   public:
    explicit Surrogate(const FacilityLocationExtension& F) : F_(F) {}
    int dimension() const override { return F_.dimension(); }
    double value(PointView x) const override {
      double total = 0;
      for (std::size_t c = 0; c + 1 < F_.starts_.size(); ++c) {
        double room = 1;
        for (std::size_t j = F_.starts_[c]; j < F_.starts_[c + 1] && room > 0; ++j) {
          const auto [item, worth] = F_.offers_[j];
          const double used = std::min(room, x[item]);
          total += worth * used;
          room -= used;
        }
      }
      return total;
    }
    /// b_j less the benefit at which the customer is full; more of a worse item adds nothing.
    void gradient(PointView x, PointRef out) const override {
      std::fill(out.begin(), out.end(), 0.0);
      for (std::size_t c = 0; c + 1 < F_.starts_.size(); ++c) {
        const std::size_t first = F_.starts_[c], end = F_.starts_[c + 1];
        std::size_t full = first;
        for (double used = 0; full < end; ++full) {
          used += x[F_.offers_[full].item];
          if (used >= 1) break;
        }
        const double last = full < end ? F_.offers_[full].worth : 0;
        for (std::size_t j = first; j < full; ++j)
          out[F_.offers_[j].item] += F_.offers_[j].worth - last;
      }
    }
    FunctionFacts facts() const override {
      const FunctionFacts facts = F_.facts();
      return {.max_value = facts.max_value, .lipschitz = facts.lipschitz, .concave = true};
    }

   private:
    const FacilityLocationExtension& F_;
  };

  struct Offer {
    std::size_t item;
    double worth;  // weight times benefit
  };

  /// Customers walk through their offers side by side, as each step waits for the one before it.
  static constexpr std::size_t together = 4;

  /// dF_c/dx_j = P(no better item is open) * (b_j - what is expected from the worse ones), for
  /// `Count` customers. Each adds what one alone would add.
  template <std::size_t Count>
  void add_gradients(std::size_t first, PointView x, PointRef out) const {
    static thread_local std::vector<double> scratch;
    if (scratch.size() < Count * dimension_) scratch.resize(Count * dimension_);
    const Offer* offers[Count];
    double* slopes[Count];  // P(no better item is open), then the derivative
    std::size_t counts[Count], common = dimension_;
    for (std::size_t c = 0; c < Count; ++c) {
      offers[c] = offers_.data() + starts_[first + c];
      slopes[c] = &scratch[c * dimension_];
      counts[c] = starts_[first + c + 1] - starts_[first + c];
      common = std::min(common, counts[c]);
    }

    double none_better[Count];
    std::fill_n(none_better, Count, 1.0);
    const auto forth = [&](std::size_t c, std::size_t j) {
      slopes[c][j] = none_better[c];
      none_better[c] *= 1 - x[offers[c][j].item];
    };
    for (std::size_t j = 0; j < common; ++j)
      for (std::size_t c = 0; c < Count; ++c) forth(c, j);
    for (std::size_t c = 0; c < Count; ++c)
      for (std::size_t j = common; j < counts[c]; ++j) forth(c, j);

    double rest[Count] = {};  // what the customer expects from the items after this one
    const auto back = [&](std::size_t c, std::size_t j) {
      const auto [item, worth] = offers[c][j];
      slopes[c][j] *= worth - rest[c];
      rest[c] += x[item] * (worth - rest[c]);
    };
    for (std::size_t c = 0; c < Count; ++c)
      for (std::size_t j = counts[c]; j-- > common;) back(c, j);
    for (std::size_t j = common; j-- > 0;)
      for (std::size_t c = 0; c < Count; ++c) back(c, j);

    for (std::size_t c = 0; c < Count; ++c)
      for (std::size_t j = 0; j < counts[c]; ++j) out[offers[c][j].item] += slopes[c][j];
  }

  std::size_t dimension_;
  double max_value_;
  std::vector<Offer> offers_;  // customer after customer, the best first
  std::vector<std::size_t> starts_ = {0};
  Surrogate surrogate_{*this};
};

/// sum_c max(0, offered_c - has_c)
HINDSIGHT_WIDE double excess(const double* offered, const double* has, std::size_t n) {
  constexpr std::size_t lanes = 16;
  double sums[lanes] = {};
  std::size_t c = 0;
  for (; c + lanes <= n; c += lanes)
    for (std::size_t j = 0; j < lanes; ++j) {
      const double more = offered[c + j] - has[c + j];
      sums[j] += more > 0 ? more : 0;
    }
  for (; c < n; ++c) sums[0] += std::max(0.0, offered[c] - has[c]);
  return std::accumulate(std::begin(sums), std::end(sums), 0.0);
}

class GrowingFacilities final : public GrowingSet {
 public:
  explicit GrowingFacilities(const FacilityLocation& f)
      : worth_(f.benefits().columns(), f.benefits().rows()), has_(f.benefits().rows(), 0.0) {
    // In tiles, as the rows of one table are the columns of the other.
    constexpr std::size_t tile = 32;
    for (std::size_t c0 = 0; c0 < has_.size(); c0 += tile)
      for (std::size_t i0 = 0; i0 < worth_.rows(); i0 += tile)
        for (std::size_t c = c0; c < std::min(c0 + tile, has_.size()); ++c)
          for (std::size_t i = i0; i < std::min(i0 + tile, worth_.rows()); ++i)
            worth_.row(i)[c] = f.weights()[c] * f.benefits().row(c)[i];
  }

  double gain(Item i) override {
    return excess(worth_.row(static_cast<std::size_t>(i)).data(), has_.data(), has_.size());
  }
  void add(Item i) override {
    const PointView offered = worth_.row(static_cast<std::size_t>(i));
    for (std::size_t c = 0; c < has_.size(); ++c) has_[c] = std::max(has_[c], offered[c]);
  }

 private:
  PointTable worth_;  // items x customers: weight times benefit
  Point has_;         // by customer
};

}  // namespace

FacilityLocation::FacilityLocation(const std::vector<std::vector<double>>& benefits,
                                   std::vector<double> weights)
    : weights_(std::move(weights)) {
  const std::size_t items = inputs::require_rectangular("benefits", benefits);
  if (weights_.empty()) weights_.assign(benefits.size(), 1.0);
  inputs::require_nonnegative("weights", weights_);
  require(weights_.size() == benefits.size(), "weights",
          "a list of " + std::to_string(weights_.size()),
          "must have " + std::to_string(benefits.size()) + " numbers, one for each customer");
  benefits_ = PointTable(benefits.size(), items);
  for (std::size_t c = 0; c < benefits.size(); ++c) {
    inputs::require_nonnegative(inputs::element("benefits", c), benefits[c]);
    copy(benefits[c], benefits_.row(c));
  }
  ItemSet all(items);
  std::iota(all.begin(), all.end(), 0);
  max_value_ = inputs::require_finite_total("benefits", value(all));
}

double FacilityLocation::value(ItemView set) const {
  double total = 0;
  for (std::size_t c = 0; c < weights_.size(); ++c) {
    const PointView benefit = benefits_.row(c);
    double best = 0;
    for (const Item i : set) best = std::max(best, benefit[static_cast<std::size_t>(i)]);
    total += weights_[c] * best;
  }
  return total;
}

std::unique_ptr<const ContinuousFunction> FacilityLocation::closed_extension() const {
  return std::make_unique<FacilityLocationExtension>(*this);
}

std::unique_ptr<GrowingSet> FacilityLocation::grow() const {
  return std::make_unique<GrowingFacilities>(*this);
}

}  // namespace hindsight
