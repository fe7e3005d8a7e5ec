#include "hindsight/functions/log_det.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cassert>
#include <cmath>
#include <numeric>

#include "hindsight/core/error.hpp"
#include "hindsight/functions/inputs.hpp"

namespace hindsight {
namespace {

/// The set's part of the matrix as L L', in this thread's scratch: its lower half is L.
Eigen::Map<Eigen::MatrixXd> factor(const PointTable& matrix, ItemView set) {
  thread_local std::vector<double> scratch;
  if (scratch.size() < set.size() * set.size()) scratch.resize(set.size() * set.size());
  const auto n = static_cast<Eigen::Index>(set.size());
  Eigen::Map<Eigen::MatrixXd> chosen(scratch.data(), n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const PointView row = matrix.row(static_cast<std::size_t>(set[static_cast<std::size_t>(i)]));
    for (Eigen::Index j = 0; j < n; ++j)
      chosen(j, i) = row[static_cast<std::size_t>(set[static_cast<std::size_t>(j)])];
  }
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> cholesky(chosen);  // in place
  assert(cholesky.info() == Eigen::Success);
  return chosen;
}

/// Cholesky's factor, a row longer with every item; a candidate's row is what would be appended.
/// It is brought up to date when its item is asked for, so that lazy greedy pays for those alone.
class GrowingDeterminant final : public GrowingSet {
 public:
  explicit GrowingDeterminant(const PointTable& matrix)
      : matrix_(matrix), rows_(matrix.rows()), rest_(matrix.rows()) {
    for (std::size_t i = 0; i < rest_.size(); ++i) rest_[i] = matrix.row(i)[i];
  }

  double gain(Item i) override {
    update(static_cast<std::size_t>(i));
    return std::log(rest_[static_cast<std::size_t>(i)]);
  }
  void add(Item i) override {
    update(static_cast<std::size_t>(i));
    set_.push_back(static_cast<std::size_t>(i));
  }

 private:
  void update(std::size_t i) {
    std::vector<double>& row = rows_[i];
    for (std::size_t k = row.size(); k < set_.size(); ++k) {
      const std::size_t j = set_[k];
      const double along =
          (matrix_.row(j)[i] - dot(PointView(rows_[j]).first(k), row)) / std::sqrt(rest_[j]);
      row.push_back(along);
      rest_[i] -= along * along;
    }
  }

  const PointTable& matrix_;
  std::vector<std::size_t> set_;
  std::vector<std::vector<double>> rows_;  // by item
  Point rest_;                             // by item: the square of the diagonal, at least 1
};

}  // namespace

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
  const auto L = factor(matrix_, set);
  double half = 0;
  for (Eigen::Index i = 0; i < L.rows(); ++i) half += std::log(L(i, i));
  return 2 * half;
}

/// With A = L L' the matrix of S: an item outside adds log(m_ii - |L^-1 m_Si|^2), the Schur
/// complement; an item inside has added -log (A^-1)_ii = -log |L^-1 e_i|^2.
void LogDet::differences(ItemView set, PointRef out) const {
  const auto L = factor(matrix_, set);
  thread_local Eigen::MatrixXd columns;
  columns.setZero(L.rows(), static_cast<Eigen::Index>(out.size()));
  for (std::size_t k = 0; k < set.size(); ++k) {
    const PointView row = matrix_.row(static_cast<std::size_t>(set[k]));
    columns.row(static_cast<Eigen::Index>(k)) =
        Eigen::Map<const Eigen::RowVectorXd>(row.data(), static_cast<Eigen::Index>(row.size()));
  }
  for (std::size_t k = 0; k < set.size(); ++k)
    columns.col(set[k]).setUnit(static_cast<Eigen::Index>(k));
  L.triangularView<Eigen::Lower>().solveInPlace(columns);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = std::log(matrix_.row(i)[i] - columns.col(static_cast<Eigen::Index>(i)).squaredNorm());
  for (const Item i : set)
    out[static_cast<std::size_t>(i)] = -std::log(columns.col(i).squaredNorm());
}

std::unique_ptr<GrowingSet> LogDet::grow() const {
  return std::make_unique<GrowingDeterminant>(matrix_);
}

}  // namespace hindsight
