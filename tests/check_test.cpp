/// Does check_world() find lies? Every lie is told beside an honest twin, and every counterexample
/// is evaluated again from the numbers it came with.
#include "hindsight/runs/check.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "hindsight/domains/box.hpp"
#include "hindsight/domains/clp_program.hpp"
#include "hindsight/domains/graphic_matroid.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/functions/extension.hpp"
#include "hindsight/functions/log_det.hpp"
#include "hindsight/functions/quadratic.hpp"
#include "hindsight/functions/table.hpp"
#include "hindsight/games/game_registry.hpp"
#include "hindsight/games/pool_game.hpp"
#include "tests/data_tables.hpp"

namespace hindsight {
namespace {

/// The same function in every round.
PoolGame only(const RoundFunction& f) {
  return PoolGame(std::vector<RoundFunction>{f}, 1, Noise(1, 0, 0));
}
PoolGame only(const SetFunctionPtr& f) { return only(RoundFunction{f, extend(f)}); }
PoolGame only(const ContinuousFunctionPtr& F) { return only(RoundFunction{nullptr, F}); }

constexpr CheckOptions options{.rounds = 3, .probes = 200, .seed = 5};

std::vector<CheckResult> check(Game& game, const Domain& domain) {
  return check_world(game, domain, options);
}

/// The counterexample to a property, which must have been probed.
std::optional<Counterexample> against(const std::vector<CheckResult>& results,
                                      const std::string& property) {
  for (const CheckResult& r : results)
    if (r.property == property) {
      EXPECT_GT(r.probes, 0) << property;
      return r.counterexample;
    }
  ADD_FAILURE() << property << " was not probed";
  return std::nullopt;
}

void expect_honest(const std::vector<CheckResult>& results) {
  EXPECT_FALSE(results.empty());
  for (const CheckResult& r : results)
    if (r.counterexample) ADD_FAILURE() << r.property << ": " << r.counterexample->text;
}

DomainPtr free_box(int d) { return std::make_shared<Box>(Point(static_cast<std::size_t>(d), 1.0)); }

double distance(Point x, const Point& y) {
  add_scaled(x, -1, y);
  return norm(x);
}

// --- Tables --------------------------------------------------------------------------------------

std::size_t mask_of(const ItemSet& set) {
  std::size_t mask = 0;
  for (const Item i : set) mask |= std::size_t{1} << i;
  return mask;
}

/// sqrt|S| on four items, and one value moved.
std::vector<double> bent_table(std::size_t mask, double by, double scale = 1) {
  std::vector<double> values(16);
  for (std::size_t m = 0; m < values.size(); ++m)
    values[m] = scale * std::sqrt(static_cast<double>(std::popcount(m)));
  values[mask] += scale * by;
  return values;
}

TEST(Check, FindsATableThatFalls) {
  for (const double scale : {1.0, 1e-12, 1e9}) {
    const std::vector<double> values = bent_table(15, -0.5, scale);
    PoolGame game = only(std::make_shared<Table>(4, values));
    const auto found = against(check(game, *free_box(4)), "monotone");
    ASSERT_TRUE(found && found->item) << "scale " << scale;
    const std::size_t S = mask_of(found->set), i = std::size_t{1} << *found->item;
    ASSERT_EQ(S & i, 0u);
    EXPECT_LT(values[S | i], values[S]);
    EXPECT_EQ(found->found, values[S]);
    EXPECT_EQ(found->round, 1);
  }
}

TEST(Check, FindsATableWithIncreasingReturns) {
  for (const double scale : {1.0, 1e-12, 1e9}) {
    const std::vector<double> values = bent_table(6, 0.25, scale);
    PoolGame game = only(std::make_shared<Table>(4, values));
    const auto found = against(check(game, *free_box(4)), "diminishing returns");
    ASSERT_TRUE(found && found->item && found->other) << "scale " << scale;
    const std::size_t S = mask_of(found->set), i = std::size_t{1} << *found->item,
                      j = std::size_t{1} << *found->other;
    ASSERT_NE(i, j);
    ASSERT_EQ(S & (i | j), 0u);
    EXPECT_GT(values[S | i | j] - values[S | j], values[S | i] - values[S]);
  }
}

TEST(Check, AcceptsTheTableItself) {
  PoolGame game = only(std::make_shared<Table>(4, bent_table(0, 0)));
  expect_honest(check(game, *free_box(4)));
}

// --- Functions of points -------------------------------------------------------------------------

ContinuousFunctionPtr honest_quadratic() {
  return std::make_shared<Quadratic>(
      std::vector<Point>{{-0.3, -0.2, -0.1}, {-0.2, 0, -0.4}, {-0.1, -0.4, -0.2}},
      Point{0.9, 0.7, 0.8});
}

/// Says what it is told to say.
class Lying final : public ContinuousFunction {
 public:
  FunctionFacts stated = honest_quadratic()->facts();
  double slope_error = 0;  // of coordinate 1

