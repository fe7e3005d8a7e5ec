/// Domains by name, from a table of settings.
#pragma once

#include <span>
#include <string_view>

#include "hindsight/core/settings.hpp"
#include "hindsight/domains/item_structure.hpp"
#include "hindsight/domains/matroid.hpp"

namespace hindsight {

struct DomainKind {
  std::string_view kind;
  std::string_view summary;
  std::string_view keys;
};
std::span<const DomainKind> domain_kinds();

/// The domain of a game with `dimension` coordinates, whose items may have parts and edges.
DomainPtr make_domain(Settings& settings, int dimension, const ItemStructure& items = {});

}  // namespace hindsight
