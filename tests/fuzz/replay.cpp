/// Any text as a line of a replay file: a function that can be evaluated, or an InputError.
/// Anything else is a finding.
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

#include "hindsight/core/error.hpp"
#include "hindsight/functions/function_json.hpp"

namespace hindsight {
namespace {

void evaluate(const RoundFunction& f) {
  const auto d = static_cast<std::size_t>(f.continuous->dimension());
  Point gradient(d);
  for (const double level : {0.0, 0.3, 1.0}) {
    const Point x(d, level);
    f.continuous->value(x);
    f.continuous->gradient(x, gradient);
  }
  f.continuous->facts();
  if (!f.set) return;
  ItemSet items;
  f.set->value(items);
  items.resize(d);
  std::iota(items.begin(), items.end(), 0);
  f.set->value(items);
}

}  // namespace
}  // namespace hindsight

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto json = nlohmann::json::parse(data, data + size, nullptr, false);
  if (json.is_discarded()) return 0;
  try {
    hindsight::evaluate(hindsight::function_from_json(json));
  } catch (const hindsight::InputError&) {
  }
  return 0;
}
