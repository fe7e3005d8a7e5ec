/// The paper's algorithms a second time, for a judge who sees only the lines of a trace. Nothing
/// here includes the library: sets, projections, functions, schedules and oracles are written out
/// again, slowly and from their definitions, in long double.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace recomputation {

using Json = nlohmann::json;
using Real = long double;
using Vector = std::vector<Real>;
using Matrix = std::vector<Vector>;

// --- Vectors -------------------------------------------------------------------------------------

inline Real dot(const Vector& a, const Vector& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline Real norm(const Vector& a) { return std::sqrt(dot(a, a)); }

/// a + s b
inline Vector plus(const Vector& a, Real s, const Vector& b) {
  Vector sum = a;
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] += s * b[i];
  return sum;
}

/// Infinite where the sizes differ, so that a comparison fails and does not crash.
inline Real distance(const Vector& a, const Vector& b) {
  if (a.size() != b.size()) return HUGE_VALL;
  return norm(plus(a, -1, b));
}

inline Vector vector_of(const Json& json) { return json.get<Vector>(); }

/// Least squares |M z - f| by modified Gram-Schmidt; the columns must be independent.
inline Vector least_squares(const std::vector<const Vector*>& columns, Vector f) {
  const std::size_t n = columns.size();
  Matrix q;
  Matrix r(n, Vector(n, 0));
  Vector rhs(n);
  for (std::size_t j = 0; j < n; ++j) {
    Vector column = *columns[j];
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t i = 0; i < j; ++i) {
        const Real part = dot(q[i], column);
        r[i][j] += part;
        column = plus(column, -part, q[i]);
      }
    r[j][j] = norm(column);
    for (Real& entry : column) entry /= r[j][j];
    q.push_back(column);
    rhs[j] = dot(column, f);
    f = plus(f, -rhs[j], column);
  }
  for (std::size_t j = n; j-- > 0;) {
    for (std::size_t l = j + 1; l < n; ++l) rhs[j] -= r[j][l] * rhs[l];
    rhs[j] /= r[j][j];
  }
  return rhs;
}

// --- Sets that may be played ---------------------------------------------------------------------

/// { x : rows x <= limits }, with what the algorithms ask of it. The first d rows are x >= lower.
struct Polytope {
  Matrix rows;
  Vector limits;
  Matrix vertices;
  Real diameter = 0;  // as the library documents it: an upper bound for some sets

  std::size_t dimension() const { return rows.front().size(); }

  Vector lower() const {
    Vector corner(dimension());
    for (std::size_t i = 0; i < corner.size(); ++i) corner[i] = -limits[i];
    return corner;
  }

  /// By how far x is outside, in distance.
  Real outside(const Vector& x) const {
    if (x.size() != dimension()) return HUGE_VALL;
    Real worst = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      worst = std::max(worst, (dot(rows[i], x) - limits[i]) / norm(rows[i]));
    return worst;
  }

  /// Largest r such that { z >= 0, |z| <= r } lies in K, for a K with lower corner 0 and A >= 0.
  Real inner_radius() const {
    Real r = HUGE_VALL;
    for (std::size_t i = dimension(); i < rows.size(); ++i)
      r = std::min(r, limits[i] / norm(rows[i]));
    return r;
  }

  /// lower + c 1, c the largest with that in the set.
  Vector diagonal() const {
    const Vector corner = lower();
    const Vector ones(dimension(), 1);
    Real c = HUGE_VALL;
    for (std::size_t i = dimension(); i < rows.size(); ++i)
      c = std::min(c, (limits[i] - dot(rows[i], corner)) / dot(rows[i], ones));
    return plus(corner, c, ones);
  }

  /// { shift 1 + scale w : w in this }
  Polytope image(Real scale, Real shift) const {
    Polytope out = *this;
    const Vector ones(dimension(), 1);
    for (std::size_t i = 0; i < rows.size(); ++i)
      out.limits[i] = scale * limits[i] + shift * dot(rows[i], ones);
    for (Vector& v : out.vertices)
      for (Real& z : v) z = shift + scale * z;
    out.diameter = scale * diameter;
    return out;
  }

