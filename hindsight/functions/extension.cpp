#include "hindsight/functions/extension.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hindsight/core/error.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/functions/table.hpp"

namespace hindsight {
namespace {

void draw(PointView thresholds, PointView x, ItemSet& set) {
  set.clear();
  for (std::size_t i = 0; i < x.size(); ++i)
    if (thresholds[i] < x[i]) set.push_back(static_cast<Item>(i));
}

void check(const SamplingOptions& options) {
  require(options.samples >= 2, "samples", options.samples, "must be at least 2");
}

bool can_enumerate(int dimension, int samples) {
  return dimension <= Table::max_dimension && (1 << dimension) <= samples;
}

}  // namespace

ContinuousFunctionPtr extend(SetFunctionPtr f, SamplingOptions options) {
  check(options);
  if (auto closed = f->closed_extension()) return closed;
  if (can_enumerate(f->dimension(), options.samples)) return Table::of(*f).closed_extension();
  return std::make_shared<SampledExtension>(std::move(f), options);
}

FunctionFacts extension_facts(const SetFunction& f) {
  const double nothing = f.value({});
  Point gain;
  for (Item i = 0; i < f.dimension(); ++i) gain.push_back(f.value({&i, 1}) - nothing);
  double smoothness = 0;
  for (std::size_t i = 0; i < gain.size(); ++i) {
    double row = 0;
    for (std::size_t j = 0; j < gain.size(); ++j)
      if (j != i) row += std::min(gain[i], gain[j]);
    smoothness = std::max(smoothness, row);
  }
  return {.max_value = f.max_value(), .lipschitz = norm(gain), .smoothness = smoothness};
}

SampledExtension::SampledExtension(SetFunctionPtr f, SamplingOptions options) : f_(std::move(f)) {
  check(options);
  const StreamFamily streams(options.seed, "sampled-extension");
  thresholds_ = PointTable(static_cast<std::size_t>(options.samples),
                           static_cast<std::size_t>(f_->dimension()));
  for (std::size_t s = 0; s < thresholds_.rows(); ++s) {
    Stream stream = streams.at(s);
    for (double& u : thresholds_.row(s)) u = stream.uniform();
  }
  facts_ = extension_facts(*f_);
}

double SampledExtension::value(PointView x) const { return estimate(x).mean; }

SampledExtension::Estimate SampledExtension::estimate(PointView x) const {
  assert(x.size() == thresholds_.columns());
  // Welford's update: no loss where the values are large and near each other.
  ItemSet set;
  double mean = 0;
  double squares = 0;
  for (std::size_t s = 0; s < thresholds_.rows(); ++s) {
    draw(thresholds_.row(s), x, set);
    const double value = f_->value(set);
    const double step = value - mean;
    mean += step / static_cast<double>(s + 1);
    squares += step * (value - mean);
  }
  const auto n = static_cast<double>(thresholds_.rows());
  return {.mean = mean, .standard_error = std::sqrt(squares / (n - 1) / n)};
}

void SampledExtension::gradient(PointView x, PointRef out) const {
  assert(x.size() == thresholds_.columns() && out.size() == x.size());
  std::fill(out.begin(), out.end(), 0.0);
  ItemSet set;
  Point differences(x.size());
  for (std::size_t s = 0; s < thresholds_.rows(); ++s) {
    draw(thresholds_.row(s), x, set);
    f_->differences(set, differences);
    add_scaled(out, 1, differences);
  }
  for (double& g : out) g /= static_cast<double>(thresholds_.rows());
}

}  // namespace hindsight
