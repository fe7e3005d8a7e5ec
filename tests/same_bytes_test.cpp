/// Results are a function of the experiment: threads, repetition and company change no number. Only
/// `seconds` and `peak_bytes` may differ. And the numbers of a row fit together.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "tests/command.hpp"

namespace {

using command::Folder;
using command::Outcome;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

const std::string top = "rounds = [40, 150]\nseeds = [3, 8]\n";
const std::string world =
    "[game]\nkind = \"coverage\"\ndimension = 6\nitems = 9\npool = 7\nphases = 2\nnoise = 0.1\n"
    "gradient_noise = 0.1\n[domain]\nkind = \"uniform-matroid\"\nrank = 2\n";
// One of every kind, the control, one that is tuned, and names that a CSV file must quote. What a
// run adds by itself is switched off: each learner is to be seen alone.
const Words learners = {
    "[[learner]]\nkind = \"mono-frank-wolfe\"\n",
    "[[learner]]\nkind = \"mono-frank-wolfe\"\nname = \"control\"\nlearning = false\n",
    "[[learner]]\nkind = \"mono-frank-wolfe\"\nname = \"a, \\\"b\\\"\"\noracle = "
    "\"perturbed-leader\"\n",
    "[[learner]]\nkind = \"bandit-frank-wolfe\"\noracle = \"dual-averaging\"\n",
    "[[learner]]\nkind = \"responsive-frank-wolfe\"\n",
    "[[learner]]\nkind = \"meta-frank-wolfe\"\nmax_steps = 5\n",
    "[[learner]]\nkind = \"vr-frank-wolfe\"\nmax_steps = 5\n",
    "[[learner]]\nkind = \"mono-frank-wolfe\"\nname = \"doubling\"\nhorizon = \"unknown\"\n"
    "first_horizon = 20\n",
    "[[learner]]\nkind = \"gradient-ascent\"\n",
    "[[learner]]\nkind = \"gradient-ascent\"\nname = \"tuned\"\noracle_step = [0.01, 0.1, 1]\n",
    "[[learner]]\nkind = \"constant\"\n",
    "[[learner]]\nkind = \"constant\"\nname = \"rounded\"\nsets = true\n",
    "[[learner]]\nkind = \"random-base\"\n",
};

std::string joined(const Words& texts) {
  std::string all;
  for (const std::string& text : texts) all += text;
  return all;
}

struct Run {
  std::string csv;
  std::vector<Json> rows;  // from --json
};

Run play(const Words& who, const Words& options = {}, const std::string& horizon = top) {
  Folder folder;
  folder.write("e.toml", "controls = false\n" + horizon + world + joined(who));
  Words arguments = {"run", "e.toml", "--json", "--out", "out"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Outcome outcome = command::run(HINDSIGHT_COMMAND, arguments, folder);
  if (outcome.exit_code != 0) throw std::runtime_error(outcome.err);
  Run run{folder.read("out/results.csv"), {}};
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) run.rows.push_back(Json::parse(line));
  return run;
}

/// The fields of a line; our texts have no line breaks.
Words fields_of(const std::string& line) {
  Words fields = {""};
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[i++];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += line[i];
  }
  return fields;
}

std::vector<Words> table(const std::string& csv) {
  std::vector<Words> lines;
  std::istringstream in(csv);
  for (std::string line; std::getline(in, line);) lines.push_back(fields_of(line));
  return lines;
}

const Words columns = {"learner",     "name",          "schedule",         "oracle",
                       "learning",    "game",          "rounds",           "seed",
                       "dimension",   "reward",        "hindsight_lower",  "hindsight_upper",
                       "alpha",       "regret_lower",  "regret_upper",     "ratio_lower",
                       "ratio_upper", "value_queries", "gradient_queries", "infeasible_plays",
                       "seconds",     "peak_bytes"};

/// The lines without what may differ, text for text.
std::vector<Words> lasting(const std::string& csv) {
  std::vector<Words> lines = table(csv);
  for (Words& line : lines) {
    EXPECT_EQ(line.size(), columns.size());
    line.resize(columns.size() - 2);
  }
  return lines;
}

