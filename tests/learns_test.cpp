// Who learns at the horizons people have, and who does not: the theorems' schedules on i.i.d.
// coverage, any 3 of 10, 20 seeds, against the best fixed set (exact, by enumeration) and against
// the same code with learning off.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <thread>

#include "hindsight/reports/statistics.hpp"
#include "hindsight/runs/grid.hpp"

namespace hindsight {
namespace {

bool small_scale() {
  const char* scale = std::getenv("HINDSIGHT_TEST_SCALE");
  return scale && std::string(scale) == "small";
}

/// Share of the best fixed set by learner, over seeds, with and without learning.
std::map<std::string, std::vector<double>> shares(const std::string& kind, Round rounds) {
  const std::string text =
      "rounds = " + std::to_string(rounds) +
      "\nseeds = 20\n"
      "[game]\nkind = 'coverage'\ndimension = 10\n"
      "[domain]\nkind = 'uniform-matroid'\nrank = 3\n"
      "[[learner]]\nkind = '" +
      kind + "'\nname = 'learns'\n[[learner]]\nkind = '" + kind +
      "'\nname = 'control'\nlearning = false\n[[learner]]\nkind = 'constant'\n";
  const int jobs = static_cast<int>(std::thread::hardware_concurrency());
  std::map<std::string, std::vector<double>> result;
  for (const ResultRow& row : play_grid(parse_experiment(text, "test.toml"), jobs).rows) {
    EXPECT_EQ(row.hindsight_lower, row.hindsight_upper) << "the comparator is exact here";
    if (row.name != "constant") {
      EXPECT_EQ(row.schedule, "theorem");
    }
    result[row.name].push_back(row.ratio_lower());
  }
  const MeanAndError learns = mean_and_error(result["learns"]),
                     control = mean_and_error(result["control"]);
  std::printf("%s, T = %lld: %.4f +- %.4f of the best fixed set; learning off %.4f +- %.4f\n",
              kind.c_str(), static_cast<long long>(rounds), learns.mean, learns.standard_error,
              control.mean, control.standard_error);
  return result;
}

/// On the same 20 seeds, the mean difference in units of its standard error.
double paired_t(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> difference;
  for (std::size_t i = 0; i < a.size(); ++i) difference.push_back(a[i] - b[i]);
  const MeanAndError d = mean_and_error(difference);
  return d.mean / d.standard_error;
}

double mean(const std::vector<double>& values) { return mean_and_error(values).mean; }

TEST(Learns, MonoFrankWolfeEarnsNinetyThreePercent) {
  auto result = shares("mono-frank-wolfe", small_scale() ? 2000 : 100000);
  if (!small_scale()) {
    EXPECT_GE(mean(result["learns"]), .93);
  }
  EXPECT_GE(mean(result["learns"]), mean(result["control"]) + .2);
}

TEST(Learns, MetaFrankWolfeEarnsNinetySevenPercent) {
  auto result = shares("meta-frank-wolfe", small_scale() ? 400 : 10000);
  if (!small_scale()) {
    EXPECT_GE(mean(result["learns"]), .97);
  }
  EXPECT_GE(mean(result["learns"]), mean(result["control"]) + .2);
}

/// Iterates and oracles in f32 lose digits and not reward. Roundings are unlike noise: the largest
/// difference of one seed is looked at, not their mean. Any 3 of 10, which are projected in f64;
/// any 30 of 100 and 10 of 300, in f32, the last with long directions.
TEST(Learns, TheSameInHalfTheMemory) {
  struct Size {
    int dimension, rank;
    Round rounds;
    int seeds;
  };
  for (const Size size : {Size{10, 3, 100000, 20}, Size{100, 30, 20000, 5}, Size{300, 10, 5000, 2}})
    for (const std::string kind : {"mono-frank-wolfe", "bandit-frank-wolfe"}) {
      if (small_scale() && size.dimension == 300) continue;  // its optimum takes long
      const Round rounds = small_scale() ? 2000 : size.rounds;
      const std::string text =
          "controls = false\nrounds = " + std::to_string(rounds) +
          "\nseeds = " + std::to_string(size.seeds) +
          "\n[comparator]\nseconds = 0\n"
          "[game]\nkind = 'coverage'\ndimension = " +
          std::to_string(size.dimension) +
          "\n[domain]\nkind = 'uniform-matroid'\nrank = " + std::to_string(size.rank) +
          "\n[[learner]]\nkind = '" + kind + "'\nname = 'f64'\n[[learner]]\nkind = '" + kind +
          "'\nname = 'f32'\nstate = 'f32'\n[[learner]]\nkind = '" + kind +
          "'\nname = 'other steps'\nsteps = 30\n";
      std::map<std::string, std::vector<double>> result;
      for (const ResultRow& row : play_grid(parse_experiment(text, "test.toml"), 2).rows)
        result[row.name].push_back(row.ratio_lower());
      double largest = 0, twin = 0;
      for (std::size_t i = 0; i < result["f64"].size(); ++i) {
        largest = std::max(largest, std::abs(result["f64"][i] - result["f32"][i]));
        twin = std::max(twin, std::abs(result["f64"][i] - result["other steps"][i]));
      }
      std::printf(
          "%s, d = %d, T = %lld: f32 changes the share of the best fixed set by at most %.1e, "
          "another schedule by %.1e\n",
          kind.c_str(), size.dimension, static_cast<long long>(rounds), largest, twin);
      EXPECT_LT(largest, 2e-5) << kind;
      EXPECT_GT(largest, 0) << kind << ": nothing was rounded";
      EXPECT_GT(twin, 2e-5) << kind << ": another schedule must not pass for equal";
    }
}

// The bad news, kept as a test so that nobody bends the schedule: at these horizons the paper's
// bandit learners earn within four percent of what their controls earn, and clearly less than one
// constant point, played without any learning.
TEST(Learns, BanditLearnersEarnLessThanNotLearning) {
  if (small_scale()) GTEST_SKIP() << "needs the full horizon";
  for (const char* kind : {"bandit-frank-wolfe", "responsive-frank-wolfe"})
    for (const Round rounds : {10000, 100000}) {
      auto result = shares(kind, rounds);
      const double gain = mean(result["learns"]) - mean(result["control"]);
      std::printf(
          "  gain over the control %.4f (paired t over 20 seeds: %.1f); constant point %.4f\n",
          gain, paired_t(result["learns"], result["control"]), mean(result["constant"]));
      EXPECT_LT(std::abs(gain), .04) << kind;
      EXPECT_LT(mean(result["learns"]), mean(result["constant"]) - .03) << kind;
    }
}

}  // namespace
}  // namespace hindsight
