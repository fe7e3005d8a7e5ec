/// The K rows of a block: x_q^(k), until g_{q,k} takes its place. One table and not two, as nobody
/// needs an iterate whose round is answered. In f64, or in f32 at half the memory.
#pragma once

#include "hindsight/core/archive.hpp"
#include "hindsight/core/streaming.hpp"
#include "hindsight/oracles/oracle_bank.hpp"

namespace hindsight {

class StepRows {
 public:
  StepRows(Precision kept, std::size_t rows, Point lower);

  std::size_t rows() const { return wide_.rows() + narrow_.rows(); }
  bool in_place() const { return narrow_.rows() == 0; }

  /// In f64 rows may be used where they are.
  PointRef row(std::size_t k) { return wide_.row(k); }
  PointView all() const { return wide_.numbers(); }
  /// In f32 `load` goes through its row and fetches on the way the one that is expected next, line
  /// by line: some processors forget most of what they are asked for at once. Short rows are there
  /// as soon as asked for; in f64 rows are used where they stand.
  bool looks_ahead() const { return !in_place() && lower_.size() >= 64; }
  void expect(std::size_t k) { soon_ = narrow_.row(k).data(); }
  /// x^(k) as it is kept.
  void load(std::size_t k, PointRef x) const;
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
  /// After `store`, before others may read what it has stored.
  void finish_stores() const {
    if (streamed_) finish_streams();
  }
  void load_gradient(std::size_t k, PointRef gradient) const;

  /// Some columns of x^(k) <- x, x <- x + eta_k (v_k - lower), for steps k, k + 1, ...; `v` are
  /// their v_k, one after another, kept as the rows are.
  void take_steps(std::size_t k, std::span<const double> eta, const double* v, PointRef x,
                  Columns columns);
  void take_steps(std::size_t k, std::span<const double> eta, const float* v, PointRef x,
                  Columns columns);
  /// `average` of the gradients k, k + 1, ..., in the precision the rows are kept in.
  void average_steps(std::size_t k, PointView before, std::span<const double> rho,
                     PointRef averages, std::span<double> squared_norms, Columns columns);
  void average_steps(std::size_t k, std::span<const float> before, std::span<const double> rho,
                     std::span<float> averages, std::span<double> squared_norms, Columns columns);

  void write(Writer& writer) const;
  void read(Reader& reader);

 private:
  void store_narrow(std::size_t k, PointView gradient);
  /// Null where it is 0.
  const double* corner() const { return at_origin_ ? nullptr : lower_.data(); }

  Point lower_;
  bool at_origin_;
  PointTable wide_;  // one of the two is empty
  NumberTable<float> narrow_;
  const float* soon_ = nullptr;  // the row of it that is expected
  bool streamed_;                // a gradient is written past the caches
};

}  // namespace hindsight
