#include "hindsight/functions/quadratic.hpp"

#include <Eigen/Eigenvalues>
#include <cassert>
#include <cmath>
#include <string>

#include "hindsight/core/error.hpp"
#include "hindsight/functions/inputs.hpp"

namespace hindsight {
namespace {

void require_length(std::string_view name, const std::vector<double>& values, std::size_t n) {
  require(values.size() == n, name, "a list of " + std::to_string(values.size()),
          "must have " + std::to_string(n) + " numbers, one for each row of H");
}

}  // namespace

Quadratic::Quadratic(const std::vector<std::vector<double>>& H, std::vector<double> h,
                     std::vector<double> upper, Slope slope)
    : H_(H.size(), H.size()), h_(std::move(h)), upper_(std::move(upper)), slope_(slope) {
  const std::size_t d = H.size();
  inputs::require_symmetric("H", H);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j) {
      if (H[i][j] > 0)
        reject(inputs::element(inputs::element("H", i), j), H[i][j],
               "must be at most 0 for diminishing returns");
      H_.row(i)[j] = (H[i][j] + H[j][i]) / 2;
    }
  require_length("h", h_, d);
  inputs::require_finite("h", h_);
  if (upper_.empty()) upper_.assign(d, 1.0);
  require_length("upper", upper_, d);
  inputs::require_nonnegative("upper", upper_);

  for (std::size_t i = 0; i < d; ++i) {
    const bool upward = slope == Slope::upward;
    const double fall = dot(H_.row(i), upper_) * (upward ? 1 : .5);
    // h is often computed as -H * upper, so that the slope there is 0 only up to rounding.
    if (h_[i] + fall < 1e-12 * fall)
      reject(inputs::element(upward ? "(h + H * upper)" : "(h + H * upper / 2)", i), h_[i] + fall,
             upward ? "must be at least 0, for F to be monotone"
                    : "must be at least 0, for F to be at least 0");
  }
  inputs::require_finite_total("h", dot(h_, upper_));
  inputs::require_finite_total("h", value(upper_));
}

double Quadratic::value(PointView x) const {
  assert(x.size() == h_.size());
  double total = 0;
  for (std::size_t i = 0; i < h_.size(); ++i) total += x[i] * (dot(H_.row(i), x) / 2 + h_[i]);
  return total;
}

void Quadratic::gradient(PointView x, PointRef out) const {
  assert(x.size() == h_.size() && out.size() == h_.size());
  for (std::size_t i = 0; i < h_.size(); ++i) out[i] = h_[i] + dot(H_.row(i), x);
}

FunctionFacts Quadratic::facts() const {
  const auto d = static_cast<Eigen::Index>(h_.size());
  const Eigen::Map<const Eigen::MatrixXd> H(H_.numbers().data(), d, d);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(H, Eigen::EigenvaluesOnly);
  const bool monotone = slope_ == Slope::upward;
  return {.max_value = monotone ? value(upper_) : dot(h_, upper_),
          .lipschitz = norm(h_),
          .smoothness = eigen.eigenvalues().cwiseAbs().maxCoeff(),
          .monotone = monotone};
}

}  // namespace hindsight
