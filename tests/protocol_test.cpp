/// The protocol of an honest experiment: every learner beside its control, tuning on seeds that are
/// not reported, curves and comparators that say the same as the rows, and a run that may be
/// interrupted anywhere.
#include "hindsight/runs/protocol.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "hindsight/runs/grid.hpp"

namespace hindsight {
namespace {

using nlohmann::json;
using Names = std::vector<std::string>;

const std::string coverage = "[game]\nkind = 'coverage'\ndimension = 6\nitems = 9\npool = 7\n";
const std::string any_two = "[domain]\nkind = 'uniform-matroid'\nrank = 2\n";

Experiment experiment(const std::string& top, const std::string& learners,
                      const std::string& world = coverage + any_two) {
  return parse_experiment(top + world + learners, "test.toml");
}

std::string learner(const std::string& kind, const std::string& keys = "") {
  return "[[learner]]\nkind = '" + kind + "'\n" + keys;
}

// --- Controls ------------------------------------------------------------------------------------

Names names(const Experiment& e) {
  Names list;
  for (const Settings& settings : e.learners) list.push_back(learner_name(settings));
  return list;
}

Names prepared(const std::string& learners, const std::string& world = coverage + any_two,
               const std::string& top = "rounds = 5\n") {
  return names(prepare(experiment(top, learners, world)));
}

TEST(Controls, every_learner_gets_its_own_and_the_lines_stand_at_the_end) {
  EXPECT_EQ(prepared(learner("mono-frank-wolfe") + learner("bandit-frank-wolfe", "name = 'b'\n")),
            (Names{"mono-frank-wolfe", "mono-frank-wolfe, learning off", "b", "b, learning off",
                   "constant", "random-base"}));
  EXPECT_EQ(prepared(learner("constant")), (Names{"constant", "random-base"}));
}

TEST(Controls, are_the_same_table_with_learning_off) {
  const Experiment e = prepare(experiment(
      "rounds = 5\n", learner("mono-frank-wolfe", "steps = 3\noracle = 'dual-averaging'\n")));
  EXPECT_EQ(e.learners[1].values(), (json{{"kind", "mono-frank-wolfe"},
                                          {"name", "mono-frank-wolfe, learning off"},
                                          {"learning", false},
                                          {"steps", 3},
                                          {"oracle", "dual-averaging"}}));
}

TEST(Controls, what_the_file_has_is_not_added) {
  const std::string off = "learning = false\n";
  EXPECT_EQ(prepared(learner("mono-frank-wolfe", "name = 'off'\n" + off) +
                     learner("mono-frank-wolfe", "name = 'on'\n") + learner("random-base") +
                     learner("constant", "name = 'line'\n")),
            (Names{"off", "on", "random-base", "line"}));
  // A control of other settings is none of this learner.
  EXPECT_EQ(prepared(learner("mono-frank-wolfe", "name = 'off'\nsteps = 2\n" + off) +
                     learner("mono-frank-wolfe", "name = 'on'\n")),
            (Names{"off", "on", "on, learning off", "constant", "random-base"}));
  // One control for two learners of one table.
  EXPECT_EQ(prepared(learner("gradient-ascent") + learner("gradient-ascent", "name = 'again'\n")),
            (Names{"gradient-ascent", "gradient-ascent, learning off", "again", "constant",
                   "random-base"}));
}

TEST(Controls, lines_that_cannot_play_the_game_are_left_out) {
  const Names points = {"gradient-ascent", "gradient-ascent, learning off", "constant"};
  EXPECT_EQ(prepared(learner("gradient-ascent"), coverage + "[domain]\nkind = 'box'\n"), points);
  EXPECT_EQ(
      prepared(learner("gradient-ascent"), "[game]\nkind = 'quadratic'\ndimension = 6\n" + any_two),
      points);
}

TEST(Controls, can_be_switched_off) {
  EXPECT_EQ(
      prepared(learner("mono-frank-wolfe"), coverage + any_two, "rounds = 5\ncontrols = false\n"),
      (Names{"mono-frank-wolfe"}));
}

// --- Tuning --------------------------------------------------------------------------------------

TEST(Tuning, candidates_are_all_combinations) {
  const Settings table("learner", {{"kind", "bandit-frank-wolfe"},
                                   {"name", "b"},
                                   {"radius", {0.1, 0.25}},
                                   {"averaging", {true, false}},
                                   {"oracle", {"dual-averaging"}},
                                   {"steps", 3}});
  const std::vector<Candidate> all = candidates(table);
  Names values;
  for (const Candidate& candidate : all) values.push_back(candidate.values);
  EXPECT_EQ(values, (Names{"averaging=true;oracle=dual-averaging;radius=0.1",
                           "averaging=true;oracle=dual-averaging;radius=0.25",
                           "averaging=false;oracle=dual-averaging;radius=0.1",
                           "averaging=false;oracle=dual-averaging;radius=0.25"}));
  EXPECT_EQ(all[2].settings.values(), (json{{"kind", "bandit-frank-wolfe"},
                                            {"name", "b"},
                                            {"radius", 0.1},
                                            {"averaging", false},
                                            {"oracle", "dual-averaging"},
                                            {"steps", 3}}));
  const Settings plain("learner", {{"kind", "constant"}});
  ASSERT_EQ(candidates(plain).size(), 1u);
  EXPECT_EQ(candidates(plain)[0].settings.values(), plain.values());
  EXPECT_EQ(candidates(plain)[0].values, "");
}

TEST(Tuning, seeds_are_apart_from_those_reported) {
  const auto seeds = [](const std::string& top) {
    return experiment("rounds = 5\n" + top, learner("constant")).tuning_seeds;
  };
  using Seeds = std::vector<std::uint64_t>;
  EXPECT_EQ(seeds("seeds = 20\n"), (Seeds{1000001, 1000002, 1000003, 1000004, 1000005}));
  EXPECT_EQ(seeds("seeds = 1000000\n"), seeds("seeds = 20\n"));
  EXPECT_EQ(seeds("seeds = [1000002]\n"), (Seeds{1000001, 1000003, 1000004, 1000005, 1000006}));
  EXPECT_EQ(seeds("tuning_seeds = 2\n"), (Seeds{1000001, 1000002}));
  EXPECT_EQ(seeds("tuning_seeds = [9, 7]\n"), (Seeds{9, 7}));
  EXPECT_THROW(seeds("seeds = 7\ntuning_seeds = [9, 7]\n"), InputError);
}

const Names radii = {"0.05", "0.1", "0.15", "0.2"};
const std::vector<Round> horizons = {60, 200};

/// The rewards of every radius, played as a learner of its own: horizon, then radius.
std::vector<std::vector<double>> rewards_by_hand(const std::string& seeds, bool learning = true) {
  std::string learners;
  for (const std::string& radius : radii)
    learners +=
        learner("bandit-frank-wolfe", "name = 'r " + radius + "'\nradius = " + radius +
                                          "\nlearning = " + (learning ? "true" : "false") + "\n");
  const Results results =
      play_grid(experiment("rounds = [60, 200]\nseeds = " + seeds + "\n", learners), 1);
  std::vector<std::vector<double>> sums(2, std::vector<double>(radii.size(), 0.0));
  const std::size_t count = results.rows.size() / radii.size() / 2;
  for (std::size_t i = 0; i < results.rows.size(); ++i)
    sums[i / count % 2][i / count / 2] += results.rows[i].reward / static_cast<double>(count);
  return sums;
}

std::size_t best_of(const std::vector<double>& rewards) {
  return static_cast<std::size_t>(std::max_element(rewards.begin(), rewards.end()) -
                                  rewards.begin());
}

Results tuned(const std::string& tuning_seeds, const std::string& seeds) {
  return play_grid(
      prepare(experiment(
          "rounds = [60, 200]\nseeds = " + seeds + "\ntuning_seeds = " + tuning_seeds + "\n",
          learner("bandit-frank-wolfe", "radius = [0.05, 0.1, 0.15, 0.2]\n"))),
      1);
}

/// Chosen on the tuning seeds, a horizon at a time; and the reported rows are those of what was
/// chosen, played alone. The broken twin chooses on the reported seeds: at least one of these pairs
/// of seeds tells the two apart at both horizons.
TEST(Tuning, chooses_on_the_tuning_seeds_alone) {
  bool told_apart = false;
  for (const auto& [tuning, reported] :
       {std::pair("[11, 12, 13]", "[1, 2]"), std::pair("[14, 15]", "[3]"), std::pair("[3]", "[14]"),
        std::pair("[5]", "[6]"), std::pair("[8]", "[9]")}) {
    const Results results = tuned(tuning, reported);
    const auto expected = rewards_by_hand(tuning), twin = rewards_by_hand(reported);
    const auto off = rewards_by_hand(reported, false);
    ASSERT_EQ(results.tuning.size(), radii.size() * 2);
    bool differs = true;
    for (std::size_t h = 0; h < 2; ++h) {
      const std::size_t best = best_of(expected[h]);
      differs = differs && best != best_of(twin[h]);
      for (std::size_t c = 0; c < radii.size(); ++c) {
        const Tuning& row = results.tuning[h * radii.size() + c];
        EXPECT_EQ(row.name, "bandit-frank-wolfe");
        EXPECT_EQ(row.values, "radius=" + radii[c]);
        EXPECT_EQ(row.rounds, horizons[h]);
        EXPECT_EQ(row.mean_reward, expected[h][c]);
        EXPECT_EQ(row.chosen, c == best);
      }
      double reward = 0, control = 0;
      std::size_t seeds = 0;
      for (const ResultRow& row : results.rows) {
        if (row.rounds != horizons[h]) continue;
        if (row.name == "bandit-frank-wolfe") reward += row.reward, ++seeds;
        if (row.name == "bandit-frank-wolfe, learning off") control += row.reward;
      }
      EXPECT_NEAR(reward / static_cast<double>(seeds), twin[h][best], 1e-12);
      // The control plays with its learner's values, not with those that suit it best.
      EXPECT_NEAR(control / static_cast<double>(seeds), off[h][best], 1e-12);
    }
    told_apart = told_apart || differs;
  }
  EXPECT_TRUE(told_apart) << "tuning on the reported seeds would have chosen the same everywhere";
}

TEST(Tuning, without_lists_there_is_none) {
  EXPECT_TRUE(play_grid(experiment("rounds = 5\n", learner("constant")), 1).tuning.empty());
}

TEST(AsPlayed, the_text_is_the_experiment_with_its_changes) {
  const Experiment changed =
      parse_experiment("rounds = 5   # a remark\n" + coverage + any_two + learner("constant") +
                           learner("gradient-ascent", "name = 'a \"b\"'\n"),
                       "test.toml",
                       {"game.noise=.1", "learner.oracle_step=[1e-300, 0.30000000000000004]",
                        "seeds=[9007199254740992, 3]"});
  const Experiment again = parse_experiment(changed.text, "test.toml");
  EXPECT_EQ(again.text, changed.text);
  EXPECT_EQ(again.game.values(), changed.game.values());
  EXPECT_EQ(again.domain.values(), changed.domain.values());
  EXPECT_EQ(again.seeds, changed.seeds);
  EXPECT_EQ(again.game.values()["noise"], 0.1);
  ASSERT_EQ(again.learners.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_EQ(again.learners[i].values(), changed.learners[i].values());
  EXPECT_EQ(again.learners[1].values()["oracle_step"], (json{1e-300, 0.30000000000000004}));
}

// --- Curves and comparators ----------------------------------------------------------------------

TEST(Curves, checkpoints_are_sixteen_a_decade_and_end_at_the_end) {
  for (const Round rounds : {1, 2, 3, 10, 100, 101, 12345, 100'000'000}) {
    const std::vector<Round> list = checkpoints(rounds);
    EXPECT_EQ(list.front(), 1);
    EXPECT_EQ(list.back(), rounds);
    EXPECT_LE(static_cast<double>(list.size()), 2 + 16 * std::log10(rounds));
    for (std::size_t i = 1; i < list.size(); ++i) {
      EXPECT_GT(list[i], list[i - 1]);
      // 10^{1/16} = 1.155, and a round for rounding
      EXPECT_LE(static_cast<double>(list[i]), 1.155 * static_cast<double>(list[i - 1]) + 1);
    }
  }
  EXPECT_EQ(checkpoints(7), (std::vector<Round>{1, 2, 3, 4, 5, 6, 7}));
}

TEST(Curves, end_with_the_row_and_pass_through_shorter_runs) {
  // These two know no horizon, so that a shorter run is the beginning of a longer one.
  const std::string learners = learner("gradient-ascent") + learner("random-base");
  const Results results = play_grid(experiment("rounds = 300\nseeds = 3\n", learners), 2);
  ASSERT_EQ(results.curves.size(), results.rows.size());
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    const ResultRow& row = results.rows[i];
    const CurvePoint& last = results.curves[i].back();
    EXPECT_EQ(last.round, row.rounds);
    EXPECT_EQ(last.reward, row.reward);
    EXPECT_EQ(last.value_queries, row.value_queries);
    EXPECT_EQ(last.gradient_queries, row.gradient_queries);
    EXPECT_EQ(last.seconds, row.seconds);
    EXPECT_EQ(results.curves[i].size(), checkpoints(300).size());
  }
  for (const Round rounds : {1, 10, 100}) {
    const Results shorter =
        play_grid(experiment("rounds = " + std::to_string(rounds) + "\nseeds = 3\n", learners), 1);
    for (std::size_t i = 0; i < shorter.rows.size(); ++i) {
      const auto point = std::find_if(results.curves[i].begin(), results.curves[i].end(),
                                      [&](const CurvePoint& p) { return p.round == rounds; });
      ASSERT_NE(point, results.curves[i].end());
      EXPECT_EQ(point->reward, shorter.rows[i].reward);
      EXPECT_EQ(point->gradient_queries, shorter.rows[i].gradient_queries);
    }
  }
}

TEST(Comparators, are_those_of_the_rows_with_continuous_greedy) {
  const Results results =
      play_grid(experiment("rounds = [20, 50]\nseeds = 3\n", learner("constant")), 2);
  ASSERT_EQ(results.comparators.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    const Comparator& c = results.comparators[i];
    EXPECT_EQ(c.rounds, results.rows[i].rounds);
    EXPECT_EQ(c.seed, results.rows[i].seed);
    EXPECT_EQ(c.lower, results.rows[i].hindsight_lower);
    EXPECT_EQ(c.upper, results.rows[i].hindsight_upper);
    EXPECT_FALSE(c.lower_by.empty());
    ASSERT_TRUE(c.continuous_greedy);
    EXPECT_LE(*c.continuous_greedy, c.upper * (1 + 1e-12));
    EXPECT_GE(*c.continuous_greedy, (1 - 1 / std::numbers::e) * c.lower);
  }
}

// --- A store that fails --------------------------------------------------------------------------

/// Keeps so many parts, then breaks.
class FragileStore final : public PartStore {
 public:
  std::optional<json> find(const json& key) const override {
    const auto at = parts_.find(key.dump());
    return at == parts_.end() ? std::nullopt : std::optional(json::parse(at->second));
  }
  void keep(const json& key, const json& part) override {
    const std::lock_guard lock(mutex_);
    if (left_ == 0) throw std::runtime_error("full");
    --left_;
    EXPECT_TRUE(parts_.emplace(key.dump(), part.dump()).second) << key << " was played twice";
  }
  void allow(std::size_t count) { left_ = count; }
  std::size_t size() const { return parts_.size(); }

