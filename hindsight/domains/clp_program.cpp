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
  /// The solver's tolerances are absolute, so that it sees z = x/u in [0,1] and rows of length 1.
  ClpProgram(const PointTable& A, PointView b, PointView upper)
      : upper_(upper.begin(), upper.end()) {
    CoinPackedMatrix matrix(false, 0, 0);
    matrix.setDimensions(0, static_cast<int>(upper.size()));
    Point limits(b.begin(), b.end());
    Point row(upper.size());
    for (std::size_t i = 0; i < A.rows(); ++i) {
      for (std::size_t j = 0; j < row.size(); ++j) row[j] = A.row(i)[j] * upper[j];
      const double length = norm(row);
      if (length == 0) continue;  // limits nothing
      CoinPackedVector entries;
      for (std::size_t j = 0; j < row.size(); ++j)
        if (row[j] > 0) entries.insert(static_cast<int>(j), row[j] / length);
      matrix.appendRow(entries);
      limits[static_cast<std::size_t>(matrix.getNumRows()) - 1] = b[i] / length;
    }
    const Point zero(upper.size(), 0.0);
    const Point one(upper.size(), 1.0);
    const Point from_below(limits.size(), -COIN_DBL_MAX);
    pristine_.setLogLevel(0);
    pristine_.loadProblem(matrix, zero.data(), one.data(), zero.data(), from_below.data(),
                          limits.data());
    pristine_.setOptimizationDirection(-1);
    pristine_.setPrimalTolerance(1e-9);
    pristine_.setDualTolerance(1e-9);
    pristine_.setPerturbation(100);  // none
  }

  void maximize(PointView weights, PointRef out) const override {
    double largest = 0;
    for (std::size_t j = 0; j < upper_.size(); ++j)
      largest = std::max(largest, std::abs(weights[j]) * upper_[j]);
    if (largest == 0) {
      std::ranges::fill(out, 0.0);
      return;
    }

    // A fresh copy each time, at the vertex 0. From the last basis it would be faster, but then
    // ties would be resolved by what was asked before, and a run could not be repeated or continued
    // exactly. It also leaves nothing for threads to share.
    ClpSimplex model(pristine_);
    for (std::size_t j = 0; j < weights.size(); ++j)
      model.setObjectiveCoefficient(static_cast<int>(j), weights[j] * upper_[j] / largest);
    model.primal();
    if (model.status() != 0)
      throw std::runtime_error(
          "the linear program of a packing polytope was not solved: CLP status " +
          std::to_string(model.status()));
    // Against degeneracy CLP moves bounds by some 1e-12, and leaves it at that.
    const double* z = model.primalColumnSolution();
    for (std::size_t j = 0; j < out.size(); ++j)
      out[j] = upper_[j] * (z[j] < 1e-11 ? 0 : z[j] > 1 - 1e-11 ? 1 : z[j]);
  }

 private:
  Point upper_;
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
