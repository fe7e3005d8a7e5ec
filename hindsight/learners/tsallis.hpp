/// The symmetric Tsallis entropy Psi(x) = -2 (sqrt x + sqrt(1 - x)), one coordinate of it.
#pragma once

#include <cmath>

namespace hindsight::tsallis {

/// Psi'(x): from a share in (0, 1) to its score.
inline double score(double x) {
  const double p = std::sqrt(x), q = std::sqrt(1 - x);
  return (p - q) / (p * q);
}

/// The inverse of Psi' and its derivative. With a = sqrt x - sqrt(1 - x) the score is 2a/(1 - a^2),
/// so that a = z / (1 + sqrt(1 + z^2)) and x = (1 + a sqrt(2 - a^2)) / 2.
struct Share {
  double x;
  double slope;
};
inline Share share(double z) {
  const double root = std::sqrt(1 + z * z);
  const double u = 1 / (1 + root);  // 1 - a^2 = 2u
  const double a = z * u;
  const double b = std::sqrt(2 - a * a);  // sqrt x + sqrt(1 - x)
  return {(1 + a * b) / 2, 2 * u * u / (b * root)};
}

/// 1 / Psi''(x), 0 at both ends: the local norm in which a mirror step is short.
inline double local_norm(double x) {
  const double y = 1 - x;
  const double p = x * std::sqrt(x), q = y * std::sqrt(y);
  return 2 * p * q / (p + q);
}

/// max Psi - Psi(x).
inline double range(double x) { return 2 * (std::sqrt(x) + std::sqrt(1 - x) - 1); }

}  // namespace hindsight::tsallis
