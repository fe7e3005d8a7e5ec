#include "hindsight/offline/linear_rows.hpp"

#include <numeric>

#include "hindsight/domains/box.hpp"
#include "hindsight/domains/graphic_matroid.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/domains/packing_polytope.hpp"

namespace hindsight {
namespace {

LinearRow at_most(ItemSet items, double limit) {
  std::vector<double> ones(items.size(), 1.0);
  return {std::move(items), std::move(ones), limit};
}

}  // namespace

LinearRows::LinearRows(DomainPtr domain, std::vector<LinearRow> rows)
    : domain_(std::move(domain)), upper_(upper_corner(*domain_)), rows_(std::move(rows)) {}

std::optional<LinearRows> LinearRows::of(DomainPtr domain) {
  std::vector<LinearRow> rows;
  if (const auto* laminar = dynamic_cast<const LaminarMatroid*>(domain.get())) {
    for (const LaminarSet& set : laminar->family())
      rows.push_back(at_most(set.items, set.capacity));
  } else if (const auto* packing = dynamic_cast<const PackingPolytope*>(domain.get())) {
    for (std::size_t r = 0; r < packing->limits().size(); ++r) {
      rows.push_back({{}, {}, packing->limits()[r]});
      for (Item i = 0; i < domain->dimension(); ++i)
        if (const double a = packing->rows().row(r)[static_cast<std::size_t>(i)]; a > 0) {
          rows.back().items.push_back(i);
          rows.back().entries.push_back(a);
        }
    }
  } else if (const auto* graphic = dynamic_cast<const GraphicMatroid*>(domain.get())) {
    ItemSet all(static_cast<std::size_t>(graphic->dimension()));
    std::iota(all.begin(), all.end(), 0);
    rows.push_back(at_most(std::move(all), graphic->rank()));
  } else if (!dynamic_cast<const Box*>(domain.get())) {
    return std::nullopt;
  }
  return LinearRows(std::move(domain), std::move(rows));
}

std::vector<LinearRow> LinearRows::broken(PointView x, double tolerance) const {
  std::vector<LinearRow> found;
  if (const auto* graphic = dynamic_cast<const GraphicMatroid*>(domain_.get()))
    for (auto& [edges, limit] : graphic->broken_constraints(x, tolerance))
      found.push_back(at_most(std::move(edges), limit));
  return found;
}

Point upper_corner(const Domain& domain) {
  const auto d = static_cast<std::size_t>(domain.dimension());
  Point weight(d, 0.0), v(d), upper(d);
  for (std::size_t i = 0; i < d; ++i) {
    weight[i] = 1;
    domain.maximize(weight, v);
    upper[i] = v[i];
    weight[i] = 0;
  }
  return upper;
}

}  // namespace hindsight