  /// The nearest point, as a least-distance problem: min |z|, rows z <= limits - rows y, by
  /// non-negative least squares (Lawson and Hanson, "Solving Least Squares Problems", chapter 23).
  Vector project(const Vector& y) const {
    const std::size_t d = dimension();
    // In units in which z has a length of about 1, as the answer is a ratio that loses digits as
    // |z|^2 grows.
    const Real unit = 1 + distance(y, lower());
    Vector target(d + 1, 0);
    target[d] = 1;
    Matrix columns;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Vector column(d + 1);
      const Real length = norm(rows[i]);
      for (std::size_t j = 0; j < d; ++j) column[j] = -rows[i][j] / length;
      column[d] = (dot(rows[i], y) - limits[i]) / length / unit;
      columns.push_back(std::move(column));
    }
    Vector weights(rows.size(), 0);
    std::vector<std::size_t> active;
    Vector residual = target;
    for (int round = 0;; ++round) {
      if (round > 1000) throw std::runtime_error("the judge's projection does not end");
      std::size_t best = rows.size();
      Real most = 1e-17L;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const Real slope = dot(columns[i], residual);
        if (slope > most && std::find(active.begin(), active.end(), i) == active.end()) {
          most = slope;
          best = i;
        }
      }
      if (best == rows.size()) break;
      active.push_back(best);
      while (true) {
        std::vector<const Vector*> chosen;
        for (const std::size_t i : active) chosen.push_back(&columns[i]);
        const Vector solved = least_squares(chosen, target);
        Real step = 1;
        std::size_t leaving = active.size();
        for (std::size_t j = 0; j < active.size(); ++j)
          if (!(solved[j] > 0)) {
            const Real w = weights[active[j]];
            const Real room = w > 0 ? w / (w - solved[j]) : 0;
            if (leaving == active.size() || room < step) {
              step = room;
              leaving = j;
            }
          }
        for (std::size_t j = 0; j < active.size(); ++j)
          weights[active[j]] += step * (solved[j] - weights[active[j]]);
        if (leaving == active.size()) break;
        weights[active[leaving]] = 0;
        active.erase(active.begin() + static_cast<std::ptrdiff_t>(leaving));
      }
      residual = target;
      for (const std::size_t i : active) residual = plus(residual, -weights[i], columns[i]);
    }
    Vector x = y;
    for (std::size_t j = 0; j < d; ++j) x[j] -= unit * residual[j] / residual[d];
    return x;
  }

  /// A bound on the distance of x to the projection of y, for x in the set:
  /// |x - x*|^2 <= max <y - x, w - x> over the vertices w.
  Real projection_error(const Vector& y, const Vector& x) const {
    const Vector away = plus(y, -1, x);
    Real gap = 0;
    for (const Vector& w : vertices) gap = std::max(gap, dot(away, plus(w, -1, x)));
    return std::sqrt(gap);
  }
};

inline std::set<int> items_of(unsigned mask) {
  std::set<int> items;
  for (int i = 0; mask >> i; ++i)
    if (mask >> i & 1) items.insert(i);
  return items;
}

/// What a trace is played on. `toml` holds the lines of its [domain].
struct Domain {
  std::string name;
  std::string toml;
  Polytope polytope;
  std::function<bool(const std::set<int>&)> independent;  // matroids
  std::function<std::optional<Polytope>(Real)> eroded = [](Real) -> std::optional<Polytope> {
    return std::nullopt;
  };
};

inline void add_lower_rows(Polytope& polytope, std::size_t d) {
  for (std::size_t i = 0; i < d; ++i) {
    Vector row(d, 0);
    row[i] = -1;
    polytope.rows.push_back(row);
    polytope.limits.push_back(0);
  }
}

/// conv{1_I} = { x >= 0, x(S) <= rank(S) for every S } (Edmonds), all 2^d - 1 rows of it.
inline Domain matroid(std::string name, std::string toml, int d,
                      std::function<bool(const std::set<int>&)> independent) {
  Domain domain{std::move(name), std::move(toml), {}, independent};
  Polytope& K = domain.polytope;
  const auto width = static_cast<std::size_t>(d);
  add_lower_rows(K, width);
  std::vector<unsigned> free_sets;
  for (unsigned S = 0; S < 1u << d; ++S)
    if (independent(items_of(S))) free_sets.push_back(S);
  for (const unsigned I : free_sets) {
    Vector vertex(width, 0);
    for (const int i : items_of(I)) vertex[static_cast<std::size_t>(i)] = 1;
    K.vertices.push_back(vertex);
  }
  std::size_t rank = 0;
  for (unsigned S = 1; S < 1u << d; ++S) {
    std::size_t most = 0;
    for (const unsigned I : free_sets)
      if ((I & ~S) == 0) most = std::max(most, items_of(I).size());
    Vector row(width, 0);
    for (const int i : items_of(S)) row[static_cast<std::size_t>(i)] = 1;
    K.rows.push_back(row);
    K.limits.push_back(static_cast<Real>(most));
    rank = std::max(rank, most);
  }
  K.diameter = std::sqrt(static_cast<Real>(std::min(width, 2 * rank)));
  return domain;
}