  int dimension() const override { return truth_->dimension(); }
  double value(PointView x) const override { return truth_->value(x); }
  void gradient(PointView x, PointRef out) const override {
    truth_->gradient(x, out);
    out[1] += slope_error;
  }
  FunctionFacts facts() const override { return stated; }

 private:
  ContinuousFunctionPtr truth_ = honest_quadratic();
};

TEST(Check, AcceptsAnHonestQuadratic) {
  PoolGame game = only(std::make_shared<Lying>());
  expect_honest(check(game, *free_box(3)));
}

TEST(Check, FindsAWrongGradient) {
  const auto F = std::make_shared<Lying>();
  F->slope_error = 0.01;
  PoolGame game = only(F);
  const auto found = against(check(game, *free_box(3)), "gradient");
  ASSERT_TRUE(found && found->item);
  EXPECT_EQ(*found->item, 1);
  Point low = found->x, high = found->x, g(3);
  low[1] -= 1e-4;
  high[1] += 1e-4;
  F->gradient(found->x, g);
  EXPECT_GT(std::abs((F->value(high) - F->value(low)) / 2e-4 - g[1]), 0.009);
  EXPECT_GT(found->found, found->allowed);
}

TEST(Check, FindsValuesAboveM1) {
  const auto F = std::make_shared<Lying>();
  F->stated.max_value *= 0.999;  // true but for a corner
  PoolGame game = only(F);
  const auto found = against(check(game, *free_box(3)), "bounded (M1), points");
  ASSERT_TRUE(found);
  EXPECT_GT(std::abs(F->value(found->x)), F->stated.max_value);
}

TEST(Check, FindsASetAboveM1) {
  class Boasting final : public SetFunction {
   public:
    int dimension() const override { return 12; }
    double value(ItemView set) const override { return static_cast<double>(set.size()); }
    double max_value() const override { return 11.5; }
  };
  PoolGame game = only(std::make_shared<Boasting>());
  const auto found = against(check(game, *free_box(12)), "bounded (M1)");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->set.size(), 12u);
}

TEST(Check, FindsATooSmallL1) {
  const auto F = std::make_shared<Lying>();
  *F->stated.lipschitz *= 0.7;
  PoolGame game = only(F);
  const auto found = against(check(game, *free_box(3)), "Lipschitz (L1)");
  ASSERT_TRUE(found);
  EXPECT_GT(std::abs(F->value(found->x) - F->value(found->y)),
            *F->stated.lipschitz * distance(found->x, found->y));
}

TEST(Check, FindsATooSmallL2) {
  const auto F = std::make_shared<Lying>();
  *F->stated.smoothness *= 0.9;
  PoolGame game = only(F);
  const auto found = against(check(game, *free_box(3)), "smooth (L2)");
  ASSERT_TRUE(found);
  Point gx(3), gy(3);
  F->gradient(found->x, gx);
  F->gradient(found->y, gy);
  EXPECT_GT(distance(gx, gy), *F->stated.smoothness * distance(found->x, found->y));
}

TEST(Check, FindsIncreasingReturnsOfPoints) {
  /// x_0 x_1: monotone, and the opposite of diminishing returns.
  class Product final : public ContinuousFunction {
   public:
    int dimension() const override { return 2; }
    double value(PointView x) const override { return x[0] * x[1]; }
    void gradient(PointView x, PointRef out) const override {
      out[0] = x[1];
      out[1] = x[0];
    }
    FunctionFacts facts() const override { return {1, 2.0, 1.0}; }
  };
  PoolGame game = only(std::make_shared<Product>());
  const auto results = check(game, *free_box(2));
  const auto found = against(results, "diminishing returns, points");
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->y[0] > found->x[0] || found->y[1] > found->x[1]);
  EXPECT_FALSE(against(results, "monotone, points"));
  EXPECT_FALSE(against(results, "gradient"));
}

