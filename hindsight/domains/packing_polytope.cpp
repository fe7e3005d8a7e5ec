#include "hindsight/domains/packing_polytope.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "hindsight/core/error.hpp"
#include "hindsight/domains/cholesky.hpp"
#include "hindsight/domains/interior.hpp"
#include "hindsight/domains/quad.hpp"

namespace hindsight {
namespace {

std::string place(const std::string& name, std::size_t i) {
  return name + "[" + std::to_string(i) + "]";
}

std::string numbers(std::size_t count) { return std::to_string(count) + " numbers"; }

/// The polytope, as the projection reads it.
struct Polytope {
  const PointTable& rows;
  PointView limits;
  PointView upper;
  PointView lengths;
  double error_allowed;
};

/// D. Goldfarb, A. Idnani, "A numerically stable dual method for solving strictly convex quadratic
/// programs", Mathematical Programming 27 (1983), for min |x - y|^2. Bounds and rows are
/// constraints n.x >= c with unit normals n: +-e_i and -a_i/|a_i|. x is always the nearest point to
/// y under the active constraints, whose normals are independent and whose multipliers are
/// non-negative; each round adds the constraint violated most, dropping those whose multiplier
/// would turn negative. An active bound fixes its coordinate, so that linear algebra is left with
/// the active rows.
template <class Scalar>
class DualActiveSet {
 public:
  /// False where rounding got in the way.
  bool solve(const Polytope& polytope, PointView y) {
    start(polytope, y);
    const std::size_t most_steps = 200 + 20 * (upper_.size() + limits_.size());
    for (std::size_t step = 0; step < most_steps; ++step) {
      entering_ = most_violated();
      if (entering_.kind == Kind::none) return true;
      if (!enter()) return false;
    }
    return false;
  }

  std::span<const std::size_t> active_rows() const { return active_; }
  /// For row i as given, not of unit length.
  Scalar multiplier(std::size_t i) const { return row_multiplier_[i] / lengths_[i]; }
  bool fixed(std::size_t i) const { return bound_[i] != 0; }
  Scalar at(std::size_t i) const { return x_[i]; }

 private:
  enum class Kind : std::uint8_t { none, low, high, row };
  struct Constraint {
    Kind kind = Kind::none;
    std::size_t index = 0;
  };

  void start(const Polytope& polytope, PointView y) {
    const std::size_t d = y.size();
    const std::size_t m = polytope.limits.size();
    upper_ = polytope.upper;
    limits_.resize(m);
    lengths_.resize(m);
    rows_.resize(m * d);
    for (std::size_t i = 0; i < m; ++i) {
      Scalar squares = 0;
      for (const double a : polytope.rows.row(i)) squares += Scalar(a) * Scalar(a);
      lengths_[i] = squares > 0 ? square_root(squares) : Scalar(1);
      limits_[i] = polytope.limits[i] / lengths_[i];
      for (std::size_t j = 0; j < d; ++j) rows_[i * d + j] = polytope.rows.row(i)[j] / lengths_[i];
    }

    // The nearest point of the box: an active set without any linear algebra.
    x_.resize(d);
    bound_.assign(d, 0);
    bound_multiplier_.assign(d, Scalar(0));
    double largest = 0;
    for (std::size_t i = 0; i < d; ++i) {
      x_[i] = std::clamp(y[i], 0.0, upper_[i]);
      bound_multiplier_[i] = y[i] < 0 ? -Scalar(y[i]) : Scalar(y[i]) - x_[i];
      if (bound_multiplier_[i] > 0) bound_[i] = y[i] < 0 ? 1 : -1;
      largest = std::max(largest, static_cast<double>(x_[i]));
    }
    active_.clear();
    row_multiplier_.assign(m, Scalar(0));
    violation_seen_ = (std::is_same_v<Scalar, double> ? 1e-14 : 1e-30) * largest;
    step_.resize(d);
    bound_change_.resize(d);
  }

