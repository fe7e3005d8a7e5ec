// Draws from the library's random streams, with nothing but hindsight::learners.
#include <cmath>
#include <cstdio>
#include <hindsight/core/rng.hpp>

int main() {
  const hindsight::StreamFamily directions(7, "direction");
  hindsight::Point u(5);
  directions.at(1).fill_sphere(u);
  std::printf("|u| = %.6f\n", hindsight::norm(u));
  return std::abs(hindsight::norm(u) - 1) < 1e-12 ? 0 : 1;
}