inline Domain uniform_matroid(int d, std::size_t rank) {
  return matroid("uniform", "kind = \"uniform-matroid\"\nrank = " + std::to_string(rank), d,
                 [rank](const std::set<int>& S) { return S.size() <= rank; });
}

/// Parts or nested sets with their capacities: at most so many items of each.
inline Domain capacity_matroid(const std::string& name, int d, std::vector<std::set<int>> sets,
                               std::vector<std::size_t> capacities) {
  const std::string key = name == "partition" ? "parts" : "sets";
  return matroid(name,
                 "kind = \"" + name + "-matroid\"\n" + key + " = " + Json(sets).dump() +
                     "\ncapacities = " + Json(capacities).dump(),
                 d, [sets, capacities](const std::set<int>& S) {
                   for (std::size_t j = 0; j < sets.size(); ++j) {
                     std::size_t count = 0;
                     for (const int i : S) count += sets[j].count(i);
                     if (count > capacities[j]) return false;
                   }
                   return true;
                 });
}

/// Edges without a cycle: every edge must join two trees.
inline Domain graphic_matroid(std::vector<std::pair<int, int>> edges) {
  Json list = Json::array();
  for (const auto& [a, b] : edges) list.push_back({a, b});
  return matroid("graphic", "kind = \"graphic-matroid\"\nedges = " + list.dump(),
                 static_cast<int>(edges.size()), [edges](const std::set<int>& S) {
                   std::map<int, int> tree;
                   for (const auto& [a, b] : edges) tree[a] = a, tree[b] = b;
                   for (const int i : S) {
                     const auto [a, b] = edges[static_cast<std::size_t>(i)];
                     const int from = tree[a];
                     const int to = tree[b];
                     if (from == to) return false;
                     for (auto& [node, label] : tree)
                       if (label == from) label = to;
                   }
                   return true;
                 });
}

/// All points in which d independent rows meet and that are inside.
inline Matrix enumerate_vertices(const Polytope& K) {
  const std::size_t d = K.dimension();
  Matrix found;
  std::vector<std::size_t> chosen;
  const std::function<void(std::size_t)> choose = [&](std::size_t from) {
    if (chosen.size() < d) {
      for (std::size_t i = from; i < K.rows.size(); ++i) {
        chosen.push_back(i);
        choose(i + 1);
        chosen.pop_back();
      }
      return;
    }
    // Gauss with pivoting on the d chosen rows.
    Matrix m;
    for (const std::size_t i : chosen) {
      m.push_back(K.rows[i]);
      m.back().push_back(K.limits[i]);
    }
    for (std::size_t c = 0; c < d; ++c) {
      std::size_t pivot = c;
      for (std::size_t i = c; i < d; ++i)
        if (std::abs(m[i][c]) > std::abs(m[pivot][c])) pivot = i;
      if (std::abs(m[pivot][c]) < 1e-12L) return;
      std::swap(m[c], m[pivot]);
      for (std::size_t i = 0; i < d; ++i)
        if (i != c) m[i] = plus(m[i], -m[i][c] / m[c][c], m[c]);
    }
    Vector x(d);
    for (std::size_t c = 0; c < d; ++c) x[c] = m[c][d] / m[c][c];
    if (K.outside(x) < 1e-14L) found.push_back(x);
  };
  choose(0);
  return found;
}

/// { 0 <= x <= u, A x <= b }. D = min(|u|, sqrt 2 R), R^2 = max <u, x>; the library's R is larger
/// by a margin of 1e-7 for its solver.
inline Polytope packing_polytope(const Matrix& A, const Vector& b, const Vector& u) {
  Polytope K;
  add_lower_rows(K, u.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    Vector row(u.size(), 0);
    row[i] = 1;
    K.rows.push_back(row);
    K.limits.push_back(u[i]);
  }
  for (std::size_t i = 0; i < A.size(); ++i) {
    K.rows.push_back(A[i]);
    K.limits.push_back(b[i]);
  }
  K.vertices = enumerate_vertices(K);
  Real most = 0;
  for (const Vector& w : K.vertices) most = std::max(most, dot(u, w));
  const Real R = std::min(norm(u), std::sqrt(most) * (1 + 1e-7L));
  K.diameter = std::min(norm(u), std::sqrt(2.0L) * R);
  return K;
}

/// The library reads doubles; so do we.
inline Vector doubles(const std::vector<double>& numbers) {
  return Vector(numbers.begin(), numbers.end());
}

