/// The change of variables x = shift 1 + scale w behind an image of a set.
#pragma once

#include <span>

namespace hindsight {

struct AffineMap {
  double scale = 1;
  double shift = 0;

  /// w <- x and x <- w, of all numbers.
  void to_base(std::span<double> numbers) const;
  void from_base(std::span<double> numbers) const;
};

}  // namespace hindsight
