#include "hindsight/learners/boosted_gradient_ascent.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hindsight/core/error.hpp"
#include "hindsight/learners/boosting.hpp"
#include "hindsight/learners/feedback_check.hpp"

namespace hindsight {
namespace {

constexpr double e = std::numbers::e;

/// P(Z <= z) = ((1 - z/2)^{-2} - 1) / 3.
double cubic_share(double uniform) { return 2 - 2 / std::sqrt(1 + 3 * uniform); }

bool falls(BoostClass functions) {
  return functions == BoostClass::non_monotone || functions == BoostClass::non_monotone_any_set;
}

void require_unit_box(const Domain& domain) {
  const auto d = static_cast<std::size_t>(domain.dimension());
  const Point lower = domain.lower();
  Point weight(d, 0.0), v(d);
  for (std::size_t i = 0; i < d; ++i) {
    weight[i] = 1;
    domain.maximize(weight, v);
    weight[i] = 0;
    require(lower[i] >= 0 && v[i] <= 1 + 1e-12, "class", "for functions that may fall",
            "needs a domain inside [0,1]^d");
  }
}

Point line_start(const Domain& domain, const BoostedOptions& options) {
  if (!options.anchor) return domain.lower();
  const Point& a = *options.anchor;
  require(options.functions == BoostClass::non_monotone_any_set, "anchor", a.front(),
          "belongs to class = \"non-monotone-any-set\" alone");
  require(a.size() == static_cast<std::size_t>(domain.dimension()), "anchor",
          "a list of " + std::to_string(a.size()),
          "must have " + std::to_string(domain.dimension()) + " numbers");
  require(domain.contains(a, 1e-12), "anchor", a.front(), "must be a point of the domain");
  return a;
}

}  // namespace

BoostedGradientAscent::BoostedGradientAscent(DomainPtr domain, const BoostedOptions& options)
    : Ascent(domain, options.ascent),
      functions_(options.functions),
      anchor_(line_start(*domain, options)),
      draws_(options.ascent.seed, "boost") {
  if (falls(functions_)) require_unit_box(*domain);
  if (functions_ == BoostClass::non_monotone)
    require(norm(anchor_) == 0, "class", "non-monotone",
            "needs a down-closed domain with lower corner 0");
}

bool BoostedGradientAscent::needs_monotone() const { return !falls(functions_); }

double BoostedGradientAscent::alpha() const {
  switch (functions_) {
    case BoostClass::monotone_any_set:
      return .5;
    case BoostClass::non_monotone:
      return 1 / e;
    case BoostClass::non_monotone_any_set:
      return (1 - *std::max_element(anchor_.begin(), anchor_.end())) / 4;
    case BoostClass::monotone:
      break;
  }
  return 1 - 1 / e;
}

double BoostedGradientAscent::beta() const {
  switch (functions_) {
    case BoostClass::monotone_any_set:
      return .5;
    case BoostClass::non_monotone_any_set:
      return .375;
    case BoostClass::monotone:
    case BoostClass::non_monotone:
      break;
  }
  return 1 - 1 / e;
}

/// The table's columns "play" and "ask at"; the probe is the slot's note.
void BoostedGradientAscent::play(Suggestion& s, PointView w, Slot& slot) {
  const double uniform = draws_.at(static_cast<std::uint64_t>(s.round))[0];
  const double z = functions_ == BoostClass::non_monotone_any_set ? cubic_share(uniform)
                                                                  : boosting_share(uniform);
  const Point& a = anchor_;
  Point& h = slot.action;
  Point& ask = slot.note;
  for (std::size_t i = 0; i < w.size(); ++i) switch (functions_) {
      case BoostClass::monotone:
        h[i] = w[i];
        ask[i] = a[i] + z * (w[i] - a[i]);
        break;
      case BoostClass::monotone_any_set:
        h[i] = ask[i] = w[i];
        break;
      case BoostClass::non_monotone:
        h[i] = -std::expm1(-w[i]);
        ask[i] = -std::expm1(-z * w[i]);
        break;
      case BoostClass::non_monotone_any_set:
        h[i] = (a[i] + w[i]) / 2;
        ask[i] = a[i] + z * (w[i] - a[i]) / 2;
        break;
    }
  s.action = Lent<double>::of(h);
  s.probes = {1, Lent<double>::of(ask)};
}

void BoostedGradientAscent::check(const Feedback& feedback) const {
  require_fitting(feedback, 1, dimension(), false);
}

void BoostedGradientAscent::estimate(const Feedback& feedback, const Slot& slot, PointRef g) {
  copy(feedback.gradients[0], g);
  if (functions_ == BoostClass::non_monotone)  // e^{-Zw} = 1 - where it was asked
    for (std::size_t i = 0; i < g.size(); ++i) g[i] *= 1 - slot.note[i];
}

void BoostedGradientAscent::write_more(Writer& writer) const {
  writer.value(functions_);
  for (const double a : anchor_) writer.value(a);
}

void BoostedGradientAscent::read_more(Reader& reader) {
  reader.same("class", functions_);
  for (const double a : anchor_) reader.same("anchor", a);
}

}  // namespace hindsight
