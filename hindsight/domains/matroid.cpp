#include "hindsight/domains/matroid.hpp"

#include <algorithm>
#include <cmath>

namespace hindsight {

double Matroid::radius() const { return std::sqrt(rank()); }

double Matroid::diameter() const { return std::sqrt(std::min(dimension(), 2 * rank())); }

}  // namespace hindsight