  const Scalar* row(std::size_t i) const { return rows_.data() + i * x_.size(); }

  /// n.x - c, negative where violated.
  Scalar slack(const Constraint& c) const {
    switch (c.kind) {
      case Kind::low:
        return x_[c.index];
      case Kind::high:
        return upper_[c.index] - x_[c.index];
      case Kind::row: {
        Scalar slack = limits_[c.index];
        for (std::size_t j = 0; j < x_.size(); ++j) slack -= row(c.index)[j] * x_[j];
        return slack;
      }
      case Kind::none:
        break;
    }
    return 0;
  }

  Constraint most_violated() const {
    Constraint worst;
    Scalar least = -violation_seen_;
    const auto look = [&](Constraint c) {
      const Scalar s = slack(c);
      if (s < least) {
        least = s;
        worst = c;
      }
    };
    for (std::size_t i = 0; i < x_.size(); ++i)
      if (bound_[i] == 0) {
        look({Kind::low, i});
        look({Kind::high, i});
      }
    for (std::size_t i = 0; i < limits_.size(); ++i)
      if (std::ranges::find(active_, i) == active_.end()) look({Kind::row, i});
    return worst;
  }

  /// Adds the entering constraint, in steps that each drop a constraint or are the last.
  bool enter() {
    Scalar multiplier = 0;
    while (true) {
      if (!find_directions()) return false;
      // How far the multipliers of the active constraints stay non-negative.
      Scalar reach = -1;
      Constraint leaving;
      const auto limit = [&](Constraint c, Scalar value, Scalar change) {
        if (!(change > 0)) return;
        const Scalar until = value / change;
        if (leaving.kind == Kind::none || until < reach) {
          reach = until;
          leaving = c;
        }
      };
      for (std::size_t k = 0; k < active_.size(); ++k)
        limit({Kind::row, active_[k]}, row_multiplier_[active_[k]], row_change_[k]);
      for (std::size_t i = 0; i < x_.size(); ++i)
        if (bound_[i] != 0) limit({Kind::low, i}, bound_multiplier_[i], bound_change_[i]);

      const bool moves = step_length_ > (std::is_same_v<Scalar, double> ? 1e-13 : 1e-30);
      const bool blocked = leaving.kind != Kind::none;
      if (!moves && !blocked) return false;  // no such point: K is not empty, so this is rounding
      const Scalar missing = -slack(entering_);
      const bool enters = moves && (!blocked || missing <= reach * step_length_);
      const Scalar t = enters ? missing / step_length_ : reach;

      multiplier += t;
      for (std::size_t k = 0; k < active_.size(); ++k)
        row_multiplier_[active_[k]] -= t * row_change_[k];
      for (std::size_t i = 0; i < x_.size(); ++i) {
        if (bound_[i] != 0) bound_multiplier_[i] -= t * bound_change_[i];
        if (moves) x_[i] += t * step_[i];
      }
      if (enters) {
        add(entering_, multiplier);
        return true;
      }
      drop(leaving);
    }
  }

  /// Splits the entering normal n into N r, N the active normals, and a rest z orthogonal to them.
  bool find_directions() {
    const std::size_t d = x_.size();
    const std::size_t q = active_.size();
    factor_.reset(limits_.size() + 1);
    products_.resize(q);
    for (std::size_t k = 0; k < q; ++k) {
      for (std::size_t l = 0; l <= k; ++l)
        products_[l] = free_product(row(active_[k]), row(active_[l]));
      if (!factor_.append(std::span<const Scalar>(products_).first(k + 1))) return false;
    }
    for (std::size_t j = 0; j < d; ++j) step_[j] = 0;
    if (entering_.kind == Kind::row)
      for (std::size_t j = 0; j < d; ++j) step_[j] = -row(entering_.index)[j];
    else
      step_[entering_.index] = entering_.kind == Kind::low ? 1 : -1;

    // Twice, as the second pass takes off what rounding left of the first.
    row_change_.assign(q, Scalar(0));
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t k = 0; k < q; ++k)
        products_[k] = -free_product(row(active_[k]), step_.data());
      factor_.solve(products_);
      for (std::size_t k = 0; k < q; ++k) {
        row_change_[k] += products_[k];
        for (std::size_t j = 0; j < d; ++j) step_[j] += products_[k] * row(active_[k])[j];
      }
    }
    step_length_ = 0;
    for (std::size_t j = 0; j < d; ++j) {
      if (bound_[j] != 0) {
        bound_change_[j] = bound_[j] > 0 ? step_[j] : -step_[j];
        step_[j] = 0;
      }
      step_length_ += step_[j] * step_[j];
    }
    return true;
  }

