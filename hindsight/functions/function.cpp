#include "hindsight/functions/function.hpp"

#include <algorithm>

namespace hindsight {
namespace {

/// For functions that keep nothing: two values a gain, one of which is known.
class GrownByValues final : public GrowingSet {
 public:
  explicit GrownByValues(const SetFunction& f) : f_(f), value_(f.value({})) {}
  double gain(Item i) override {
    set_.push_back(i);
    const double larger = f_.value(set_);
    set_.pop_back();
    return larger - value_;
  }
  void add(Item i) override {
    set_.push_back(i);
    value_ = f_.value(set_);
  }

 private:
  const SetFunction& f_;
  ItemSet set_;
  double value_;
};

}  // namespace

std::unique_ptr<GrowingSet> SetFunction::grow() const {
  return std::make_unique<GrownByValues>(*this);
}

void SetFunction::differences(ItemView set, PointRef out) const {
  const double whole = value(set);
  ItemSet changed;
  std::size_t place = 0;  // of item i in the set, or where it would stand
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto at = static_cast<std::ptrdiff_t>(place);
    changed.assign(set.begin(), set.end());
    if (place < set.size() && set[place] == static_cast<Item>(i)) {
      changed.erase(changed.begin() + at);
      out[i] = whole - value(changed);
      ++place;
    } else {
      changed.insert(changed.begin() + at, static_cast<Item>(i));
      out[i] = value(changed) - whole;
    }
  }
}

double SetFunction::mean(std::span<const ItemSet> sets) const {
  double sum = 0;
  for (const ItemSet& set : sets) sum += value(set);
  return sum / static_cast<double>(sets.size());
}

void SetFunction::mean_differences(std::span<const ItemSet> sets, PointRef out) const {
  Point at_one(out.size());
  std::fill(out.begin(), out.end(), 0.0);
  for (const ItemSet& set : sets) {
    differences(set, at_one);
    add_scaled(out, 1, at_one);
  }
  for (double& g : out) g /= static_cast<double>(sets.size());
}

}  // namespace hindsight