inline Domain packing(const std::vector<std::vector<double>>& A, const std::vector<double>& b,
                      const std::vector<double>& upper) {
  Matrix rows;
  for (const auto& row : A) rows.push_back(doubles(row));
  const Vector limits = doubles(b);
  const Vector u = doubles(upper);
  Domain domain{
      A.empty() ? "box" : "packing", "upper = " + Json(upper).dump() + "\nkind = ", {}, nullptr};
  domain.toml +=
      A.empty() ? "\"box\"" : "\"packing\"\nA = " + Json(A).dump() + "\nb = " + Json(b).dump();
  domain.polytope = packing_polytope(rows, limits, u);
  // x = delta 1 + w: the ball of radius delta fits around x where every row has delta |a| to spare.
  domain.eroded = [rows, limits, u](Real delta) -> std::optional<Polytope> {
    Vector b_less = limits;
    Vector u_less = u;
    for (Real& z : u_less) z -= 2 * delta;
    for (std::size_t i = 0; i < rows.size(); ++i)
      b_less[i] -= delta * (norm(rows[i]) + dot(rows[i], Vector(u.size(), 1)));
    return packing_polytope(rows, b_less, u_less).image(1, delta);
  };
  return domain;
}

// --- Functions -----------------------------------------------------------------------------------

/// Weighted coverage, as a line of a replay file has it.
struct Coverage {
  std::vector<double> weights;
  std::vector<std::vector<int>> sets;  // by item: the elements it covers

  std::string line() const {
    return Json{{"kind", "coverage"}, {"weights", weights}, {"sets", sets}}.dump();
  }

  bool covers(std::size_t item, int element) const {
    return std::find(sets[item].begin(), sets[item].end(), element) != sets[item].end();
  }

  Real of_set(const std::set<int>& S) const {
    Real sum = 0;
    for (std::size_t e = 0; e < weights.size(); ++e)
      for (const int i : S)
        if (covers(static_cast<std::size_t>(i), static_cast<int>(e))) {
          sum += weights[e];
          break;
        }
    return sum;
  }

  /// prod (1 - x_i) over the items that cover the element, but for one.
  Real missed(const Vector& x, std::size_t element, std::size_t but = SIZE_MAX) const {
    Real product = 1;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (i != but && covers(i, static_cast<int>(element))) product *= 1 - x[i];
    return product;
  }

  Real at(const Vector& x) const {
    Real sum = 0;
    for (std::size_t e = 0; e < weights.size(); ++e) sum += weights[e] * (1 - missed(x, e));
    return sum;
  }

  Vector gradient(const Vector& x) const {
    Vector g(x.size(), 0);
    for (std::size_t i = 0; i < x.size(); ++i)
      for (const int e : sets[i]) {
        const auto element = static_cast<std::size_t>(e);
        g[i] += weights[element] * missed(x, element, i);
      }
    return g;
  }
};

// --- Schedules -----------------------------------------------------------------------------------

/// One run: what goes into the experiment file, and so what the judge may know beforehand.
struct Case {
  std::string kind;  // of the learner
  Domain domain;
  std::vector<Coverage> functions;  // of rounds 1, 2, ..., cycled
  long T = 1;
  double noise = 0;
  double gradient_noise = 0;
  std::string oracle = "gradient-ascent";
  std::optional<double> oracle_step = std::nullopt;
  bool learning = true;
  std::optional<int> steps = std::nullopt;
  std::optional<int> max_steps = std::nullopt;
  std::optional<long> block_length = std::nullopt;
  std::optional<double> radius = std::nullopt;
  bool averaging = true;
  bool exact_interior = false;
  std::string rounding = "";
  int seed = 1;

  bool explores() const { return kind == "bandit-frank-wolfe" || kind == "responsive-frank-wolfe"; }
  bool plays_sets() const { return kind == "responsive-frank-wolfe"; }
  bool mono() const { return kind == "mono-frank-wolfe"; }
  std::size_t d() const { return domain.polytope.dimension(); }
  const Coverage& function(long t) const {
    return functions[static_cast<std::size_t>(t - 1) % functions.size()];
  }

  std::string describe() const {
    return kind + " on " + domain.name + ", T = " + std::to_string(T) + ", " + oracle +
           (noise > 0 || gradient_noise > 0 ? ", noise" : "") + (learning ? "" : ", control");
  }

  std::string toml(const std::string& replay_file) const {
    std::string text = "rounds = " + std::to_string(T) +
                       "\n\n[game]\nkind = \"replay\"\nfile = \"" + replay_file + "\"\n";
    if (noise > 0) text += "noise = " + Json(noise).dump() + "\n";
    if (gradient_noise > 0) text += "gradient_noise = " + Json(gradient_noise).dump() + "\n";
    text += "\n[domain]\n" + domain.toml + "\n\n[[learner]]\nkind = \"" + kind + "\"\n";
    text += "oracle = \"" + oracle + "\"\n";
    if (oracle_step) text += "oracle_step = " + Json(*oracle_step).dump() + "\n";
    if (!learning) text += "learning = false\n";
    if (steps) text += "steps = " + std::to_string(*steps) + "\n";
    if (max_steps) text += "max_steps = " + std::to_string(*max_steps) + "\n";
    if (block_length) text += "block_length = " + std::to_string(*block_length) + "\n";
    if (radius) text += "radius = " + Json(*radius).dump() + "\n";
    if (!averaging) text += "averaging = false\n";
    if (exact_interior) text += "interior = \"exact\"\n";
    if (!rounding.empty()) text += "rounding = \"" + rounding + "\"\n";
    return text;
  }
};

