/// Rounds from a table of benefits: every `batch` customers are one.
#pragma once

#include "hindsight/functions/facility_location.hpp"
#include "hindsight/games/data_game.hpp"

namespace hindsight {

/// A row of `benefits` for each customer, in the order of the file.
inline void add_customer_rounds(const std::vector<Point>& benefits, int batch, DataPool& pool) {
  const auto step = static_cast<std::size_t>(batch);
  for (std::size_t first = 0; first < benefits.size(); first += step) {
    const auto from = benefits.begin() + static_cast<std::ptrdiff_t>(first);
    const std::size_t count = std::min(step, benefits.size() - first);
    pool.add(std::make_shared<FacilityLocation>(
        std::vector<Point>(from, from + static_cast<std::ptrdiff_t>(count))));
  }
}

}  // namespace hindsight
