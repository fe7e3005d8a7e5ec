/// Games from data: every format with its traps and values worked out by hand; rows that break a
/// rule, told or skipped; files read once for all cells; and the real data sets, where they are.
#include <gtest/gtest.h>
#include <zlib.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "hindsight/domains/domain_registry.hpp"
#include "hindsight/games/game_registry.hpp"
#include "hindsight/offline/best_fixed.hpp"
#include "hindsight/runs/grid.hpp"
#include "tests/command.hpp"
#include "tests/data_tables.hpp"

namespace hindsight {
namespace {

using command::Folder;
using nlohmann::json;

struct Read {
  GamePtr game;
  DataPoolPtr pool;
};

Read read(const json& table, const std::string& folder = "") {
  DataStore store;
  Settings settings("game", table);
  GamePtr game = make_game(settings, {.seed = 1, .horizon = 10, .folder = folder, .data = &store});
  return {std::move(game), store.pools().at(0)};
}

/// Of one of our files, in its own order.
json in_order(std::string_view kind, const json& more = json::object()) {
  json table = *data_table(kind);
  table["order"] = "file";
  table.update(more);
  return table;
}

double worth(Game& game, Round t, const ItemSet& set) {
  const RoundFunction& f = game.function(t);
  Point x(static_cast<std::size_t>(game.dimension()), 0.0);
  for (const Item i : set) x[static_cast<std::size_t>(i)] = 1;
  EXPECT_NEAR(f.continuous->value(x), f.set->value(set), 1e-12 * (1 + f.set->max_value()));
  return f.set->value(set);
}

std::string refusal(const json& table, const std::string& folder) {
  try {
    read(table, folder);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

void expect_holds(const std::string& text, const std::string& fragment) {
  EXPECT_NE(text.find(fragment), std::string::npos)
      << "expected: " << fragment << "\nsaid: " << text;
}

using Texts = std::vector<std::string>;

// --- Every format --------------------------------------------------------------------------------

TEST(Ratings, AUserIsWorthTheBestRating) {
  const Read r = read(in_order("ratings"));
  EXPECT_EQ(r.pool->summary, "10 ratings by 4 users of 7 items; 6 names");
  EXPECT_EQ(r.pool->rounds.size(), 4u);
  EXPECT_EQ(r.game->dimension(), 6);
  EXPECT_EQ(r.game->items().names,  // by how often they are rated, then as they come
            (Texts{"Twenty", "Ten, The \"First\"", "Thirty", "40", "Fifty", "Sixty"}));
  EXPECT_EQ(worth(*r.game, 1, {0}), 2.5);  // ann
  EXPECT_EQ(worth(*r.game, 1, {0, 1}), 4);
  EXPECT_EQ(worth(*r.game, 1, {2, 3}), 0);
  EXPECT_EQ(worth(*r.game, 2, {2, 4}), 3);  // bob
  EXPECT_EQ(worth(*r.game, 3, {0}), 3);     // "bob, jr" is another
  EXPECT_EQ(worth(*r.game, 4, {3}), 2);     // cat
  EXPECT_EQ(worth(*r.game, 5, {0, 1}), 4);  // ann again
  EXPECT_EQ(r.game->facts().max_value, 5);
}

TEST(Ratings, BatchesAddUpAndShiftsRaiseWhatIsRated) {
  const Read r = read(in_order("ratings", {{"batch", 3}, {"shift", 10}}));
  EXPECT_EQ(r.pool->rounds.size(), 2u);
  EXPECT_EQ(worth(*r.game, 1, {0}), 12.5 + 0 + 13);
  EXPECT_EQ(worth(*r.game, 2, {3}), 12);
}

TEST(Ratings, GenresAreAPartitionByTheFirstOneListed) {
  const Read r = read(in_order("ratings"));
  EXPECT_EQ(r.game->items().part_names, (Texts{"(none)", "(not listed)", "Comedy", "Drama"}));
  EXPECT_EQ(r.game->items().parts, (std::vector<ItemSet>{{4}, {3}, {0, 2}, {1, 5}}));
  Settings each("domain", {{"kind", "partition-matroid"}, {"parts", "game"}, {"capacity", 1}});
  const auto domain = make_domain(each, 6, r.game->items());
  const auto matroid = std::dynamic_pointer_cast<const Matroid>(domain);
  ASSERT_TRUE(matroid);
  EXPECT_EQ(matroid->rank(), 4);
  EXPECT_TRUE(matroid->independent(ItemSet{0, 1, 3, 4}));
  EXPECT_FALSE(matroid->independent(ItemSet{0, 2}));
  Settings listed("domain",
                  {{"kind", "partition-matroid"}, {"parts", "game"}, {"capacities", {0, 0, 2, 1}}});
  EXPECT_TRUE(std::dynamic_pointer_cast<const Matroid>(make_domain(listed, 6, r.game->items()))
                  ->independent(ItemSet{0, 2, 5}));
}

TEST(Visits, AUserIsReachedOrNot) {
  const Read r = read(in_order("visits"));
  EXPECT_EQ(r.pool->summary, "12 visits by 7 users of 6 items");
  EXPECT_EQ(r.game->items().names, (Texts{"home", "shop", "help", "news", "jobs", "maps"}));
  EXPECT_EQ(r.pool->rounds.size(), 7u);
  EXPECT_EQ(r.pool->functions.size(), 6u) << "users 2 and 7 are alike";
  EXPECT_EQ(worth(*r.game, 1, {0, 1}), 1);
  EXPECT_EQ(worth(*r.game, 2, {1}), 0);
  EXPECT_EQ(worth(*r.game, 7, {0}), 1);
  const Read pairs = read(in_order("visits", {{"batch", 2}}));
  EXPECT_EQ(worth(*pairs.game, 1, {0}), 2);
  EXPECT_EQ(worth(*pairs.game, 1, {1}), 1);
  EXPECT_EQ(worth(*pairs.game, 4, {0}), 1);
}

TEST(Words, ADocumentIsWorthItsLength) {
  const Read r = read(in_order("words"));
  EXPECT_EQ(r.pool->summary, "5 documents, 8 words, 13 entries");
  EXPECT_EQ(r.game->items().names,  // word 8 is in every document
            (Texts{"word 1", "word 2", "word 3", "word 4", "word 5", "word 6"}));
  EXPECT_EQ(worth(*r.game, 1, {0}), 7);
  EXPECT_EQ(worth(*r.game, 2, {0}), 2);
  EXPECT_EQ(worth(*r.game, 2, {1}), 0);
  EXPECT_EQ(worth(*r.game, 4, {0, 1, 2, 3, 4, 5}), 0);
  EXPECT_EQ(worth(*r.game, 5, {1, 4}), 5);
  const Read pairs = read(in_order("words", {{"batch", 2}}));
  EXPECT_EQ(worth(*pairs.game, 1, {0, 1}), 9);
}

TEST(Words, TextsAreRunsOfLetters) {
  const Read r = read({{"kind", "words"},
                       {"path", std::string(HINDSIGHT_TEST_DATA) + "/texts.jsonl"},
                       {"items", 3},
                       {"order", "file"}});
  EXPECT_EQ(r.pool->summary, "4 documents, 10 words, 14 entries");
  EXPECT_EQ(r.game->items().names, (Texts{"farms", "peace", "at"}));
  EXPECT_EQ(worth(*r.game, 1, {0, 1}), 6);
  EXPECT_EQ(worth(*r.game, 2, {0}), 6);
  EXPECT_EQ(worth(*r.game, 2, {1}), 0);
  EXPECT_EQ(worth(*r.game, 3, {0, 1, 2}), 0);
}

TEST(Graph, LiveEdgesReachAlongTheirDirection) {
  json table = in_order("graph", {{"path", std::string(HINDSIGHT_TEST_DATA) + "/edges.txt"},
                                  {"probability", 1},
                                  {"directed", true}});
  const Read directed = read(table);
  EXPECT_EQ(directed.pool->summary, "7 nodes, 9 edges");
  EXPECT_EQ(directed.game->items().names, (Texts{"1", "2", "4", "5", "6", "7"}));
  EXPECT_EQ(worth(*directed.game, 1, {2}), 6);
  EXPECT_EQ(worth(*directed.game, 1, {2, 5}), 7);
  EXPECT_EQ(worth(*directed.game, 1, {1}), 3);
  table["directed"] = false;
  const Read undirected = read(table);
  EXPECT_EQ(undirected.pool->summary, "7 nodes, 8 edges");
  EXPECT_EQ(worth(*undirected.game, 1, {1}), 7);
}

TEST(Graph, AWeightCountsContactsAndTheLastOneCounts) {
  const Read r = read(in_order("graph", {{"probability", 0.5}, {"pool", 20}, {"graphs", 5000}}));
  EXPECT_EQ(r.pool->summary, "6 nodes, 5 edges");
  double from_0 = 0, from_3 = 0;
  for (Round t = 1; t <= 20; ++t) {
    const auto& names = r.game->items().names;
    const auto item = [&](const char* name) {
      return static_cast<Item>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    from_0 += worth(*r.game, t, {item("0")}) / 20;
    from_3 += worth(*r.game, t, {item("3")}) / 20;
  }
  // 3 - 4 - 5 with odds 1/2 and 1 - (1/2)^3. The triangle: 0 - 1 with odds 7/8, the others 1/2.
  // Hoeffding, 1e5 graphs, between 1 and 3 nodes: off by more than 0.03 with odds below 2 exp(-45).
  EXPECT_NEAR(from_3, 1 + 0.5 + 0.5 * 0.875, 0.03);
  EXPECT_NEAR(from_0, 1 + (1 - 0.125 * 0.75) + (1 - 0.5 * 0.5625), 0.03);
  // What the mistakes would give is far enough away: no weights, the first weight.
  EXPECT_GT(std::abs(from_3 - (1 + 0.5 + 0.25)), 0.06);
  EXPECT_GT(std::abs(from_0 - (1 + (1 - 0.25 * 0.75) + (1 - 0.5 * 0.625))), 0.06);
}

TEST(TableDesign, IsTheLogDeterminantOfTheColumnsInUse) {
  const Read r = read(in_order("table-design"));
  EXPECT_EQ(r.pool->summary, "6 rows of 3 columns and a response");
  EXPECT_EQ(r.pool->rounds.size(), 3u);  // 2 of 3 columns, of which the third is constant
  const double lime = 6.25 / (35.0 / 12), water = 1.5;  // squares of the first row, standardised
  EXPECT_NEAR(worth(*r.game, 1, {0}), std::log(1 + lime + water), 1e-12);
  EXPECT_NEAR(worth(*r.game, 2, {0}), std::log(1 + lime), 1e-12);
  EXPECT_NEAR(worth(*r.game, 2, {0, 5}), std::log(1 + 2 * lime), 1e-12);
  EXPECT_NEAR(worth(*r.game, 3, {0}), std::log(1 + water), 1e-12);
  EXPECT_NEAR(worth(*r.game, 3, {2}), 0, 1e-12);
  const Read half = read(in_order("table-design", {{"items", 3}, {"scale", 2}}));
  EXPECT_EQ(half.game->items().names, (Texts{"row 1", "row 3", "row 5"}));
  EXPECT_NEAR(worth(*half.game, 2, {0}), std::log(1 + 2 * lime), 1e-12);
}

TEST(Stations, ADayIsWorthItsHighestReading) {
  const Read r = read(in_order("stations"));
  EXPECT_EQ(r.pool->summary, "5 days, 7 stations, 20 readings");
  EXPECT_EQ(r.game->items().names, (Texts{"C", "F", "A", "B", "D", "E"}));
  EXPECT_EQ(worth(*r.game, 1, {0, 1, 2, 3, 4, 5}), 0);
  EXPECT_EQ(worth(*r.game, 2, {2}), 3.5);
  EXPECT_EQ(worth(*r.game, 2, {0, 5}), 5);
  EXPECT_EQ(worth(*r.game, 2, {3}), 0);  // NA
  EXPECT_EQ(worth(*r.game, 4, {2}), 9);
  EXPECT_EQ(worth(*r.game, 4, {1, 3}), 6);
}

constexpr double degree = 111.1950797;  // km, of a great circle

TEST(Airports, AnAirportIsWorthItsNearness) {
  const Read r = read(in_order("airports"));
  EXPECT_EQ(r.pool->summary, "7 airports, 7 routes");
  EXPECT_EQ(r.pool->rounds.size(), 7u);
  EXPECT_EQ(r.game->items().names, (Texts{"AAA", "CCC", "BBB", "DDD", "EEE", "FFF"}));
  EXPECT_EQ(worth(*r.game, 1, {0}), 1);
  EXPECT_NEAR(worth(*r.game, 1, {1}), 1 - 3 * degree / 500, 1e-8);
  EXPECT_NEAR(worth(*r.game, 1, {1, 2}), 1 - degree / 500, 1e-8);
  EXPECT_EQ(worth(*r.game, 1, {3, 4, 5}), 0);  // too far
  EXPECT_NEAR(worth(*r.game, 5, {5}), 1 - degree / 500, 1e-8) << "across the date line";
  EXPECT_NEAR(worth(*r.game, 7, {2}), 1 - degree / 500, 1e-8) << "customers are at every airport";
}

TEST(Routes, ARouteIsWorthTheNearnessOfItsEndsAndIsAnEdge) {
  const Read r = read(in_order("routes"));
  EXPECT_EQ(r.game->items().names,
            (Texts{"AAA-BBB", "AAA-CCC", "BBB-CCC", "CCC-DDD", "EEE-FFF", "DDD-EEE"}));
  EXPECT_EQ(worth(*r.game, 1, {0}), 1);  // from AAA to BBB
  EXPECT_NEAR(worth(*r.game, 1, {1}), 1 - degree / 500, 1e-8);
  EXPECT_NEAR(worth(*r.game, 1, {2}), 1 - 1.5 * degree / 500, 1e-8);
  Settings settings("domain", {{"kind", "graphic-matroid"}, {"edges", "game"}});
  const auto matroid =
      std::dynamic_pointer_cast<const Matroid>(make_domain(settings, 6, r.game->items()));
  ASSERT_TRUE(matroid);
  EXPECT_EQ(matroid->rank(), 5);
  EXPECT_FALSE(matroid->independent(ItemSet{0, 1, 2}));
  EXPECT_TRUE(matroid->independent(ItemSet{0, 1, 3, 4, 5}));
}

TEST(PMedian, CostAndWorthAddUpAndTheLastCostCounts) {
  const Read r = read(in_order("p-median"));
  EXPECT_EQ(r.pool->summary, "6 nodes, longest distance 12");
  EXPECT_EQ(worth(*r.game, 1, {1}), 12 - 5);  // 4 in its first line
  // A path with nodes at 0, 5, 6, 8, 11, 12: two medians cost 10, for instance nodes 2 and 5.
  Settings settings("domain", {{"kind", "uniform-matroid"}, {"rank", 2}});
  const DomainPtr domain = make_domain(settings, 6);
  EXPECT_EQ(best_fixed(Mixture(r.game->mixture(6)), domain).lower, 6 * 12 - 10);
  const Read whole = read(in_order("p-median", {{"batch", 6}}));
  EXPECT_EQ(best_fixed(Mixture(whole.game->mixture(1)), domain).lower, 6 * 12 - 10);
}

TEST(Domains, RefuseWhatTheGameDoesNotHave) {
  const Read r = read(in_order("visits"));
  for (const json& table : {json{{"kind", "partition-matroid"}, {"parts", "game"}, {"capacity", 1}},
                            json{{"kind", "graphic-matroid"}, {"edges", "game"}}}) {
    Settings settings("domain", table);
    EXPECT_THROW(make_domain(settings, 6, r.game->items()), InputError);
  }
  Settings short_list("domain",
                      {{"kind", "partition-matroid"}, {"parts", "game"}, {"capacities", {1, 2}}});
  const Read parted = read(in_order("ratings"));
  try {
    make_domain(short_list, 6, parted.game->items());
    FAIL();
  } catch (const InputError& error) {
    expect_holds(error.what(), "as many as the game's parts: (none), (not listed), Comedy, Drama");
  }
}

// --- Rows that break a rule ----------------------------------------------------------------------

struct BadRow {
  const char* kind;
  std::string text;
  int line;  // 0: the file as a whole
  std::string reason;
  json more = json::object();
};

const std::vector<BadRow>& bad_rows() {
  static const std::string ratings = "u,i,r\nann,1,2\n", kos = "2\n3\n2\n1 1 1\n", edges = "1 2\n";
  static const std::string table = "a,b,y\n1,2,3\n", days = "date,A,B\nx,1,2\n",
                           p = "3 2 1\n1 2 5\n";
  static const std::vector<BadRow> list = {
      {"ratings", ratings + "bob,1,NA\n", 3, "rating = \"NA\": must be a number"},
      {"ratings", ratings + "bob,1,\n", 3, "rating = \"\": must be a number"},
      {"ratings", ratings + "bob,1,nan\n", 3, "rating = \"nan\": must be a number"},
      {"ratings", ratings + "bob,1,1e999\n", 3, "rating = \"1e999\": must be a number"},
      {"ratings", ratings + "bob,1,3x\n", 3, "rating = \"3x\": must be a number"},
      {"ratings", ratings + "bob,1,-0.5\n", 3, "must be at least 0 with shift = 0 added"},
      {"ratings", ratings + "bob,1\n", 3, "row = 2 fields: must have 3, as the header has"},
      {"ratings", ratings + "bob,1,2,3\n", 3, "row = 4 fields: must have 3, as the header has"},
      {"ratings", ratings + ",1,2\n", 3, "user = \"\": must not be empty"},
      {"ratings", ratings + "\nann,1,5\n", 4, "must not be rated twice by one user"},
      {"ratings", ratings + "\"bob,1,2\n", 3, "must close its quotes on the same line"},
      {"ratings", ratings + "\"bob\"x,1,2\n", 3, "must have a separator after the closing quote"},
      {"visits", "u,i\nann,1\nbob,\n", 3, "item = \"\": must not be empty"},
      {"words", kos + "3 1 1\n", 5, "document = \"3\": must be a whole number from 1 to 2"},
      {"words", kos + "2 4 1\n", 5, "word = \"4\": must be a whole number from 1 to 3"},
      {"words", kos + "2 1 0\n", 5, "count = \"0\": must be a whole number from 1"},
      {"words", kos + "2 1.5 1\n", 5, "word = \"1.5\": must be a whole number"},
      {"words", kos + "1 1 2\n", 5, "must not be listed twice for one document"},
      {"words", kos + "1 1\n", 5, "row = 2 fields: must be a document, a word and a count"},
      {"words",
       "{\"text\": \"a b\"}\n{\"text\": 3}\n",
       2,
       "must be an object with a text `text`",
       {{"most_documents", 1}}},
      {"words",
       "{\"text\": \"a b\"}\n{\"text\": \n",
       2,
       "must be one whole JSON object",
       {{"most_documents", 1}}},
      {"graph", edges + "2\n", 2, "row = 1 fields: must be two nodes and a weight or none"},
      {"graph", edges + "2 x\n", 2, "node = \"x\": must be a whole number from 0"},
      {"graph", edges + "2 -1\n", 2, "node = \"-1\": must be a whole number from 0"},
      {"graph", edges + "2 3 0\n", 2, "weight = 0: must be positive"},
      {"table-design", table + "1,,3\n", 3, "b = \"\": must be a number"},
      {"table-design", table + "1,2,x\n", 3, "y = \"x\": must be a number"},
      {"stations", days + "y,1,high\n", 3, "B = \"high\": must be a number"},
      {"stations", days + "y,-1,2\n", 3, "A = -1: must be at least 0"},
      {"stations", days + "y,1\n", 3, "row = 2 fields: must have 3, as the header has"},
      {"p-median", p + "4 2 1\n", 3, "node = \"4\": must be a whole number from 1 to 3"},
      {"p-median", p + "2 3 -1\n", 3, "cost = -1: must be at least 0"},
      {"p-median", p + "2 3\n", 3, "row = 2 fields: must be two nodes and a cost"},
  };
  return list;
}

json bad_table(const BadRow& bad, const char* malformed) {
  json table = {{"kind", bad.kind}, {"path", "bad.csv"}, {"malformed", malformed}};
  table.update(bad.more);
  return table;
}

TEST(Malformed, RowsAreNamedWithFileLineAndReason) {
  Folder folder;
  for (const BadRow& bad : bad_rows()) {
    SCOPED_TRACE(std::string(bad.kind) + ": " + bad.text);
    folder.write("bad.csv", bad.text);
    const std::string said = refusal(bad_table(bad, "stop"), folder.path().string());
    expect_holds(said, "bad.csv:" + std::to_string(bad.line) + ": ");
    expect_holds(said, bad.reason);
  }
}

TEST(Malformed, RowsAreSkippedAndCountedWhereTheExperimentSaysSo) {
  Folder folder;
  for (const BadRow& bad : bad_rows()) {
    SCOPED_TRACE(std::string(bad.kind) + ": " + bad.text);
    // What is left of a p-median graph would not be connected.
    folder.write("bad.csv", std::string(bad.kind) == "p-median"
                                ? "3 4 1\n1 2 5\n" + bad.text.substr(bad.text.find("5\n") + 2) +
                                      "2 3 1\n2 3 2\n"
                                : bad.text);
    const Read r = read(bad_table(bad, "skip"), folder.path().string());
    EXPECT_EQ(r.pool->malformed.rows, 1u);
    expect_holds(r.pool->malformed.describe(), "1 row was skipped\n");
    expect_holds(r.pool->malformed.describe(), bad.reason);
  }
}

TEST(Malformed, OnlyTheFirstFewAreShown) {
  Folder folder;
  folder.write("many.csv", "u,i,r\na,1,x\na,1,5\nb,2,x\nc,1,x\nd,1,x\ne,1,4");
  const Read r = read({{"kind", "ratings"}, {"path", "many.csv"}, {"malformed", "skip"}},
                      folder.path().string());
  EXPECT_EQ(r.pool->malformed.rows, 4u);
  EXPECT_EQ(r.pool->malformed.first.size(), 3u);
  EXPECT_EQ(r.pool->summary, "2 ratings by 2 users of 1 items");
  EXPECT_EQ(read(in_order("ratings")).pool->malformed.describe(), "");
}

TEST(Malformed, RoutesMustJoinKnownAirports) {
  Folder folder;
  folder.write("airports.csv", "iata,latitude,longitude\nA,0,0\nB,1,0\nC,91,0\n");
  folder.write("routes.csv", "o,d,count\nA,B,3\nA,X,2\nB,B,1\nA,B,0\n");
  json table = {{"kind", "airports"}, {"path", "airports.csv"}, {"routes", "routes.csv"}};
  const std::string at = folder.path().string();
  expect_holds(refusal(table, at), "airports.csv:4: latitude = 91: must be from -90 to 90");
  table["malformed"] = "skip";
  EXPECT_EQ(read(table, at).pool->malformed.rows, 4u);
  EXPECT_EQ(read(table, at).pool->summary, "2 airports, 1 routes");
  table["malformed"] = "stop";
  folder.write("airports.csv", "iata,latitude,longitude\nA,0,0\nB,1,0\n");
  expect_holds(refusal(table, at),
               "routes.csv:3: airport = \"X\": must be in the file of airports");
  folder.write("airports.csv", "iata,name\nA,0\n");
  expect_holds(refusal(table, at), "airports.csv: must have a header of at least 3 columns");
  folder.write("airports.csv", "iata,lat,longitude\nA,0,1\n");
  expect_holds(refusal(table, at), "airports.csv: must have a header with a column `latitude`");
}

TEST(Malformed, FilesThatAreWrongAsAWholeAreRefusedInEveryMode) {
  Folder folder;
  const std::vector<BadRow> wholes = {
      {"ratings", "", 0, "must hold at least one row"},
      {"ratings", "\n \n", 0, "must hold at least one row"},
      {"ratings", "u,i,r\n", 0, "must hold at least one rating"},
      {"ratings", "1 2 3\n", 0, "must have a header of at least 3 columns"},
      {"ratings", "u,i\n1,2\n", 0, "must have a header of at least 3 columns"},
      {"visits", "u,i\n", 0, "must hold at least one visit"},
      {"words", "2\n3\n", 0, "must begin with the numbers of documents, words and entries"},
      {"words", "2\n3\n2\n1 1 1\n", 0, "must have the 2 entries that it promises, not 1"},
      {"words", "2\n3\n1\n1 1 1\n1 2 1\n", 0, "must have the 1 entries that it promises, not 2"},
      {"graph", "# nothing\n", 0, "must hold at least one row"},
      {"graph", "1 1\n", 0, "must hold at least one edge"},
      {"table-design", "a,y\n", 0, "must hold at least one row"},
      {"stations", "date,A\n2001,\n", 0, "must hold at least one reading"},
      {"p-median", "3 2 1\n1 2 5\n", 0, "must have the 2 edges that it promises, not 1"},
      {"p-median", "3 1 1\n1 2 5\n", 0, "must be connected, but no path joins nodes 1 and 3"},
  };
  for (const BadRow& bad : wholes)
    for (const char* malformed : {"stop", "skip"}) {
      SCOPED_TRACE(std::string(bad.kind) + ": " + bad.text);
      folder.write("bad.csv", bad.text);
      const std::string said = refusal(bad_table(bad, malformed), folder.path().string());
      expect_holds(said, "bad.csv: " + bad.reason);
    }
  expect_holds(refusal({{"kind", "ratings"}, {"path", "none.csv"}}, folder.path().string()),
               "none.csv: must be a file that can be read");
  expect_holds(refusal({{"kind", "ratings"}, {"path", "."}}, folder.path().string()),
               "must be a file that can be read");
}

// --- Compressed files ----------------------------------------------------------------------------

/// The text `repeats` times, compressed, of which the first `kept` bytes are kept.
void write_gzip(const std::filesystem::path& path, const std::string& text, double kept = 1) {
  const gzFile file = gzopen(path.c_str(), "wb");
  ASSERT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())),
            static_cast<int>(text.size()));
  gzclose(file);
  const auto size = static_cast<double>(std::filesystem::file_size(path));
  std::filesystem::resize_file(path, static_cast<std::uintmax_t>(kept * size));
}

std::string many_edges() {
  std::string text;
  for (int n = 0; n < 30000; ++n)
    text += std::to_string(n % 173) + " " + std::to_string(n * 7919 % 1009) + "\n";
  return text;
}

TEST(Gzip, ReadsLikeTheFileItself) {
  Folder folder;
  const json plain = {{"kind", "graph"}, {"path", "g.txt"}, {"pool", 1}, {"graphs", 1}};
  json packed = plain;
  packed["path"] = "g.txt.gz";
  folder.write("g.txt", many_edges());
  write_gzip(folder.path() / "g.txt.gz", many_edges());
  const std::string at = folder.path().string();
  EXPECT_EQ(read(plain, at).pool->summary, read(packed, at).pool->summary);
  EXPECT_EQ(read(plain, at).pool->items.names, read(packed, at).pool->items.names);
}

TEST(Gzip, RefusesWhatIsCutOffOrDamagedInEveryMode) {
  Folder folder;
  for (const double kept : {0.3, 0.9, 0.9999})
    for (const char* malformed : {"stop", "skip"}) {
      write_gzip(folder.path() / "cut.gz", many_edges(), kept);
      expect_holds(refusal({{"kind", "graph"}, {"path", "cut.gz"}, {"malformed", malformed}},
                           folder.path().string()),
                   "the file is cut off or damaged");
    }
  write_gzip(folder.path() / "bad.gz", many_edges());
  std::string bytes = folder.read("bad.gz");
  for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 20; ++i) bytes[i] = 'x';
  folder.write("bad.gz", bytes);
  const std::string said = refusal({{"kind", "graph"}, {"path", "bad.gz"}}, folder.path().string());
  EXPECT_NE(said, "nothing was refused");
}

// --- Shared between cells ------------------------------------------------------------------------

TEST(DataStore, ReadsOnceForAllThreads) {
  DataStore store;
  std::atomic<int> reads{0};
  std::vector<DataPoolPtr> got(16);
  {
    std::vector<std::jthread> threads;
    for (DataPoolPtr& pool : got)
      threads.emplace_back([&] {
        pool = store.get("key", [&] {
          ++reads;
          std::this_thread::yield();
          return DataPool{};
        });
      });
  }
  EXPECT_EQ(reads, 1);
  for (const DataPoolPtr& pool : got) EXPECT_EQ(pool, got[0]);
  store.get("another key", [&] {
    ++reads;
    return DataPool{};
  });
  EXPECT_EQ(reads, 2);
}

TEST(DataStore, AfterAFailureTheNextOneReadsAgain) {
  DataStore store;
  EXPECT_THROW(store.get("key", []() -> DataPool { throw InputError("bad"); }), InputError);
  EXPECT_TRUE(store.pools().empty());
  EXPECT_TRUE(store.get("key", [] { return DataPool{}; }));
}

TEST(DataStore, AnExperimentReadsItsFileOnce) {
  Folder folder;
  folder.write("r.csv", "u,i,r\na,1,2\na,2,3\nb,1,1\nb,3,4\n");
  const Experiment experiment = parse_experiment(
      "rounds = [5, 9]\nseeds = 3\n[game]\nkind = \"ratings\"\npath = \"r.csv\"\n[domain]\n"
      "kind = \"uniform-matroid\"\nrank = 1\n[[learner]]\nkind = \"random-base\"\n",
      (folder.path() / "e.toml").string());
  const World world = make_world(experiment, 5, 1);
  folder.write("r.csv", "gone");  // another reading would fail
  EXPECT_EQ(play_grid(experiment, 2).rows.size(), 6u);
  Experiment other = experiment;
  other.game = Settings("game", {{"kind", "ratings"}, {"path", "r.csv"}, {"items", 2}});
  EXPECT_THROW(make_world(other, 5, 1), InputError) << "another table is another game";
}

TEST(DataGame, DrawsItsRoundsEvenlyOrTakesThemInOrder) {
  const Read r = read(*data_table("stations"));
  // 5 days, 20000 draws: Hoeffding, a count is off by more than 400 with odds below
  // 2 exp(-2 * 400^2 / 20000) < 3e-7, for each of five.
  double total = 0;
  for (const WeightedFunction& f : r.game->mixture(20000)) {
    EXPECT_NEAR(f.weight, 4000, 400);
    total += f.weight;
  }
  EXPECT_EQ(total, 20000);
  const Read ordered = read(in_order("stations"));
  const auto mixture = ordered.game->mixture(12);
  for (std::size_t n = 0; n < 5; ++n) EXPECT_EQ(mixture[n].weight, n < 2 ? 3 : 2);
}

// --- Through the command -------------------------------------------------------------------------

#ifdef HINDSIGHT_COMMAND

const char* const experiment_text =
    "rounds = 20\n[game]\nkind = \"ratings\"\npath = \"data/r.csv\"\n"
    "[domain]\nkind = \"uniform-matroid\"\nrank = 1\n[[learner]]\nkind = \"random-base\"\n";

TEST(Command, StopsAtAMalformedRowOrTellsWhatItSkipped) {
  Folder folder;
  std::filesystem::create_directory(folder.path() / "sub");
  std::filesystem::create_directory(folder.path() / "sub/data");
  folder.write("sub/e.toml", experiment_text);  // paths are relative to it
  folder.write("sub/data/r.csv", "u,i,r\na,1,2\nb,2,NA\nb,1,3\n");
  for (const char* verb : {"run", "plan", "check", "solve", "trace"}) {
    SCOPED_TRACE(verb);
    const auto stopped = command::run(HINDSIGHT_COMMAND, {verb, "sub/e.toml"}, folder, 60);
    EXPECT_EQ(stopped.exit_code, 2);
    EXPECT_EQ(stopped.out, "");
    expect_holds(stopped.err, "sub/data/r.csv:3: rating = \"NA\": must be a number");
  }
  folder.write("sub/e.toml", std::string(experiment_text).insert(19, "malformed = \"skip\"\n"));
  for (const char* verb : {"run", "plan", "check", "solve", "trace"}) {
    SCOPED_TRACE(verb);
    const auto skipped = command::run(HINDSIGHT_COMMAND, {verb, "sub/e.toml"}, folder, 60);
    EXPECT_EQ(skipped.exit_code, 0) << skipped.err;
    EXPECT_EQ(skipped.err,
              "1 row was skipped\n  sub/data/r.csv:3: rating = \"NA\": must be a number\n");
  }
}

TEST(Command, ListsEveryDataGameWithItsCitation) {
  Folder folder;
  const auto said = command::run(HINDSIGHT_COMMAND, {"list", "games"}, folder, 60);
  for (const GameKind& kind : game_kinds()) {
    expect_holds(said.out, std::string(kind.kind) + " ");
    expect_holds(said.out, std::string(kind.citation));
    EXPECT_EQ(kind.citation.empty(), !data_table(kind.kind)) << kind.kind;
  }
}

#endif

// --- Real data -----------------------------------------------------------------------------------

struct RealData {
  const char* name;
  json table;  // paths inside the folder of real data
  std::string summary;
  std::size_t rounds;
};

class Real : public testing::TestWithParam<RealData> {};

TEST_P(Real, IsReadWhole) {
  const RealData& real = GetParam();
  const std::string folder = HINDSIGHT_REAL_DATA;
  if (!std::filesystem::exists(folder + "/" + real.table["path"].get<std::string>()))
    GTEST_SKIP() << folder << " has no " << real.table["path"];
  const Read r = read(real.table, folder);
  EXPECT_EQ(r.pool->summary, real.summary);
  EXPECT_EQ(r.pool->rounds.size(), real.rounds);
  EXPECT_EQ(r.pool->malformed.rows, 0u);
  const FunctionFacts facts = r.game->facts();
  EXPECT_GT(facts.max_value, 0);
  EXPECT_LT(facts.max_value, 1e6);
}

const RealData real_data[] = {
    {"movielens",
     {{"kind", "ratings"},
      {"path", "movielens-latest-small/ratings.csv"},
      {"names", "movielens-latest-small/movies.csv"}},
     "100836 ratings by 610 users of 9724 items; 9742 names",
     610},
    {"jester",
     {{"kind", "ratings"}, {"path", "jester5k/ratings.csv"}, {"shift", 10}, {"items", 20}},
     "363209 ratings by 5000 users of 100 items",
     5000},
    {"msweb",
     {{"kind", "visits"},
      {"path", "msweb/visits.csv"},
      {"names", "msweb/vroots.csv"},
      {"items", 20}},
     "98653 visits by 32710 users of 285 items; 285 names",
     32710},
    {"karate",
     {{"kind", "graph"}, {"path", "zachary-karate/karate_weighted.csv"}, {"pool", 2}},
     "34 nodes, 78 edges",
     2},
    {"facebook",
     {{"kind", "graph"}, {"path", "snap-ego-Facebook/facebook_combined.txt.gz"}, {"pool", 1}},
     "4039 nodes, 88234 edges",
     1},
    {"wiki_vote",
     {{"kind", "graph"}, {"path", "snap-wiki-Vote/Wiki-Vote.txt"}, {"directed", true}, {"pool", 1}},
     "7115 nodes, 103689 edges",
     1},
    {"sotu",
     {{"kind", "words"}, {"path", "sotu/sotu.jsonl.gz"}, {"items", 20}},
     "233 documents, 23705 words, 391307 entries",
     233},
    {"kos",
     {{"kind", "words"}, {"path", "uci-kos/docword.kos.txt.gz"}, {"items", 20}, {"batch", 10}},
     "3430 documents, 6906 words, 353160 entries",
     343},
    {"concrete",
     {{"kind", "table-design"},
      {"path", "uci-concrete/Concrete_Data.csv"},
      {"items", 10},
      {"factors", 4}},
     "1030 rows of 8 columns and a response",
     70},
    {"pm10",
     {{"kind", "stations"}, {"path", "pm10-germany/pm10_daily.csv"}, {"items", 70}},
     "4383 days, 70 stations, 149151 readings",
     4383},
    {"airports",
     {{"kind", "airports"},
      {"path", "us-airports-2008/airports.csv"},
      {"routes", "us-airports-2008/flights-airport.csv"}},
     "3376 airports, 5366 routes",
     3376},
    {"routes",
     {{"kind", "routes"},
      {"path", "us-airports-2008/airports.csv"},
      {"routes", "us-airports-2008/flights-airport.csv"}},
     "3376 airports, 5366 routes",
     2834},
};

INSTANTIATE_TEST_SUITE_P(Data, Real, testing::ValuesIn(real_data),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(RealPMedian, ThePublishedOptimumIsInTheInterval) {
  const std::string folder = HINDSIGHT_REAL_DATA;
  if (!std::filesystem::exists(folder + "/orlib-pmed")) GTEST_SKIP() << folder << " has none";
  const struct {
    int number, medians;
    double optimum;
  } published[] = {{1, 5, 5819}, {2, 10, 4093}, {3, 10, 4250}, {4, 20, 3034}, {5, 33, 1355}};
  for (const auto& [number, medians, optimum] : published) {
    SCOPED_TRACE(number);
    const Read r = read({{"kind", "p-median"},
                         {"path", "orlib-pmed/pmed" + std::to_string(number) + ".txt"},
                         {"batch", 100}},
                        folder);
    Settings settings("domain", {{"kind", "uniform-matroid"}, {"rank", medians}});
    const BestFixed best =
        best_fixed(Mixture(r.game->mixture(1)), make_domain(settings, r.game->dimension()));
    const double longest = std::stod(r.pool->summary.substr(r.pool->summary.rfind(' ')));
    // Cost = nodes * longest distance - worth.
    EXPECT_LE(100 * longest - best.upper, optimum + 1e-6);
    EXPECT_GE(100 * longest - best.lower, optimum - 1e-6);
    // What swaps of single nodes find is near; the wrong one of two costs would be off by more.
    EXPECT_LE(100 * longest - best.lower, 1.02 * optimum);
  }
}

}  // namespace
}  // namespace hindsight
