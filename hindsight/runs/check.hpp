/// Does a game fulfil what the theory assumes? Looks for counterexamples; finding none is no proof.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hindsight/domains/domain.hpp"
#include "hindsight/games/game.hpp"

namespace hindsight {

/// The numbers of a broken rule, so that anyone can evaluate it again. What applies is filled in.
struct Counterexample {
  Round round = 0;  ///< whose function it is, 0 for the domain
  Point x, y;       ///< points
  ItemSet set;      ///< S
  std::optional<Item> item, other;
  double found = 0;    ///< what the rule compares ...
  double allowed = 0;  ///< ... and what it allows
  std::string text;    ///< the whole in one line
};

struct CheckResult {
  std::string property;  ///< "monotone"
  std::string rule;      ///< "f(S + i) >= f(S)"
  long probes = 0;
  std::optional<Counterexample> counterexample;
};

struct CheckOptions {
  Round rounds = 100;  ///< functions F_1 .. F_rounds are probed
  int probes = 200;    ///< random probes a property and function
  std::uint64_t seed = 1;
};

/// Monotonicity, diminishing returns, gradient against differences, M1, L1, L2 of the functions;
/// the domain's inner radius and that it is down-closed. Properties that cannot be probed (a domain
/// without interior) are left out.
std::vector<CheckResult> check_world(Game& game, const Domain& domain, const CheckOptions& options);

}  // namespace hindsight
