#include "hindsight/functions/log_det.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cassert>
#include <cmath>
#include <numeric>

#include "hindsight/core/error.hpp"
#include "hindsight/functions/inputs.hpp"

namespace hindsight {

LogDet::LogDet(const std::vector<std::vector<double>>& kernel, double scale)
    : matrix_(kernel.size(), kernel.size()) {
  inputs::require_symmetric("kernel", kernel);
  require(std::isfinite(scale) && scale >= 0, "scale", scale, "must be finite and at least 0");
  const std::size_t d = kernel.size();
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j)
      matrix_.row(i)[j] = scale * (kernel[i][j] + kernel[j][i]) / 2;

  const auto n = static_cast<Eigen::Index>(d);
  const Eigen::Map<const Eigen::MatrixXd> scaled(matrix_.numbers().data(), n, n);
  const Eigen::VectorXd eigenvalues =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled, Eigen::EigenvaluesOnly).eigenvalues();
  // A kernel computed as A'A has eigenvalues of 0 only up to rounding.
  const double smallest = eigenvalues.minCoeff();
  require(smallest >= -1e-12 * eigenvalues.cwiseAbs().maxCoeff(),
          "smallest eigenvalue of scale * kernel", smallest, "must be at least 0");
  // Rounding that I does not outweigh would make determinants negative.
  require(smallest > -1e-3, "scale", scale, "must be smaller: the kernel's rounding errors matter");

  for (std::size_t i = 0; i < d; ++i) matrix_.row(i)[i] += 1;
  ItemSet all(d);
  std::iota(all.begin(), all.end(), 0);
  max_value_ = inputs::require_finite_total("kernel", value(all));
}

double LogDet::value(ItemView set) const {
  thread_local std::vector<double> scratch;
  if (scratch.size() < set.size() * set.size()) scratch.resize(set.size() * set.size());
  const auto n = static_cast<Eigen::Index>(set.size());
  Eigen::Map<Eigen::MatrixXd> chosen(scratch.data(), n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const PointView row = matrix_.row(static_cast<std::size_t>(set[static_cast<std::size_t>(i)]));
    for (Eigen::Index j = 0; j < n; ++j)
      chosen(j, i) = row[static_cast<std::size_t>(set[static_cast<std::size_t>(j)])];
  }
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> cholesky(chosen);  // in place
  assert(cholesky.info() == Eigen::Success);
  double half = 0;
  for (Eigen::Index i = 0; i < n; ++i) half += std::log(chosen(i, i));
  return 2 * half;
}

}  // namespace hindsight