/// By name, horizon and seed, whatever their order.
std::vector<Words> sorted(std::vector<Words> lines) {
  std::sort(lines.begin(), lines.end());
  return lines;
}

const Run& reference() {
  static const Run run = play(learners, {"--jobs", "1"});
  return run;
}

TEST(SameBytes, header) {
  EXPECT_EQ(table(reference().csv).front(), columns);
  EXPECT_EQ(reference().csv.find("learner,name,schedule,oracle,learning,game,rounds,seed,dimension,"
                                 "reward,hindsight_lower,hindsight_upper,alpha,regret_lower,"
                                 "regret_upper,ratio_lower,ratio_upper,value_queries,"
                                 "gradient_queries,infeasible_plays,seconds,peak_bytes\n"),
            0u);
  EXPECT_EQ(table(reference().csv).size(), 1 + learners.size() * 4);
}

TEST(SameBytes, a_second_run) { EXPECT_EQ(lasting(play(learners).csv), lasting(reference().csv)); }

TEST(SameBytes, any_number_of_threads) {
  for (const char* jobs : {"2", "5"})
    EXPECT_EQ(lasting(play(learners, {"--jobs", jobs}).csv), lasting(reference().csv)) << jobs;
}

/// More threads than runs: they share the work of the one there is, whose dimension is large.
TEST(SameBytes, threads_within_a_run) {
  const Words alone = {"--jobs", "1",
                       "--set",  "game.dimension=600",
                       "--set",  "domain.rank=50",
                       "--set",  "comparator.seconds=0"};
  Words shared = alone;
  shared[1] = "3";
  for (const char* learner :
       {"[[learner]]\nkind = \"mono-frank-wolfe\"\n",
        "[[learner]]\nkind = \"bandit-frank-wolfe\"\nsteps = 30\nblock_length = 40\n"}) {
    const std::string once = "rounds = 150\nseeds = [3]\n";
    EXPECT_EQ(lasting(play({learner}, shared, once).csv), lasting(play({learner}, alone, once).csv))
        << learner;
  }
}

TEST(SameBytes, whatever_the_order_of_the_learners) {
  const Words reversed(learners.rbegin(), learners.rend());
  EXPECT_EQ(sorted(lasting(play(reversed).csv)), sorted(lasting(reference().csv)));
}

TEST(SameBytes, whatever_the_company) {
  const auto all = lasting(reference().csv);
  for (std::size_t i = 0; i < learners.size(); ++i) {
    const auto alone = lasting(play({learners[i]}).csv);
    ASSERT_EQ(alone.size(), 5u);
    EXPECT_TRUE(std::equal(alone.begin() + 1, alone.end(), all.begin() + 1 + 4 * i)) << learners[i];
  }
}

/// A horizon and a seed are played alike alone and beside others.
TEST(SameBytes, whatever_the_other_horizons_and_seeds) {
  const auto all = lasting(reference().csv);
  for (auto line : lasting(play(learners, {}, "rounds = 150\nseeds = [8]\n").csv))
    EXPECT_NE(std::find(all.begin(), all.end(), line), all.end()) << line[1];
}

/// The broken twin: these comparisons can fail.
TEST(SameBytes, other_seeds_differ) {
  const auto rows = table(play(learners, {}, "rounds = [40, 150]\nseeds = [3, 9]\n").csv);
  const auto old = table(reference().csv);
  const std::size_t reward = 9;
  ASSERT_EQ(rows.size(), old.size());
  for (std::size_t i = 1; i < rows.size(); ++i)
    EXPECT_EQ(rows[i][reward] == old[i][reward], rows[i][7] == "3") << rows[i][1];
}

