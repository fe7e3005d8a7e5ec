#include "hindsight/functions/function_json.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>

#include "hindsight/core/error.hpp"
#include "hindsight/core/nearest.hpp"
#include "hindsight/functions/coverage.hpp"
#include "hindsight/functions/extension.hpp"
#include "hindsight/functions/facility_location.hpp"
#include "hindsight/functions/inputs.hpp"
#include "hindsight/functions/modular.hpp"
#include "hindsight/functions/quadratic.hpp"
#include "hindsight/functions/saturation.hpp"
#include "hindsight/functions/table.hpp"

namespace hindsight {
namespace {

using nlohmann::json;

/// A value as an error shows it: long lists are cut.
std::string shown(const json& value) {
  constexpr std::size_t longest = 60;
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

double number(const json& value, const std::string& name) {
  if (!value.is_number()) reject(name, shown(value), "must be a number");
  return value.get<double>();
}

int whole_number(const json& value, const std::string& name) {
  if (!value.is_number_integer()) reject(name, shown(value), "must be a whole number");
  // A number above 2^63 is unsigned and would turn negative.
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <= std::numeric_limits<int>::max()
                        : value.get<std::int64_t>() >= std::numeric_limits<int>::min() &&
                              value.get<std::int64_t>() <= std::numeric_limits<int>::max();
  if (!fits) reject(name, shown(value), "must fit into 32 bits");
  return value.get<int>();
}

template <class Read>
auto list(const json& value, const std::string& name, Read read) {
  if (!value.is_array()) reject(name, shown(value), "must be a list");
  std::vector<decltype(read(value, name))> out;
  out.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i)
    out.push_back(read(value[i], inputs::element(name, i)));
  return out;
}

std::vector<double> numbers(const json& value, const std::string& name) {
  return list(value, name, number);
}

std::vector<int> whole_numbers(const json& value, const std::string& name) {
  return list(value, name, whole_number);
}

std::vector<std::vector<double>> rows_of_numbers(const json& value, const std::string& name) {
  return list(value, name, numbers);
}

RoundFunction with_extension(SetFunctionPtr set) {
  ContinuousFunctionPtr continuous = extend(set);
  return {.set = std::move(set), .continuous = std::move(continuous)};
}

RoundFunction coverage(const json& o) {
  return with_extension(std::make_shared<Coverage>(numbers(o["weights"], "weights"),
                                                   list(o["sets"], "sets", whole_numbers)));
}

RoundFunction facility_location(const json& o) {
  std::vector<double> weights;
  if (o.contains("weights")) {
    weights = numbers(o["weights"], "weights");
    require(!weights.empty(), "weights", "[]", "must have a number for each customer");
  }
  return with_extension(std::make_shared<FacilityLocation>(
      rows_of_numbers(o["benefits"], "benefits"), std::move(weights)));
}

RoundFunction quadratic(const json& o) {
  Slope slope = Slope::upward;
  if (o.contains("monotone")) {
    const json& monotone = o["monotone"];
    if (!monotone.is_boolean()) reject("monotone", shown(monotone), "must be true or false");
    slope = monotone.get<bool>() ? Slope::upward : Slope::any;
  }
  return {.set = nullptr,
          .continuous = std::make_shared<Quadratic>(rows_of_numbers(o["H"], "H"),
                                                    numbers(o["h"], "h"), Point(), slope)};
}

RoundFunction saturation(const json& o) {
  return {.set = nullptr,
          .continuous = std::make_shared<Saturation>(rows_of_numbers(o["rates"], "rates"),
                                                     numbers(o["weights"], "weights"))};
}

RoundFunction modular(const json& o) {
  return with_extension(std::make_shared<Modular>(numbers(o["weights"], "weights")));
}

RoundFunction table(const json& o) {
  return with_extension(std::make_shared<Table>(whole_number(o["dimension"], "dimension"),
                                                numbers(o["values"], "values")));
}

struct Kind {
  std::string name;
  std::vector<std::string> keys;
  std::vector<std::string> optional_keys;
  RoundFunction (*build)(const json&);
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"coverage", {"weights", "sets"}, {}, coverage},
      {"facility-location", {"benefits"}, {"weights"}, facility_location},
      {"quadratic", {"H", "h"}, {"monotone"}, quadratic},
      {"saturation", {"rates", "weights"}, {}, saturation},
      {"modular", {"weights"}, {}, modular},
      {"table", {"dimension", "values"}, {}, table},
  };
  return all;
}

const Kind& find_kind(const json& object) {
  if (!object.is_object()) reject("function", shown(object), "must be an object with a kind");
  if (!object.contains("kind")) reject("kind", "missing", "must name a kind of function");
  const json& kind = object["kind"];
  if (!kind.is_string()) reject("kind", shown(kind), "must be a string");
  for (const Kind& k : kinds())
    if (k.name == kind) return k;
  reject(
      "kind", shown(kind),
      "must be a known kind of function" + did_you_mean(kind.get<std::string>(), function_kinds()));
}

void check_keys(const Kind& kind, const json& object) {
  std::vector<std::string> known = kind.keys;
  known.insert(known.end(), kind.optional_keys.begin(), kind.optional_keys.end());
  known.push_back("kind");
  for (const auto& [key, value] : object.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      reject(key, shown(value),
             "must be a key of \"" + kind.name + "\"" + did_you_mean(key, known));
  for (const std::string& key : kind.keys)
    if (!object.contains(key)) reject(key, "missing", "must be given for \"" + kind.name + "\"");
}

}  // namespace

RoundFunction function_from_json(const json& object, std::optional<int> expected_dimension) {
  const Kind& kind = find_kind(object);
  check_keys(kind, object);
  RoundFunction function = kind.build(object);
  const int dimension = function.continuous->dimension();
  if (expected_dimension && dimension != *expected_dimension)
    reject("dimension", dimension,
           "must be " + std::to_string(*expected_dimension) + ", as for the other rounds");
  return function;
}

std::vector<std::string> function_kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) names.push_back(kind.name);
  return names;
}

}  // namespace hindsight