/// The letters of the start event, from the theorems.
struct Plan {
  long K = 0;
  long L = 0;
  long Q = 0;
  Real delta = 0;
  Real alpha = 0;
  Real r = 0;
  Vector rho;
  Vector eta;
};

inline long power(long T, double exponent) {
  const double value = std::pow(static_cast<double>(T), exponent);
  return std::max(1L, std::lround(value));
}

inline Plan plan_of(const Case& run) {
  Plan plan;
  const long T = run.T;
  const auto d = static_cast<Real>(run.d());
  plan.r = run.domain.polytope.inner_radius();
  if (run.mono()) {  // Theorem 1
    plan.K = std::min(run.steps ? *run.steps : power(T, 3.0 / 5), T);
    plan.L = plan.K;
  } else if (run.explores()) {  // Theorems 2 and 3
    plan.L = run.block_length ? *run.block_length : power(T, 7.0 / 9);
    plan.K = run.steps ? *run.steps : power(T, 2.0 / 3);
    if (!run.steps && plan.L < 2 * plan.K) plan.K = std::max(1L, plan.L / 2);
    plan.L = std::min(plan.L, T);
    plan.K = std::min(plan.K, T);
    plan.delta = run.radius
                     ? *run.radius
                     : plan.r * std::pow(static_cast<Real>(T), -1.0L / 9) / (std::sqrt(d) + 2);
    plan.alpha = (std::sqrt(d) + 1) * plan.delta / plan.r;
  } else {  // Meta-FW, VR-FW: a round is a block
    plan.L = 1;
    plan.K = power(T, run.kind == "meta-frank-wolfe" ? 1.0 / 2 : 3.0 / 2);
    if (run.steps) plan.K = *run.steps;
    if (run.max_steps) plan.K = std::min<long>(plan.K, *run.max_steps);
  }
  plan.Q = T / plan.L;
  const Real exponent = 2.0L / 3;
  for (long k = 1; k <= plan.K; ++k) {
    plan.eta.push_back(1.0L / static_cast<Real>(plan.K));
    Real rho = 1;
    const auto step = static_cast<Real>(k);
    if (run.mono())
      rho = k <= plan.K / 2 + 1 ? 2 / std::pow(step + 3, exponent)
                                : 1.5L / std::pow(static_cast<Real>(plan.K) - step + 2, exponent);
    if (run.explores()) rho = 2 / std::pow(step + 2, exponent);
    if (run.kind == "vr-frank-wolfe") rho = 2 / std::pow(step + 3, exponent);
    plan.rho.push_back(run.averaging ? rho : 1);
  }
  return plan;
}

// --- The judge -----------------------------------------------------------------------------------

using Events = std::vector<Json>;

/// Reads a trace from its first line to its last and lists what does not follow from the paper.
/// A violation begins with the name of its rule.
class Judge {
 public:
  Judge(const Case& run, const Events& events) : run_(run), events_(events) {}

  std::vector<std::string> violations() {
    plan_ = plan_of(run_);
    const Polytope& K = run_.domain.polytope;
    playground_ = K;
    if (run_.explores())
      playground_ = run_.exact_interior ? *run_.domain.eroded(plan_.delta)
                                        : K.image(1 - plan_.alpha, plan_.delta);
    const auto steps = static_cast<std::size_t>(plan_.K);
    lower_ = playground_.lower();
    reward_sums_.assign(steps, Vector(run_.d(), 0));
    squared_norms_.assign(steps, 0);
    try {
      judge_start();
      for (long t = 1; t <= run_.T; ++t) {
        const bool rest = t > plan_.Q * plan_.L;
        if (!rest && (t - 1) % plan_.L == 0) judge_block((t - 1) / plan_.L + 1);
        judge_round(t);
        if (!rest && t % plan_.L == 0)
          for (long k = 1; k <= plan_.K; ++k) judge_update(k);
      }
      if (next_ != events_.size()) complain("sequence", "there are events after the last round");
    } catch (const Json::exception& error) {
      complain("sequence", std::string("a key is missing or of the wrong kind: ") + error.what());
    } catch (const std::out_of_range& error) {
      complain("sequence", error.what());
    }
    return std::move(violations_);
  }

