#include "hindsight/functions/extension.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hindsight/core/error.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/functions/table.hpp"

namespace hindsight {
namespace {

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

std::vector<ItemSet> SampledExtension::draw(PointView x) const {
  assert(x.size() == thresholds_.columns());
  std::vector<ItemSet> sets(thresholds_.rows());
  for (std::size_t s = 0; s < sets.size(); ++s)
    for (std::size_t i = 0; i < x.size(); ++i)
      if (thresholds_.row(s)[i] < x[i]) sets[s].push_back(static_cast<Item>(i));
  return sets;
}

double SampledExtension::value(PointView x) const { return f_->mean(draw(x)); }

void SampledExtension::gradient(PointView x, PointRef out) const {
  f_->mean_differences(draw(x), out);
}

SampledExtension::Estimate SampledExtension::estimate(PointView x) const {
  const std::vector<ItemSet> sets = draw(x);
  const double mean = f_->mean(sets);
  double squares = 0;
  for (const ItemSet& set : sets) squares += std::pow(f_->value(set) - mean, 2);
  const auto n = static_cast<double>(sets.size());
  return {.mean = mean, .standard_error = std::sqrt(squares / (n - 1) / n)};
}

}  // namespace hindsight
