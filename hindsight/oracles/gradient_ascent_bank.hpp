/// Online gradient ascent (Zinkevich 2003): v <- project(v + eta d).
///
/// `Kept` says how the points are kept: as double, or as float and then by their distance from the
/// domain's lower corner, rounded down, so that what is played stays in the domain (which with a
/// point holds everything between it and the lower corner).
#pragma once

#include <type_traits>

#include "hindsight/oracles/oracle_bank.hpp"

namespace hindsight {

template <class Kept>
class GradientAscentBank final : public OracleBank {
 public:
  GradientAscentBank(DomainPtr domain, std::size_t oracles, const OracleOptions& options,
                     std::size_t threads);

  PointView decide(std::size_t k, Round q, PointRef room, Workers* workers) override;
  ConstTableRows decisions(std::size_t k) const override;
  ConstRowsOf<float> narrow_decisions(std::size_t k) const override;
  void begin_rewards() override;
  void feed_each(std::size_t k, PointView rewards, std::span<const double> squared_norms,
                 Workers* workers) override;
  std::size_t strips() const override { return points_.strips(); }
  void feed_strips(std::size_t k, const ConstTableRows& rewards,
                   std::span<const double> squared_norms, Workers& workers) override;
  void feed_narrow(std::size_t k, const NarrowDirections& rewards,
                   std::span<const double> squared_norms, Workers* workers) override;
  bool feeds_along() const override {
    return narrowed && guesses() && points_.columns() <= longest_row_along &&
           domain_->ascends_along();
  }
  double feed_along(std::size_t k, double squared_norm, const NarrowStep& along) override;
  void write(Writer& writer) const override;
  void read(Reader& reader) override;

 private:
  static constexpr bool narrowed = std::is_same_v<Kept, float>;

  void expect_rewards(std::size_t k, std::span<const double> squared_norms);
  /// Neighbours are told much the same: what surprised one is likely to surprise the next. Short
  /// points are projected side by side, sooner than that is worked out.
  bool guesses() const {
    return multipliers_.columns() == 1 && points_.columns() > longest_short_row;
  }
  /// Calls ascend(k, count) with all of [k, end), by groups.
  template <class Ascend>
  void ascend_by_groups(std::size_t k, std::size_t end, Ascend ascend);
  /// Calls ascend() for oracle k, where `guesses()`, with its multiplier guessed.
  template <class Ascend>
  void guess_multiplier(std::size_t k, Ascend ascend);
  void ascend_narrow(std::size_t k, std::size_t count, const NarrowDirections& rewards);

  DomainPtr domain_;
  double diameter_;
  std::optional<double> step_;
  double scale_;
  Point lower_;
  NumberTable<Kept> points_;
  PointTable multipliers_;  // warm starts of the projections
  Point surprises_;         // by groups: how far the latest multiplier was from its guess
  Point squared_norms_;
  Point steps_;  // of the latest rewards
};

}  // namespace hindsight
