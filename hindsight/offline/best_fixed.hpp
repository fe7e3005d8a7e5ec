/// The best fixed decision in hindsight, as an interval that is certain to hold it.
#pragma once

#include <optional>
#include <string>

#include "hindsight/domains/domain.hpp"
#include "hindsight/offline/mixture.hpp"

namespace hindsight {

/// lower <= max { sum_t F_t(x) : x in K } <= upper, up to rounding. Ends that come within 1e-9 of
/// each other, relatively, are reported as equal. Certain also where an extension is only sampled:
/// then `lower` comes from sets, and `upper` from sets or from a majorant.
struct BestFixed {
  double lower = 0;
  double upper = 0;
  Point point;                 ///< attains `lower`; where F is sampled, is worth at least that
  std::optional<ItemSet> set;  ///< the same as a set, where it is one
  std::string lower_by;        ///< how each end was found
  std::string upper_by;
};

struct BestFixedOptions {
  double most_bases = 2e5;  ///< up to this many bases are enumerated, more are searched
  int steps = 200;          ///< of continuous greedy
  /// Branch and cut may take this long; what has not ended by then counts for nothing, so that the
  /// result depends on whether it ended and on nothing else. 0: none.
  double seconds = 30;
};

/// For set functions on a matroid the best point is a set, because the extension can be rounded
/// without loss; on every other domain, or for functions of points alone, it is a point.
BestFixed best_fixed(const Mixture& mixture, const DomainPtr& domain,
                     const BestFixedOptions& options = {});

}  // namespace hindsight
