/// The one small door to an LP solver, so that domains need none to be compiled.
#pragma once

#include <memory>

#include "hindsight/core/point.hpp"

namespace hindsight {

/// max <weights, x> over one fixed polytope, solved again and again with other weights.
class LinearProgram {
 public:
  virtual ~LinearProgram() = default;
  /// Writes an optimal vertex. Safe to call from several threads. May allocate.
  virtual void maximize(PointView weights, PointRef out) const = 0;
};

}  // namespace hindsight
