#include "hindsight/rounding/independent_rounding.hpp"

namespace hindsight {

void independent_round(PointView x, Stream& stream, ItemSet& out) {
  out.clear();
  for (std::size_t i = 0; i < x.size(); ++i)
    if (stream.coin(x[i])) out.push_back(static_cast<Item>(i));
}

}  // namespace hindsight
