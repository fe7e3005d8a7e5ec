#include "hindsight/offline/branch_and_cut.hpp"

#include <CbcBranchBase.hpp>  // declares what the next one needs
#include <CbcCutGenerator.hpp>
#include <CbcModel.hpp>
#include <CglCutGenerator.hpp>
#include <CoinBuild.hpp>
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
  CoinBuild build;
  const auto add_row = [&](const CoinPackedVector& entries, double limit) {
    build.addRow(entries.getNumElements(), entries.getIndices(), entries.getElements(),
                 -COIN_DBL_MAX, limit);
  };
  for (const auto* list : {&rows.rows(), &relaxation.rows})
    for (const LinearRow& row : *list) add_row(Layout::row(row), row.limit);
  for (std::size_t c = 0; c < relaxation.cuts.size(); ++c)
    add_row(layout.row(relaxation.cuts[c], relaxation.of[c]),
            relaxation.cuts[c].constant / layout.unit);

  ClpSimplex program;
  const int items = static_cast<int>(layout.items);
  program.resize(0, items + static_cast<int>(majorant.shares()));
  for (int i = 0; i < items; ++i)
    program.setColumnBounds(i, 0, rows.upper()[static_cast<std::size_t>(i)]);
  for (int s = items; s < program.numberColumns(); ++s) {
    program.setColumnBounds(s, -COIN_DBL_MAX, COIN_DBL_MAX);
    program.setObjectiveCoefficient(s, -1);
  }
  program.addRows(build);

  OsiClpSolverInterface solver(&program);
  solver.messageHandler()->setLogLevel(0);
  solver.setDblParam(OsiPrimalTolerance, 1e-9);
  solver.setDblParam(OsiDualTolerance, 1e-9);
  for (int i = 0; i < items; ++i) solver.setInteger(i);

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
    for (int i = 0; i < items; ++i)
      if (z[i] > 0.5) result.better->push_back(i);
  }
  return result;
}

}  // namespace hindsight
