#include "hindsight/domains/domain.hpp"

namespace hindsight {

Point diagonal_point(const Domain& domain) {
  // Membership is monotone along the ray from the lower corner, so that bisection finds its end;
  // the tolerance it needs there is taken back by a projection.
  const Point corner = domain.lower();
  Point x = corner;
  const auto inside = [&](double c) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = corner[i] + c;
    return domain.contains(x, 1e-13);
  };
  double low = 0;
  double high = domain.diameter() + 1;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) break;
    (inside(middle) ? low : high) = middle;
  }
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = corner[i] + low;
  domain.project(x);
  return x;
}

}  // namespace hindsight