  Scalar free_product(const Scalar* a, const Scalar* b) const {
    Scalar sum = 0;
    for (std::size_t j = 0; j < x_.size(); ++j)
      if (bound_[j] == 0) sum += a[j] * b[j];
    return sum;
  }

  void add(const Constraint& c, const Scalar& multiplier) {
    if (c.kind == Kind::row) {
      active_.push_back(c.index);
      row_multiplier_[c.index] = multiplier;
      return;
    }
    bound_[c.index] = c.kind == Kind::low ? 1 : -1;
    bound_multiplier_[c.index] = multiplier;
    x_[c.index] = c.kind == Kind::low ? 0 : upper_[c.index];
  }

  void drop(const Constraint& c) {
    if (c.kind == Kind::row) {
      active_.erase(std::ranges::find(active_, c.index));
      row_multiplier_[c.index] = 0;
    } else {
      bound_[c.index] = 0;
      bound_multiplier_[c.index] = 0;
    }
  }

  PointView upper_;
  std::vector<Scalar> limits_, lengths_, rows_;
  Scalar violation_seen_ = 0;

  std::vector<Scalar> x_;
  std::vector<std::int8_t> bound_;  // 1 at 0, -1 at the upper bound, 0 between
  std::vector<Scalar> bound_multiplier_;
  std::vector<std::size_t> active_;  // rows
  std::vector<Scalar> row_multiplier_;

  Constraint entering_;
  Cholesky<Scalar> factor_;  // of the active rows, on the free coordinates
  std::vector<Scalar> products_;
  std::vector<Scalar> step_;                       // z
  Scalar step_length_ = 0;                         // |z|^2 = z.n
  std::vector<Scalar> row_change_, bound_change_;  // r
};

/// Proves a projection. Let x in K and w = y - x. For all multipliers l >= 0 of the rows, with
/// r = w - A'l, duality bounds max_{z in K} <w, z> by l.b + sum_j u_j max(r_j, 0), so that
///   |x - x*|^2 <= max_z <w, z - x> <= l.(b - A x) + sum_j (u_j max(r_j, 0) - r_j x_j).
/// Every term vanishes at the projection, with l its multipliers. It is evaluated in 113 bits.
class Certificate {
 public:
  /// Sharpens what the active set found until the bound is good enough.
  template <class Scalar>
  bool prove(const Polytope& polytope, PointView y, const DualActiveSet<Scalar>& found) {
    const std::size_t d = y.size();
    const std::size_t m = polytope.limits.size();
    fixed_.resize(d);
    value_.resize(d);
    for (std::size_t j = 0; j < d; ++j) {
      fixed_[j] = found.fixed(j);
      value_[j] = static_cast<double>(found.at(j));
    }
    active_.assign(found.active_rows().begin(), found.active_rows().end());
    multiplier_.assign(m, Quad(0));
    for (const std::size_t i : active_) multiplier_[i] = found.multiplier(i);

    // Leaves room for rounding the point to doubles.
    const double gap_allowed = 0.9 * polytope.error_allowed * polytope.error_allowed;
    // A constraint that is active or not by less than doubles can tell is regrouped by what the
    // sharp numbers say of it; that takes a round or two.
    for (int round = 0; round < 4; ++round) {
      sharpen(polytope, y);
      evaluate(polytope, y);
      if (squared_error_ <= gap_allowed) return true;
      regroup();
    }
    return false;
  }

