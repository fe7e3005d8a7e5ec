/// Numbers of 113 bits, for certificates that double arithmetic cannot evaluate: a duality gap of
/// 1e-18 proves a distance of 1e-9, and doubles near 1 are 2e-16 apart.
#pragma once

#include <cfloat>
#include <cmath>

namespace hindsight {

#if LDBL_MANT_DIG >= 113
using Quad = long double;
#elif defined(__SIZEOF_FLOAT128__)
__extension__ using Quad = __float128;
#else
#error "hindsight needs a floating-point type of at least 113 bits: __float128 or long double"
#endif

inline double square_root(double x) { return std::sqrt(x); }

/// Newton's steps from the double root double its digits twice.
inline Quad square_root(Quad x) {
  const double start = std::sqrt(static_cast<double>(x));
  if (!(start > 0)) return 0;
  Quad root = start;
  for (int step = 0; step < 2; ++step) root = (root + x / root) / 2;
  return root;
}

}  // namespace hindsight
