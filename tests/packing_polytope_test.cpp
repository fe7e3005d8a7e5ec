#include "hindsight/domains/packing_polytope.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <limits>
#include <thread>

#include "domain_laws.hpp"
#include "hindsight/core/error.hpp"
#include "hindsight/domains/clp_program.hpp"

namespace hindsight {
namespace {

struct Description {
  std::vector<Point> A;
  Point b;
  Point upper;

  std::size_t dimension() const { return upper.size(); }
  std::shared_ptr<const PackingPolytope> polytope() const { return packing_polytope(A, b, upper); }
};

/// Uneven numbers, or small whole ones, which make ties and corners where many constraints meet;
/// with rows of zeros, rows twice, and rows that are sums of others.
Description random_description(Stream& stream, std::size_t d, std::size_t m) {
  Description k;
  const bool whole = stream.coin(0.5);
  for (std::size_t j = 0; j < d; ++j)
    k.upper.push_back(whole ? 1 + static_cast<double>(stream.below(2)) : 0.2 + stream.uniform());
  while (k.A.size() < m) {
    Point row(d);
    const auto kind = stream.below(8);
    double limit = 0;
    if (kind == 0 && !k.A.empty()) {
      row = k.A.back();
      limit = k.b.back() * (stream.coin(0.5) ? 1 : 1.5);
    } else if (kind == 1 && k.A.size() >= 2) {
      for (std::size_t j = 0; j < d; ++j) row[j] = k.A[0][j] + k.A[1][j];
      limit = k.b[0] + k.b[1];
    } else if (kind == 2) {
      limit = 1;  // nothing in it
    } else {
      double most = 0;
      for (std::size_t j = 0; j < d; ++j) {
        row[j] = whole ? static_cast<double>(stream.below(3))
                       : (stream.coin(0.7) ? stream.uniform() : 0.0);
        most += row[j] * k.upper[j];
      }
      limit = whole ? 1 + std::floor(most / 3) : 0.05 + most * stream.uniform();
    }
    k.A.push_back(row);
    k.b.push_back(limit);
  }
  return k;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

// ---------------------------------------------------------------- laws

TEST(PackingPolytope, Laws) {
  Stream stream = StreamFamily(1, "packing").at(0);
  for (int trial = 0; trial < 200; ++trial)
    expect_domain_laws(*random_description(stream, 1 + stream.below(8), stream.below(7)).polytope(),
                       static_cast<std::uint64_t>(trial), 20);
}

TEST(PackingPolytope, LawsWithManyRows) {
  Stream stream = StreamFamily(2, "packing").at(0);
  for (int trial = 0; trial < 4; ++trial)
    expect_domain_laws(*random_description(stream, 20, 50).polytope(),
                       static_cast<std::uint64_t>(trial), 20);
  expect_domain_laws(*random_description(stream, 60, 30).polytope(), 9, 10);
}

TEST(PackingPolytope, LawsAtOtherScales) {
  // The tolerances of the laws are absolute, so that sizes stay near 1; the rows need not.
  expect_domain_laws(
      *packing_polytope({{1e6, 2e6, 0}, {1e-6, 1e-6, 3e-6}}, {1.5e6, 2e-6}, {1, 1, 1}), 1, 50);
  expect_domain_laws(*packing_polytope({{1, 1e-7}, {1, 0}}, {0.5, 0.5}, {1, 1}), 2, 50);
  expect_domain_laws(*packing_polytope({{1, 2}}, {1e3}, {50, 1e-2}), 3, 50);
}

// ---------------------------------------------------------------- what is accepted

TEST(PackingPolytope, RejectsWhatIsNoPacking) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto message = [](std::vector<Point> A, Point b, Point upper) {
    return message_of([&] { packing_polytope(A, b, upper); });
  };
  EXPECT_EQ(message({{1, 1, 1}, {0, 1, -3}}, {1, 1}, {1, 1, 1}),
            "A[1][2] = -3: must be at least 0");
  EXPECT_EQ(message({{1, inf}}, {1}, {1, 1}), "A[0][1] = inf: must be finite");
  EXPECT_EQ(message({{1, 1}, {1}}, {1, 1}, {1, 1}),
            "A[1] = 1 numbers: must have as many numbers as upper, 2");
  EXPECT_EQ(message({{1, 1}}, {1, 1}, {1, 1}), "b = 2 numbers: must have one number a row of A, 1");
  EXPECT_EQ(message({{1, 1}}, {0}, {1, 1}), "b[0] = 0: must be positive and finite");
  EXPECT_EQ(message({{1, 1}}, {1}, {1, 0}), "upper[1] = 0: must be positive and finite");
  EXPECT_EQ(message({{1, 1}}, {std::nan("")}, {1, 1}), "b[0] = nan: must be positive and finite");
  EXPECT_EQ(message({}, {}, {}), "upper = []: must hold at least one number");
}

TEST(PackingPolytope, KnowsItself) {
  const auto k = packing_polytope({{1, 1, 1}, {0, 0, 0}}, {1.5, 1}, {1, 1, 1});
  EXPECT_EQ(k->dimension(), 3);
  EXPECT_NEAR(k->inner_radius(), 1.5 / std::sqrt(3.0), 1e-15);
  EXPECT_NEAR(k->radius(), std::sqrt(1.5), 1e-6);
  EXPECT_NEAR(k->diameter(), std::sqrt(3.0), 1e-6);  // both bounds give it here
  EXPECT_EQ(k->describe(), "packing polytope, 2 rows in dimension 3");
}

TEST(PackingPolytope, InnerRadiusIsAttained) {
  // A little further, in the direction of the narrowest row or axis, K ends.
  Stream stream = StreamFamily(3, "packing").at(0);
  for (int trial = 0; trial < 500; ++trial) {
    const Description k = random_description(stream, 1 + stream.below(8), stream.below(7));
    const auto polytope = k.polytope();
    const double beyond = polytope->inner_radius() + 1e-6;
    bool leaves = false;
    std::vector<Point> directions = k.A;
    for (std::size_t j = 0; j < k.dimension(); ++j) {
      directions.emplace_back(k.dimension(), 0.0);
      directions.back()[j] = 1;
    }
    for (const Point& n : directions)
      if (norm(n) > 0)
        leaves = leaves ||
                 !polytope->contains(laws::moved(polytope->lower(), beyond / norm(n), n), 1e-9);
    EXPECT_TRUE(leaves);
  }
}

// ---------------------------------------------------------------- maximise

/// The best vertex: every choice of d constraints that meet in one point of K.
double enumerated_maximum(const Description& k, PointView w) {
  const auto d = static_cast<Eigen::Index>(k.dimension());
  const auto m = static_cast<Eigen::Index>(k.A.size());
  Eigen::MatrixXd normals = Eigen::MatrixXd::Zero(2 * d + m, d);
  Eigen::VectorXd limits = Eigen::VectorXd::Zero(2 * d + m);
  for (Eigen::Index j = 0; j < d; ++j) {
    normals(j, j) = -1;
    normals(d + j, j) = 1;
    limits(d + j) = k.upper[static_cast<std::size_t>(j)];
  }
  for (Eigen::Index i = 0; i < m; ++i) {
    for (Eigen::Index j = 0; j < d; ++j)
      normals(2 * d + i, j) = k.A[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    limits(2 * d + i) = k.b[static_cast<std::size_t>(i)];
  }
  const Eigen::Map<const Eigen::VectorXd> weights(w.data(), d);
  double best = 0;
  std::vector<bool> chosen(static_cast<std::size_t>(2 * d + m), false);
  std::fill_n(chosen.begin(), d, true);
  do {
    Eigen::MatrixXd square(d, d);
    Eigen::VectorXd right(d);
    Eigen::Index filled = 0;
    for (Eigen::Index c = 0; c < 2 * d + m; ++c)
      if (chosen[static_cast<std::size_t>(c)]) {
        square.row(filled) = normals.row(c);
        right(filled++) = limits(c);
      }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(square);
    if (!lu.isInvertible()) continue;
    const Eigen::VectorXd x = lu.solve(right);
    if ((normals * x - limits).maxCoeff() <= 1e-11) best = std::max(best, weights.dot(x));
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return best;
}

TEST(PackingPolytope, MaximumIsThatOfVertexEnumeration) {
  Stream stream = StreamFamily(4, "packing").at(0);
  for (int trial = 0; trial < 1500; ++trial) {
    const Description k = random_description(stream, 1 + stream.below(4), stream.below(4));
    const auto polytope = k.polytope();
    for (int again = 0; again < 2; ++again) {
      const Point w = laws::random_weights(stream, k.dimension());
      const Point x = laws::maximizer(*polytope, w);
      EXPECT_NEAR(dot(w, x), enumerated_maximum(k, w), 1e-9);
      EXPECT_TRUE(polytope->contains(x, 1e-12));
    }
  }
}

TEST(PackingPolytope, MaximisesAcrossBoundsOfAllSizes) {
  const auto k = packing_polytope({{1e-9, 1e3, 0}}, {1.5}, {1e9, 1e-3, 1e-12});
  EXPECT_EQ(laws::maximizer(*k, Point{1, 0, 0}), (Point{1e9, 0, 0}));
  EXPECT_EQ(laws::maximizer(*k, Point{0, 1, 0}), (Point{0, 1e-3, 0}));
  EXPECT_EQ(laws::maximizer(*k, Point{0, 0, 1}), (Point{0, 0, 1e-12}));
  const Point both = laws::maximizer(*k, Point{2e-9, 1e3, 1});
  EXPECT_NEAR(both[0], 1e9, 1);
  EXPECT_NEAR(both[1], 0.5e-3, 1e-12);
}

TEST(PackingPolytope, TheMaximiserDoesNotDependOnWhatWasAskedBefore) {
  Stream stream = StreamFamily(5, "packing").at(0);
  for (int trial = 0; trial < 50; ++trial) {
    const Description k = random_description(stream, 2 + stream.below(10), 1 + stream.below(8));
    const auto used = k.polytope();
    for (int call = 0; call < 30; ++call) {
      const Point w = laws::random_weights(stream, k.dimension());
      EXPECT_EQ(laws::maximizer(*used, w), laws::maximizer(*k.polytope(), w));
    }
  }
}

TEST(PackingPolytope, ServesSeveralThreads) {
  Stream stream = StreamFamily(6, "packing").at(0);
  const auto polytope = random_description(stream, 12, 8).polytope();
  std::vector<Point> weights(200), maximizers, projections;
  for (Point& w : weights) {
    w = laws::random_weights(stream, 12);
    maximizers.push_back(laws::maximizer(*polytope, w));
    projections.push_back(laws::projection(*polytope, w));
  }
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (int& count : wrong)
    threads.emplace_back([&] {
      for (std::size_t i = 0; i < weights.size(); ++i) {
        count += laws::maximizer(*polytope, weights[i]) != maximizers[i];
        count += laws::projection(*polytope, weights[i]) != projections[i];
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

/// A solver that overshoots, as solvers may within their tolerance.
class OvershootingProgram final : public LinearProgram {
 public:
  explicit OvershootingProgram(PointView upper) : upper_(upper.begin(), upper.end()) {}
  void maximize(PointView, PointRef out) const override {
    copy(upper_, out);
    out[0] = -1e-7;
  }

 private:
  Point upper_;
};

TEST(PackingPolytope, CleansWhatASolverReturns) {
  const PackingPolytope k({{1, 1, 1}}, {1.999}, {1, 1, 1},
                          [](const PointTable&, PointView, PointView upper) {
                            return std::make_shared<const OvershootingProgram>(upper);
                          });
  EXPECT_TRUE(k.contains(laws::maximizer(k, Point{1, 1, 1}), 1e-15));
}

// ---------------------------------------------------------------- projection

using Number = long double;
using Matrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<Number, Eigen::Dynamic, 1>;

/// The nearest point by trying every active set: each coordinate free, at 0 or at its bound, each
/// row tight or not. The nearest point under such equations, if in K, is a candidate; one of them
/// is the projection, and no other candidate is nearer.
std::vector<Number> enumerated_projection(const Description& k, PointView y) {
  const std::size_t d = k.dimension();
  const std::size_t m = k.A.size();
  std::vector<Number> best;
  Number rounding = 1e-16L;
  for (const double value : y) rounding += 1e-16L * std::abs(value);
  Number least = std::numeric_limits<Number>::infinity();
  std::size_t states = 1;
  for (std::size_t j = 0; j < d; ++j) states *= 3;
  for (std::size_t state = 0; state < states; ++state)
    for (std::size_t tight = 0; tight < std::size_t{1} << m; ++tight) {
      std::vector<Number> x(d);
      std::vector<std::size_t> free, rows;
      std::size_t digits = state;
      for (std::size_t j = 0; j < d; ++j, digits /= 3) {
        x[j] = digits % 3 == 0 ? Number(y[j]) : digits % 3 == 1 ? 0 : Number(k.upper[j]);
        if (digits % 3 == 0) free.push_back(j);
      }
      for (std::size_t i = 0; i < m; ++i)
        if (tight >> i & 1) rows.push_back(i);
      if (rows.size() > free.size()) continue;
      if (!rows.empty()) {
        // x = y - N'l on the free coordinates, with N x = b.
        Matrix N(rows.size(), free.size());
        Vector excess(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
          Number sum = -Number(k.b[rows[i]]);
          for (std::size_t j = 0; j < d; ++j) sum += k.A[rows[i]][j] * x[j];
          excess(static_cast<Eigen::Index>(i)) = sum;
          for (std::size_t f = 0; f < free.size(); ++f)
            N(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(f)) = k.A[rows[i]][free[f]];
        }
        const Eigen::FullPivLU<Matrix> lu(N * N.transpose());
        if (!lu.isInvertible()) continue;
        const Vector step = N.transpose() * lu.solve(excess);
        for (std::size_t f = 0; f < free.size(); ++f)
          x[free[f]] -= step(static_cast<Eigen::Index>(f));
      }
      bool inside = true;
      Number length = 0;
      for (std::size_t j = 0; j < d; ++j) {
        inside = inside && x[j] >= -rounding && x[j] <= k.upper[j] + rounding;
        length += (x[j] - y[j]) * (x[j] - y[j]);
      }
      for (std::size_t i = 0; i < m && inside; ++i) {
        Number sum = 0;
        for (std::size_t j = 0; j < d; ++j) sum += k.A[i][j] * x[j];
        inside = sum <= k.b[i] + rounding;
      }
      if (inside && length < least) {
        least = length;
        best = x;
      }
    }
  return best;
}

/// Where rounding hurts: decimals, whole numbers, almost-ties, points far away.
Point awkward_point(Stream& stream, std::size_t d) {
  Point y(d);
  const auto kind = stream.below(5);
  for (double& value : y) {
    value = 0.5 + stream.normal();
    if (kind == 1) value = 0.1 * static_cast<double>(stream.below(25)) - 0.2;
    if (kind == 2) value = static_cast<double>(stream.below(4)) - 1;
    if (kind == 3) value = 0.7 + 1e-12 * stream.normal();
    if (kind == 4) value = 1e5 * stream.normal();
  }
  return y;
}

TEST(PackingPolytope, ProjectionIsWithinItsPromiseOfTheNearestPoint) {
  Stream stream = StreamFamily(7, "packing").at(0);
  int moved = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const Description k = random_description(stream, 1 + stream.below(4), stream.below(4));
    const auto polytope = k.polytope();
    for (int again = 0; again < 4; ++again) {
      const Point y = awkward_point(stream, k.dimension());
      const Point p = laws::projection(*polytope, y);
      const std::vector<Number> nearest = enumerated_projection(k, y);
      ASSERT_EQ(nearest.size(), p.size());
      Number squares = 0;
      for (std::size_t j = 0; j < p.size(); ++j)
        squares += (p[j] - nearest[j]) * (p[j] - nearest[j]);
      EXPECT_LE(std::sqrt(squares), 1e-9L);
      moved += p != y;
    }
  }
  EXPECT_GT(moved, 12000);
}

TEST(PackingPolytope, ProjectionSurvivesAlmostDependentRows) {
  // Rows that differ by less than a double square root can tell: the careful run must take over.
  Stream stream = StreamFamily(8, "packing").at(0);
  for (int trial = 0; trial < 300; ++trial) {
    Description k{{}, {}, Point(5, 1.0)};
    Point row(5);
    for (double& a : row) a = 0.2 + stream.uniform();
    const double tilt = std::pow(10.0, -6 - static_cast<double>(stream.below(10)));
    for (int copy = 0; copy < 4; ++copy) {
      Point tilted = row;
      for (double& a : tilted) a += tilt * stream.uniform();
      k.A.push_back(tilted);
      k.b.push_back(1 + tilt * stream.uniform());
    }
    const auto polytope = k.polytope();
    Point y(5);
    for (double& value : y) value = 2 * stream.uniform();
    const Point p = laws::projection(*polytope, y);
    EXPECT_TRUE(polytope->contains(p, 1e-12));
    const Point away = laws::difference(y, p);
    EXPECT_LE(dot(away, laws::difference(laws::maximizer(*polytope, away), p)), 1e-8);
  }
}

TEST(PackingPolytope, PointsFarAwayProjectToWhereTheirDirectionIsBest) {
  // <w, p> >= <w, v> - |v|^2/(2 s) for p the projection of s w and v any point of K.
  Stream stream = StreamFamily(10, "packing").at(0);
  for (int trial = 0; trial < 300; ++trial) {
    const Description k = random_description(stream, 1 + stream.below(10), stream.below(20));
    const auto polytope = k.polytope();
    const Point w = laws::random_weights(stream, k.dimension());
    for (const double s : {1e4, 1e8, 1e12}) {
      Point y = w;
      for (double& value : y) value *= s;
      const Point p = laws::projection(*polytope, y);
      EXPECT_TRUE(polytope->contains(p, 1e-12));
      const double allowed = polytope->radius() * polytope->radius() / (2 * s) + 1e-9;
      EXPECT_GE(dot(w, p), dot(w, laws::maximizer(*polytope, w)) - allowed);
    }
  }
}

TEST(PackingPolytope, ProjectionScalesWithThePolytope) {
  // K of size 1e9: the certificate is relative there, as doubles of that size are 1e-7 apart.
  Stream stream = StreamFamily(11, "packing").at(0);
  for (int trial = 0; trial < 300; ++trial) {
    const Description k = random_description(stream, 1 + stream.below(8), stream.below(8));
    Description large = k;
    const double scale = 0x1p30;  // multiplies without rounding
    for (double& u : large.upper) u *= scale;
    for (double& b : large.b) b *= scale;
    Point y = awkward_point(stream, k.dimension());
    const Point p = laws::projection(*k.polytope(), y);
    for (double& value : y) value *= scale;
    Point q = laws::projection(*large.polytope(), y);
    for (double& value : q) value /= scale;
    EXPECT_LE(laws::distance(p, q), 2e-9);
  }
}

TEST(PackingPolytope, ProjectionOfPointsInsideLeavesThem) {
  const auto k = packing_polytope({{1, 1}}, {1}, {1, 1});
  EXPECT_EQ(laws::projection(*k, Point{0.25, 0.75}), (Point{0.25, 0.75}));
  EXPECT_EQ(laws::projection(*k, Point{-3, 0.5}), (Point{0, 0.5}));
  EXPECT_EQ(laws::projection(*k, Point{2, 2}), (Point{0.5, 0.5}));
}

TEST(PackingPolytope, WhatCannotBeProjectedIsAnError) {
  const auto k = packing_polytope({{1, 1}}, {1}, {1, 1});
  EXPECT_THROW(laws::projection(*k, Point{std::nan(""), 0.5}), std::runtime_error);
}

// ---------------------------------------------------------------- erosion

TEST(PackingPolytope, ErosionHoldsExactlyThePointsWithRoomAroundThem) {
  Stream stream = StreamFamily(9, "packing").at(0);
  int with_room = 0;
  int without = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Description k = random_description(stream, 1 + stream.below(5), stream.below(5));
    const auto polytope = k.polytope();
    const double delta =
        0.3 * polytope->inner_radius() / (std::sqrt(static_cast<double>(k.dimension())) + 1);
    const DomainPtr eroded = polytope->erode(delta);
    std::vector<Point> normals = k.A;
    for (std::size_t j = 0; j < k.dimension(); ++j)
      for (const double sign : {-1.0, 1.0}) {
        normals.emplace_back(k.dimension(), 0.0);
        normals.back()[j] = sign;
      }
    for (const Point& x : laws::random_members(*polytope, stream, 20)) {
      // The ball leaves K first in the direction of a normal.
      bool room = true;
      for (const Point& n : normals)
        if (norm(n) > 0)
          room = room && polytope->contains(laws::moved(x, delta / norm(n), n), 1e-12);
      EXPECT_EQ(eroded->contains(x, 1e-12), room);
      ++(room ? with_room : without);
    }
  }
  EXPECT_GT(with_room, 100);
  EXPECT_GT(without, 1000);
}

TEST(PackingPolytope, ErosionRejectsARadiusWithoutRoom) {
  const auto k = packing_polytope({{3, 4}}, {6}, {1, 1});  // |a| + a.1 = 12
  EXPECT_EQ(message_of([&] { k->erode(0.5); }),
            "radius = 0.5: must be positive and less than 0.500000, from where on no ball of that "
            "radius fits");
  EXPECT_EQ(
      message_of([&] { k->erode(-0.25); }),
      "radius = -0.25: must be positive and less than 0.500000, from where on no ball of that "
      "radius fits");
  EXPECT_NO_THROW(k->erode(0.499));
}

}  // namespace
}  // namespace hindsight
