/// What decisions are worth: set functions and continuous functions with diminishing returns,
/// monotone unless their facts say otherwise.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "hindsight/core/item_set.hpp"
#include "hindsight/core/point.hpp"

namespace hindsight {

/// What a function states about itself; the theorems' constants come from here.
struct FunctionFacts {
  double max_value = 0;                             ///< M1 >= |F| on the whole box
  std::optional<double> lipschitz = std::nullopt;   ///< L1: |F(x) - F(y)| <= L1 |x - y|
  std::optional<double> smoothness = std::nullopt;  ///< L2: |grad F(x) - grad F(y)| <= L2 |x - y|
  bool monotone = true;    ///< false: F >= 0 is all that is promised of its sign and slope
  bool concave = false;    ///< true: in every direction, not only upwards
  bool surrogate = false;  ///< true: `surrogate()` is there
};

/// A continuous DR-submodular function on a box. Immutable and safe to share between threads.
class ContinuousFunction {
 public:
  virtual ~ContinuousFunction() = default;
  virtual int dimension() const = 0;
  virtual double value(PointView x) const = 0;
  virtual void gradient(PointView x, PointRef out) const = 0;
  virtual FunctionFacts facts() const = 0;
  /// A concave function f~ with (1 - 1/e) f~ <= F <= f~ on the box, equal to F at its corners; null
  /// where none is known. Its `gradient` is a supergradient. Valid as long as F is.
  virtual const ContinuousFunction* surrogate() const { return nullptr; }
};

/// A set that grows from {}, and what it would gain: cheaper than two values of f wherever f can
/// keep what it knows of the set.
class GrowingSet {
 public:
  virtual ~GrowingSet() = default;
  /// f(S + i) - f(S), for an item that is not in S.
  virtual double gain(Item i) = 0;
  /// S becomes S + i.
  virtual void add(Item i) = 0;
};

/// A submodular set function on items 0 .. dimension()-1. Immutable and safe to share.
class SetFunction {
 public:
  virtual ~SetFunction() = default;
  virtual int dimension() const = 0;
  virtual double value(ItemView set) const = 0;
  /// M1: at least |f(S)| for every set S; f(all items) for a monotone f with f({}) = 0.
  virtual double max_value() const = 0;
  /// The multilinear extension F(x) = E f(S), S ~ x, where it has a closed form; else null.
  virtual std::unique_ptr<const ContinuousFunction> closed_extension() const { return nullptr; }

  /// {}, to be grown. Valid as long as f is.
  virtual std::unique_ptr<GrowingSet> grow() const;
  /// out[i] = f(S + i) - f(S - i) for every item; S is sorted.
  virtual void differences(ItemView set, PointRef out) const;
  /// Averages over many sets, at least one, each sorted.
  virtual double mean(std::span<const ItemSet> sets) const;
  virtual void mean_differences(std::span<const ItemSet> sets, PointRef out) const;
};

using ContinuousFunctionPtr = std::shared_ptr<const ContinuousFunction>;
using SetFunctionPtr = std::shared_ptr<const SetFunction>;

}  // namespace hindsight
