/// VertexSampler for nested families.
#pragma once

#include <vector>

#include "hindsight/learners/vertex_sampler.hpp"
#include "hindsight/rounding/fresh_pipage.hpp"

namespace hindsight {

/// The bases are the y with y(F) <= c_F for the sets F that bind, and equality for the outermost
/// ones: with scores z the mirror step is y_i = phi(z_i - shift_i), where phi is the inverse of
/// Psi' and shift_i the largest tau_F of the sets around i. Inner sets come first, and tau_F meets
/// the capacity on top of the shifts inside (docs/sampled-vertex.md has the proof).
class NestedSampler final : public VertexSampler {
 public:
  explicit NestedSampler(LaminarMatroidPtr matroid);

  PointView marginals() const override { return x_; }
  void draw(Stream& stream, ItemSet& out) override { pipage_.draw(x_, stream, out); }
  void step(PointView g, double floor) override;
  double range() const override { return range_; }
  double mean_share() const override { return mean_share_; }
  void write(Writer& writer) const override;
  void read(Reader& reader) override;

 private:
  /// A set that binds: neighbours in the sampler's own order of the items.
  struct Part {
    std::size_t begin, end;
    double capacity;
    bool outermost;
    bool flat;         // outermost, and with no part inside
    double guess = 0;  // at its tau in the next step
  };
  /// The tau at which y_ was written, its sum there, and where Newton's method would go on.
  struct Met {
    double tau, next, sum;
  };

  void find_parts(const LaminarMatroid& matroid);
  void normalize();
  Met meet_capacity(const Part& part);
  void show(double floor);

  FreshPipage pipage_;
  std::vector<Part> parts_;  // inner ones first
  ItemSet items_;            // those that can be chosen, every part contiguous
  bool in_order_ = false;    // are they all items, in their order?
  Point z_, shift_, y_;      // by position in items_
  Point slope_;              // of one part, from its beginning
  Point centre_;             // by position
  Point x_;                  // by item
  double range_ = 0;
  double mean_share_ = 0;
  double least_share_ = 0;  // the smallest centre_i and 1 - centre_i
};

}  // namespace hindsight