 private:
  void complain(const std::string& rule, const std::string& what) {
    if (++complaints_[rule] > 5) return;
    violations_.push_back(rule + ": line " + std::to_string(next_) + ": " + what);
  }

  void near(const std::string& rule, const Json& found, const Vector& expected, Real tolerance,
            const std::string& what) {
    Real scale = 1;
    for (const Real z : expected) scale = std::max(scale, std::abs(z));
    const Real error = distance(vector_of(found), expected);
    if (!(error <= tolerance * scale))
      complain(rule, what + " is " + found.dump() + ", not " + Json(expected).dump());
  }

  void near(const std::string& rule, const Json& found, Real expected, Real tolerance,
            const std::string& what) {
    near(rule, Json::array({found}), Vector{expected}, tolerance, what);
  }

  void same(const std::string& rule, const Json& found, const Json& expected,
            const std::string& what) {
    if (found != expected)
      complain(rule, what + " is " + found.dump() + ", not " + expected.dump());
  }

  const Json& take(const std::string& event) {
    if (next_ == events_.size()) throw std::out_of_range("the trace ends too early");
    const Json& json = events_[next_++];
    same("sequence", json.at("event"), event, "the event");
    return json;
  }

  /// Keys that do not apply must not be there: an outsider would take them for something.
  void only(const Json& json, const std::set<std::string>& keys) {
    for (const auto& [key, value] : json.items())
      if (!keys.count(key)) complain("sequence", "unexpected key " + key);
  }

  void judge_start() {
    const Json& start = take("start");
    only(start, {"event", "learner", "d", "T", "K", "L", "Q", "delta", "alpha", "r", "lower", "rho",
                 "eta"});
    same("start", start.at("learner"), run_.kind, "learner");
    same("start", start.at("d"), run_.d(), "d");
    same("start", start.at("T"), run_.T, "T");
    same("start", start.at("K"), plan_.K, "K");
    same("start", start.at("L"), plan_.L, "L");
    same("start", start.at("Q"), plan_.Q, "Q");
    near("start", start.at("delta"), plan_.delta, 1e-14L, "delta");
    near("start", start.at("alpha"), run_.exact_interior ? 0 : plan_.alpha, 1e-14L, "alpha");
    near("start", start.at("r"), plan_.r, 1e-14L, "r");
    near("start", start.at("lower"), lower_, 1e-14L, "lower");
    near("start", start.at("rho"), plan_.rho, 1e-14L, "rho");
    near("start", start.at("eta"), plan_.eta, 1e-14L, "eta");
  }

  void judge_block(long q) {
    const Json& block = take("block");
    only(block, {"event", "q", "v", "x", "order"});
    same("sequence", block.at("q"), q, "q");
    q_ = q;
    step_of_.clear();

    // Line 4: a permutation of the block's rounds, of which the first K belong to the steps.
    const auto order = block.at("order").get<std::vector<long>>();
    const std::set<long> rounds(order.begin(), order.end());
    const bool permutes =
        order.size() == rounds.size() && rounds.size() == static_cast<std::size_t>(plan_.L) &&
        *rounds.begin() == (q - 1) * plan_.L + 1 && *rounds.rbegin() == q * plan_.L;
    if (!permutes) complain("order", "not a permutation: " + block.at("order").dump());
    if (run_.mono() || run_.explores())
      for (std::size_t k = 0; k < order.size() && k < static_cast<std::size_t>(plan_.K); ++k)
        step_of_[order[k]] = static_cast<long>(k) + 1;

    // Lines 2 and 3.
    const auto v = block.at("v").get<Matrix>();
    const auto x = block.at("x").get<Matrix>();
    if (v.size() != static_cast<std::size_t>(plan_.K) || x.size() != v.size() + 1)
      throw std::out_of_range("a block must have K decisions and K+1 iterates");
    near("corner", block["x"][0], lower_, 1e-14L, "x^(1)");
    for (std::size_t k = 0; k < v.size(); ++k) {
      if (v[k].size() != run_.d() || x[k].size() != run_.d())
        throw std::out_of_range("v and x must have dimension d");
      const Real outside = playground_.outside(v[k]);
      if (!(outside <= 1e-9L))
        complain("decision", "v^(" + std::to_string(k + 1) + ") = " + block["v"][k].dump() +
                                 " is outside K' by " + std::to_string(outside));
      near("iterate", block["x"][k + 1], plus(x[k], plan_.eta[k], plus(v[k], -1, lower_)), 1e-14L,
           "x^(" + std::to_string(k + 2) + ")");
      judge_oracle(k, v[k], block["v"][k]);
    }
    v_ = v;
    x_ = x;
    fed_.assign(v.size(), std::nullopt);
    g_.assign(v.size(), std::nullopt);
  }

