#include "hindsight/offline/mixture.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "hindsight/functions/extension.hpp"
#include "hindsight/offline/aggregate.hpp"

namespace hindsight {
namespace {

bool is_estimate(const RoundFunction& f) {
  return dynamic_cast<const SampledExtension*>(f.continuous.get()) != nullptr;
}

double lovasz_extension(const SetFunction& f, PointView x) {
  ItemSet order(x.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](Item i) { return x[static_cast<std::size_t>(i)]; };
  std::sort(order.begin(), order.end(), [&](Item i, Item j) { return at(i) > at(j); });
  double sum = (1 - at(order.front())) * f.value({});
  for (std::size_t n = 1; n <= order.size(); ++n) {
    const double next = n < order.size() ? at(order[n]) : 0.0;
    sum += (at(order[n - 1]) - next) * f.value({order.data(), n});
  }
  return sum;
}

class GrowingMixture final : public GrowingSet {
 public:
  explicit GrowingMixture(const std::vector<WeightedFunction>& functions) {
    for (const auto& [f, weight] : functions) parts_.push_back({f.set->grow(), weight});
  }
  double gain(Item i) override {
    double sum = 0;
    for (const auto& [set, weight] : parts_) sum += weight * set->gain(i);
    return sum;
  }
  void add(Item i) override {
    for (const auto& part : parts_) part.set->add(i);
  }

 private:
  struct Part {
    std::unique_ptr<GrowingSet> set;
    double weight;
  };
  std::vector<Part> parts_;
};

}  // namespace

Mixture::Mixture(const std::vector<WeightedFunction>& functions)
    : functions_(aggregate(functions)) {
  assert(!functions_.empty());
}

double Mixture::value(PointView x) const {
  double sum = 0;
  for (const auto& [f, weight] : functions_) sum += weight * f.continuous->value(x);
  return sum;
}

void Mixture::gradient(PointView x, PointRef out) const {
  static thread_local Point g;
  g.resize(x.size());
  std::fill(out.begin(), out.end(), 0.0);
  for (const auto& [f, weight] : functions_) {
    f.continuous->gradient(x, g);
    add_scaled(out, weight, g);
  }
}

FunctionFacts Mixture::facts() const {
  FunctionFacts sum{.max_value = 0, .lipschitz = 0.0, .smoothness = 0.0, .concave = true};
  for (const auto& [f, weight] : functions_) {
    const FunctionFacts facts = f.continuous->facts();
    sum.max_value += weight * facts.max_value;
    const auto add = [w = weight](std::optional<double>& total, std::optional<double> part) {
      total = total && part ? std::optional(*total + w * *part) : std::nullopt;
    };
    add(sum.lipschitz, facts.lipschitz);
    add(sum.smoothness, facts.smoothness);
    sum.monotone = sum.monotone && facts.monotone;
    sum.concave = sum.concave && facts.concave;
  }
  return sum;
}

double Mixture::value_of_set(ItemView set) const {
  double sum = 0;
  for (const auto& [f, weight] : functions_) sum += weight * f.set->value(set);
  return sum;
}

std::unique_ptr<GrowingSet> Mixture::grow() const {
  return std::make_unique<GrowingMixture>(functions_);
}

bool Mixture::has_sets() const {
  return std::all_of(functions_.begin(), functions_.end(),
                     [](const WeightedFunction& f) { return f.function.set != nullptr; });
}

bool Mixture::exact() const {
  return std::none_of(functions_.begin(), functions_.end(),
                      [](const WeightedFunction& f) { return is_estimate(f.function); });
}

double Mixture::sure_value(PointView x) const {
  double sum = 0;
  for (const auto& [f, weight] : functions_)
    sum += weight * (is_estimate(f) ? lovasz_extension(*f.set, x) : f.continuous->value(x));
  return sum;
}

}  // namespace hindsight