// A sampled extension is a step function whose gradient is not the slope of its values: no lie.
TEST(Check, TakesASampledExtensionByItsSets) {
  std::vector<Point> kernel(12, Point(12, 0.2));
  for (std::size_t i = 0; i < 12; ++i) kernel[i][i] = 1;
  const auto f = std::make_shared<LogDet>(kernel);
  ASSERT_NE(dynamic_cast<const SampledExtension*>(extend(f).get()), nullptr);
  PoolGame game = only(f);
  expect_honest(check(game, *free_box(12)));
}

// --- Domains -------------------------------------------------------------------------------------

/// {1 >= x_0 >= x_1 >= 0}: convex, with 0 as its lower corner, but not down-closed.
class Wedge final : public Domain {
 public:
  int dimension() const override { return 2; }
  void maximize(PointView w, PointRef out) const override {
    out[0] = std::max(w[0], w[0] + w[1]) > 0 ? 1 : 0;
    out[1] = out[0] > 0 && w[1] > 0 ? 1 : 0;
  }
  void project(PointRef x, std::span<double>) const override {
    if (x[1] > x[0]) x[0] = x[1] = (x[0] + x[1]) / 2;
    for (double& v : x) v = std::clamp(v, 0.0, 1.0);
  }
  bool contains(PointView x, double tolerance) const override {
    return x[0] <= 1 + tolerance && x[1] >= -tolerance && x[0] >= x[1] - tolerance;
  }
  double inner_radius() const override { return 0; }
  double diameter() const override { return std::sqrt(2.0); }
  double radius() const override { return std::sqrt(2.0); }
  std::string describe() const override { return "a wedge"; }
};

TEST(Check, FindsADomainThatIsNotDownClosed) {
  PoolGame game = only(std::make_shared<Table>(2, std::vector<double>{0, 1, 1, 1.5}));
  const auto found = against(check(game, Wedge()), "down-closed");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->round, 0);
  const Point &x = found->x, &y = found->y;
  EXPECT_TRUE(0 <= y[1] && y[1] <= y[0] && y[0] <= 1) << "y is not in the wedge";
  EXPECT_TRUE(0 <= x[0] && x[0] <= y[0] && 0 <= x[1] && x[1] <= y[1]) << "x is not below y";
  EXPECT_GT(x[1], x[0]) << "x is in the wedge";
}

/// A domain that states another inner radius.
class Boasting final : public Domain {
 public:
  Boasting(DomainPtr truth, double factor) : truth_(std::move(truth)), factor_(factor) {}
  int dimension() const override { return truth_->dimension(); }
  void maximize(PointView w, PointRef out) const override { truth_->maximize(w, out); }
  void project(PointRef x, std::span<double> warm) const override { truth_->project(x, warm); }
  bool contains(PointView x, double t) const override { return truth_->contains(x, t); }
  double inner_radius() const override { return factor_ * truth_->inner_radius(); }
  double diameter() const override { return truth_->diameter(); }
  double radius() const override { return truth_->radius(); }
  std::string describe() const override { return truth_->describe(); }

 private:
  DomainPtr truth_;
  double factor_;
};

/// Six coordinates each.
std::vector<DomainPtr> all_domains() {
  const std::vector<std::array<int, 2>> edges = {{0, 1}, {1, 2}, {2, 0}, {0, 1}, {2, 3}, {3, 1}};
  return {std::make_shared<Box>(Point{1, 0.4, 1, 0.9, 1, 0.7}),
          uniform_matroid(6, 2),
          uniform_matroid(6, 5),
          partition_matroid({{0, 2, 4}, {1, 3, 5}}, {2, 1}),
          laminar_matroid(6, {{0, 1}, {0, 1, 2, 3}, {4, 5}}, {1, 2, 1}),
          std::make_shared<GraphicMatroid>(edges),
          packing_polytope({{1, 2, 0, 1, 0.5, 1}, {0.5, 0, 1, 1, 1, 0}}, {1.5, 1},
                           {1, 0.8, 0.9, 1, 1, 1})};
}

TEST(Check, FindsAnOverstatedInnerRadius) {
  std::vector<double> values(64);
  for (std::size_t m = 0; m < 64; ++m) values[m] = std::sqrt(static_cast<double>(std::popcount(m)));
  const double clear = 1.01;  // one percent too much
  for (const DomainPtr& domain : all_domains()) {
    SCOPED_TRACE(domain->describe());
    PoolGame game = only(std::make_shared<Table>(6, values));
    expect_honest(check(game, Boasting(domain, 1)));
    const auto found = against(check(game, Boasting(domain, clear)), "inner radius (r)");
    ASSERT_TRUE(found);
    EXPECT_LE(norm(found->x), clear * domain->inner_radius() + 1e-12);
    EXPECT_TRUE(std::all_of(found->x.begin(), found->x.end(), [](double v) { return v >= 0; }));
    EXPECT_FALSE(domain->contains(found->x, 1e-9));
  }
}

