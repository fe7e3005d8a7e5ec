// Links everything: the vertex that the solver finds is the one that the numbers ask for.
#include <cmath>
#include <cstdio>
#include <hindsight/domains/clp_program.hpp>

int main() {
  const auto budget = hindsight::packing_polytope({{1, 2}}, {2}, {1, 1});
  hindsight::Point best(2);
  budget->maximize(hindsight::Point{1, 1}, best);
  std::printf("%s: best (%g, %g)\n", budget->describe().c_str(), best[0], best[1]);
  return std::abs(best[0] - 1) < 1e-9 && std::abs(best[1] - .5) < 1e-9 ? 0 : 1;
}