  /// What oracle k plays after the d's of all earlier blocks.
  void judge_oracle(std::size_t k, const Vector& v, const Json& shown) {
    const std::string name = "v^(" + std::to_string(k + 1) + ")";
    if (q_ == 1 || !run_.learning) return near("oracle", shown, start_point(), 1e-11L, name);
    const Vector& d = *fed_[k];
    squared_norms_[k] += dot(d, d);
    reward_sums_[k] = plus(reward_sums_[k], 1, d);
    const Real S = squared_norms_[k];
    if (run_.oracle == "perturbed-leader")
      return S > 0 ? judge_leader(k, v, name)  // nobody leads before the first reward
                   : near("oracle", shown, start_point(), 1e-11L, name);
    const Real eta = run_.oracle_step ? static_cast<Real>(*run_.oracle_step)
                     : S > 0          ? playground_.diameter / std::sqrt(2 * S)
                                      : 0;
    const Vector y = run_.oracle == "gradient-ascent" ? plus(v_[k], eta, d)
                                                      : plus(start_point(), eta, reward_sums_[k]);
    near("oracle", shown, project(y), 3e-9L, name);
  }

  /// The draw itself is not in the trace. What must hold of it: v is a vertex, and no other vertex
  /// is so far ahead that the perturbation cannot have made up for it (7.5 deviations: once in
  /// 1e13).
  void judge_leader(std::size_t k, const Vector& v, const std::string& name) {
    Real nearest = HUGE_VALL;
    for (const Vector& w : playground_.vertices) nearest = std::min(nearest, distance(v, w));
    if (!(nearest <= 1e-9L)) complain("oracle", name + " is not a vertex");
    const Real sigma = leader_deviation(run_, squared_norms_[k]);
    for (const Vector& w : playground_.vertices) {
      const Vector lead = plus(v, -1, w);
      if (dot(reward_sums_[k], lead) < -7.5L * sigma * norm(lead) - 1e-9L)
        complain("oracle", name + " is too far behind the leader");
    }
  }

 public:
  /// sigma of the perturbed leader after rewards with this sum of squared norms.
  static Real leader_deviation(const Case& run, Real squared_norms) {
    if (run.oracle_step) return 1 / static_cast<Real>(*run.oracle_step);
    return std::sqrt(squared_norms) / std::pow(static_cast<Real>(run.d()), 0.25L);
  }

 private:
  const Vector& start_point() {
    if (start_.empty()) start_ = playground_.diagonal();
    return start_;
  }

  Vector project(const Vector& y) {
    Vector x = playground_.project(y);
    // The judge's own projection must come with a proof.
    if (playground_.outside(x) > 1e-15L || playground_.projection_error(y, x) > 1e-8L)
      throw std::runtime_error("the judge cannot prove its own projection");
    return x;
  }

  void judge_round(long t) {
    const Json& round = take("round");
    same("sequence", round.at("t"), t, "t");
    same("sequence", round.at("q"), q_, "q");
    const bool rest = t > plan_.Q * plan_.L;
    const std::string play = rest ? "rest" : "play";
    const long k = !rest && step_of_.count(t) ? step_of_[t] : 0;
    const auto step = static_cast<std::size_t>(k - 1);
    const Vector action = vector_of(round.at("action"));
    if (action.size() != run_.d()) throw std::out_of_range("an action must have dimension d");

    std::set<std::string> keys = {"event", "t", "q", "action", "value", "reward"};
    if (k > 0) keys.insert("k");
    if (run_.explores()) keys.insert("phase");
    if (run_.plays_sets()) keys.insert("set");
    if (run_.explores() && k > 0) keys.insert("direction");
    if (!run_.explores() && (k > 0 || !run_.mono())) keys.insert({"probes", "gradients"});
    only(round, keys);
    if (k > 0) same("phase", round.at("k"), k, "k");
    if (run_.explores())
      same("phase", round.at("phase"), k > 0 ? "explore" : "exploit", "the phase");

    if (run_.explores() && k > 0) {
      const Vector u = vector_of(round.at("direction"));
      if (u.size() != run_.d()) throw std::out_of_range("a direction must have dimension d");
      if (!(std::abs(norm(u) - 1) <= 1e-14L)) complain("direction", "u is not on the sphere");
      near(play, round["action"], plus(x_[step], plan_.delta, u), 1e-14L, "y_t");
      g_[step] = u;
      for (Real& z : *g_[step])
        z *= static_cast<Real>(run_.d()) / plan_.delta * round.at("value").get<Real>();
    } else {
      near(play, round["action"], x_.back(), 0, "y_t");
    }
    if (!(run_.domain.polytope.outside(action) <= 1e-9L))
      complain("feasible", "y_t is outside K: " + round["action"].dump());

    judge_value(t, round, action, k > 0);
    if (keys.count("probes")) judge_probes(t, round, k);
  }

