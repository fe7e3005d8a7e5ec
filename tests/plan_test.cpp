/// `hindsight plan`: the schedules' numbers, the theorems' bounds recomputed from the text of the
/// theorems, from where they say anything, and the memory that a learner really takes.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/games/game_registry.hpp"
#include "hindsight/learners/registry.hpp"
#include "hindsight/runs/runner.hpp"
#include "hindsight/runs/world.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HINDSIGHT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HINDSIGHT_SANITIZED 1
#endif
#endif

#ifndef HINDSIGHT_SANITIZED
#include <malloc.h>

namespace {

long live_bytes = 0;
bool counting = false;

void* allocate(std::size_t size) {
  void* memory = std::malloc(size ? size : 1);
  if (!memory) throw std::bad_alloc();
  if (counting) live_bytes += static_cast<long>(malloc_usable_size(memory));
  return memory;
}

void* allocate(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  void* memory =
      std::aligned_alloc(step, (std::max<std::size_t>(size, 1) + step - 1) / step * step);
  if (!memory) throw std::bad_alloc();
  if (counting) live_bytes += static_cast<long>(malloc_usable_size(memory));
  return memory;
}

void release(void* memory) {
  if (memory && counting) live_bytes -= static_cast<long>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

// The nothrow forms of the standard library call these.
void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t a) { return allocate(size, a); }
void* operator new[](std::size_t size, std::align_val_t a) { return allocate(size, a); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
#endif

#ifdef HINDSIGHT_COMMAND

namespace hindsight {
namespace {

using Json = nlohmann::json;

const char* const three_learners =
    "[[learner]]\nkind = \"mono-frank-wolfe\"\n"
    "[[learner]]\nkind = \"bandit-frank-wolfe\"\n"
    "[[learner]]\nkind = \"responsive-frank-wolfe\"\n";

/// Coverage in 10 dimensions, any 3 of the items.
std::string experiment(const std::string& rounds, const std::string& learners = three_learners,
                       const std::string& game_keys = "") {
  return "rounds = " + rounds + "\nseeds = 1\n[game]\nkind = \"coverage\"\ndimension = 10\n" +
         game_keys + "[domain]\nkind = \"uniform-matroid\"\nrank = 3\n" + learners;
}

std::string plan(const std::string& toml, const std::string& arguments) {
  std::string folder = (std::filesystem::temp_directory_path() / "plan-XXXXXX").string();
  if (!mkdtemp(folder.data())) throw std::runtime_error("no temporary directory");
  const std::filesystem::path at = folder;
  std::ofstream(at / "experiment.toml") << toml;
  const std::string command = std::string("\"") + HINDSIGHT_COMMAND + "\" plan \"" +
                              (at / "experiment.toml").string() + "\" " + arguments + " > \"" +
                              (at / "out").string() + "\"";
  const int status = std::system(command.c_str());
  std::ostringstream text;
  text << std::ifstream(at / "out").rdbuf();
  std::filesystem::remove_all(at);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << command;
  return text.str();
}

std::vector<Json> planned(const std::string& toml, const std::string& arguments = "") {
  std::vector<Json> objects;
  std::istringstream lines(plan(toml, "--json " + arguments));
  for (std::string line; std::getline(lines, line);) objects.push_back(Json::parse(line));
  return objects;
}

// --- The schedules -------------------------------------------------------------------------------

TEST(Plan, TheParametersForAMillionRounds) {
  const auto objects = planned(experiment("1000000"));
  ASSERT_EQ(objects.size(), 3u);
  const Json &mono = objects[0], &bandit = objects[1], &responsive = objects[2];
  EXPECT_EQ(mono["learner"], "mono-frank-wolfe");
  EXPECT_EQ(mono["K"], 3981);  // 1e6^{3/5} = 3981.07
  EXPECT_EQ(mono["L"], 3981);
  EXPECT_EQ(mono["Q"], 251);
  EXPECT_FALSE(mono.contains("delta"));
  for (const Json& object : {bandit, responsive}) {
    EXPECT_EQ(object["K"], 10000);
    EXPECT_EQ(object["L"], 46416);  // 1e6^{7/9} = 46415.9
    EXPECT_EQ(object["Q"], 21);
    // r = 3/sqrt 10; r / (sqrt 10 + 2) * 1e6^{-1/9}
    const double r = 3 / std::sqrt(10.0);
    const double delta = r / (std::sqrt(10.0) + 2) * std::pow(10.0, -6.0 / 9);
    EXPECT_NEAR(object["delta"].get<double>(), delta, 1e-12);
    EXPECT_NEAR(object["delta"].get<double>(), 0.03959252, 1e-8);
    EXPECT_NEAR(object["alpha"].get<double>(), (std::sqrt(10.0) + 1) * delta / r, 1e-12);
    EXPECT_NEAR(object["constants"]["r"].get<double>(), r, 1e-12);
  }
  for (const Json& object : objects) EXPECT_EQ(object["schedule"], "theorem");
}

// --- The theorems, in the paper's words ----------------------------------------------------------

struct Letters {
  double d, r, R, D, M0, M1, L1, L2, sigma0, C;
  explicit Letters(const Json& c)
      : d(c["d"]),
        r(c["r"]),
        R(c["R"]),
        D(c["D"]),
        M0(c["M0"]),
        M1(c["M1"]),
        L1(c["L1"]),
        L2(c["L2"]),
        sigma0(c["sigma0"]),
        C(c["C"]) {}
};

double first_theorem(const Letters& c, double T) {
  const double G = std::pow(c.L2 * c.R + 2 * c.L1, 2);
  const double noise = c.L1 * c.L1 + c.sigma0 * c.sigma0;
  const double N = std::max({std::pow(5, 2. / 3) * std::pow(c.L1 + c.M0, 2), 4 * noise + 32 * G,
                             2.25 * noise + 7 * G / 3});
  return (N + c.C + c.D * c.D) * std::pow(T, .8) + c.L2 * c.D * c.D / 2 * std::pow(T, .4);
}

double second_theorem(const Letters& c, double T) {
  const double e = std::numbers::e, root = std::sqrt(c.d), s = root + 2;
  const double N = (1 - 1 / e) * c.r / s * (root * (c.R / c.r + 1) + c.R / c.r) * c.L1 +
                   (2 - 1 / e) * c.r / s * c.L1 + 2 * c.M1 +
                   3 * std::pow(4, 1. / 6) * s * c.d * c.d * c.M1 * c.M1 / c.r +
                   3 * s * c.D * c.D / (4 * c.r) + c.C;
  const double drift = 3 * c.r * (2 * c.L1 * c.L1 + std::pow(3 * c.L2 * c.R + 2 * c.L1, 2)) /
                       (std::pow(4, 1. / 3) * s);
  return N * std::pow(T, 8. / 9) + drift * std::pow(T, 2. / 3) +
         c.L2 * c.D * c.D / 2 * std::pow(T, 1. / 3);
}

double third_theorem(const Letters& c, double T) {
  const double e = std::numbers::e, root = std::sqrt(c.d), s = root + 2;
  const double L1 = 2 * c.M1 * root, L2 = 4 * c.M1 * std::sqrt(c.d * (c.d - 1));
  const double N = (1 - 1 / e) * c.r / s * (c.d / c.r + root * (1 + 1 / c.r)) * L1 +
                   (2 - 1 / e) * c.r / s * L1 + 3 * c.M1 +
                   3 * std::pow(4, 2. / 3) * s * c.d * c.d * c.M1 * c.M1 / c.r +
                   3 * s * c.d / (4 * c.r) + c.C;
  const double drift =
      3 * c.r * (2 * L1 * L1 + std::pow(3 * root * L2 + 2 * L1, 2)) / (std::pow(4, 1. / 3) * s);
  return N * std::pow(T, 8. / 9) + drift * std::pow(T, 2. / 3) + L2 * c.d / 2 * std::pow(T, 1. / 3);
}

void expect_bounds(const std::vector<Json>& objects) {
  double (*const theorems[])(const Letters&, double) = {first_theorem, second_theorem,
                                                        third_theorem};
  ASSERT_EQ(objects.size() % 3, 0u);
  for (std::size_t n = 0; n < objects.size(); ++n) {
    const Json& object = objects[n];
    SCOPED_TRACE(object.dump());
    const auto theorem = theorems[n % 3];
    EXPECT_EQ(object["theorem"], "Theorem " + std::to_string(n % 3 + 1));
    const Letters c(object["constants"]);
    const double T = object["rounds"], bound = object["bound"], trivial = object["trivial_bound"];
    EXPECT_NEAR(bound / theorem(c, T), 1, 1e-12);
    EXPECT_NEAR(trivial, (1 - 1 / std::numbers::e) * c.M1 * T, 1e-9 * trivial);
    EXPECT_EQ(object["vacuous"], bound >= trivial);
    double sum = 0;
    for (const Json& term : object["bound_terms"]) {
      sum += term["value"].get<double>();
      EXPECT_LT(term["exponent"].get<double>(), 1);
    }
    EXPECT_NEAR(sum / bound, 1, 1e-12);
    // From where it says something, it meets the trivial bound.
    const double from = object["telling_from"];
    EXPECT_NEAR(theorem(c, from) / ((1 - 1 / std::numbers::e) * c.M1 * from), 1, 1e-5);
    EXPECT_EQ(object["vacuous"], T < from);
  }
}

TEST(Plan, TheBoundsAreThoseOfTheTheorems) {
  const auto objects = planned(experiment("[10, 1000, 1000000]"));
  ASSERT_EQ(objects.size(), 9u);
  expect_bounds(objects);
  for (const Json& object : objects) EXPECT_EQ(object["vacuous"], true);
}

TEST(Plan, NoiseAndConstantsEnterTheBounds) {
  expect_bounds(planned(experiment("100000", three_learners, "gradient_noise = 0.5\n")));
  const auto given = planned(experiment("100000"), "--constant M1=1 --constant C=2.5");
  expect_bounds(given);
  EXPECT_EQ(given[0]["constants"]["M1"], 1);
  EXPECT_EQ(given[0]["constants"]["C"], 2.5);
}

TEST(Plan, ABoundThatSaysSomethingIsNotVacuous) {
  // Nearly flat functions: the first theorem's T^{4/5} comes below T early.
  const std::string flat =
      "--constant L1=1e-4 --constant L2=0 --constant M0=1e-4 --constant C=0 "
      "--constant D=1 --constant M1=1";
  const auto objects = planned(experiment("1000000"), flat);
  expect_bounds(objects);
  EXPECT_EQ(objects[0]["vacuous"], false);
  EXPECT_LT(objects[0]["telling_from"].get<double>(), 1e6);
}

TEST(Plan, TheTextSaysVacuousAndFromWhere) {
  const auto objects = planned(experiment("1000000"));
  const std::string text = plan(experiment("1000000"), "");
  std::size_t at = 0;
  for (const Json& object : objects) {
    at = text.find("VACUOUS", at + 1);
    ASSERT_NE(at, std::string::npos) << text;
    char from[64];
    std::snprintf(from, sizeof from, "from T = %.3g on", object["telling_from"].get<double>());
    EXPECT_EQ(text.find(from, at), text.find("from T = ", at)) << text;
  }
  EXPECT_NE(text.find("K = 10000 steps, L = 46416 rounds a block, Q = 21 blocks"),
            std::string::npos);
  EXPECT_NE(text.find("K = 3981 steps"), std::string::npos);
}

TEST(Plan, WithoutATheoremNoBoundIsClaimed) {
  const auto objects = planned(experiment(
      "1000",
      "[[learner]]\nkind = \"mono-frank-wolfe\"\nsteps = 20\nname = "
      "\"a\"\n"
      "[[learner]]\nkind = \"mono-frank-wolfe\"\nlearning = false\nname = \"b\"\n"
      "[[learner]]\nkind = \"meta-frank-wolfe\"\n[[learner]]\nkind = \"sampled-vertex\"\n"));
  ASSERT_EQ(objects.size(), 4u);
  for (const Json& object : objects) {
    EXPECT_FALSE(object.contains("bound")) << object.dump();
    EXPECT_TRUE(object.contains("guarantee")) << object.dump();
  }
  EXPECT_EQ(objects[0]["K"], 20);
}

TEST(Plan, EveryCombinationOfWhatIsTunedIsPlanned) {
  const auto objects =
      planned(experiment("1000", "[[learner]]\nkind = \"mono-frank-wolfe\"\nsteps = [20, 30]\n"));
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_EQ(objects[0]["K"], 20);
  EXPECT_EQ(objects[0]["values"], "steps=20");
  EXPECT_EQ(objects[1]["K"], 30);
  EXPECT_EQ(objects[1]["values"], "steps=30");
}

// --- Memory --------------------------------------------------------------------------------------

TEST(Plan, TheMemoryIsWhatALearnerTakes) {
#ifdef HINDSIGHT_SANITIZED
  GTEST_SKIP() << "sanitizers bring their own allocator";
#else
  for (const Round T : {20000, 200000})
    for (const Json& object : planned(experiment(std::to_string(T)))) {
      const std::string kind = object["learner"];
      Settings game_settings("game", {{"kind", "coverage"}, {"dimension", 10}});
      const GamePtr game = make_game(game_settings, {.seed = 1, .horizon = T, .folder = ""});
      const DomainPtr domain = uniform_matroid(10, 3);
      const Settings settings("learner", {{"kind", kind}});
      Ledger ledger;
      live_bytes = 0;
      counting = true;
      const LearnerPtr learner = make_learner(settings, {domain, T, 1});
      // Two blocks, so that everything it keeps has been used; the loop itself keeps nothing.
      play(*learner, *game, ledger, 2 * object["L"].get<Round>() + 1);
      counting = false;
      const double printed = object["memory_bytes"];
      std::printf("%-22s T = %6ld: planned %9.0f bytes, taken %9ld\n", kind.c_str(),
                  static_cast<long>(T), printed, live_bytes);
      EXPECT_LT(live_bytes, 1.5 * printed) << kind << ", T = " << T;
      EXPECT_GT(live_bytes, printed / 1.5) << kind << ", T = " << T;
    }
#endif
}

/// 20,000 items and two million steps: 640 GB.
TEST(Plan, WhatDoesNotFitIntoTheMachineIsRefusedBeforeItIsBuilt) {
  if (machine_bytes() > 6e11) GTEST_SKIP() << "this machine would play it";
  Settings game_settings("game",
                         {{"kind", "coverage"}, {"dimension", 20000}, {"pool", 1}, {"items", 1}});
  const World world{make_game(game_settings, {.seed = 1, .horizon = 1, .folder = ""}),
                    uniform_matroid(20000, 1)};
  const Settings settings("learner", {{"kind", "mono-frank-wolfe"}, {"steps", 2000000}});
  try {
    make_fitting_learner(settings, world, 4000000, 1);
    ADD_FAILURE() << "it was built";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find("learner.steps = 2000000: needs 6.4"), 0u)
        << error.what();
  }
  make_fitting_learner(settings.with("steps", 20), world, 4000000, 1);  // 6 MB
}

}  // namespace
}  // namespace hindsight

#endif
