#include "hindsight/rounding/pipage.hpp"

#include <string>

#include "hindsight/core/error.hpp"
#include "hindsight/rounding/lossless_rounding.hpp"
#include "hindsight/rounding/pipage_move.hpp"

namespace hindsight {

ItemSet pipage_round(const Matroid& matroid, const ContinuousFunction& extension, Point x) {
  require(extension.dimension() == matroid.dimension(), "extension.dimension",
          extension.dimension(),
          "must be the dimension of the matroid, " + std::to_string(matroid.dimension()));
  Point y;
  read_point(x, matroid, y);
  while (const auto move = next_move(matroid, y)) {
    x = y;
    move->apply(move->forward, x);
    move->apply(-move->backward, y);
    if (extension.value(x) >= extension.value(y)) y = x;
  }
  ItemSet out;
  read_vertex(matroid, y, out);
  return out;
}

}  // namespace hindsight