  void judge_value(long t, const Json& round, const Vector& action, bool exploring) {
    const Coverage& f = run_.function(t);
    Real worth = f.at(action);
    Real earned = worth;
    if (run_.plays_sets()) {
      const auto items = round.at("set").get<std::vector<int>>();
      const std::set<int> S(items.begin(), items.end());
      if (S.size() != items.size() ||
          (!S.empty() && (*S.begin() < 0 || *S.rbegin() >= static_cast<int>(run_.d()))))
        throw std::out_of_range("a set must hold different items");
      const bool independent = run_.domain.independent(S);
      if (!exploring && !independent)
        complain("independent", "an exploiting set is dependent: " + round["set"].dump());
      worth = f.of_set(S);
      earned = independent ? worth : 0;
    }
    // Noise is uniform with deviation s, so within sqrt 3 s.
    near("value", round.at("value"), worth, 1e-14L + std::sqrt(3.0L) * run_.noise, "the value");
    near("reward", round.at("reward"), earned, 1e-14L, "the reward");
  }

  void judge_probes(long t, const Json& round, long k) {
    const auto probes = round.at("probes").get<Matrix>();
    const auto gradients = round.at("gradients").get<Matrix>();
    Matrix expected = {x_.begin(), x_.end() - 1};
    if (run_.mono()) expected = {x_[static_cast<std::size_t>(k - 1)]};
    if (probes.size() != expected.size() || gradients.size() != expected.size())
      return complain("probe", "wrong number of probes or gradients");
    for (std::size_t i = 0; i < expected.size(); ++i) {
      near("probe", round["probes"][i], expected[i], 0, "a probe");
      const Vector exact = run_.function(t).gradient(expected[i]);
      const Vector noise(exact.size(), std::sqrt(3.0L) * run_.gradient_noise);
      near("gradient", round["gradients"][i], exact, 1e-14L + norm(noise), "a gradient");
      g_[run_.mono() ? static_cast<std::size_t>(k - 1) : i] = gradients[i];
    }
  }

  /// The last line of the algorithms: g of round t_{q,k}, d^(k) from the trace's own d^(k-1).
  void judge_update(long k) {
    const Json& update = take("update");
    only(update, {"event", "q", "k", "g", "d"});
    same("sequence", update.at("q"), q_, "q");
    same("sequence", update.at("k"), k, "k");
    const auto step = static_cast<std::size_t>(k - 1);
    const Vector before = k == 1 ? Vector(run_.d(), 0) : *fed_[step - 1];
    const Real rho = plan_.rho[step];
    const Vector g = vector_of(update.at("g"));
    const Vector d = vector_of(update.at("d"));
    if (g.size() != run_.d() || d.size() != run_.d())
      throw std::out_of_range("g and d must have dimension d");
    if (!g_[step])
      complain("estimate", "no round was there for step " + std::to_string(k));
    else
      near("estimate", update["g"], *g_[step], run_.explores() ? 1e-14L : 0, "g");
    Vector expected(run_.d());
    for (std::size_t i = 0; i < g.size(); ++i) expected[i] = (1 - rho) * before[i] + rho * g[i];
    near("average", update["d"], expected, 1e-14L, "d");
    fed_[step] = d;
  }

  const Case& run_;
  const Events& events_;
  Plan plan_;
  Polytope playground_;  // K, or K' for those who explore
  Vector lower_;
  Vector start_;
  std::size_t next_ = 0;
  long q_ = 0;
  std::map<long, long> step_of_;  // k of t = t_{q,k}
  Matrix v_, x_;
  std::vector<std::optional<Vector>> g_;    // what step k must be told
  std::vector<std::optional<Vector>> fed_;  // d^(k), as the trace has it
  Matrix reward_sums_;
  Vector squared_norms_;
  std::vector<std::string> violations_;
  std::map<std::string, int> complaints_;
};

/// Every rule a violation may name; the tests show for each that it can be violated.
inline const std::set<std::string>& rules() {
  static const std::set<std::string> all = {
      "start",    "sequence", "order",       "corner",   "iterate",  "decision", "oracle",
      "phase",    "play",     "direction",   "rest",     "feasible", "value",    "reward",
      "gradient", "probe",    "independent", "estimate", "average"};
  return all;
}

}  // namespace recomputation
