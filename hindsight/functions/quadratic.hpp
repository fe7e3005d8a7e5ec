/// Quadratic functions with diminishing returns in every direction.
#pragma once

#include <vector>

#include "hindsight/functions/function.hpp"

namespace hindsight {

/// F(x) = x'Hx/2 + h'x on the box [0, upper]. H is symmetric with no positive entry, so that the
/// gradient h + Hx falls everywhere; it is at least 0 at `upper`, so that F is monotone. With
/// `Slope::any` it need only be so halfway, h + H upper / 2 >= 0: then F >= 0 on the box, as
/// F(x) = <x, h + Hx/2> >= <x, h + H upper / 2>, but F may fall.
enum class Slope { upward, any };

class Quadratic final : public ContinuousFunction {
 public:
  /// No `upper`: 1 in every coordinate.
  Quadratic(const std::vector<std::vector<double>>& H, std::vector<double> h,
            std::vector<double> upper = {}, Slope slope = Slope::upward);

  int dimension() const override { return static_cast<int>(h_.size()); }
  double value(PointView x) const override;
  void gradient(PointView x, PointRef out) const override;
  /// M1 = F(upper), or <h, upper> where F may fall; L1 = |h|, the gradient at 0, which is longest
  /// there (halfway up it is at least 0, so that at the top it is at least -h); L2 = the spectral
  /// norm of H.
  FunctionFacts facts() const override;

  const PointTable& H() const { return H_; }
  const std::vector<double>& h() const { return h_; }
  const std::vector<double>& upper() const { return upper_; }
  Slope slope() const { return slope_; }

 private:
  PointTable H_;
  std::vector<double> h_;
  std::vector<double> upper_;
  Slope slope_;
};

}  // namespace hindsight
