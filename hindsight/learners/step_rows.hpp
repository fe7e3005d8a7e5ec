/// The K rows of a block: x_q^(k), until g_{q,k} takes its place. One table and not two, as nobody
/// needs an iterate whose round is answered. In f64, or in f32 at half the memory.
#pragma once

#include "hindsight/core/archive.hpp"
#include "hindsight/core/narrow.hpp"
#include "hindsight/core/streaming.hpp"
#include "hindsight/oracles/oracle_bank.hpp"

namespace hindsight {

class StepRows {
 public:
  /// `in_halves`: gradients in rows of f64 are of f32 (LentDirection), and nobody needs a row as a
  /// whole, so that in f64 each of `threads` has a strip of its own.
  StepRows(Precision kept, std::size_t rows, PointView lower, bool in_halves, std::size_t threads);

  std::size_t rows() const { return wide_.rows() + narrow_.rows(); }
  /// Numbers that a row has as it is kept; those beyond the dimension are 0.
  std::size_t columns() const { return in_place() ? wide_.columns() : narrow_.columns(); }
  bool in_place() const { return narrow_.rows() == 0; }

  /// In f64 rows may be used where they are: as a whole if gradients are, or else by columns.
  PointRef row(std::size_t k) { return wide_.row(k); }
  TableRows strips_of(std::size_t k) { return {&wide_, k}; }
  PointView all() const { return wide_.numbers(); }
  /// In f32 `load` and `store` go through their rows and each fetch half of the one that is
  /// expected next, line by line, as no processor has many on their way at once. In f64 rows are
  /// used where they stand, and who uses them may fetch the expected one. Short rows are fetched
  /// at once, unless they are so few that all are near.
  bool looks_ahead() const { return is_long() || are_far_; }
  void expect(std::size_t k) {
    if (in_place()) {
      wide_soon_ = {&wide_, k};
      if (!is_long()) fetch<double>(wide_.row(k));
    } else {
      soon_ = {&narrow_, k};
      if (!is_long()) fetch<float>(narrow_.row(k));
    }
  }
  ConstTableRows expected() const { return wide_soon_; }
  ConstRowsOf<float> narrow_expected() const { return soon_; }
  NarrowPoint narrow_iterate(std::size_t k) {
    return {newest_.size(), narrow_.row(k), is_level_ ? nullptr : lower_.data(), lower_[0]};
  }
  /// x^(k) as it is kept.
  void load(std::size_t k, PointRef x) const;
  /// g^(k) as it is kept.
  void load_gradient(std::size_t k, PointRef g) const;
  /// g^(k) takes the place of x^(k).
  void store(std::size_t k, PointView gradient) {
    if (!in_place()) return store_narrow(k, gradient);
    const PointRef row = wide_.row(k);
    if (gradient.data() == row.data()) return;
    if (streamed_)
      stream(gradient, row);
    else
      copy(gradient, row);
  }
  /// The same of somebody else's numbers, if every |number| is at most `bound`; else nothing has
  /// changed, and false is returned. `iterate` is x^(k) as it was loaded.
  bool store_if_within(std::size_t k, PointView gradient, double bound, PointView iterate);
  /// After `store` or `take_steps`, before other threads may read what is stored.
  void finish_stores() const {
    if (streamed_) finish_streams();
  }

  /// The newest iterate x becomes the lower corner.
  void begin_steps();
  /// Some columns of x^(k) <- x, x <- x + eta_k (v_k - lower), for steps k, k + 1, ...; `v` are
  /// those of their v_k, row by row, kept as the rows are.
  void take_steps(std::size_t k, std::span<const double> eta, Strip<const double> v,
                  Columns columns);
  void take_steps(std::size_t k, std::span<const double> eta, Strip<const float> v,
                  Columns columns);
  /// After the last step, before anyone asks for the newest iterate.
  void end_steps();
  /// In f32, steps that are taken along the way (core/narrow.hpp): `begin_along` once the first
  /// gradient is averaged, then `along(k)` for each step, whose gradient is g^(k+1).
  void begin_along();
  NarrowStep along(std::size_t k, double eta);
  PointView newest() const { return newest_; }
  PointRef newest() { return newest_; }
  /// `average` of some columns of the gradients k, k + 1, ..., into rows 0, 1, ... of a table, of
  /// which row `before` is d^(k-1); in the precision the rows are kept in.
  void average_steps(std::size_t k, PointView rho, PointView taken, PointTable& averages,
                     std::size_t before, std::span<double> squared_norms, Columns columns) const;
  void average_steps(std::size_t k, PointView rho, PointView taken, NumberTable<float>& averages,
                     std::size_t before, std::span<double> squared_norms, Columns columns) const;
  /// In f32; once averaged they may be written over.
  std::span<float> narrow_rows(std::size_t k, std::size_t count) { return narrow_.rows(k, count); }

  void write(Writer& writer) const;
  void read(Reader& reader);

 private:
  void store_narrow(std::size_t k, PointView gradient);
  bool is_long() const { return newest_.size() >= 64; }
  /// Of eta_k as it is taken in f32: so much less than 1 that iterates stay below the sum of what
  /// the algorithm asks for, whatever rounding adds to so many terms (docs/oracles.md).
  double share_of_step() const { return 1 - 0x1p-21 - static_cast<double>(rows()) * 0x1p-44; }
  template <class Number>
  static void fetch(std::span<const Number> row) {
    for (std::size_t i = 0; i < row.size(); i += 64 / sizeof(Number)) __builtin_prefetch(&row[i]);
    __builtin_prefetch(&row.back());
  }
  /// Null where it is 0.
  const double* corner() const { return at_origin_ ? nullptr : lower_.data(); }

  Aligned<double> lower_;  // in f32 as long as the rows
  bool in_halves_;         // gradients, in f64
  bool is_level_;          // all its numbers are the same
  bool at_origin_;
  PointTable wide_;  // one of the two is empty
  NumberTable<float> narrow_;
  Aligned<double> newest_;
  PointTable moving_;              // it, in row 0, while steps are taken in f64
  Aligned<float> high_, low_;      // its distance from the corner, while steps are taken in f32
  Aligned<float> next_low_;        // while they are taken along the way
  ConstTableRows wide_soon_ = {};  // the row that is expected
  ConstRowsOf<float> soon_ = {};
  bool are_far_;        // too many for the caches of a core
  bool streamed_;       // a gradient is written past the caches
  bool streams_steps_;  // an iterate as well, where half of what it is written over was not read
};

}  // namespace hindsight
