#include "hindsight/functions/design.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <cassert>
#include <cmath>

#include "hindsight/core/error.hpp"
#include "hindsight/functions/inputs.hpp"

namespace hindsight {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const Rows> rows_of(const PointTable& table) {
  return {table.numbers().data(), static_cast<Eigen::Index>(table.rows()),
          static_cast<Eigen::Index>(table.columns())};
}

/// sum_i (1 + x_i) a_i a_i' = L L'
Eigen::LLT<Eigen::MatrixXd> factor(const PointTable& vectors, PointView x) {
  const auto a = rows_of(vectors);
  const Eigen::Map<const Eigen::VectorXd> weights(x.data(), static_cast<Eigen::Index>(x.size()));
  const Eigen::MatrixXd information =
      a.transpose() * (weights.array() + 1).matrix().asDiagonal() * a;
  Eigen::LLT<Eigen::MatrixXd> cholesky(information);
  assert(cholesky.info() == Eigen::Success);
  return cholesky;
}

}  // namespace

Design::Design(const std::vector<std::vector<double>>& vectors)
    : vectors_(vectors.size(), vectors.empty() ? 0 : vectors.front().size()) {
  require(!vectors.empty() && !vectors.front().empty(), "vectors", vectors.size(),
          "must have at least one vector of at least one number");
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const std::string name = inputs::element("vectors", i);
    require(vectors[i].size() == vectors.front().size(), name, vectors[i].size(),
            "must have as many numbers as the first");
    for (const double number : vectors[i])
      require(std::isfinite(number), name, number, "must be finite");
    copy(vectors[i], vectors_.row(i));
  }
  // F does not change when all vectors pass through the same invertible map.
  Eigen::Map<Rows> a(vectors_.numbers().data(), static_cast<Eigen::Index>(vectors_.rows()),
                     static_cast<Eigen::Index>(vectors_.columns()));
  const Eigen::MatrixXd information = a.transpose() * a;
  const Eigen::LLT<Eigen::MatrixXd> cholesky(information);
  require(cholesky.info() == Eigen::Success && cholesky.rcond() > 1e-13, "vectors", vectors.size(),
          "must span their space");
  a = cholesky.matrixL().solve(a.transpose()).transpose().eval();
}

double Design::value(PointView x) const {
  assert(x.size() == vectors_.rows());
  return 2 * factor(vectors_, x).matrixLLT().diagonal().array().log().sum();
}

void Design::gradient(PointView x, PointRef out) const {
  assert(x.size() == vectors_.rows() && out.size() == x.size());
  const Eigen::MatrixXd half = factor(vectors_, x).matrixL().solve(rows_of(vectors_).transpose());
  Eigen::Map<Eigen::VectorXd>(out.data(), static_cast<Eigen::Index>(out.size())) =
      half.colwise().squaredNorm();
}

/// The gradient is longest at 0. By Cauchy and Schwarz an entry of the Hessian is at most the
/// product of two entries of that gradient, so that its norm is at most the gradient's, squared.
FunctionFacts Design::facts() const {
  const Point zero(vectors_.rows(), 0.0);
  Point steepest(zero.size());
  gradient(zero, steepest);
  return {.max_value = static_cast<double>(vectors_.columns()) * std::log(2.0),
          .lipschitz = norm(steepest),
          .smoothness = squared_norm(steepest)};
}

}  // namespace hindsight
