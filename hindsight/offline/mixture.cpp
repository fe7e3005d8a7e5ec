#include "hindsight/offline/mixture.hpp"

#include <algorithm>
#include <cassert>

namespace hindsight {

Mixture::Mixture(std::vector<WeightedFunction> functions) : functions_(std::move(functions)) {
  std::erase_if(functions_, [](const WeightedFunction& f) { return f.weight == 0; });
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
  FunctionFacts sum{0, 0.0, 0.0};
  for (const auto& [f, weight] : functions_) {
    const FunctionFacts facts = f.continuous->facts();
    sum.max_value += weight * facts.max_value;
    const auto add = [w = weight](std::optional<double>& total, std::optional<double> part) {
      total = total && part ? std::optional(*total + w * *part) : std::nullopt;
    };
    add(sum.lipschitz, facts.lipschitz);
    add(sum.smoothness, facts.smoothness);
  }
  return sum;
}

double Mixture::value_of_set(ItemView set) const {
  double sum = 0;
  for (const auto& [f, weight] : functions_) sum += weight * f.set->value(set);
  return sum;
}

bool Mixture::has_sets() const {
  return std::all_of(functions_.begin(), functions_.end(),
                     [](const WeightedFunction& f) { return f.function.set != nullptr; });
}

}  // namespace hindsight
