#include "hindsight/rounding/lossless_rounding.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "hindsight/core/error.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/rounding/randomized_pipage.hpp"
#include "hindsight/rounding/swap_rounding.hpp"

namespace hindsight {
namespace {

/// Enough of a point to recognise it in a message.
std::string text(PointView x) {
  constexpr std::size_t shown = 8;
  std::ostringstream out;
  out << '(';
  for (std::size_t i = 0; i < std::min(x.size(), shown); ++i) out << (i ? ", " : "") << x[i];
  out << (x.size() > shown ? ", ...)" : ")");
  return out.str();
}

}  // namespace

std::unique_ptr<LosslessRounding> make_lossless_rounding(MatroidPtr matroid) {
  if (dynamic_cast<const LaminarMatroid*>(matroid.get()))
    return std::make_unique<RandomizedPipage>(std::move(matroid));
  return std::make_unique<SwapRounding>(std::move(matroid));
}

ConvexCombination distribution(LosslessRounding& rounding) {
  std::map<ItemSet, double> law;
  CoinTree coins;
  ItemSet set;
  do {
    rounding.draw_with(coins, set);
    std::sort(set.begin(), set.end());
    law[set] += coins.probability();
  } while (coins.next());

  ConvexCombination out;
  for (const auto& [items, probability] : law) {
    out.weights.push_back(probability);
    out.sets.push_back(items);
  }
  return out;
}

void read_point(PointView x, const Matroid& matroid, Point& out) {
  // Texts are made only where something is wrong: this runs every block.
  if (x.size() != static_cast<std::size_t>(matroid.dimension()))
    reject("point.dimension", x.size(),
           "must be the dimension of the matroid, " + std::to_string(matroid.dimension()));
  if (!matroid.contains(x, LosslessRounding::point_tolerance))
    reject("point", text(x), "must lie in the polytope of the " + matroid.describe());
  out.assign(x.begin(), x.end());
  if (!matroid.contains(out, 1e-13)) matroid.project(out);
  for (double& coordinate : out) coordinate = std::clamp(coordinate, 0.0, 1.0);
}

}  // namespace hindsight
