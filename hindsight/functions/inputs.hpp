/// Checks that the constructors of this room share. Names read like the input: `weights[3]`.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hindsight::inputs {

using Rows = std::vector<std::vector<double>>;

/// `name[i]`
std::string element(std::string_view name, std::size_t i);

void require_finite(std::string_view name, std::span<const double> values);
void require_nonnegative(std::string_view name, std::span<const double> values);

/// Every row as long as the first. Returns that length, which is at least 1.
std::size_t require_rectangular(std::string_view name, const Rows& rows);

/// Square, finite and symmetric up to rounding.
void require_symmetric(std::string_view name, const Rows& rows);

/// A sum of finite numbers that must itself be finite.
double require_finite_total(std::string_view name, double total);

}  // namespace hindsight::inputs
