/// A journal gives back what was kept in it, wherever a kill tore it, and nobody else's.
#include "hindsight/runs/journal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/command.hpp"

namespace hindsight {
namespace {

using nlohmann::json;

const json run = {{"hindsight", "1"}, {"experiment", "rounds = 3\n"}};
/// Numbers that only come back if every digit does, and a text that must be escaped.
const std::vector<json> parts = {
    {{"reward", 0.1}, {"seconds", 1 / 3.0}},
    {{"reward", std::numeric_limits<double>::denorm_min()},
     {"rounds", std::numeric_limits<std::int64_t>::max()}},
    {{"reward", std::nextafter(1e22, 0)}, {"name", "a \"b\",\n\xc3\xa9"}}};

json key(std::size_t i) { return {"cell", "a, \"b\"", i, 7}; }

struct Fixture : testing::Test {
  command::Folder folder;
  std::string path = (folder.path() / "journal.jsonl").string();

  std::string bytes() const { return folder.read("journal.jsonl"); }
  void write(const std::string& content) const { folder.write("journal.jsonl", content); }
  /// With the first `count` parts.
  std::string filled(std::size_t count) const {
    std::filesystem::remove(path);
    Journal journal(path, run);
    for (std::size_t i = 0; i < count; ++i) journal.keep(key(i), parts[i]);
    return bytes();
  }
};
using JournalTest = Fixture;

TEST_F(JournalTest, gives_back_what_was_kept_and_nothing_else) {
  filled(3);
  const Journal journal(path, run);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(journal.find(key(i)), parts[i]);
  EXPECT_FALSE(journal.find(key(3)));
}

TEST_F(JournalTest, torn_at_any_byte_of_its_last_line_it_loses_that_line_alone) {
  const std::string whole = filled(3), shorter = filled(2);
  ASSERT_TRUE(whole.starts_with(shorter));
  for (std::size_t cut = shorter.size(); cut < whole.size(); ++cut) {
    write(whole.substr(0, cut));
    Journal journal(path, run);
    EXPECT_EQ(bytes(), shorter) << cut;
    EXPECT_EQ(journal.find(key(1)), parts[1]) << cut;
    EXPECT_FALSE(journal.find(key(2))) << cut;
    journal.keep(key(2), parts[2]);
    EXPECT_EQ(bytes(), whole) << cut;
  }
}

TEST_F(JournalTest, torn_in_its_first_line_it_begins_anew) {
  const std::string header = filled(0);
  for (std::size_t cut = 0; cut < header.size(); ++cut) {
    write(header.substr(0, cut));
    Journal journal(path, run);
    EXPECT_EQ(bytes(), header) << cut;
  }
}

/// What a failing machine leaves: the lines before it are good, it and what follows are played
/// again.
TEST_F(JournalTest, a_line_that_is_no_part_ends_it) {
  const std::string one = filled(1), three = filled(3);
  for (const std::string& bad : std::vector<std::string>{"\n", "{}\n", "[1]\n", "{\"key\":1}\n",
                                                         std::string(3, '\0') + "\n"}) {
    write(one + bad + three.substr(one.size()));
    const Journal journal(path, run);
    EXPECT_EQ(bytes(), one);
    EXPECT_TRUE(journal.find(key(0)));
    EXPECT_FALSE(journal.find(key(2)));
  }
}

TEST_F(JournalTest, another_run_is_refused_and_its_journal_left_alone) {
  const std::string before = filled(2);
  for (json other : {json{{"hindsight", "2"}, {"experiment", "rounds = 3\n"}},
                     json{{"hindsight", "1"}, {"experiment", "rounds = 4\n"}}}) {
    EXPECT_THROW(Journal(path, other), InputError);
    EXPECT_EQ(bytes(), before);
  }
  for (const std::string not_ours : {"my notes", "my notes\n", "{\"hindsight\":\"2"}) {
    write(not_ours);
    EXPECT_THROW(Journal(path, run), InputError);
    EXPECT_EQ(bytes(), not_ours);
  }
}

TEST_F(JournalTest, is_used_by_one_at_a_time) {
  {
    const Journal journal(path, run);
    EXPECT_THROW(Journal(path, run), InputError);
  }
  Journal journal(path, run);
  journal.remove();
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(JournalTest, cannot_be_opened_says_why) {
  try {
    Journal((folder.path() / "no" / "journal.jsonl").string(), run);
    FAIL();
  } catch (const std::system_error& error) {
    EXPECT_NE(std::string(error.what()).find("no/journal.jsonl: cannot be opened: No such file"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(JournalTest, a_run_is_its_version_its_experiment_and_its_files) {
  const auto identify = [&](const std::string& rounds, const std::string& version) {
    const std::string text = "rounds = " + rounds +
                             "\n[game]\nkind = 'replay'\nfile = 'f.jsonl'\n[domain]\nkind = 'box'\n"
                             "[[learner]]\nkind = 'constant'\n";
    return identity(parse_experiment(text, (folder.path() / "e.toml").string()), version);
  };
  folder.write("f.jsonl", "one");
  const json same = identify("10", "1");
  EXPECT_EQ(identify("10   # a remark", "1"), same);
  EXPECT_NE(identify("11", "1"), same);
  EXPECT_NE(identify("10", "2"), same);
  folder.write("f.jsonl", "two");
  EXPECT_NE(identify("10", "1"), same);
}

}  // namespace
}  // namespace hindsight
