/// Lemma 3 of the paper, as arithmetic: no rounding into the matroid {}, {1}, {2} that does not
/// know f has E f(Y) = F(x) for every submodular f. Items are 1 and 2 here, as in the paper.
#pragma once

#include <array>
#include <cassert>
#include <cmath>
#include <span>

namespace hindsight::examples {

struct TwoItemPoint {
  double x1, x2;
};

/// A set function with f({}) = 0.
struct TwoItemFunction {
  double f1, f2, f12;

  bool submodular() const { return f1 + f2 >= f12; }
  /// F(x)
  double extension(TwoItemPoint x) const {
    return f1 * x.x1 * (1 - x.x2) + f2 * (1 - x.x1) * x.x2 + f12 * x.x1 * x.x2;
  }
};

/// The odds of Y = {1} and of Y = {2}; else Y = {}.
struct RoundingOdds {
  double p1, p2;

  double expectation(const TwoItemFunction& f) const { return p1 * f.f1 + p2 * f.f2; }
};

/// The first function of the proof, b > a > 0: beside item 2, item 1 adds nothing.
inline TwoItemFunction second_rules(double a, double b) { return {a, b, b}; }
/// The other one, a > b > 0: beside item 1, item 2 adds nothing.
inline TwoItemFunction first_rules(double a, double b) { return {a, b, a}; }

/// The odds for which E f(Y) = F(x) comes closest, in the sum of squares over `functions`, which
/// must not all be multiples of each other on {1} and {2}. Two functions are met exactly, by these
/// odds and no others.
inline RoundingOdds needed_odds(std::span<const TwoItemFunction> functions, TwoItemPoint x) {
  double s11 = 0, s12 = 0, s22 = 0, r1 = 0, r2 = 0;  // the normal equations S p = r
  for (const TwoItemFunction& f : functions) {
    s11 += f.f1 * f.f1;
    s12 += f.f1 * f.f2;
    s22 += f.f2 * f.f2;
    r1 += f.f1 * f.extension(x);
    r2 += f.f2 * f.extension(x);
  }
  const double determinant = s11 * s22 - s12 * s12;
  assert(determinant > 0);
  return {(s22 * r1 - s12 * r2) / determinant, (s11 * r2 - s12 * r1) / determinant};
}

/// Why no odds serve all functions at x.
struct Contradiction {
  std::array<TwoItemFunction, 4> functions;  ///< the first kind twice, then the other kind twice
  RoundingOdds first_kind;                   ///< what the first two functions need
  RoundingOdds other_kind;                   ///< what the last two need
  RoundingOdds compromise;                   ///< what comes closest to all four
  double error;  ///< the root of the sum of squares that is left: 0 only if nothing contradicts
};

inline Contradiction contradiction_at(TwoItemPoint x) {
  Contradiction c{
      .functions = {second_rules(1, 2), second_rules(1, 3), first_rules(2, 1), first_rules(3, 1)}};
  const std::span<const TwoItemFunction> all(c.functions);
  c.first_kind = needed_odds(all.first(2), x);
  c.other_kind = needed_odds(all.last(2), x);
  c.compromise = needed_odds(all, x);
  double squares = 0;
  for (const TwoItemFunction& f : all)
    squares += std::pow(c.compromise.expectation(f) - f.extension(x), 2);
  c.error = std::sqrt(squares);
  return c;
}

}  // namespace hindsight::examples
