#include "hindsight/learners/feedback_check.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "hindsight/core/error.hpp"
#include "hindsight/core/lanes.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {

namespace {

constexpr auto sign = std::numeric_limits<std::int64_t>::min();

HINDSIGHT_WIDE
bool few_within(const double* x, std::size_t n, double bound) {
  Mask within = {-1, -1, -1, -1};
  with_few(
      n, [&](auto fours) __attribute__((always_inline)) {
        decltype(fours)::each(
            n, [&](std::size_t, std::size_t i) __attribute__((always_inline)) {
              Lanes v;
              load(x + i, v);
              within &= reinterpret_cast<Lanes>(reinterpret_cast<Mask>(v) & ~sign) <= bound;
            });
      });
  return within[0] & within[1] & within[2] & within[3];
}

HINDSIGHT_EACH_WIDTH((sum_squares<Width, 2>(x, n)),
                     double squared_norm(const double* x, std::size_t n))

}  // namespace

bool all_within(PointView numbers, double bound) {
  const double* const x = numbers.data();
  const std::size_t n = numbers.size();
  if (n >= 4 && n <= few) return few_within(x, n, bound);
  if (n > few && surely_within(squared_norm(x, n), bound)) return true;
  return std::all_of(x, x + n, [=](double v) { return std::abs(v) <= bound; });
}

void reject_unfitting(const Feedback& f, std::size_t probes, std::size_t dimension,
                      bool needs_value, double largest) {
  if (needs_value && !f.value) reject("value", "nothing", "must be given for this round");
  const std::string usable = largest == largest_feedback
                                 ? "must be finite, at most 1e100"
                                 : "must be finite, at most 1e25 where state is f32";
  if (f.value && !(std::abs(*f.value) <= largest)) reject("value", *f.value, usable);
  if (f.gradients.count != probes)
    reject("gradients", f.gradients.count,
           "must be one for each of the " + std::to_string(probes) + " probes");
  if (f.gradients.numbers.size() != probes * dimension)
    reject("gradients", f.gradients.numbers.size(),
           "must hold " + std::to_string(probes * dimension) + " numbers, dimension " +
               std::to_string(dimension) + " for each probe");
  const auto wrong = std::find_if(f.gradients.numbers.begin(), f.gradients.numbers.end(),
                                  [=](double g) { return !(std::abs(g) <= largest); });
  reject("gradients", *wrong, usable);
}

}  // namespace hindsight
