#include "hindsight/domains/clp_program.hpp"

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <CoinPackedVector.hpp>
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace hindsight {
namespace {

class ClpProgram final : public LinearProgram {
 public:
  ClpProgram(const PointTable& A, PointView b, PointView upper) {
    // Rows of length 1, so that the solver's tolerances are distances.
    CoinPackedMatrix matrix(false, 0, 0);
    matrix.setDimensions(0, static_cast<int>(upper.size()));
    Point limits(b.begin(), b.end());
    for (std::size_t i = 0; i < A.rows(); ++i) {
      const double length = norm(A.row(i));
      CoinPackedVector row;
      for (std::size_t j = 0; j < upper.size(); ++j)
        if (A.row(i)[j] > 0) row.insert(static_cast<int>(j), A.row(i)[j] / length);
      matrix.appendRow(row);
      if (length > 0) limits[i] /= length;
    }
    const Point zero(upper.size(), 0.0);
    const Point from_below(limits.size(), -COIN_DBL_MAX);
    pristine_.setLogLevel(0);
    pristine_.loadProblem(matrix, zero.data(), upper.data(), zero.data(), from_below.data(),
                          limits.data());
    pristine_.setOptimizationDirection(-1);
    pristine_.setPrimalTolerance(1e-9);
    pristine_.setDualTolerance(1e-9);
    pristine_.setPerturbation(100);  // none
  }

  void maximize(PointView weights, PointRef out) const override {
    double largest = 0;
    for (const double w : weights) largest = std::max(largest, std::abs(w));
    if (largest == 0) {
      std::ranges::fill(out, 0.0);
      return;
    }

    // A fresh copy each time, at the vertex 0. From the last basis it would be faster, but then
    // ties would be resolved by what was asked before, and a run could not be repeated or continued
    // exactly. It also leaves nothing for threads to share.
    ClpSimplex model(pristine_);
    // The solver's tolerances are absolute, so that the weights come at one scale.
    for (std::size_t j = 0; j < weights.size(); ++j)
      model.setObjectiveCoefficient(static_cast<int>(j), weights[j] / largest);
    model.primal();
    if (model.status() != 0)
      throw std::runtime_error(
          "the linear program of a packing polytope was not solved: CLP status " +
          std::to_string(model.status()));
    // Against degeneracy CLP moves bounds by some 1e-12, and leaves it at that.
    const double* x = model.primalColumnSolution();
    const double* upper = model.columnUpper();
    for (std::size_t j = 0; j < out.size(); ++j) {
      const double near = 1e-11 * std::max(upper[j], 1.0);
      out[j] = x[j] < near ? 0 : x[j] > upper[j] - near ? upper[j] : x[j];
    }
  }

 private:
  ClpSimplex pristine_;
};

}  // namespace

std::shared_ptr<const PackingPolytope> packing_polytope(const std::vector<Point>& A, Point b,
                                                        Point upper) {
  return std::make_shared<PackingPolytope>(
      A, std::move(b), std::move(upper),
      [](const PointTable& rows, PointView limits, PointView box) {
        return std::make_shared<const ClpProgram>(rows, limits, box);
      });
}

}  // namespace hindsight