  void write(PointRef out) const {
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = static_cast<double>(x_[j]);
  }

 private:
  /// Solves a_i.x = b_i for the active rows with the fixed coordinates where they are: the system
  /// in doubles, its residual in Quad, again and again. Leaves the multipliers where the system is
  /// singular.
  void sharpen(const Polytope& polytope, PointView y) {
    solvable_ = factorize(polytope);
    if (!solvable_) return;
    double last = 0;
    for (int pass = 0; pass < 20; ++pass) {
      move_against_rows(polytope, y);
      for (std::size_t j = 0; j < y.size(); ++j)
        if (fixed_[j]) x_[j] = value_[j];
      find_change(polytope);
      double largest = 0;
      for (std::size_t k = 0; k < active_.size(); ++k) {
        multiplier_[active_[k]] += change_[k];
        largest = std::max(largest, std::abs(change_[k]) * polytope.lengths[active_[k]]);
      }
      if (largest < 1e-18 || (pass > 1 && largest >= last)) break;
      last = largest;
    }
  }

  /// The Gram matrix of the active rows on the free coordinates.
  bool factorize(const Polytope& polytope) {
    const std::size_t q = active_.size();
    factor_.reset(q + 1);
    change_.resize(q);
    for (std::size_t k = 0; k < q; ++k) {
      for (std::size_t l = 0; l <= k; ++l) {
        const PointView a = polytope.rows.row(active_[k]);
        const PointView b = polytope.rows.row(active_[l]);
        change_[l] = 0;
        for (std::size_t j = 0; j < a.size(); ++j)
          if (!fixed_[j]) change_[l] += a[j] * b[j];
      }
      if (!factor_.append(std::span<const double>(change_).first(k + 1))) return false;
    }
    return true;
  }

  /// By how much the multipliers must grow for the active rows to be tight.
  void find_change(const Polytope& polytope) {
    for (std::size_t k = 0; k < active_.size(); ++k)
      change_[k] = static_cast<double>(-slack(polytope, active_[k]));
    factor_.solve(change_);
  }

  /// x = y - A'l
  void move_against_rows(const Polytope& polytope, PointView y) {
    x_.assign(y.begin(), y.end());
    for (const std::size_t i : active_) {
      const PointView a = polytope.rows.row(i);
      for (std::size_t j = 0; j < y.size(); ++j)
        if (a[j] != 0) x_[j] -= multiplier_[i] * a[j];
    }
  }

  Quad slack(const Polytope& polytope, std::size_t i) const {
    const PointView a = polytope.rows.row(i);
    Quad slack = polytope.limits[i];
    for (std::size_t j = 0; j < a.size(); ++j)
      if (a[j] != 0) slack -= x_[j] * a[j];
    return slack;
  }

  void clip(const Polytope& polytope) {
    for (std::size_t j = 0; j < x_.size(); ++j) {
      value_[j] = x_[j] > 0 ? polytope.upper[j] : 0.0;
      fixed_[j] = !(x_[j] > 0 && x_[j] < value_[j]);
      if (fixed_[j]) x_[j] = value_[j];
    }
  }

