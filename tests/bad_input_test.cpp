/// What the command says to bad input: exit code 2; a message with the place, the key, the value
/// and the rule; nothing on standard output; and no file or folder left behind, not even an empty
/// one.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/command.hpp"

namespace {

using command::Folder;
using command::Outcome;
using Words = std::vector<std::string>;

/// Do not judge memory or deep recursion under sanitizers, which need more of both.
#ifdef __SANITIZE_ADDRESS__
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

Outcome hindsight(const Words& arguments, const Folder& folder, rlim_t bytes = 0) {
  return command::run(HINDSIGHT_COMMAND, arguments, folder, 120, bytes);
}

// --- Experiments, of which one part is bad -------------------------------------------------------

/// The first line of [game]'s keys is 4, of [domain]'s 9, of [[learner]]'s 12, unless changed.
struct Parts {
  std::string top = "rounds = 50\nseeds = 2";
  std::string game = "kind = \"coverage\"\ndimension = 6\nitems = 8\npool = 5";
  std::string domain = "kind = \"uniform-matroid\"\nrank = 2";
  std::string learner = "kind = \"mono-frank-wolfe\"";
  std::string rest = {};
};

std::string experiment(const Parts& p = {}) {
  return p.top + "\n[game]\n" + p.game + "\n[domain]\n" + p.domain + "\n[[learner]]\n" + p.learner +
         "\n" + p.rest;
}

std::string kind(const std::string& name, const std::string& keys = "") {
  return "kind = \"" + name + "\"\n" + keys;
}

struct Bad {
  std::string name;
  std::string toml;
  Words fragments;  // what the message must hold
  Words verbs;
  std::string replay = {};  // functions.jsonl, where not empty
};

// Who reads what: every verb reads the top, the game and the domain.
const Words all = {"run", "plan", "check", "solve", "trace"};
const Words players = {"run", "trace"};
const Words planners = {"run", "trace", "plan"};

Words command_line(const std::string& verb) {
  // As text, plan prints the constants before it comes to the learners.
  return verb == "plan" ? Words{verb, "bad.toml", "--json"} : Words{verb, "bad.toml"};
}

void expect_refused(const Words& arguments, const Folder& folder, const Words& fragments,
                    rlim_t bytes = 0) {
  const auto before = folder.entries();
  const Outcome outcome = hindsight(arguments, folder, bytes);
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(folder.entries(), before) << "something was left behind";
  for (const std::string& fragment : fragments)
    EXPECT_NE(outcome.err.find(fragment), std::string::npos)
        << "expected: " << fragment << "\n  said: " << outcome.err.substr(0, 500);
}

void expect_refused(const Bad& bad) {
  Folder folder;
  folder.write("bad.toml", bad.toml);
  if (!bad.replay.empty()) folder.write("functions.jsonl", bad.replay);
  for (const std::string& verb : bad.verbs) {
    SCOPED_TRACE(bad.name + ", " + verb);
    expect_refused(command_line(verb), folder, bad.fragments);
  }
}

void expect_all_refused(const std::vector<Bad>& list) {
  for (const Bad& bad : list) expect_refused(bad);
}

/// Without it, every refusal below could have another reason.
TEST(BadInput, what_it_is_made_from_is_good) {
  Folder folder;
  folder.write("bad.toml", experiment());
  for (const std::string& verb : all) {
    const Outcome outcome = hindsight(command_line(verb), folder);
    EXPECT_EQ(outcome.exit_code, 0) << verb << ": " << outcome.err;
    EXPECT_EQ(outcome.err, "") << verb;
    EXPECT_NE(outcome.out, "") << verb;
  }
  EXPECT_EQ(folder.entries(),
            (std::set<std::string>{
                "bad.toml", "results", "results/bad", "results/bad/comparators.csv",
                "results/bad/curves.csv", "results/bad/experiment.toml", "results/bad/queries.svg",
                "results/bad/ratio.svg", "results/bad/report.html", "results/bad/results.csv",
                "results/bad/run.json", "results/bad/seconds.svg"}));
}

TEST(BadInput, structure) {
  const std::string game = "[game]\n" + Parts{}.game + "\n";
  const std::string domain = "[domain]\n" + Parts{}.domain + "\n";
  const std::string learner = Parts{}.learner + "\n";
  std::string binary;
  for (int i = 0; i < 1024; ++i) binary += static_cast<char>(i % 256);
  expect_all_refused({
      {"broken TOML", "rounds = 3\n[game\n", {"bad.toml:2: ", "expected ']'"}, all},
      {"binary", binary, {"bad.toml:1: "}, all},
      {"not UTF-8", "rounds = 1\n# \xff\n", {"bad.toml:2: ", "utf-8"}, all},
      {"nothing", "", {"bad.toml:1: rounds: is missing"}, all},
      {"a key twice", experiment({.top = "rounds = 1\nrounds = 2"}), {"bad.toml:2: "}, all},
      {"no game", "rounds = 1\n" + domain, {"bad.toml:1: [game]: is missing"}, all},
      {"no domain", "rounds = 1\n" + game, {"bad.toml:1: [domain]: is missing"}, all},
      {"no learner", "rounds = 1\n" + game + domain, {"[[learner]]: is missing"}, all},
      {"one learner",
       "rounds = 1\n" + game + domain + "[learner]\n" + learner,
       {"bad.toml:10: learner: must be a list of tables, [[learner]]"},
       all},
      {"two games",
       "rounds = 1\n[" + game.substr(0, 6) + "]" + game.substr(6) + domain,
       {"bad.toml:2: game: must be a table, [game]"},
       all},
      {"game is a number", "rounds = 1\ngame = 3\n" + domain, {"bad.toml:2: game: must be"}, all},
      {"a learner is a number",
       "rounds = 1\nlearner = [3]\n" + game + domain,
       {"bad.toml:2: learner: must be a list of tables"},
       all},
      {"two of one name",
       experiment({.rest = "[[learner]]\n" + learner}),
       {"bad.toml:13: learner.name = mono-frank-wolfe: must tell two learners apart"},
       {"run"}},
  });
}

TEST(BadInput, unknown_names_and_what_was_meant) {
  const auto meant = [](const std::string& word) { return "(did you mean `" + word + "`?)"; };
  expect_all_refused({
      {"key at the top",
       experiment({.top = "rounds = 50\nseds = 2"}),
       {"bad.toml:2: seds: is not a key", meant("seeds")},
       all},
      {"key of the game",
       experiment({.game = Parts{}.game + "\ndimensions = 3"}),
       {"bad.toml:8: game.dimensions = 3: is not a key", meant("dimension")},
       all},
      {"key of the domain",
       experiment({.domain = Parts{}.domain + "\nrnk = 3"}),
       {"bad.toml:11: domain.rnk = 3: is not a key", meant("rank")},
       all},
      {"key of a learner",
       experiment({.learner = Parts{}.learner + "\nstps = 3"}),
       {"bad.toml:13: learner.stps = 3: is not a key", meant("steps")},
       players},
      {"key of a learner with unknown horizon",
       experiment({.learner = Parts{}.learner + "\nhorizon = \"unknown\"\nfirst_horizn = 9"}),
       {"bad.toml:14: learner.first_horizn = 9: is not a key", meant("first_horizon")},
       players},
      {"game",
       experiment({.game = kind("coverge")}),
       {"bad.toml:4: game.kind = coverge: is not a game", meant("coverage")},
       all},
      {"domain",
       experiment({.domain = kind("uniform-matorid", "rank = 2")}),
       {"bad.toml:9: domain.kind = uniform-matorid: is not a domain", meant("uniform-matroid")},
       all},
      {"learner",
       experiment({.learner = kind("mono-frank-wulf")}),
       {"bad.toml:12: learner.kind = mono-frank-wulf: is not a learner", meant("mono-frank-wolfe")},
       planners},
      {"oracle",
       experiment({.learner = kind("mono-frank-wolfe", "oracle = \"gradient-asent\"")}),
       {"bad.toml:13: learner.oracle = gradient-asent: must be one of gradient-ascent"},
       players},
      {"schedule",
       experiment({.learner = kind("mono-frank-wolfe", "schedule = \"theorm\"")}),
       {"bad.toml:13: learner.schedule = theorm: must be \"theorem\""},
       planners},
      {"interior",
       experiment({.learner = kind("bandit-frank-wolfe", "interior = \"exct\"")}),
       {"bad.toml:13: learner.interior = exct: must be \"lemma-2\" or \"exact\""},
       players},
      {"rounding",
       experiment({.learner = kind("responsive-frank-wolfe", "rounding = \"swap\"")}),
       {"bad.toml:13: learner.rounding = swap: must be \"randomized-pipage\" or \"swap-rounding\""},
       players},
      {"horizon",
       experiment({.learner = kind("mono-frank-wolfe", "horizon = \"unkown\"")}),
       {"bad.toml:13: learner.horizon = unkown: must be \"known\" or \"unknown\""},
       players},
  });
}

TEST(BadInput, missing_keys) {
  expect_all_refused({
      {"rounds", experiment({.top = "seeds = 2"}), {"bad.toml:1: rounds: is missing"}, all},
      {"game", experiment({.game = "dimension = 3"}), {"bad.toml:3: game.kind: is missing"}, all},
      {"domain", experiment({.domain = "rank = 2"}), {"bad.toml:8: domain.kind: is missing"}, all},
      {"learner",
       experiment({.learner = "steps = 2"}),
       {"bad.toml:11: learner.kind: is missing"},
       planners},
      {"rank",
       experiment({.domain = kind("uniform-matroid")}),
       {"bad.toml:8: domain.rank: is missing"},
       all},
      {"file", experiment({.game = kind("replay")}), {"bad.toml:3: game.file: is missing"}, all},
      {"capacities",
       experiment({.domain = kind("partition-matroid", "parts = [[0,1,2,3,4,5]]")}),
       {"bad.toml:8: domain.capacities: is missing"},
       all},
      {"b",
       experiment({.domain = kind("packing", "A = [[1,1,1,1,1,1]]")}),
       {"bad.toml:8: domain.b: is missing"},
       all},
  });
}

// --- Every key with values of every wrong type ---------------------------------------------------

const Words not_whole = {"\"text\"", "2.5",  "true",       "[[1]]",    "nan",
                         "inf",      "-inf", "1979-05-27", "{ a = 1 }"};
const Words not_number = {"\"text\"", "true", "[[1]]", "nan", "inf", "-inf", "1979-05-27"};
const Words not_text = {"3", "true", "[\"a\"]", "nan"};
const Words not_flag = {"1", "\"true\"", "[true]", "nan"};
const Words not_whole_list = {"1", "\"text\"", "[0.5]", "[\"a\"]", "[nan]", "[[1]]"};
const Words not_number_list = {"1", "\"text\"", "[\"a\"]", "[nan]", "[-inf]", "[[1]]"};
const Words not_whole_lists = {"1", "[1]", "[[0.5]]", "[[\"a\"]]", "[[99999999999]]", "\"text\""};
const Words not_number_lists = {"1", "[1]", "[[\"a\"]]", "[[nan]]", "[[inf]]", "\"text\""};

struct Key {
  std::string table, key, others;  // others: what stands in the table beside it
  Words wrong;
};

const std::vector<Key>& keys() {
  const std::string game = kind("coverage"), ratings = kind("ratings", "path = \"r.csv\"\n");
  const std::string mono = kind("mono-frank-wolfe"), bandit = kind("bandit-frank-wolfe");
  static const std::vector<Key> list = {
      {"", "rounds", "", not_whole},
      {"", "seeds", "rounds = 50\n", not_whole},
      {"", "tuning_seeds", "rounds = 50\n", not_whole},
      {"", "controls", "rounds = 50\n", not_flag},
      {"game", "kind", "", not_text},
      {"game", "dimension", game, not_whole},
      {"game", "items", game, not_whole},
      {"game", "pool", game, not_whole},
      {"game", "phases", game, not_whole},
      {"game", "noise", game, not_number},
      {"game", "gradient_noise", game, not_number},
      {"game", "pairs", kind("trap"), not_whole},
      {"game", "file", kind("replay"), not_text},
      {"game", "path", kind("ratings"), not_text},
      {"game", "names", ratings, not_text},
      {"game", "items", ratings, not_whole},
      {"game", "batch", ratings, not_whole},
      {"game", "shift", ratings, not_number},
      {"game", "order", ratings, not_text},
      {"game", "malformed", ratings, not_text},
      {"game", "most_documents", kind("words", "path = \"w\"\n"), not_number},
      {"game", "directed", kind("graph", "path = \"g\"\n"), not_flag},
      {"game", "probability", kind("graph", "path = \"g\"\n"), not_number},
      {"game", "pool", kind("graph", "path = \"g\"\n"), not_whole},
      {"game", "graphs", kind("graph", "path = \"g\"\n"), not_whole},
      {"game", "factors", kind("table-design", "path = \"t\"\n"), not_whole},
      {"game", "scale", kind("table-design", "path = \"t\"\n"), not_number},
      {"game", "samples", kind("table-design", "path = \"t\"\n"), not_whole},
      {"game", "routes", kind("airports", "path = \"a\"\n"), not_text},
      {"game", "reach", kind("routes", "path = \"a\"\nroutes = \"r\"\n"), not_number},
      {"domain", "kind", "", not_text},
      {"domain", "capacity", kind("partition-matroid", "parts = [[0]]\n"), not_whole},
      {"domain", "rank", kind("uniform-matroid"), not_whole},
      {"domain", "parts", kind("partition-matroid", "capacities = [1]\n"), not_whole_lists},
      {"domain", "capacities", kind("partition-matroid", "parts = [[0]]\n"), not_whole_list},
      {"domain", "sets", kind("laminar-matroid", "capacities = [1]\n"), not_whole_lists},
      {"domain", "edges", kind("graphic-matroid"), not_whole_lists},
      {"domain", "A", kind("packing", "b = [1]\n"), not_number_lists},
      {"domain", "b", kind("packing", "A = [[1,1,1,1,1,1]]\n"), not_number_list},
      {"domain", "upper", kind("box"), not_number},
      {"learner", "kind", "", not_text},
      {"learner", "name", mono, not_text},
      {"learner", "schedule", mono, not_text},
      {"learner", "steps", mono, not_whole},
      {"learner", "averaging", mono, not_flag},
      {"learner", "oracle", mono, not_text},
      {"learner", "oracle_step", mono, not_number},
      {"learner", "learning", mono, not_flag},
      {"learner", "horizon", mono, not_text},
      {"learner", "first_horizon", mono + "horizon = \"unknown\"\n", not_whole},
      {"learner", "max_steps", kind("meta-frank-wolfe"), not_whole},
      {"learner", "block_length", bandit, not_whole},
      {"learner", "radius", bandit, not_number},
      {"learner", "interior", bandit, not_text},
      {"learner", "rounding", kind("responsive-frank-wolfe"), not_text},
      {"learner", "sets", kind("constant"), not_flag},
  };
  return list;
}

TEST(BadInput, wrong_types) {
  for (const Key& k : keys())
    for (const std::string& value : k.wrong) {
      const std::string line = k.key + " = " + value, table = k.others + line;
      Parts parts;
      (k.table == "game"      ? parts.game
       : k.table == "domain"  ? parts.domain
       : k.table == "learner" ? parts.learner
                              : parts.top) = table;
      const std::string text = experiment(parts);
      const auto before = text.begin() + static_cast<std::ptrdiff_t>(text.find("\n" + line) + 1);
      const auto number =
          1 + std::count(text.begin(), k.table.empty() && k.others.empty() ? text.begin() : before,
                         '\n');
      const std::string name = k.table.empty() ? k.key : k.table + "." + k.key;
      expect_refused({name + " = " + value,
                      text,
                      {"bad.toml:" + std::to_string(number) + ": " + name + " = ", ": must be"},
                      {k.table == "learner" ? "trace" : "solve"}});
    }
}

// --- Numbers out of range ------------------------------------------------------------------------

TEST(BadInput, rounds_and_seeds) {
  const auto top = [](const std::string& name, const std::string& lines, const Words& fragments) {
    return Bad{name, experiment({.top = lines}), fragments, all};
  };
  expect_all_refused({
      top("no round", "rounds = 0", {"bad.toml:1: rounds = 0: must be a whole number from 1 to "}),
      top("negative", "rounds = -3", {"bad.toml:1: rounds = -3: must be a whole number from 1"}),
      top("a half", "rounds = 2.5", {"bad.toml:1: rounds = 2.5: must be a whole number"}),
      top("too many", "rounds = 1e16", {"bad.toml:1: rounds = 1e+16: must be a whole number"}),
      top("an empty list", "rounds = []", {"bad.toml:1: rounds = []: must not be empty"}),
      top("none in a list", "rounds = [9, 0]", {"bad.toml:1: rounds = 0: must hold whole numbers"}),
      top("a half in a list", "rounds = [9, 2.5]", {"rounds = 2.5: must hold whole numbers"}),
      top("too many in a list", "rounds = [9, 5e15]",
          {"rounds = 5000000000000000: must hold whole numbers from 1 to 1000000000000000"}),
      top("too many together", "rounds = 1e15\nseeds = 100000", {"bad.toml:1: rounds = ", "10^18"}),
      top("no seed", "rounds = 9\nseeds = 0", {"bad.toml:2: seeds = 0: must be a whole number"}),
      top("no seed listed", "rounds = 9\nseeds = []",
          {"bad.toml:2: seeds = []: must not be empty"}),
      top("a seed twice", "rounds = 9\nseeds = [4, 5, 4]",
          {"bad.toml:2: seeds = 4: must not be there twice"}),
      top("tuned on what is reported", "rounds = 9\nseeds = 8\ntuning_seeds = [9, 8]",
          {"bad.toml:3: tuning_seeds = 8: must not be among the seeds that are reported"}),
      top("negative seed", "rounds = 9\nseeds = [1, -1]",
          {"bad.toml:2: seeds = -1: must hold whole numbers from 0 to "}),
  });
}

TEST(BadInput, games) {
  const auto game = [](const std::string& name, const std::string& lines, const Words& fragments) {
    return Bad{name, experiment({.game = lines}), fragments, all};
  };
  expect_all_refused({
      game("no item", kind("coverage", "dimension = 0"), {"bad.toml:5: game.dimension = 0: must"}),
      game("empty pool", kind("quadratic", "pool = 0"), {"bad.toml:5: game.pool = 0: must"}),
      game("negative items", kind("coverage", "items = -1"), {"bad.toml:5: game.items = -1: must"}),
      game("negative pairs", kind("trap", "pairs = -1"), {"bad.toml:5: game.pairs = -1: must"}),
      game("many phases", kind("coverage", "phases = 1001"), {"game.phases = 1001: must"}),
      game("negative noise", kind("coverage", "noise = -0.5"),
           {"bad.toml:5: game.noise = -0.5: must be at least 0"}),
      game("negative gradient noise", kind("trap", "gradient_noise = -1"),
           {"bad.toml:5: game.gradient_noise = -1: must be at least 0"}),
      game("no such file", kind("ratings", "path = \"none.csv\""),
           {"bad.toml:5: game.path = none.csv: must be a file that can be read"}),
      game("another order", kind("ratings", "path = \"r\"\norder = \"shuffled\""),
           {"bad.toml:6: game.order = shuffled: must be \"random\" or \"file\""}),
      game("another way", kind("visits", "path = \"r\"\nmalformed = \"ignore\""),
           {"bad.toml:6: game.malformed = ignore: must be \"stop\" or \"skip\""}),
      game("impossible odds", kind("graph", "path = \"r\"\nprobability = 1.5"),
           {"bad.toml:6: game.probability = 1.5: must be above 0 and at most 1"}),
      game("no reach", kind("airports", "path = \"r\"\nroutes = \"r\"\nreach = 0"),
           {"bad.toml:7: game.reach = 0: must be positive"}),
      game("items of a quadratic", kind("quadratic", "items = 3"),
           {"game.items = 3: is not a key"}),
  });
}

TEST(BadInput, domains) {
  const auto domain = [](const std::string& name, const std::string& lines,
                         const Words& fragments) {
    return Bad{name, experiment({.domain = lines}), fragments, all};
  };
  const auto parts = [&](const std::string& name, const std::string& lines,
                         const Words& fragments) {
    return domain(name, kind("partition-matroid", lines), fragments);
  };
  const auto sets = [&](const std::string& name, const std::string& lines, const Words& fragments) {
    return domain(name, kind("laminar-matroid", lines), fragments);
  };
  const auto edges = [&](const std::string& name, const std::string& list, const Words& fragments) {
    return domain(name, kind("graphic-matroid", "edges = " + list), fragments);
  };
  const auto packing = [&](const std::string& name, const std::string& lines,
                           const Words& fragments) {
    return domain(name, kind("packing", lines), fragments);
  };
  expect_all_refused({
      domain("rank above d", kind("uniform-matroid", "rank = 7"),
             {"bad.toml:10: domain.rank = 7: must be a whole number from 0 to 6"}),
      domain("negative rank", kind("uniform-matroid", "rank = -1"),
             {"bad.toml:10: domain.rank = -1: must be a whole number from 0 to 6"}),
      parts("an item in two parts", "parts = [[0,1,2],[2,3,4,5]]\ncapacities = [1,1]",
            {"bad.toml:10: domain.parts[1] = 2: must not be in parts[0] too"}),
      parts("an item in no part", "parts = [[0,1,2],[4,5]]\ncapacities = [1,1]",
            {"bad.toml:10: domain.parts[1] = 5: must be below 5, the number of items listed"}),
      parts("negative item", "parts = [[0,1,2],[-1]]\ncapacities = [1,1]",
            {"bad.toml:10: domain.parts[1] = -1: must be below 4"}),
      parts("no parts", "parts = []\ncapacities = []",
            {"bad.toml:10: domain.parts = []: must hold at least one item"}),
      parts("an empty part", "parts = [[0,1,2,3,4,5],[]]\ncapacities = [1,1]",
            {"bad.toml:10: domain.parts[1] = []: must not be empty"}),
      parts("too few capacities", "parts = [[0,1,2],[3,4,5]]\ncapacities = [1]",
            {"bad.toml:11: domain.capacities = 1: must have one entry for each of the 2 parts"}),
      parts("negative capacity", "parts = [[0,1,2],[3,4,5]]\ncapacities = [1,-1]",
            {"bad.toml:11: domain.capacities[1] = -1: must be at least 0"}),
      parts("two kinds of capacities",
            "parts = [[0,1,2],[3,4,5]]\ncapacities = [1,1]\ncapacity = 1",
            {"bad.toml:12: domain.capacity = 1: must not stand beside capacities"}),
      parts("parts of a game without", "parts = \"game\"\ncapacity = 1",
            {"bad.toml:10: domain.parts = game: needs a game whose items have parts"}),
      edges("edges of a game without", "\"game\"",
            {"bad.toml:10: domain.edges = game: needs a game whose items have edges"}),
      parts("another dimension", "parts = [[0,1,2],[3,4]]\ncapacities = [1,1]",
            {"bad.toml:9: domain.kind = partition-matroid: must have the dimension of the game, 6, "
             "not 5"}),
      sets(
          "crossing sets", "sets = [[0,1,2],[2,3]]\ncapacities = [1,1]",
          {"bad.toml:10: domain.sets[1] = sets[0]: must contain it, lie inside it or be disjoint"}),
      sets("the same set twice", "sets = [[0,1],[1,0]]\ncapacities = [1,1]",
           {"bad.toml:10: domain.sets[1] = sets[0]: must differ from it"}),
      sets("item above d", "sets = [[0,9]]\ncapacities = [1]",
           {"bad.toml:10: domain.sets[0] = 9: must list items from 0 to 5"}),
      sets("an item twice", "sets = [[0,0]]\ncapacities = [1]",
           {"bad.toml:10: domain.sets[0] = 0: must list each item once"}),
      sets("too few capacities", "sets = [[0,1],[2]]\ncapacities = []",
           {"bad.toml:11: domain.capacities = 0: must have one entry for each of the 2 sets"}),
      edges("loop", "[[0,1],[1,1],[1,2],[2,3],[3,4],[4,5]]",
            {"bad.toml:10: domain.edges[1] = [1,1]: must join two different nodes"}),
      edges("negative node", "[[0,1],[1,-2]]",
            {"bad.toml:10: domain.edges[1] = [1,-2]: must join nodes that count from 0"}),
      edges("three nodes", "[[0,1],[1,2,3]]",
            {"bad.toml:10: domain.edges[1] = 3: must be a pair of nodes"}),
      edges("none", "[]", {"bad.toml:10: domain.edges = []: must hold at least one edge"}),
      edges("another dimension", "[[0,1],[1,2]]",
            {"bad.toml:9: domain.kind = graphic-matroid: must have the dimension of the game, 6"}),
      packing("ragged", "A = [[1,1,1,1,1,1],[1,1]]\nb = [1,1]",
              {"bad.toml:10: domain.A[1] = 2 numbers: must have as many numbers as upper, 6"}),
      packing("negative", "A = [[1,1,1,1,1,-1]]\nb = [1]",
              {"bad.toml:10: domain.A[0][5] = -1: must be at least 0"}),
      packing("b too long", "A = [[1,1,1,1,1,1]]\nb = [1,2]",
              {"bad.toml:11: domain.b = 2 numbers: must have one number a row of A, 1"}),
      packing("b zero", "A = [[1,1,1,1,1,1]]\nb = [0]",
              {"bad.toml:11: domain.b[0] = 0: must be positive"}),
      packing("b negative", "A = [[1,1,1,1,1,1]]\nb = [-1]",
              {"bad.toml:11: domain.b[0] = -1: must be positive"}),
      packing("upper zero", "A = [[1,1,1,1,1,1]]\nb = [1]\nupper = 0",
              {"bad.toml:12: domain.upper[0] = 0: must be positive"}),
      packing("upper too short", "A = [[1,1]]\nb = [1]\nupper = [1,1]",
              {"bad.toml:12: domain.upper = a list of 2: must have 6 numbers"}),
      domain("upper negative", kind("box", "upper = -1"),
             {"bad.toml:10: domain.upper[0] = -1: must be positive"}),
      domain("upper empty", kind("box", "upper = []"),
             {"bad.toml:10: domain.upper = a list of 0: must have 6 numbers"}),
  });
}

TEST(BadInput, learners) {
  const auto bandit = [](const std::string& name, const std::string& lines, const Words& fragments,
                         const Words& verbs) {
    return Bad{name, experiment({.learner = kind("bandit-frank-wolfe", lines)}), fragments, verbs};
  };
  const auto mono = [](const std::string& name, const std::string& lines, const Words& fragments,
                       const Words& verbs) {
    return Bad{name, experiment({.learner = kind("mono-frank-wolfe", lines)}), fragments, verbs};
  };
  expect_all_refused({
      bandit("K > L", "steps = 80\nblock_length = 64",
             {"bad.toml:13: learner.steps = 80: must be at most block_length = 64"}, planners),
      bandit("radius too large", "radius = 0.5",
             {"bad.toml:13: learner.radius = 0.5: must be positive and less than r / (sqrt d + 1)"},
             players),
      bandit("radius too large for exact erosion", "interior = \"exact\"\nradius = 0.5",
             {"bad.toml:14: learner.radius = 0.5: must be positive and less than"}, players),
      bandit("no radius", "radius = 0", {"bad.toml:13: learner.radius = 0: must be positive"},
             planners),
      bandit("negative radius", "radius = -0.5",
             {"bad.toml:13: learner.radius = -0.5: must be positive"}, planners),
      bandit("no block", "block_length = 0", {"bad.toml:13: learner.block_length = 0: must be"},
             planners),
      mono("no step", "steps = 0",
           {"bad.toml:13: learner.steps = 0: must be a whole number from 1"}, planners),
      mono("too many steps", "steps = 99999999999",
           {"bad.toml:13: learner.steps = 99999999999: must be a whole number from 1 to"},
           planners),
      mono("no oracle step", "oracle_step = 0",
           {"bad.toml:13: learner.oracle_step = 0: must be positive"}, players),
      mono("no first horizon", "horizon = \"unknown\"\nfirst_horizon = 0",
           {"bad.toml:14: learner.first_horizon = 0: must be a whole number from 1"}, players),
      mono("radius, which it does not have", "radius = 0.1",
           {"bad.toml:13: learner.radius = 0.1: is not a key"}, players),
      {"more steps than can be counted",
       experiment({.top = "rounds = 10000000", .learner = kind("vr-frank-wolfe")}),
       {"learner.steps = 31622776602: must be below 2^31 (max_steps caps it)"},
       planners},
      {"bandit without an interior",
       experiment(
           {.domain = kind("uniform-matroid", "rank = 0"), .learner = kind("bandit-frank-wolfe")}),
       {"bad.toml:12: learner.kind = bandit-frank-wolfe: needs a domain with positive inner "
        "radius"},
       planners},
      {"sets without a matroid",
       experiment({.domain = kind("box"), .learner = kind("responsive-frank-wolfe")}),
       {"learner.kind = responsive-frank-wolfe: plays sets and needs a matroid"},
       players},
      {"bases without a matroid",
       experiment({.domain = kind("box"), .learner = kind("random-base")}),
       {"learner.kind = random-base: plays sets and needs a matroid"},
       players},
      {"rounded constant without a matroid",
       experiment({.domain = kind("box"), .learner = kind("constant", "sets = true")}),
       {"learner.kind = constant: plays sets and needs a matroid"},
       players},
      mono("nothing to tune with", "steps = []",
           {"bad.toml:13: learner.steps = []: must not be empty"}, {"run", "plan"}),
      mono("one of what is tuned is bad", "steps = [3, 0]",
           {"bad.toml:13: learner.steps = 0: must be a whole number from 1"}, {"run", "plan"}),
      mono("a list of lists", "steps = [[3]]",
           {"bad.toml:13: learner.steps = [3]: must be a whole number"}, {"run", "plan"}),
      mono("a control is not tuned", "learning = [true, false]",
           {"bad.toml:13: learner.learning = [true,false]: must be true or false"}, {"run"}),
      mono("too much to tune",
           "steps = [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22]\n"
           "oracle_step = [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22]\n"
           "first_horizon = [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22]",
           {"bad.toml:13: learner.steps = a list of 22: makes more than 10000 combinations"},
           {"run", "plan"}),
      {"a trace of doubling",
       experiment({.learner = kind("mono-frank-wolfe", "horizon = \"unknown\"")}),
       {"horizon = unknown: must be known for a trace"},
       {"trace"}},
      {"sets in a game of points",
       experiment({.game = kind("quadratic", "dimension = 6"), .learner = kind("random-base")}),
       {"points", "set"},
       {"run"}},
  });
}

// --- Replay files --------------------------------------------------------------------------------

TEST(BadInput, replay_files) {
  const std::string good = "{\"kind\":\"modular\",\"weights\":[1,2,3]}\n";
  const std::string toml = experiment({.game = kind("replay", "file = \"functions.jsonl\""),
                                       .domain = kind("uniform-matroid", "rank = 1")});
  const auto replay = [&](const std::string& name, const std::string& lines,
                          const Words& fragments) {
    return Bad{name, toml, fragments, {"run", "solve", "check"}, lines};
  };
  std::string binary;
  for (int i = 0; i < 1024; ++i) binary += static_cast<char>((i * 37 + 128) % 256);
  expect_all_refused({
      {"missing", toml, {"bad.toml:5: game.file = functions.jsonl: must be a file"}, all},
      {"folder",
       experiment({.game = kind("replay", "file = \".\"")}),
       {"bad.toml:5: game.file = .", "must be a file that can be read"},
       all},
      {"no name",
       experiment({.game = kind("replay", "file = \"\"")}),
       {"bad.toml:5: game.file = ", "must be a file that can be read"},
       all},
      replay("no function", "\n  \n", {"bad.toml:5: game.file = functions.jsonl: must hold"}),
      replay("cut in the middle", good + "{\"kind\":\"modular\",\"weights\":[1,2",
             {"functions.jsonl:2: must be one whole JSON object"}),
      replay("binary", binary, {"functions.jsonl:1: must be one whole JSON object"}),
      replay("two on a line", "{\"kind\":\"modular\",\"weights\":[1]} {}",
             {"functions.jsonl:1: must be one whole JSON object"}),
      replay("another dimension", good + "\n{\"kind\":\"modular\",\"weights\":[1,2]}",
             {"functions.jsonl:3: dimension = 2: must be 3"}),
      replay("a list", "[1]", {"functions.jsonl:1: function = [1]: must be an object"}),
      replay("null", "null", {"functions.jsonl:1: function = null: must be an object"}),
      replay("no kind", "{\"weights\":[1]}", {"functions.jsonl:1: kind = missing: must"}),
      replay("kind is a number", "{\"kind\":3}", {"functions.jsonl:1: kind = 3: must be a string"}),
      replay("unknown kind", good + "{\"kind\":\"modulr\",\"weights\":[1]}",
             {"functions.jsonl:2: kind = ", "modulr", "`modular`"}),
      replay("unknown key", "{\"kind\":\"modular\",\"weights\":[1],\"wieghts\":[1]}",
             {"functions.jsonl:1: wieghts = [1]: ", "`weights`"}),
      replay("missing key", "{\"kind\":\"coverage\",\"weights\":[1]}",
             {"functions.jsonl:1: sets = missing: must be given"}),
      replay("weights negative", good + "{\"kind\":\"modular\",\"weights\":[1,-2,3]}",
             {"functions.jsonl:2: weights[1] = -2: must be at least 0"}),
      replay("weights NaN", "{\"kind\":\"modular\",\"weights\":[1,NaN]}",
             {"functions.jsonl:1: must"}),
      replay("weights beyond doubles", "{\"kind\":\"modular\",\"weights\":[1,1e999]}",
             {"functions.jsonl:1: must"}),
      replay("weights with an infinite sum", "{\"kind\":\"modular\",\"weights\":[1e308,1e308]}",
             {"functions.jsonl:1: weights = inf: must have a finite total"}),
      replay("weights a text", "{\"kind\":\"modular\",\"weights\":\"1\"}",
             {"functions.jsonl:1: weights = \"1\": must be a list"}),
      replay("weights of texts", "{\"kind\":\"modular\",\"weights\":[\"1\"]}",
             {"functions.jsonl:1: weights[0] = \"1\": must be a number"}),
      replay("no weights", "{\"kind\":\"modular\",\"weights\":[]}",
             {"functions.jsonl:1: weights = []: must have at least one item"}),
      replay("element out of range", "{\"kind\":\"coverage\",\"weights\":[1,1],\"sets\":[[0],[2]]}",
             {"functions.jsonl:1: sets[1][0] = 2: must be at least 0 and below 2"}),
      replay("element negative", "{\"kind\":\"coverage\",\"weights\":[1,1],\"sets\":[[-1]]}",
             {"functions.jsonl:1: sets[0][0] = -1: must be at least 0 and below 2"}),
      replay("element a half", "{\"kind\":\"coverage\",\"weights\":[1,1],\"sets\":[[0.5]]}",
             {"functions.jsonl:1: sets[0][0] = 0.5: must be a whole number"}),
      replay("element twice", "{\"kind\":\"coverage\",\"weights\":[1,1],\"sets\":[[1,1]]}",
             {"functions.jsonl:1: sets[0][1] = 1: must not repeat"}),
      replay("no sets", "{\"kind\":\"coverage\",\"weights\":[1,1],\"sets\":[]}",
             {"functions.jsonl:1: sets = []: must have at least one item"}),
      replay("benefits ragged", "{\"kind\":\"facility-location\",\"benefits\":[[1,2],[1]]}",
             {"functions.jsonl:1: benefits[1] = a row of 1: must have 2 numbers"}),
      replay("benefits negative", "{\"kind\":\"facility-location\",\"benefits\":[[1,-2]]}",
             {"functions.jsonl:1: benefits[0][1] = -2: must be at least 0"}),
      replay("customers", "{\"kind\":\"facility-location\",\"benefits\":[[1]],\"weights\":[1,2]}",
             {"functions.jsonl:1: weights = a list of 2: must have 1"}),
      replay("H not square", "{\"kind\":\"quadratic\",\"H\":[[-1,0]],\"h\":[1]}",
             {"functions.jsonl:1: H = 1 rows: must be square"}),
      replay("H positive", "{\"kind\":\"quadratic\",\"H\":[[-1,1],[1,-1]],\"h\":[2,2]}",
             {"functions.jsonl:1: H[0][1] = 1: must be at most 0"}),
      replay("H not symmetric", "{\"kind\":\"quadratic\",\"H\":[[-1,-0.5],[0,-1]],\"h\":[2,2]}",
             {"functions.jsonl:1: H[1][0] = 0: must equal H[0][1]"}),
      replay("not monotone", "{\"kind\":\"quadratic\",\"H\":[[-1,-1],[-1,-1]],\"h\":[1,2]}",
             {"functions.jsonl:1: (h + H * upper)[0] = -1: must be at least 0", "monotone"}),
      replay("h too long", "{\"kind\":\"quadratic\",\"H\":[[-1]],\"h\":[1,1]}",
             {"functions.jsonl:1: h = a list of 2: must have 1"}),
      replay("table too short", "{\"kind\":\"table\",\"dimension\":2,\"values\":[0,1,1]}",
             {"functions.jsonl:1: values = a list of 3: must have 2^dimension = 4 numbers"}),
      replay("table too large", "{\"kind\":\"table\",\"dimension\":21,\"values\":[0]}",
             {"functions.jsonl:1: dimension = 21: must be at least 1 and at most 20"}),
      replay("table without items", "{\"kind\":\"table\",\"dimension\":0,\"values\":[0]}",
             {"functions.jsonl:1: dimension = 0: must be at least 1"}),
      replay("dimension of 2^64 - 1",
             "{\"kind\":\"table\",\"dimension\":18446744073709551615,\"values\":[0]}",
             {"functions.jsonl:1: dimension = 18446744073709551615: must fit"}),
      replay("values null", "{\"kind\":\"table\",\"dimension\":1,\"values\":[0,null]}",
             {"functions.jsonl:1: values[1] = null: must be a number"}),
      replay("lists in lists in lists", "{\"kind\":\"modular\",\"weights\":[[[[1]]]]}",
             {"functions.jsonl:1: must not hold lists inside lists of lists"}),
  });
}

// --- What is typed -------------------------------------------------------------------------------

TEST(BadInput, command_lines) {
  struct Typed {
    Words arguments, fragments;
  };
  const std::vector<Typed> list = {
      {{"run", "missing.toml"}, {"missing.toml: must be a file that can be read"}},
      {{"plan", "missing.toml"}, {"missing.toml: must be a file that can be read"}},
      {{"check", "folder"}, {"folder: must be a file that can be read"}},
      {{"solve", "folder"}, {"folder: must be a file that can be read"}},
      {{"trace", "bad.toml/below"}, {"bad.toml/below: must be a file that can be read"}},
      {{}, {"subcommand is required"}},
      {{"rnu", "bad.toml"}, {"verb = rnu: ", "(did you mean `run`?)"}},
      {{"--nope"}, {"--help"}},
      {{"run"}, {"file is required"}},
      {{"run", "bad.toml", "more"}, {"not expected: more"}},
      {{"run", "bad.toml", "--jbos", "3"}, {"--jbos"}},
      {{"run", "bad.toml", "--jobs", "0"}, {"--jobs", "0", "1 to 4096"}},
      {{"run", "bad.toml", "--jobs", "-1"}, {"--jobs", "-1", "1 to 4096"}},
      {{"run", "bad.toml", "--jobs", "x"}, {"--jobs", "x"}},
      {{"run", "bad.toml", "--jobs"}, {"--jobs"}},
      {{"run", "bad.toml", "--out", "bad.toml/below"},
       {"--out = bad.toml/below: must be a folder", "bad.toml is a file"}},
      {{"run", "bad.toml", "--out", "bad.toml"}, {"--out = bad.toml: must be a folder"}},
      {{"run", "bad.toml", "--out", "bad.toml/a/b/c"},
       {"--out = bad.toml/a/b/c: must be a folder"}},
      {{"run", "bad.toml", "--set", "rounds"}, {"--set = rounds: must be of the form a.b=value"}},
      {{"plan", "bad.toml", "--set", "=5"}, {"--set = =5: must be of the form a.b=value"}},
      {{"solve", "bad.toml", "--set", "game..x=1"}, {"--set = game..x=1: must be of the form"}},
      {{"check", "bad.toml", "--set", "rounds.x=1"}, {"--set = rounds.x=1: must name a key"}},
      {{"run", "bad.toml", "--set", "rounds=1\nseeds=2"}, {"must give one value"}},
      {{"run", "bad.toml", "--set", "rounds="}, {"bad.toml with --set: rounds = \"\": must be"}},
      {{"run", "bad.toml", "--set", "rounds=0"}, {"bad.toml with --set: rounds = 0: must be"}},
      {{"run", "bad.toml", "--set", "learner=5"}, {"bad.toml with --set: learner: must be a list"}},
      {{"run", "bad.toml", "--set", "learner.stps=5"},
       {"bad.toml with --set: learner.stps = 5: is not a key", "`steps`"}},
      {{"run", "bad.toml", "--set", "domain.rank=9"},
       {"bad.toml with --set: domain.rank = 9: must"}},
      {{"plan", "bad.toml", "--set", "gaem.dimension=9"},
       {"bad.toml with --set: gaem: is not a key", "`game`"}},
      {{"trace", "bad.toml", "--learner", "nobody"},
       {"--learner = nobody: is not a learner of bad"}},
      {{"trace", "bad.toml", "--learner", "mono-frank-wofe"},
       {"--learner = mono-frank-wofe: is not a learner", "`mono-frank-wolfe`"}},
      {{"trace", "bad.toml", "--rounds", "0"}, {"--rounds", "0"}},
      {{"trace", "bad.toml", "--rounds", "-5"}, {"--rounds", "-5"}},
      {{"trace", "bad.toml", "--seed", "x"}, {"--seed", "x"}},
      {{"check", "bad.toml", "--probes", "0"}, {"--probes", "0"}},
      {{"plan", "bad.toml", "--constant", "M1"}, {"--constant = M1: must be one of d, r, R"}},
      {{"plan", "bad.toml", "--constant", "X=1"}, {"--constant = X=1: must be one of d, r, R"}},
      {{"plan", "bad.toml", "--constant", "M1="}, {"--constant = M1=: must be a number"}},
      {{"plan", "bad.toml", "--constant", "M1=one"}, {"--constant = M1=one: must be a number"}},
      {{"plan", "bad.toml", "--constant", "M1=1x"}, {"--constant = M1=1x: must be a number"}},
      {{"plan", "bad.toml", "--constant", "M1=nan"}, {"--constant = M1=nan: must be a number"}},
      {{"plan", "bad.toml", "--constant", "M1=-1"}, {"--constant = M1=-1: must be a number"}},
      {{"list", "lerners"}, {"lerners", "learners"}},
  };
  Folder folder;
  folder.write("bad.toml", experiment());
  std::filesystem::create_directory(folder.path() / "folder");
  for (const Typed& typed : list) {
    std::string trace = "hindsight";
    for (const std::string& word : typed.arguments) trace += " " + word;
    SCOPED_TRACE(trace);
    expect_refused(typed.arguments, folder, typed.fragments);
  }
}

// --- Too much ------------------------------------------------------------------------------------

std::string repeated(const std::string& text, int times) {
  std::string whole;
  for (int i = 0; i < times; ++i) whole += text;
  return whole;
}

TEST(BadInput, games_that_fit_into_no_memory) {
  for (const char* game : {"coverage", "facility-location", "quadratic"})
    expect_refused({game,
                    experiment({.game = kind(game, "pool = 1000000\ndimension = 1000000")}),
                    {"bad.toml:5: game.pool = 1000000: must keep pool * phases * dimension * "},
                    all});
}

TEST(BadInput, learners_that_fit_into_no_memory) {
  if (sanitized) GTEST_SKIP() << "sanitizers need more memory than the test allows";
  Folder folder;
  // By their schedules: K = 10^9 and 3 10^7; by hand: K = 2 10^9.
  for (const Parts& parts : {Parts{.top = "rounds = 1e15"},
                             Parts{.top = "rounds = 1e15", .learner = kind("meta-frank-wolfe")},
                             Parts{.learner = kind("meta-frank-wolfe", "steps = 2000000000")}}) {
    folder.write("bad.toml", experiment(parts));
    for (const std::string& verb : players) {
      SCOPED_TRACE(verb + (": " + parts.top + " " + parts.learner));
      expect_refused(command_line(verb), folder, {"more memory than there is"}, rlim_t{256} << 20);
    }
  }
}

/// Parsers and printers of nested values call themselves: what is too deep must be refused first.
TEST(BadInput, nested_beyond_the_stack) {
  const int n = 300'000;
  const std::string dotted = repeated("a.", n) + "a", quoted = repeated("'='. ", n) + "a";
  const std::string toml = experiment({.game = kind("replay", "file = \"functions.jsonl\"")});
  const std::string few = ": a key has more than 32 dots";
  expect_all_refused({
      {"dotted key",
       experiment({.top = "rounds = 1\n" + dotted + " = 1"}),
       {"bad.toml:2" + few},
       all},
      {"quoted key",
       experiment({.top = "rounds = 1\n" + quoted + " = 1"}),
       {"bad.toml:2" + few},
       all},
      {"in a table",
       experiment({.top = "rounds = {" + dotted + " = 1}"}),
       {"bad.toml:1" + few},
       all},
      {"header", experiment({.rest = "[" + dotted + "]"}), {"bad.toml:13" + few}, all},
      {"lists",
       experiment({.top = "rounds = " + repeated("[", n)}),
       {"bad.toml:1: ", "depth"},
       all},
      {"lists in JSON",
       toml,
       {"functions.jsonl:1: must not hold lists inside lists of lists"},
       all,
       "{\"kind\":" + repeated("[", n) + repeated("]", n) + "}"},
      {"objects in JSON",
       toml,
       {"functions.jsonl:1: must not hold lists inside lists of lists"},
       all,
       repeated("{\"a\":", n) + "1" + repeated("}", n)},
      {"open lists in JSON", toml, {"functions.jsonl:1: must "}, all, repeated("[", n)},
  });
  Folder folder;
  folder.write("bad.toml", experiment());
  expect_refused({"run", "bad.toml", "--set", repeated("a.", 1000) + "a=1"}, folder,
                 {"--set ", few});
}

TEST(BadInput, dots_that_are_no_keys_may_be_many) {
  Folder folder;
  folder.write(
      "bad.toml",
      experiment({.top = "# " + repeated(".", 1000) + "\nrounds = 5",
                  .domain = kind("packing", "A = [" + repeated("[0.5,0.5,0.5,0.5,0.5,0.5],", 20) +
                                                "]\nb = [" + repeated("1.5,", 20) + "]"),
                  .learner = kind("constant", "name = \"" + repeated("a.", 99) + "\"")}));
  const Outcome outcome = hindsight({"run", "bad.toml"}, folder);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

}  // namespace
