#include "hindsight/offline/aggregate.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "hindsight/core/error.hpp"
#include "hindsight/functions/coverage.hpp"
#include "hindsight/functions/extension.hpp"
#include "hindsight/functions/facility_location.hpp"
#include "hindsight/functions/influence.hpp"
#include "hindsight/functions/modular.hpp"
#include "hindsight/functions/quadratic.hpp"

namespace hindsight {
namespace {

class CoverageSum {
 public:
  void add(const Coverage& f, double times) {
    std::vector<ItemSet> coverers(f.weights().size());
    for (Item i = 0; i < f.dimension(); ++i)
      for (const int e : f.elements(i)) coverers[static_cast<std::size_t>(e)].push_back(i);
    for (std::size_t e = 0; e < coverers.size(); ++e)
      if (!coverers[e].empty() && f.weights()[e] > 0)
        weight_of_[std::move(coverers[e])] += times * f.weights()[e];
    dimension_ = static_cast<std::size_t>(f.dimension());
  }

  SetFunctionPtr sum() const {
    if (dimension_ == 0) return nullptr;
    std::vector<double> weights;
    std::vector<std::vector<int>> sets(dimension_);
    for (const auto& [items, weight] : weight_of_) {
      for (const Item i : items)
        sets[static_cast<std::size_t>(i)].push_back(static_cast<int>(weights.size()));
      weights.push_back(weight);
    }
    return std::make_shared<Coverage>(std::move(weights), sets);
  }

 private:
  std::size_t dimension_ = 0;
  std::map<ItemSet, double> weight_of_;  // by coverers
};

class FacilityLocationSum {
 public:
  void add(const FacilityLocation& f, double times) {
    for (std::size_t c = 0; c < f.weights().size(); ++c) {
      const PointView benefits = f.benefits().row(c);
      if (f.weights()[c] > 0 || weight_of_.empty())  // one customer stays, for the dimension
        weight_of_[Point(benefits.begin(), benefits.end())] += times * f.weights()[c];
    }
  }

  SetFunctionPtr sum() const {
    if (weight_of_.empty()) return nullptr;
    std::vector<Point> benefits;
    std::vector<double> weights;
    for (const auto& [row, weight] : weight_of_) {
      benefits.push_back(row);
      weights.push_back(weight);
    }
    return std::make_shared<FacilityLocation>(benefits, std::move(weights));
  }

 private:
  std::map<Point, double> weight_of_;  // by benefits
};

class ModularSum {
 public:
  void add(const Modular& f, double times) {
    weights_.resize(f.weights().size(), 0.0);
    add_scaled(weights_, times, f.weights());
  }
  SetFunctionPtr sum() const {
    return weights_.empty() ? nullptr : std::make_shared<Modular>(weights_);
  }

 private:
  Point weights_;
};

class QuadraticSum {
 public:
  void add(const Quadratic& f, double times) {
    const std::size_t d = f.h().size();
    if (h_.empty()) {
      H_.assign(d, Point(d, 0.0));
      h_.assign(d, 0.0);
      upper_ = f.upper();
    }
    for (std::size_t i = 0; i < d; ++i) {
      add_scaled(H_[i], times, f.H().row(i));
      upper_[i] = std::min(upper_[i], f.upper()[i]);
    }
    add_scaled(h_, times, f.h());
    if (f.slope() == Slope::any) slope_ = Slope::any;
  }
  ContinuousFunctionPtr sum() const {
    return h_.empty() ? nullptr : std::make_shared<Quadratic>(H_, h_, upper_, slope_);
  }

 private:
  std::vector<Point> H_;
  Point h_;
  Point upper_;  // of the box on which all of them are what they say
  Slope slope_ = Slope::upward;
};

}  // namespace

std::vector<WeightedFunction> aggregate(const std::vector<WeightedFunction>& functions) {
  CoverageSum coverage;
  FacilityLocationSum facilities;
  ModularSum modular;
  QuadraticSum quadratic;
  std::vector<WeightedFunction> sum;
  double most = 0;
  for (const WeightedFunction& f : functions) {
    if (f.weight == 0) continue;
    const SetFunction* const set = f.function.set.get();
    if (set) most += f.weight * set->max_value();
    if (const auto* cover = dynamic_cast<const Coverage*>(set)) {
      coverage.add(*cover, f.weight);
    } else if (const auto* facility = dynamic_cast<const FacilityLocation*>(set)) {
      facilities.add(*facility, f.weight);
    } else if (const auto* worths = dynamic_cast<const Modular*>(set)) {
      modular.add(*worths, f.weight);
    } else if (const auto* points = dynamic_cast<const Quadratic*>(f.function.continuous.get())) {
      quadratic.add(*points, f.weight);
    } else if (const auto* influence = dynamic_cast<const Influence*>(set)) {
      if (const auto reached = influence->as_coverage())
        coverage.add(*reached, f.weight);
      else
        sum.push_back(f);
    } else {
      sum.push_back(f);
    }
  }
  require(std::isfinite(most), "largest total of all rounds", most, "must be finite");
  for (const SetFunctionPtr& f : {coverage.sum(), facilities.sum(), modular.sum()})
    if (f) sum.push_back({{f, extend(f)}, 1.0});
  if (const ContinuousFunctionPtr f = quadratic.sum()) sum.push_back({{nullptr, f}, 1.0});
  return sum;
}

}  // namespace hindsight