  void evaluate(const Polytope& polytope, PointView y) {
    for (const std::size_t i : active_)
      if (!(multiplier_[i] > 0)) multiplier_[i] = 0;
    move_against_rows(polytope, y);
    pull_ = x_;
    clip(polytope);
    if (solvable_) {
      // y - A'l carries the rounding of y, which may be large; x need not.
      find_change(polytope);
      for (std::size_t k = 0; k < active_.size(); ++k)
        for (std::size_t j = 0; j < x_.size(); ++j)
          if (!fixed_[j]) x_[j] -= change_[k] * Quad(polytope.rows.row(active_[k])[j]);
      clip(polytope);
    }
    shrink_into_rows(polytope);

    squared_error_ = 0;
    for (const std::size_t i : active_) squared_error_ += multiplier_[i] * slack(polytope, i);
    for (std::size_t j = 0; j < x_.size(); ++j) {
      const Quad r = pull_[j] - x_[j];
      squared_error_ += r > 0 ? r * (polytope.upper[j] - x_[j]) : -r * x_[j];
    }
  }

  /// Scales x down until no row is violated, and remembers those that were.
  void shrink_into_rows(const Polytope& polytope) {
    violated_.clear();
    rounded_.assign(x_.begin(), x_.end());
    Quad scale = 1;
    for (std::size_t i = 0; i < polytope.limits.size(); ++i) {
      const double limit = polytope.limits[i];
      if (dot(polytope.rows.row(i), rounded_) < limit * (1 - 1e-10)) continue;
      const Quad left = slack(polytope, i);
      if (left < 0) scale = std::min(scale, limit / (limit - left));
      if (left < -1e-28 * limit) violated_.push_back(i);
    }
    if (scale < 1)
      for (Quad& x : x_) x *= scale;
  }

  /// The active set that the last evaluation suggests. It has left the bounds of x(l) already.
  void regroup() {
    std::erase_if(active_, [&](std::size_t i) { return !(multiplier_[i] > 0); });
    for (const std::size_t i : violated_)
      if (std::ranges::find(active_, i) == active_.end()) active_.push_back(i);
  }

  std::vector<std::uint8_t> fixed_;  // at a bound, which is
  Point value_;
  std::vector<std::size_t> active_, violated_;
  std::vector<Quad> multiplier_;
  std::vector<Quad> x_;
  std::vector<Quad> pull_;  // y - A'l
  Point rounded_;
  Quad squared_error_ = 0;
  Cholesky<double> factor_;
  bool solvable_ = false;
  std::vector<double> change_;
};

}  // namespace

PackingPolytope::PackingPolytope(const std::vector<Point>& A, Point b, Point upper,
                                 MakeProgram make_program)
    : rows_(A.size(), upper.size()),
      limits_(std::move(b)),
      upper_(std::move(upper)),
      make_program_(std::move(make_program)) {
  require(!upper_.empty(), "upper", "[]", "must hold at least one number");
  for (std::size_t j = 0; j < upper_.size(); ++j)
    require(std::isfinite(upper_[j]) && upper_[j] > 0, place("upper", j), upper_[j],
            "must be positive and finite");
  require(limits_.size() == A.size(), "b", numbers(limits_.size()),
          "must have one number a row of A, " + std::to_string(A.size()));
  for (std::size_t i = 0; i < A.size(); ++i) {
    require(std::isfinite(limits_[i]) && limits_[i] > 0, place("b", i), limits_[i],
            "must be positive and finite");
    require(A[i].size() == upper_.size(), place("A", i), numbers(A[i].size()),
            "must have as many numbers as upper, " + std::to_string(upper_.size()));
    for (std::size_t j = 0; j < upper_.size(); ++j) {
      require(A[i][j] >= 0, place(place("A", i), j), A[i][j], "must be at least 0");
      require(std::isfinite(A[i][j]), place(place("A", i), j), A[i][j], "must be finite");
    }
    copy(A[i], rows_.row(i));
    lengths_.push_back(norm(rows_.row(i)));
  }

  program_ = make_program_(rows_, limits_, upper_);
  Point farthest(upper_.size());
  maximize(upper_, farthest);
  // The margin is for the solver, whose optimum is one up to its tolerance.
  radius_ = std::min(norm(upper_), std::sqrt(dot(upper_, farthest)) * (1 + 1e-7));
}

