// Online linear maximisers: regret against the best fixed point, at most what is proven, on random
// and on adversarial rewards of any scale.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <string>

#include "hindsight/core/archive.hpp"
#include "hindsight/core/error.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/domains/box.hpp"
#include "hindsight/domains/interior.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/oracles/oracle_bank.hpp"

namespace hindsight {
namespace {

constexpr std::size_t dimension = 8;

/// Reward t (from 0) of T; it may look at what is played in this round.
struct Adversary {
  const char* name;
  bool adaptive;
  std::function<void(int t, int T, PointView v, Stream& rng, PointRef g)> reward;
};

double sign(int t) { return t % 2 == 0 ? 1 : -1; }

/// A direction to learn, in noise.
void noisy(Stream& rng, PointRef g) {
  rng.fill_normal(g);
  for (std::size_t i = 0; i < g.size(); ++i) g[i] += .5 - .2 * static_cast<double>(i);
}

const std::vector<Adversary>& adversaries() {
  static const std::vector<Adversary> all = {
      {"noise", false, [](int, int, PointView, Stream& rng, PointRef g) { rng.fill_normal(g); }},
      {"noisy direction", false,
       [](int, int, PointView, Stream& rng, PointRef g) { noisy(rng, g); }},
      {"constant", false,
       [](int, int, PointView, Stream&, PointRef g) {
         for (std::size_t i = 0; i < g.size(); ++i) g[i] = .5 - .2 * static_cast<double>(i);
       }},
      // The leader of all past rewards is always wrong.
      {"alternating", false,
       [](int t, int, PointView, Stream&, PointRef g) {
         for (std::size_t i = 0; i < g.size(); ++i)
           g[i] = (t == 0 ? .5 : 1) * sign(t) * sign(static_cast<int>(i));
       }},
      {"scale from 1 to 1e6", false,
       [](int t, int T, PointView, Stream& rng, PointRef g) {
         noisy(rng, g);
         for (double& x : g) x *= std::pow(1e6, t / static_cast<double>(T));
       }},
      {"scale from 1e6 to 1", false,
       [](int t, int T, PointView, Stream& rng, PointRef g) {
         noisy(rng, g);
         for (double& x : g) x *= std::pow(1e-6, t / static_cast<double>(T)) * 1e6;
       }},
      {"one giant at the end", false,
       [](int t, int T, PointView, Stream& rng, PointRef g) {
         noisy(rng, g);
         for (double& x : g) x *= t + 1 == T ? -1e6 : 1;
       }},
      {"turns half way", false,
       [](int t, int T, PointView, Stream& rng, PointRef g) {
         noisy(rng, g);
         if (t > T / 2)
           for (double& x : g) x = -x;
       }},
      // Rewards point away from what is played; only against oracles that draw nothing.
      {"against the play", true,
       [](int, int, PointView v, Stream&, PointRef g) {
         double mean = 0;
         for (const double x : v) mean += x / static_cast<double>(v.size());
         for (std::size_t i = 0; i < g.size(); ++i) g[i] = mean - v[i] + .01 * sign(int(i));
       }},
  };
  return all;
}

struct Outcome {
  double regret = 0;
  double S = 0;  // sum of squared norms
  double G = 0;  // largest norm
};

using Decide = std::function<PointView(Round q)>;
using Feed = std::function<void(PointView)>;

Outcome play(const Domain& domain, const Adversary& adversary, int T, std::uint64_t seed,
             const Decide& decide, const Feed& feed) {
  Stream rng = StreamFamily(seed, "rewards").at(0);
  const auto d = static_cast<std::size_t>(domain.dimension());
  Point g(d), sum(d, 0.0), best(d), v(d);
  Outcome outcome;
  double earned = 0;
  for (int t = 0; t < T; ++t) {
    copy(decide(t + 1), v);
    EXPECT_TRUE(domain.contains(v, 1e-9));
    adversary.reward(t, T, v, rng, g);
    earned += dot(g, v);
    add_scaled(sum, 1, g);
    outcome.S += squared_norm(g);
    outcome.G = std::max(outcome.G, norm(g));
    feed(g);
  }
  domain.maximize(sum, best);
  outcome.regret = dot(sum, best) - earned;
  return outcome;
}

Outcome play(OracleBank& bank, const Domain& domain, const Adversary& adversary, int T,
             std::uint64_t seed) {
  Point room(dimension);
  // One of three, the middle one: the others must not matter.
  return play(
      domain, adversary, T, seed, [&](Round q) { return bank.decide(1, q, room); },
      [&](PointView g) { bank.feed(1, g); });
}

/// The bounds that docs/oracles.md proves; S is the sum of the squared norms of the rewards, G the
/// largest norm. The perturbed leader's holds in the mean: a run is above it by D sqrt(2 S ln 1e9)
/// with probability at most 1e-9 (Azuma).
double proven_bound(std::string_view oracle, const Domain& domain, const Outcome& o) {
  const double D = domain.diameter(), R = domain.radius(), root = std::sqrt(o.S);
  if (oracle == "gradient-ascent") return std::sqrt(2) * D * root;
  if (oracle == "dual-averaging") return 2.29 * D * root + 2 * D * o.G;
  if (oracle == "perturbed-leader")
    return 2.79 * R * std::pow(domain.dimension(), .25) * root + 2 * D * o.G +
           D * std::sqrt(2 * o.S * std::log(1e9));
  ADD_FAILURE() << oracle << " needs its bound here";
  return 0;
}

std::vector<DomainPtr> domains() {
  return {uniform_matroid(static_cast<int>(dimension), 3),
          std::make_shared<Box>(Point{1, .5, 2, 1, 1, .25, 1, 1}),
          shrunk_interior(uniform_matroid(static_cast<int>(dimension), 3), .1)};
}

std::unique_ptr<OracleBank> make(const DomainPtr& domain, std::string_view kind,
                                 std::optional<double> step = std::nullopt) {
  return make_oracle_bank(domain, 3, {.kind = std::string(kind), .step = step}, 5);
}

TEST(Oracles, RegretIsAtMostWhatIsProven) {
  for (const OracleKind& oracle : oracle_kinds())
    for (const DomainPtr& domain : domains())
      for (const Adversary& adversary : adversaries()) {
        if (adversary.adaptive && oracle.kind == "perturbed-leader") continue;
        for (const int T : {1, 2, 10, 300, 5000}) {
          const auto bank = make(domain, oracle.kind);
          const Outcome o = play(*bank, *domain, adversary, T, 1);
          EXPECT_LE(o.regret, proven_bound(oracle.kind, *domain, o) * (1 + 1e-9))
              << oracle.kind << " on " << domain->describe() << ", " << adversary.name
              << ", T = " << T;
        }
      }
}

/// The broken twin: whoever never learns breaks every one of these bounds.
TEST(Oracles, NeverLearningBreaksTheBounds) {
  for (const DomainPtr& domain : domains()) {
    const Point start = diagonal_point(*domain);
    const Outcome o = play(
        *domain, adversaries()[2], 20000, 1, [&](Round) { return PointView(start); },
        [](PointView) {});
    for (const OracleKind& oracle : oracle_kinds())
      EXPECT_GT(o.regret, proven_bound(oracle.kind, *domain, o)) << oracle.kind;
  }
}

/// Rewards times a power of two, which rounds nothing: not a bit of a decision changes.
TEST(Oracles, DecisionsDoNotDependOnTheScaleOfTheRewards) {
  for (const OracleKind& oracle : oracle_kinds())
    for (const DomainPtr& domain : domains())
      for (const int power : {-40, -1, 3, 60}) {
        const auto a = make(domain, oracle.kind), b = make(domain, oracle.kind);
        Stream rng = StreamFamily(6, "scale").at(0);
        Point g(dimension), scaled(dimension), v(dimension), room(dimension);
        for (Round q = 1; q <= 300; ++q) {
          copy(a->decide(0, q, room), v);
          const PointView w = b->decide(0, q, room);
          ASSERT_EQ(std::memcmp(v.data(), w.data(), sizeof(double) * dimension), 0)
              << oracle.kind << " on " << domain->describe() << ", block " << q;
          noisy(rng, g);
          for (std::size_t i = 0; i < dimension; ++i) scaled[i] = std::ldexp(g[i], power);
          a->feed(0, g);
          b->feed(0, scaled);
        }
      }
}

/// With a fixed step the decisions do depend on it, and the classical bounds hold:
/// D^2 / (2 eta) + eta S / 2 for both kinds of steps; for the leader D sqrt d / eta + eta D S /
/// sqrt(2 pi) in the mean, and Azuma's deviation as above.
TEST(Oracles, FixedSteps) {
  for (const OracleKind& oracle : oracle_kinds())
    for (const DomainPtr& domain : domains())
      for (const double eta : {.01, .3}) {
        const auto bank = make(domain, oracle.kind, eta),
                   other = make(domain, oracle.kind, 2 * eta);
        const Outcome o = play(*bank, *domain, adversaries()[1], 3000, 2);
        play(*other, *domain, adversaries()[1], 3000, 2);
        const double D = domain->diameter();
        const double bound = oracle.kind == "perturbed-leader"
                                 ? D * std::sqrt(dimension) / eta +
                                       eta * D * o.S / std::sqrt(2 * std::numbers::pi) +
                                       D * std::sqrt(2 * o.S * std::log(1e9))
                                 : D * D / (2 * eta) + eta * o.S / 2;
        EXPECT_LE(o.regret, bound) << oracle.kind << " on " << domain->describe();
        if (oracle.kind != "gradient-ascent") continue;
        // v <- project(v + eta d), in the test's own words.
        const auto fresh = make(domain, oracle.kind, eta);
        Point v = diagonal_point(*domain);
        Stream rng = StreamFamily(7, "fixed").at(0);
        Point g(dimension), room(dimension);
        for (Round q = 1; q <= 100; ++q) {
          const PointView decided = fresh->decide(0, q, room);
          for (std::size_t i = 0; i < dimension; ++i) ASSERT_NEAR(decided[i], v[i], 1e-9);
          rng.fill_normal(g);
          fresh->feed(0, g);
          add_scaled(v, eta, g);
          domain->project(v);
        }
      }
}

TEST(Oracles, StartAtTheDiagonalAndApart) {
  for (const OracleKind& oracle : oracle_kinds())
    for (const DomainPtr& domain : domains()) {
      const auto bank = make(domain, oracle.kind);
      const Point start = diagonal_point(*domain);
      const Point g = {3, 1, -1, 2, 0, 1, -2, .5};
      Point room(dimension);
      for (Round q = 1; q < 20; ++q) {
        bank->decide(1, q, room);
        bank->feed(1, g);
        const PointView untouched = bank->decide(2, q, room);
        EXPECT_EQ(Point(untouched.begin(), untouched.end()), start) << oracle.kind;
      }
      // A reward of 0 says nothing.
      bank->feed(2, Point(dimension, 0.0));
      const PointView still = bank->decide(2, 20, room);
      for (std::size_t i = 0; i < dimension; ++i) EXPECT_NEAR(still[i], start[i], 1e-12);
    }
}

/// Kept in f32, decisions stay in the domain exactly (rounding is towards the lower corner) and
/// near those kept in f64: here all follow the same rewards.
TEST(Oracles, KeptInHalfTheMemoryStayFeasibleAndNear) {
  for (const DomainPtr& domain : domains()) {
    const auto wide = make_oracle_bank(domain, 1, {}, 1);
    const auto narrow = make_oracle_bank(domain, 1, {.state = Precision::f32}, 1);
    Stream rng = StreamFamily(8, "narrow").at(0);
    Point g(dimension), room(dimension);
    double apart = 0;
    for (Round q = 1; q <= 2000; ++q) {
      const PointView v = wide->decide(0, q, room), w = narrow->decide(0, q, room);
      ASSERT_TRUE(domain->contains(w, 1e-12)) << domain->describe() << ", block " << q;
      for (std::size_t i = 0; i < dimension; ++i) apart = std::max(apart, std::abs(v[i] - w[i]));
      noisy(rng, g);
      wide->feed(0, g);
      narrow->feed(0, g);
    }
    // A block rounds numbers up to 2 down by less than 2^-23, and steps and projections bring
    // points no further apart.
    EXPECT_LT(apart, 2000 * std::sqrt(8.0) * 0x1p-23) << domain->describe();
    EXPECT_GT(apart, 0) << domain->describe() << ": nothing was rounded";
  }
  EXPECT_THROW(
      make_oracle_bank(domains()[0], 1, {.kind = "dual-averaging", .state = Precision::f32}, 1),
      InputError);
}

/// A step that f64 holds and f32 does not; rewards of every size, and none.
TEST(Oracles, KeptInHalfTheMemoryTakeStepsOfAnySize) {
  for (const int d : {10, 40}) {
    const DomainPtr domain = uniform_matroid(d, 3);
    for (const double step : {1e20, 1e60, 1e300}) {
      const auto bank = make_oracle_bank(domain, 1, {.step = step, .state = Precision::f32}, 1);
      Stream rng = StreamFamily(9, "steps").at(0);
      Point g(static_cast<std::size_t>(d)), room(g.size());
      for (Round q = 1; q <= 200; ++q) {
        for (double& x : g)
          x = rng.coin(.3) ? 0 : std::pow(10, 65 * rng.uniform() - 40) * (rng.coin(.3) ? -1 : 1);
        if (q % 10 == 0) std::fill(g.begin(), g.end(), q % 20 == 0 ? 0 : 1e25);
        const bool all_upwards = q % 10 == 5;
        if (all_upwards)
          for (double& x : g) x = 1e20 * (1 + rng.uniform());
        bank->feed(0, g);
        double total = 0;
        for (const double v : bank->decide(0, q + 1, room)) total += v;
        ASSERT_TRUE(std::isfinite(total));
        if (all_upwards) {
          ASSERT_GT(total, 2.99) << step << ", " << q;
        }
        ASSERT_TRUE(domain->contains(bank->decide(0, q + 1, room), 1e-12)) << step << ", " << q;
      }
    }
  }
}

/// Projections begin where those before them suggest. Where every number ends at a bound many
/// shifts lead there, and which is found depends on where one begins: it must not on how many are
/// fed at once, or threads would change it.
TEST(Oracles, FedAtOnceOrOneByOneAreTheSame) {
  constexpr std::size_t oracles = 30, d = 40;
  const DomainPtr domain = uniform_matroid(d, 3);
  const auto fed = [&](std::size_t at_once) {
    const auto bank = make_oracle_bank(domain, oracles, {.step = 1}, 1);
    Stream rng = StreamFamily(10, "at once").at(0);
    PointTable rewards(oracles, d);
    Point squared_norms(oracles);
    for (Round q = 1; q <= 20; ++q) {
      for (std::size_t k = 0; k < oracles; ++k) {
        const bool to_bounds = k % 3 == 0;
        for (double& g : rewards.row(k)) g = (to_bounds ? .01 : 1) * rng.uniform();
        if (to_bounds)
          for (std::size_t i = 0; i < 3; ++i) rewards.row(k)[i] += 100;
        squared_norms[k] = squared_norm(rewards.row(k));
      }
      bank->begin_rewards();
      constexpr std::size_t lost = 20;  // whose reward never came
      for (std::size_t k = 0, count; k < oracles; k += count) {
        if (k == lost) ++k;
        count = std::min(at_once, (k < lost ? lost : oracles) - k);
        bank->feed_each(k, rewards.rows(k, count), {&squared_norms[k], count});
      }
    }
    Writer writer;
    bank->write(writer);
    return std::move(writer).finish();
  };
  const std::string one_by_one = fed(1);
  for (const std::size_t at_once : {2, 3, 8, 13, 30})
    EXPECT_TRUE(fed(at_once) == one_by_one) << at_once << " at once";
}

TEST(Oracles, RejectWhatIsNotOne) {
  const DomainPtr domain = uniform_matroid(3, 1);
  EXPECT_THROW(make(domain, "gradient-descent"), InputError);
  for (const double step : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(make(domain, "gradient-ascent", step), InputError);
}

}  // namespace
}  // namespace hindsight
