/// K online linear maximisers over one domain, their state in one contiguous block.
///
/// Oracle k plays v, is then told a linear reward <d, .>, and must do nearly as well as the best
/// fixed point (Assumption 4 of the paper: regret <= C sqrt t). Steps are scale-free by default:
/// they follow the size of the rewards seen, because the estimates of a bandit learner grow with
/// the horizon and a fixed step would lose the rate. docs/oracles.md states the bounds. Every
/// oracle starts at the diagonal point.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "hindsight/core/archive.hpp"
#include "hindsight/core/point.hpp"
#include "hindsight/core/suggestion.hpp"
#include "hindsight/domains/domain.hpp"

namespace hindsight {

class OracleBank {
 public:
  virtual ~OracleBank() = default;

  /// What oracles k, k + 1, ... (from 0) play in block q (from 1), one after another: where it
  /// stands anyway, or written into `room`, whose length says how many. Valid until they are fed.
  /// `workers`, if there are any, share what is to be done, here and below; the same numbers
  /// without.
  virtual PointView decide(std::size_t k, Round q, PointRef room, Workers* workers = nullptr) = 0;
  /// The same from k on where it stands, if it stands anywhere.
  virtual ConstTableRows decisions(std::size_t k) const {
    static_cast<void>(k);
    return {};
  }
  /// Where it is kept in f32, by its distance from the domain's lower corner, in rows of
  /// narrow_length(d) numbers; none for oracles that keep f64.
  virtual ConstRowsOf<float> narrow_decisions(std::size_t k) const {
    static_cast<void>(k);
    return {};
  }
  /// A block has ended, whose rewards will be told.
  virtual void begin_rewards() {}
  /// Tells oracles k, k + 1, ... the linear rewards of the block they last decided for, which stand
  /// one after another; and their squared norms.
  virtual void feed_each(std::size_t k, PointView rewards, std::span<const double> squared_norms,
                         Workers* workers = nullptr) = 0;
  /// Do they keep points in strips, one for each of the threads they were made for? Then rewards
  /// stand in strips as well, and so many `workers` are there.
  virtual std::size_t strips() const { return 1; }
  virtual void feed_strips(std::size_t k, const ConstTableRows& rewards,
                           std::span<const double> squared_norms, Workers& workers) {
    static_cast<void>(k), static_cast<void>(rewards), static_cast<void>(squared_norms);
    static_cast<void>(workers);
    assert(false && "these oracles keep whole rows");
  }
  /// The same with rewards in such rows of f32, for oracles that have `narrow_decisions`.
  /// Oracles of the same `group` are told one after another, as one may begin where the one before
  /// it ended.
  static constexpr std::size_t group = 8;
  virtual void feed_narrow(std::size_t k, const NarrowDirections& rewards,
                           std::span<const double> squared_norms, Workers* workers = nullptr) {
    static_cast<void>(k), static_cast<void>(rewards), static_cast<void>(squared_norms);
    static_cast<void>(workers);
    assert(false && "these oracles keep f64");
  }
  /// Tells oracle k alone the average of a step, in a long row of f32, and takes the step along the
  /// way, as `take_step` with its decision would afterwards (core/narrow.hpp).
  virtual bool feeds_along() const { return false; }
  virtual double feed_along(std::size_t k, double squared_norm, const NarrowStep& along) {
    static_cast<void>(k), static_cast<void>(squared_norm), static_cast<void>(along);
    assert(false && "these oracles do not sweep");
    return 0;
  }
  /// Tells oracle k alone.
  void feed(std::size_t k, PointView reward);

  virtual void write(Writer& writer) const = 0;
  virtual void read(Reader& reader) = 0;
};

/// How numbers are kept between blocks. Those of f32 are worked on in f32 where that keeps what is
/// played in its domain (docs/oracles.md).
enum class Precision : std::uint8_t { f64, f32 };

struct OracleOptions {
  std::string kind = "gradient-ascent";       ///< one of `oracle_kinds()`
  std::optional<double> step = std::nullopt;  ///< a fixed step instead of the scale-free one
  double scale = 1;                           ///< times the scale-free step
  Precision state = Precision::f64;           ///< f32: half the memory, for gradient-ascent

  /// For snapshots: a learner is restored with the options it was saved with.
  void write(Writer& writer) const;
  void require_same(Reader& reader) const;
};

struct OracleKind {
  std::string_view kind;
  std::string_view summary;
  std::string_view citation;
};
std::span<const OracleKind> oracle_kinds();

/// `threads` that will share them, by strips if the domain's points ascend in strips.
std::unique_ptr<OracleBank> make_oracle_bank(DomainPtr domain, std::size_t oracles,
                                             const OracleOptions& options, std::uint64_t seed,
                                             std::size_t threads = 1);

/// eta = D / sqrt(2 S), S the sum of squared reward norms so far: for gradient ascent this gives
/// regret at most sqrt(2) D sqrt(S), whatever the scale of the rewards. 0 before the first reward.
inline double scale_free_step(double diameter, double squared_norms) {
  return squared_norms > 0 ? diameter / std::sqrt(2 * squared_norms) : 0;
}

}  // namespace hindsight
