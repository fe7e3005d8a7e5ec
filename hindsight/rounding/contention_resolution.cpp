#include "hindsight/rounding/contention_resolution.hpp"

#include "hindsight/rounding/independent_rounding.hpp"
#include "hindsight/rounding/keep_independent.hpp"

namespace hindsight {

void contention_resolution_round(const Matroid& matroid, PointView x, Stream& stream,
                                 ItemSet& out) {
  independent_round(x, stream, out);
  stream.shuffle(std::span<Item>(out));
  keep_independent(matroid, out);
}

}  // namespace hindsight
