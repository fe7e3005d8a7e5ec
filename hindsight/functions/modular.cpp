#include "hindsight/functions/modular.hpp"

#include <numeric>

#include "hindsight/core/error.hpp"
#include "hindsight/functions/inputs.hpp"

namespace hindsight {
namespace {

class LinearFunction final : public ContinuousFunction {
 public:
  LinearFunction(std::vector<double> weights, double max_value)
      : weights_(std::move(weights)), max_value_(max_value) {}

  int dimension() const override { return static_cast<int>(weights_.size()); }
  double value(PointView x) const override { return dot(weights_, x); }
  void gradient(PointView, PointRef out) const override { copy(weights_, out); }
  FunctionFacts facts() const override {
    return {.max_value = max_value_,
            .lipschitz = norm(weights_),
            .smoothness = 0.0,
            .concave = true,
            .surrogate = true};
  }
  const ContinuousFunction* surrogate() const override { return this; }

 private:
  std::vector<double> weights_;
  double max_value_;
};

}  // namespace

Modular::Modular(std::vector<double> weights) : weights_(std::move(weights)) {
  require(!weights_.empty(), "weights", "[]", "must have at least one item");
  inputs::require_nonnegative("weights", weights_);
  max_value_ = inputs::require_finite_total("weights",
                                            std::accumulate(weights_.begin(), weights_.end(), 0.0));
}

double Modular::value(ItemView set) const {
  double total = 0;
  for (const Item i : set) total += weights_[static_cast<std::size_t>(i)];
  return total;
}

std::unique_ptr<const ContinuousFunction> Modular::closed_extension() const {
  return std::make_unique<LinearFunction>(weights_, max_value_);
}

}  // namespace hindsight