void PackingPolytope::maximize(PointView weights, PointRef out) const {
  program_->maximize(weights, out);
  for (std::size_t j = 0; j < out.size(); ++j) out[j] = std::clamp(out[j], 0.0, upper_[j]);
  // A solver keeps to the rows up to its own tolerance; K is down-closed, so that x shrinks into
  // it.
  double scale = 1;
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    const double used = dot(rows_.row(i), out);
    if (used > limits_[i] * (1 + 1e-14)) scale = std::min(scale, limits_[i] / used);
  }
  if (scale < 1)
    for (double& x : out) x *= scale;
}

void PackingPolytope::project(PointRef x, std::span<double>) const {
  static thread_local Point y, clipped;
  static thread_local DualActiveSet<double> fast;
  static thread_local DualActiveSet<Quad> careful;
  static thread_local Certificate certificate;
  y.assign(x.begin(), x.end());
  clipped.resize(x.size());
  bool inside = true;
  for (std::size_t j = 0; j < x.size(); ++j) clipped[j] = std::clamp(y[j], 0.0, upper_[j]);
  for (std::size_t i = 0; i < limits_.size(); ++i)
    inside = inside && dot(rows_.row(i), clipped) <= limits_[i];
  if (inside) return copy(clipped, x);

  // 1e-9, unless K is so large that not even 113 bits would show it.
  const Polytope polytope{rows_, limits_, upper_, lengths_, std::max(1e-9, 1e-12 * radius_)};
  if (!(fast.solve(polytope, y) && certificate.prove(polytope, y, fast)) &&
      !(careful.solve(polytope, y) && certificate.prove(polytope, y, careful)))
    throw std::runtime_error("a projection onto the " + describe() + " could not be certified");
  certificate.write(x);
}

bool PackingPolytope::contains(PointView x, double tolerance) const {
  for (std::size_t j = 0; j < x.size(); ++j)
    if (!(x[j] >= -tolerance && x[j] <= upper_[j] + tolerance)) return false;
  for (std::size_t i = 0; i < limits_.size(); ++i)
    if (!(dot(rows_.row(i), x) <= limits_[i] + tolerance * lengths_[i])) return false;
  return true;
}

double PackingPolytope::inner_radius() const {
  double r = *std::min_element(upper_.begin(), upper_.end());
  for (std::size_t i = 0; i < limits_.size(); ++i)
    if (lengths_[i] > 0) r = std::min(r, limits_[i] / lengths_[i]);
  return r;
}

double PackingPolytope::diameter() const {
  return std::min(norm(upper_), std::sqrt(2.0) * radius_);
}

DomainPtr PackingPolytope::erode(double delta) const {
  // With x = delta 1 + w: 0 <= w <= u - 2 delta and A w <= b - delta (|a_i| + a_i.1).
  Point taken(limits_.size());
  double most = *std::min_element(upper_.begin(), upper_.end()) / 2;
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    taken[i] = lengths_[i];
    for (const double a : rows_.row(i)) taken[i] += a;
    if (taken[i] > 0) most = std::min(most, limits_[i] / taken[i]);
  }
  require(delta > 0 && delta < most, "radius", delta,
          "must be positive and less than " + std::to_string(most) +
              ", from where on no ball of that radius fits");

  std::vector<Point> A;
  Point b = limits_;
  Point upper = upper_;
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    A.emplace_back(rows_.row(i).begin(), rows_.row(i).end());
    b[i] -= delta * taken[i];
  }
  for (double& u : upper) u -= 2 * delta;
  return std::make_shared<AffineImage>(
      std::make_shared<PackingPolytope>(A, std::move(b), std::move(upper), make_program_), 1.0,
      delta);
}

std::string PackingPolytope::describe() const {
  return "packing polytope, " + std::to_string(limits_.size()) + " rows in dimension " +
         std::to_string(dimension());
}

}  // namespace hindsight
