#include "hindsight/functions/table.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <sstream>

#include "hindsight/core/error.hpp"
#include "hindsight/functions/inputs.hpp"

namespace hindsight {
namespace {

std::size_t bit(int i) { return std::size_t{1} << i; }

ItemSet items_of(std::size_t mask) {
  ItemSet items;
  for (int i = 0; bit(i) <= mask; ++i)
    if (mask & bit(i)) items.push_back(i);
  return items;
}

class TableExtension final : public ContinuousFunction {
 public:
  TableExtension(int dimension, std::shared_ptr<const std::vector<double>> values, double max_value)
      : dimension_(dimension), values_(std::move(values)), max_value_(max_value) {}

  int dimension() const override { return dimension_; }

  /// Item after item, from the last, is drawn: half as many values remain each time.
  double value(PointView x) const override {
    assert(x.size() == static_cast<std::size_t>(dimension_));
    thread_local std::vector<double> scratch;
    scratch.resize(std::max(scratch.size(), values_->size() / 2));
    const double* from = values_->data();
    for (int i = dimension_ - 1; i >= 0; --i) {
      draw(from, bit(i), x[static_cast<std::size_t>(i)], scratch.data());
      from = scratch.data();
    }
    return *from;
  }

  /// With V_i[m] the expected value once items i .. d-1 are drawn and the items below i are m, and
  /// P_i[m] the odds of m: dF/dx_i = sum_m P_i[m] (V_{i+1}[m + item i] - V_{i+1}[m]).
  void gradient(PointView x, PointRef out) const override {
    assert(x.size() == static_cast<std::size_t>(dimension_) && out.size() == x.size());
    thread_local std::vector<double> scratch;
    scratch.resize(std::max(scratch.size(), 3 * values_->size() / 2));
    // V_i has 2^i numbers and stands at 2^i; V_d is the table itself.
    const auto expected = [&](int i) {
      return i == dimension_ ? values_->data() : scratch.data() + bit(i);
    };
    for (int i = dimension_ - 1; i > 0; --i)
      draw(expected(i + 1), bit(i), x[static_cast<std::size_t>(i)], scratch.data() + bit(i));

    double* const odds = scratch.data() + values_->size();
    odds[0] = 1;
    for (int i = 0; i < dimension_; ++i) {
      const double* const without = expected(i + 1);
      const double* const with = without + bit(i);
      out[static_cast<std::size_t>(i)] = expected_gain(odds, with, without, bit(i));
      if (i + 1 == dimension_) break;
      const double p = x[static_cast<std::size_t>(i)];
      for (std::size_t m = 0; m < bit(i); ++m) {
        odds[m + bit(i)] = p * odds[m];
        odds[m] *= 1 - p;
      }
    }
  }

  /// No law is assumed of f. |dF/dx_i| is at most the largest marginal gain of i, and |H_ij| at
  /// most what the gains of i differ by, and those of j; the norm of H is at most a row's sum.
  FunctionFacts facts() const override {
    const std::vector<double>& f = *values_;
    Point largest;
    Point spread;
    for (int i = 0; i < dimension_; ++i) {
      double low = std::numeric_limits<double>::infinity();
      double high = -low;
      for (std::size_t m = 0; m < f.size(); ++m) {
        if (m & bit(i)) continue;
        const double gain = f[m + bit(i)] - f[m];
        low = std::min(low, gain);
        high = std::max(high, gain);
      }
      largest.push_back(std::max(std::abs(low), std::abs(high)));
      spread.push_back(high - low);
    }
    double smoothness = 0;
    for (std::size_t i = 0; i < spread.size(); ++i) {
      double row = 0;
      for (std::size_t j = 0; j < spread.size(); ++j)
        if (j != i) row += std::min(spread[i], spread[j]);
      smoothness = std::max(smoothness, row);
    }
    return {.max_value = max_value_, .lipschitz = norm(largest), .smoothness = smoothness};
  }

 private:
  static void draw(const double* from, std::size_t half, double p, double* to) {
    for (std::size_t m = 0; m < half; ++m) to[m] = (1 - p) * from[m] + p * from[m + half];
  }

  /// Four sums, as in dot().
  static double expected_gain(const double* odds, const double* with, const double* without,
                              std::size_t n) {
    double sum[4] = {0, 0, 0, 0};
    std::size_t m = 0;
    for (; m + 4 <= n; m += 4)
      for (std::size_t j = 0; j < 4; ++j) sum[j] += odds[m + j] * (with[m + j] - without[m + j]);
    for (; m < n; ++m) sum[0] += odds[m] * (with[m] - without[m]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }

  int dimension_;
  std::shared_ptr<const std::vector<double>> values_;
  double max_value_;
};

}  // namespace

std::string Violation::text() const {
  std::ostringstream out;
  out.precision(17);
  out << "S = {";
  for (std::size_t i = 0; i < set.size(); ++i) out << (i ? ", " : "") << set[i];
  out << "}, i = " << item;
  if (other)
    out << ", j = " << *other << ": f(S + j + i) - f(S + j) exceeds f(S + i) - f(S) by " << excess;
  else
    out << ": f(S) exceeds f(S + i) by " << excess;
  return out.str();
}

Table::Table(int dimension, std::vector<double> values) : dimension_(dimension) {
  require(dimension >= 1 && dimension <= max_dimension, "dimension", dimension,
          "must be at least 1 and at most " + std::to_string(max_dimension));
  require(values.size() == bit(dimension), "values", "a list of " + std::to_string(values.size()),
          "must have 2^dimension = " + std::to_string(bit(dimension)) + " numbers");
  inputs::require_finite("values", values);
  for (const double v : values) max_value_ = std::max(max_value_, std::abs(v));
  values_ = std::make_shared<const std::vector<double>>(std::move(values));
}

Table Table::of(const SetFunction& f) {
  const int dimension = f.dimension();
  require(dimension <= max_dimension, "dimension", dimension,
          "must be at most " + std::to_string(max_dimension) + " for a table");
  std::vector<double> values;
  values.reserve(bit(dimension));
  for (std::size_t m = 0; m < bit(dimension); ++m) values.push_back(f.value(items_of(m)));
  return Table(dimension, std::move(values));
}

double Table::value(ItemView set) const {
  std::size_t mask = 0;
  for (const Item i : set) mask |= bit(i);
  return (*values_)[mask];
}

std::unique_ptr<const ContinuousFunction> Table::closed_extension() const {
  return std::make_unique<TableExtension>(dimension_, values_, max_value_);
}

std::optional<Violation> Table::find_decrease(double tolerance) const {
  const std::vector<double>& f = *values_;
  for (std::size_t m = 0; m < f.size(); ++m)
    for (int i = 0; i < dimension_; ++i) {
      if (m & bit(i)) continue;
      const double excess = f[m] - f[m + bit(i)];
      if (excess > tolerance * max_value_)
        return Violation{.set = items_of(m), .item = i, .excess = excess};
    }
  return std::nullopt;
}

std::optional<Violation> Table::find_increasing_return(double tolerance) const {
  const std::vector<double>& f = *values_;
  for (std::size_t m = 0; m < f.size(); ++m)
    for (int i = 0; i < dimension_; ++i)
      for (int j = 0; j < i; ++j) {
        if (m & (bit(i) | bit(j))) continue;
        const double excess = f[m + bit(i) + bit(j)] - f[m + bit(j)] - f[m + bit(i)] + f[m];
        if (excess > tolerance * max_value_)
          return Violation{.set = items_of(m), .item = i, .other = j, .excess = excess};
      }
  return std::nullopt;
}

}  // namespace hindsight