 private:
  std::map<std::string, std::string> parts_;
  std::mutex mutex_;
  std::size_t left_ = 0;
};

std::vector<double> rewards(const Results& results) {
  std::vector<double> list;
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    list.push_back(results.rows[i].reward);
    for (const CurvePoint& point : results.curves[i]) list.push_back(point.reward);
  }
  for (const Comparator& c : results.comparators) {
    list.push_back(c.lower);
    list.push_back(*c.continuous_greedy);
  }
  for (const Tuning& t : results.tuning) list.push_back(t.mean_reward);
  return list;
}

TEST(Continued, wherever_it_broke_it_ends_alike_and_tells_what_it_found) {
  const Experiment e = prepare(experiment(
      "rounds = [10, 40]\nseeds = 2\ntuning_seeds = 1\n",
      learner("gradient-ascent", "oracle_step = [0.1, 1]\n") + learner("responsive-frank-wolfe")));
  const std::vector<double> expected = rewards(play_grid(e, 1));
  // 6 learners and 2 candidates on 1 seed; 2 horizons; 4 comparators
  const std::size_t cells = 6 * 2 * 2 + 2 * 2, all = cells + 4;
  for (std::size_t first = 0; first < all; ++first) {
    FragileStore store;
    store.allow(first);
    EXPECT_THROW(play_grid(e, 1 + first % 3, {}, &store), std::runtime_error);
    EXPECT_EQ(store.size(), first);
    store.allow(all - first);
    Progress last;
    const Results results = play_grid(
        e, 2, [&](const Progress& p) { last = p; }, &store);
    EXPECT_EQ(rewards(results), expected);
    EXPECT_EQ(last.cells_done, cells);
    EXPECT_EQ(last.cells, cells);
    EXPECT_EQ(last.comparators_done, 4u);
    EXPECT_EQ(last.rounds_done, last.rounds);
    EXPECT_EQ(last.rounds, 50 * (6 * 2 + 2));
    if (first == 0) {
      EXPECT_EQ(last.rounds_found, 0);
    } else if (first >= cells) {
      EXPECT_EQ(last.rounds_found, last.rounds);
    } else {
      EXPECT_GT(last.rounds_found, 0);
      EXPECT_LT(last.rounds_found, last.rounds);
    }
  }
}

/// What `report` throws ends everything, also the cells that other threads are in the middle of.
TEST(Continued, a_report_that_throws_ends_the_run) {
  struct Enough {};
  const Experiment e = experiment("rounds = 1e13\nseeds = 4\n", learner("constant"));
  for (const int jobs : {1, 3}) {
    int calls = 0;
    const auto report = [&](const Progress&) {
      if (++calls >= 5) throw Enough{};
    };
    EXPECT_THROW(play_grid(e, jobs, report), Enough);
  }
}

}  // namespace
}  // namespace hindsight
