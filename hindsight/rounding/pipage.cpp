#include "hindsight/rounding/pipage.hpp"

#include <string>

#include "hindsight/core/error.hpp"
#include "hindsight/rounding/lossless_rounding.hpp"
#include "hindsight/rounding/pipage_walk.hpp"

namespace hindsight {

ItemSet pipage_round(const Matroid& matroid, const ContinuousFunction& extension, Point x) {
  require(extension.dimension() == matroid.dimension(), "extension.dimension",
          extension.dimension(),
          "must be the dimension of the matroid, " + std::to_string(matroid.dimension()));
  read_point(Point(x), matroid, x);
  PipageWalk walk(matroid, x);
  const auto value_at = [&](double step) {
    copy(walk.point(), x);
    walk.move()->apply(step, x);
    return extension.value(x);
  };
  while (const auto& move = walk.move())
    walk.go(value_at(move->forward) >= value_at(-move->backward));
  ItemSet out;
  walk.read_vertex(out);
  return out;
}

}  // namespace hindsight
