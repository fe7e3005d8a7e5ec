/// What passes between a learner and the world: a Suggestion goes out, a Feedback comes back.
/// Both are plain values with a JSON form (core/json.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "hindsight/core/item_set.hpp"
#include "hindsight/core/point.hpp"

namespace hindsight {

using Round = std::int64_t;  ///< rounds count from 1, as in the paper

/// A run of numbers that is lent or owned. What a learner returns is lent from its own memory and
/// stays valid until its round is observed; a copy owns its numbers and is valid for ever.
template <class T>
class Lent {
 public:
  Lent() = default;
  static Lent of(std::span<const T> lender) {
    Lent lent;
    lent.view_ = lender;
    return lent;
  }
  Lent(const std::vector<T>& numbers) : Lent(std::span<const T>(numbers)) {}

  Lent(const Lent& other) : Lent(other.view_) {}
  Lent(Lent&& other) noexcept
      : own_(std::move(other.own_)), view_(std::exchange(other.view_, {})) {}
  Lent& operator=(Lent other) noexcept {
    own_.swap(other.own_);
    std::swap(view_, other.view_);
    return *this;
  }

  const T* begin() const { return view_.data(); }
  const T* end() const { return view_.data() + view_.size(); }
  const T& operator[](std::size_t i) const { return view_[i]; }
  std::size_t size() const { return view_.size(); }
  bool empty() const { return view_.empty(); }
  std::span<const T> view() const { return view_; }

 private:
  explicit Lent(std::span<const T> numbers)
      : own_(numbers.empty() ? nullptr : std::make_unique_for_overwrite<T[]>(numbers.size())),
        view_(own_.get(), numbers.size()) {
    std::copy(numbers.begin(), numbers.end(), own_.get());
  }

  std::unique_ptr<T[]> own_;
  std::span<const T> view_;
};

/// The same for a direction, which its lender may keep as factor * numbers of f32. These may have
/// taken the place of a row of f64, "in halves": those of each columns_at_a_time in the first half
/// of their room, so that who has these columns writes over nobody else's.
class LentDirection {
 public:
  LentDirection() = default;
  static LentDirection of(PointView lender) {
    LentDirection lent;
    lent.wide_ = lender.data();
    lent.size_ = lender.size();
    return lent;
  }
  static LentDirection of(double factor, std::span<const float> lender) {
    LentDirection lent;
    lent.narrow_ = lender.data();
    lent.size_ = lender.size();
    lent.factor_ = factor;
    return lent;
  }
  static LentDirection of_halves(double factor, const ConstTableRows& lender) {
    LentDirection lent;
    lent.halves_ = lender;
    lent.size_ = lender.table->columns();
    lent.factor_ = factor;
    return lent;
  }
  LentDirection(const Point& numbers) : LentDirection(of(numbers)) { own(); }

  LentDirection(const LentDirection& other)
      : wide_(other.wide_),
        narrow_(other.narrow_),
        halves_(other.halves_),
        size_(other.size_),
        factor_(other.factor_) {
    own();
  }
  LentDirection(LentDirection&&) noexcept = default;
  LentDirection& operator=(const LentDirection& other) { return *this = LentDirection(other); }
  LentDirection& operator=(LentDirection&&) noexcept = default;

  double operator[](std::size_t i) const {
    if (wide_) return wide_[i];
    if (narrow_) return factor_ * static_cast<double>(narrow_[i]);
    const std::size_t place = i % columns_at_a_time;
    const double* const room = halves_.strip(i - place).numbers;
    float number;  // whatever it stands in
    std::memcpy(&number, reinterpret_cast<const char*>(room) + place * sizeof number,
                sizeof number);
    return factor_ * static_cast<double>(number);
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Point point() const {
    Point numbers(size_);
    for (std::size_t i = 0; i < size_; ++i) numbers[i] = (*this)[i];
    return numbers;
  }

 private:
  void own() {
    if (empty()) return;
    own_ = std::make_unique_for_overwrite<double[]>(size_);
    for (std::size_t i = 0; i < size_; ++i) own_[i] = (*this)[i];
    wide_ = own_.get();
  }

  std::unique_ptr<double[]> own_;
  const double* wide_ = nullptr;
  const float* narrow_ = nullptr;
  ConstTableRows halves_ = {};  // if it is neither
  std::size_t size_ = 0;
  double factor_ = 1;
};

/// Points of equal dimension, one after another.
struct PointList {
  std::size_t count = 0;
  Lent<double> numbers;

  std::size_t dimension() const { return count <= 1 ? numbers.size() : numbers.size() / count; }
  PointView operator[](std::size_t i) const {
    return numbers.view().subspan(i * dimension(), dimension());
  }
};

/// Why a learner plays what it plays.
enum class Phase : std::uint8_t { none, explore, exploit };

/// "In `round`, play `set` if there is one, else the point `action`; then tell me the value, and
/// the gradients at `probes`: of the function, or of its concave surrogate."
struct Suggestion {
  Round round = 0;
  Lent<double> action;            ///< the point played; for sets, the point the set was drawn from
  std::optional<Lent<Item>> set;  ///< the set played, for learners that play sets
  PointList probes;               ///< where gradients are asked for
  bool surrogate = false;         ///< are they those of the concave surrogate?
  Phase phase = Phase::none;
  int step = 0;             ///< the Frank-Wolfe step k this round informs, 0 if none
  LentDirection direction;  ///< the direction u drawn for a one-point estimate, if any
};

/// "In `round` the play was worth `value`, and these are the gradients at the probes."
struct Feedback {
  Round round = 0;
  std::optional<double> value = std::nullopt;
  PointList gradients = {};  ///< as many as there were probes, in their order
};

}  // namespace hindsight
