// Links everything, the solver included.
#include <hindsight/core/rng.hpp>

int main() { return hindsight::StreamFamily(7, "measure").at(1).uniform() < 1 ? 0 : 1; }
