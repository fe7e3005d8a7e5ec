#include "hindsight/offline/branch_and_cut.hpp"

#include <CbcBranchBase.hpp>  // declares what the next one needs
#include <CbcCutGenerator.hpp>
#include <CbcModel.hpp>
#include <CglCutGenerator.hpp>
#include <OsiClpSolverInterface.hpp>
#include <algorithm>
#include <cmath>

namespace hindsight {
namespace {

/// The columns of the program: x, one for each item, then t, one for each share, in units.
struct Layout {
  std::size_t items;
  double unit;

  CoinPackedVector row(const Cut& cut, std::size_t share) const {
    CoinPackedVector entries;
    entries.insert(static_cast<int>(items + share), 1.0);
    for (std::size_t i = 0; i < items; ++i)
      if (cut.slope[i] != 0) entries.insert(static_cast<int>(i), -cut.slope[i] / unit);
    return entries;
  }
  static CoinPackedVector row(const LinearRow& row) {
    return {static_cast<int>(row.items.size()), row.items.data(), row.entries.data()};
  }
};

/// Gives the solver what its point breaks: tangents of the majorant and rows of the domain. It is
/// asked at every node and for every solution, so that nothing is accepted that breaks any.
class Tangents final : public CglCutGenerator {
 public:
  Tangents(const MixtureMajorant& majorant, const LinearRows& rows, Layout layout)
      : majorant_(majorant), rows_(rows), layout_(layout) {}
  CglCutGenerator* clone() const override { return new Tangents(*this); }

  void generateCuts(const OsiSolverInterface& solver, OsiCuts& cuts, const CglTreeInfo) override {
    const double* z = solver.getColSolution();
    Point x(z, z + layout_.items);
    for (double& v : x) v = std::clamp(v, 0.0, 1.0);
    for (const LinearRow& row : rows_.broken(x, 1e-7)) add(Layout::row(row), row.limit, cuts);
    Cut cut;
    for (std::size_t s = 0; s < majorant_.shares(); ++s) {
      majorant_.tangent(s, x, cut);
      const double value = (cut.constant + dot(cut.slope, x)) / layout_.unit;
      if (z[layout_.items + s] > value + 1e-9 * std::max(1.0, std::abs(value)))
        add(layout_.row(cut, s), cut.constant / layout_.unit, cuts);
    }
  }

 private:
  static void add(const CoinPackedVector& entries, double limit, OsiCuts& cuts) {
    OsiRowCut cut;
    cut.setRow(entries);
    cut.setLb(-COIN_DBL_MAX);
    cut.setUb(limit);
    cut.setGloballyValid();
    cuts.insert(cut);
  }

  const MixtureMajorant& majorant_;
  const LinearRows& rows_;
  Layout layout_;
};

}  // namespace

std::optional<BranchAndCut> branch_and_cut(const MixtureMajorant& majorant, const LinearRows& rows,
                                           const Relaxation& relaxation, double lower,
                                           double seconds) {
  const Layout layout{rows.upper().size(),
                      std::max(lower, 1e-300) / static_cast<double>(majorant.shares())};
  OsiClpSolverInterface solver;
  solver.messageHandler()->setLogLevel(0);
  solver.setDblParam(OsiPrimalTolerance, 1e-9);
  solver.setDblParam(OsiDualTolerance, 1e-9);
  for (const double upper : rows.upper()) {
    solver.addCol(CoinPackedVector(), 0, upper, 0);
    solver.setInteger(solver.getNumCols() - 1);
  }
  for (std::size_t s = 0; s < majorant.shares(); ++s)
    solver.addCol(CoinPackedVector(), -COIN_DBL_MAX, COIN_DBL_MAX, -1);
  const auto add_row = [&](const CoinPackedVector& entries, double limit) {
    solver.addRow(entries, -COIN_DBL_MAX, limit);
  };
  for (const auto* list : {&rows.rows(), &relaxation.rows})
    for (const LinearRow& row : *list) add_row(Layout::row(row), row.limit);
  for (std::size_t c = 0; c < relaxation.cuts.size(); ++c)
    add_row(layout.row(relaxation.cuts[c], relaxation.of[c]),
            relaxation.cuts[c].constant / layout.unit);

  CbcModel model(solver);
  model.setLogLevel(getenv("CBCLOG") ? 1 : 0);
  Tangents tangents(majorant, rows, layout);
  model.addCutGenerator(&tangents, 1, "tangents", true, true);
  model.cutGenerator(0)->setMustCallAgain(true);
  model.setIntegerTolerance(1e-9);
  model.setAllowableGap(0);
  model.setCutoffIncrement(1e-9 * static_cast<double>(majorant.shares()));
  model.setCutoff(-(1 + 1e-9) * static_cast<double>(majorant.shares()));
  model.setUseElapsedTime(true);
  model.setMaximumSeconds(seconds);
  model.branchAndBound();
  if (model.status() != 0 || model.isSecondsLimitReached()) return std::nullopt;

  BranchAndCut result;
  if (const double* z = model.bestSolution()) {
    result.better.emplace();
    for (Item i = 0; i < rows.domain().dimension(); ++i)
      if (z[i] > 0.5) result.better->push_back(i);
  }
  return result;
}

}  // namespace hindsight