TEST(SameBytes, json_rows_say_the_same) {
  const auto lines = table(reference().csv);
  ASSERT_EQ(reference().rows.size() + 1, lines.size());
  for (std::size_t i = 0; i < reference().rows.size(); ++i) {
    const Json& row = reference().rows[i];
    Words keys, values;
    for (const auto& [key, value] : row.items()) {
      keys.push_back(key);
      values.push_back(value.is_string() ? value.get<std::string>() : value.dump());
    }
    EXPECT_EQ(keys, columns);
    EXPECT_EQ(values, lines[i + 1]);
  }
}

TEST(SameBytes, columns_fit_together) {
  std::set<std::string> names;
  for (const Json& row : reference().rows) {
    const auto number = [&](const char* key) { return row[key].get<double>(); };
    const std::string kind = row["learner"], name = row["name"];
    SCOPED_TRACE(name + ", " + row.dump());
    names.insert(name);
    const double alpha = number("alpha"), reward = number("reward");
    const double lower = number("hindsight_lower"), upper = number("hindsight_upper");
    EXPECT_EQ(alpha, 1 - 1 / std::numbers::e);
    EXPECT_GT(reward, 0);
    EXPECT_LE(lower, upper);
    EXPECT_EQ(number("regret_lower"), alpha * lower - reward);
    EXPECT_EQ(number("regret_upper"), alpha * upper - reward);
    EXPECT_EQ(number("ratio_lower"), reward / upper);
    EXPECT_EQ(number("ratio_upper"), reward / lower);
    EXPECT_EQ(row["dimension"], 6);
    EXPECT_EQ(row["game"], "coverage");

    const bool learns = kind != "constant" && kind != "random-base";
    EXPECT_EQ(row["learning"].get<bool>(), learns && name != "control");
    EXPECT_EQ(row["oracle"].get<std::string>().empty(), !learns);
    const long rounds = row["rounds"];
    EXPECT_EQ(row["value_queries"], rounds);
    const long gradients = row["gradient_queries"];
    if (kind == "meta-frank-wolfe" || kind == "vr-frank-wolfe") {
      EXPECT_EQ(gradients, 5 * rounds);
    } else if (name == "doubling") {
      EXPECT_LE(gradients, rounds);
    } else if (kind == "mono-frank-wolfe") {
      // Whole blocks of K = T^{3/5} rounds; what is learned in the rest would never be used.
      const long K = std::lround(std::pow(static_cast<double>(rounds), 0.6));
      EXPECT_EQ(gradients, rounds / K * K);
    } else {
      EXPECT_EQ(gradients, kind == "gradient-ascent" ? rounds : 0);
    }
    if (kind != "responsive-frank-wolfe") {
      EXPECT_EQ(row["infeasible_plays"], 0);
    }
    EXPECT_GE(number("seconds"), 0);
    EXPECT_GT(number("peak_bytes"), 0);
  }
  EXPECT_EQ(names.size(), learners.size());
}

/// All learners of one horizon and seed are compared with the same best decision.
TEST(SameBytes, one_comparator_for_all) {
  std::map<std::pair<long, long>, std::set<double>> comparators;
  for (const Json& row : reference().rows)
    comparators[{row["rounds"], row["seed"]}].insert(row["hindsight_lower"].get<double>());
  EXPECT_EQ(comparators.size(), 4u);
  for (const auto& [cell, values] : comparators) EXPECT_EQ(values.size(), 1u);
}

TEST(SameBytes, traces) {
  Folder folder;
  folder.write("e.toml", top + world + joined(learners));
  for (const std::string name :
       {"mono-frank-wolfe", "bandit-frank-wolfe", "responsive-frank-wolfe", "meta-frank-wolfe",
        "vr-frank-wolfe", "gradient-ascent", "constant", "rounded", "random-base"}) {
    const auto trace = [&](const std::string& seed) {
      const Outcome outcome = command::run(
          HINDSIGHT_COMMAND,
          {"trace", "e.toml", "--learner", name, "--rounds", "30", "--seed", seed}, folder);
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
      return outcome.out;
    };
    const std::string once = trace("4");
    EXPECT_NE(once, "") << name;
    EXPECT_EQ(once, trace("4")) << name;
    EXPECT_NE(once, trace("5")) << name;
  }
}

}  // namespace