TEST(Check, AnOverstatedRadiusOfAUniformMatroidByHand) {
  PoolGame game = only(std::make_shared<Table>(4, bent_table(0, 0)));
  const DomainPtr domain = uniform_matroid(4, 1);  // r = 1/2
  const auto found = against(check(game, Boasting(domain, 1.02)), "inner radius (r)");
  ASSERT_TRUE(found);
  EXPECT_LE(norm(found->x), 0.51 + 1e-12);
  EXPECT_GT(found->x[0] + found->x[1] + found->x[2] + found->x[3], 1);
}

// Capacity 0 holds items at 0: there is nothing to difference there, and no lie.
TEST(Check, AcceptsItemsThatCanNeverBePlayed) {
  PoolGame game = only(std::make_shared<Table>(4, bent_table(0, 0)));
  expect_honest(check(game, *partition_matroid({{0, 1}, {2, 3}}, {1, 0})));
  expect_honest(check(game, *uniform_matroid(4, 0)));
}

// --- Honest games --------------------------------------------------------------------------------

TEST(Check, AcceptsEveryGameOfOursOnEveryDomain) {
  for (const GameKind& kind : game_kinds()) {
    if (kind.kind == "replay") continue;  // as honest as its file
    nlohmann::json table = {{"kind", kind.kind}};
    if (const auto data = data_table(kind.kind))
      table = *data;
    else if (kind.kind == "trap")
      table["pairs"] = 3;
    else
      table.update({{"dimension", 6}, {"pool", 5}, {"phases", 2}});
    for (const DomainPtr& domain : all_domains()) {
      SCOPED_TRACE(std::string(kind.kind) + ", " + domain->describe());
      Settings settings("game", table);
      const GamePtr game = make_game(settings, {.seed = 3, .horizon = 20, .folder = ""});
      expect_honest(check_world(*game, *domain, {.rounds = 20, .probes = 40, .seed = 2}));
    }
  }
}

// --- Through the command -------------------------------------------------------------------------

#ifdef HINDSIGHT_COMMAND

struct Said {
  int exit_code = -1;
  std::string out, err;
};

std::string read(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

Said run_check(const std::string& game, const std::string& functions) {
  std::string folder = (std::filesystem::temp_directory_path() / "check-XXXXXX").string();
  if (!mkdtemp(folder.data())) throw std::runtime_error("no temporary directory");
  const std::filesystem::path at = folder;
  std::ofstream(at / "functions.jsonl") << functions;
  std::ofstream(at / "experiment.toml")
      << "rounds = 5\nseeds = 1\n[game]\n"
      << game << "\n[domain]\nkind = \"uniform-matroid\"\nrank = 2\n"
      << "[[learner]]\nkind = \"mono-frank-wolfe\"\n";
  const std::string command = std::string("\"") + HINDSIGHT_COMMAND + "\" check \"" +
                              (at / "experiment.toml").string() + "\" > \"" +
                              (at / "out").string() + "\" 2> \"" + (at / "err").string() + "\"";
  const int status = std::system(command.c_str());
  Said said{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(at / "out"), read(at / "err")};
  std::filesystem::remove_all(at);
  return said;
}

TEST(CheckCommand, PrintsTheCounterexampleAndExitsWith2) {
  // Two items that are worth something only together.
  const Said said = run_check("kind = \"replay\"\nfile = \"functions.jsonl\"",
                              R"({"kind":"modular","weights":[0.5,0.25]})"
                              "\n"
                              R"({"kind":"table","dimension":2,"values":[0,0,0,1]})"
                              "\n");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_NE(said.out.find("BROKEN"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("round 2: S = {}, i = "), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("f(i | S) = 0, f(i | S + j) = 1"), std::string::npos) << said.out;
  EXPECT_NE(said.err.find("experiment.toml"), std::string::npos) << said.err;
}

TEST(CheckCommand, AcceptsTheCoverageGame) {
  const Said said = run_check("kind = \"coverage\"", "");
  EXPECT_EQ(said.exit_code, 0) << said.out << said.err;
  EXPECT_EQ(said.out.find("BROKEN"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("no counterexample in"), std::string::npos) << said.out;
  EXPECT_EQ(said.err, "");
}

#endif

}  // namespace
}  // namespace hindsight
