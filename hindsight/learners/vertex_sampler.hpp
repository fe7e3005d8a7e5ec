/// A random base of a matroid whose marginals learn: mirror steps on the base polytope, and
/// rounding.
#pragma once

#include <memory>

#include "hindsight/core/archive.hpp"
#include "hindsight/domains/matroid.hpp"

namespace hindsight {

/// The mirror map is the symmetric Tsallis entropy
///     Psi(x) = -2 sum_i (sqrt x_i + sqrt(1 - x_i)),
/// whose steps keep small marginals learnable: x_i falls like 1/z^2 with its score z, not
/// exponentially.
class VertexSampler {
 public:
  virtual ~VertexSampler() = default;

  /// x: inside the base polytope; 0 < x_i < 1 for every item that some bases hold and some do not.
  virtual PointView marginals() const = 0;
  /// A base S with E 1_S = x, drawn so that E f(S) >= F(x) for every submodular f. What is drawn
  /// depends on the state and the stream alone.
  virtual void draw(Stream& stream, ItemSet& out) = 0;
  /// x = (1 - floor) argmax { <g, y> - D_Psi(y, x) : y a mixture of bases } + floor * centre, for a
  /// gradient g already multiplied by its step; floor is in [0, 1/2].
  virtual void step(PointView g, double floor) = 0;

  /// max Psi - Psi(centre) >= D_Psi(base, centre): how far a base may be, for the size of steps.
  virtual double range() const = 0;
  /// The mean of the centre over the items that can be chosen; 0 if there is nothing to choose.
  virtual double mean_share() const = 0;

  virtual void write(Writer& writer) const = 0;
  virtual void read(Reader& reader) = 0;
};

/// Nested families (uniform, partition, laminar): exact steps and pipage rounding in fresh random
/// order, O(d) a round, nothing allocated. Every other matroid: pairwise Frank-Wolfe steps that
/// need maximize() alone and keep x as a mixture of bases, which swap rounding merges; slower, and
/// the steps are approximate, which costs speed of learning and not correctness.
std::unique_ptr<VertexSampler> make_vertex_sampler(const MatroidPtr& matroid);

}  // namespace hindsight
