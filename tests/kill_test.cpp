/// A run that is killed, stopped or out of disk loses nothing it had finished, and ends, once it is
/// let, with the bytes of a run that nothing happened to. Only times and memory may differ.
///
/// When to kill is told by the journal's lines and a random delay, so that a slow machine is killed
/// in the same places as a fast one.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

#include "tests/command.hpp"

namespace {

using command::Folder;
using command::Limits;
using command::Outcome;
using command::Program;
using Words = std::vector<std::string>;

bool small_scale() {
  const char* scale = std::getenv("HINDSIGHT_TEST_SCALE");
  return scale && std::string(scale) == "small";
}

/// A learner that is tuned, one whose name must be quoted, and one that plays sets.
const std::string world =
    "[game]\nkind = 'coverage'\ndimension = 8\npool = 20\n[domain]\nkind = 'uniform-matroid'\n"
    "rank = 2\n[[learner]]\nkind = 'gradient-ascent'\noracle_step = [0.01, 0.1]\n";
const std::string finite = "rounds = [100, 2000]\nseeds = 4\ntuning_seeds = 2\n" + world +
                           "[[learner]]\nkind = 'mono-frank-wolfe'\nname = 'mono, \"quoted\"'\n"
                           "[[learner]]\nkind = 'responsive-frank-wolfe'\n";
/// Nobody reaches the second horizon.
const std::string endless = "rounds = [100, 1e13]\nseeds = 4\ntuning_seeds = 2\n" + world;
const Words command_line = {"run", "e.toml", "--out", "out", "--jobs", "2"};

Outcome run_to_the_end(const Folder& folder, const Limits& limits = {}) {
  return Program(HINDSIGHT_COMMAND, command_line, folder, limits).wait();
}

Words lines_of(const std::string& text) {
  Words lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The lines that are there whole.
Words journal(const Folder& folder) {
  const std::string text = folder.read("out/journal.jsonl");
  return lines_of(text.substr(0, text.rfind('\n') + 1));
}

/// What must not differ: every file but those that show times, without the last columns of two of
/// them (seconds; seconds and peak_bytes).
std::map<std::string, std::string> lasting(const Folder& folder) {
  std::map<std::string, std::string> files;
  for (const std::string& name : folder.entries()) {
    if (!name.starts_with("out/") || name == "out/report.html" || name == "out/seconds.svg")
      continue;
    const int fickle = name == "out/results.csv" ? 2 : name == "out/curves.csv" ? 1 : 0;
    for (std::string line : lines_of(folder.read(name))) {
      for (int i = 0; i < fickle; ++i) line.resize(line.rfind(','));
      files[name] += line + "\n";
    }
  }
  return files;
}

const std::map<std::string, std::string>& reference() {
  static const auto files = [] {
    Folder folder;
    folder.write("e.toml", finite);
    EXPECT_EQ(run_to_the_end(folder).exit_code, 0);
    return lasting(folder);
  }();
  return files;
}

bool begins_with(const Words& longer, const Words& shorter) {
  return longer.size() >= shorter.size() &&
         std::equal(shorter.begin(), shorter.end(), longer.begin());
}

bool has_no_key_twice(const Words& lines) {
  std::set<std::string> keys;
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (!keys.insert(lines[i].substr(0, lines[i].find("\"part\""))).second) return false;
  return true;
}

/// Until the journal has so many lines, or the program has ended.
void await_lines(const Program& program, const Folder& folder, std::size_t count) {
  while (journal(folder).size() < count && !program.ended())
    std::this_thread::sleep_for(std::chrono::microseconds(200));
}

TEST(Kill, the_reference_has_all_files) {
  std::set<std::string> names;
  for (const auto& [name, content] : reference()) names.insert(name);
  EXPECT_EQ(names, (std::set<std::string>{"out/alpha-regret.svg", "out/comparators.csv",
                                          "out/curves.csv", "out/experiment.toml",
                                          "out/queries.svg", "out/ratio.svg", "out/regret.svg",
                                          "out/results.csv", "out/run.json", "out/tuning.csv"}));
  // 3 learners, their controls and 2 lines; 2 horizons; 4 seeds
  EXPECT_EQ(lines_of(reference().at("out/results.csv")).size(), 1u + 8 * 2 * 4);
}

/// The broken twins of what the tests below compare.
TEST(Kill, another_seed_or_a_part_lost_or_repeated_is_noticed) {
  Folder folder;
  folder.write("e.toml", finite);
  Words arguments = command_line;
  for (const char* word : {"--set", "seeds=[1,2,3,5]"}) arguments.emplace_back(word);
  ASSERT_EQ(Program(HINDSIGHT_COMMAND, arguments, folder).wait().exit_code, 0);
  const auto other = lasting(folder);
  for (const char* name : {"out/results.csv", "out/curves.csv", "out/comparators.csv"})
    EXPECT_NE(other.at(name), reference().at(name));
  EXPECT_EQ(other.at("out/tuning.csv"), reference().at("out/tuning.csv"));

  const Words lines = {"header", "{\"key\":[1],\"part\":1}", "{\"key\":[2],\"part\":1}"};
  EXPECT_TRUE(has_no_key_twice(lines));
  EXPECT_FALSE(has_no_key_twice({lines[0], lines[1], lines[2], "{\"key\":[1],\"part\":2}"}));
  EXPECT_FALSE(begins_with({lines[0], lines[2]}, {lines[0], lines[1]}));
}

TEST(Kill, at_any_moment) {
  std::mt19937 random(1);  // the moments: 0 to 3 lines and up to 2 ms on
  const int kills = small_scale() ? 10 : 50;
  Folder folder;
  folder.write("e.toml", finite);
  Words before;
  int finished = 0;
  for (int killed = 0; killed < kills;) {
    const std::size_t lines = before.size() + random() % 4;
    const std::chrono::microseconds delay(random() % 2000);
    Program program(HINDSIGHT_COMMAND, command_line, folder);
    await_lines(program, folder, lines);
    std::this_thread::sleep_for(delay);
    program.send(SIGKILL);
    const Outcome outcome = program.wait();
    ASSERT_TRUE(outcome.exit_code == 0 || outcome.exit_code == -SIGKILL) << outcome.err;
    if (outcome.exit_code == -SIGKILL) ++killed;
    if (!folder.entries().contains("out/journal.jsonl") && !before.empty()) {
      // It had written everything before it was killed, and begins anew.
      EXPECT_EQ(lasting(folder), reference());
      ++finished;
      before.clear();
      continue;
    }
    const Words now = journal(folder);
    EXPECT_TRUE(begins_with(now, before)) << "something finished was lost";
    EXPECT_TRUE(has_no_key_twice(now)) << "something finished was done again";
    before = now;
  }
  const Outcome outcome = run_to_the_end(folder);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(lasting(folder), reference());
  std::printf("%d kills, %d runs reached their end in between\n", kills, finished);
}

TEST(Kill, control_c_keeps_what_is_done_and_says_how_to_go_on) {
  const std::size_t all = 1 + 2 * 2;  // that can be done: two ways to play, on two tuning seeds
  for (const int signal : {SIGINT, SIGTERM}) {
    Folder folder;
    folder.write("e.toml", endless);
    Words before;
    for (int time = 1; time <= 2; ++time) {  // the second goes on where the first was stopped
      Program program(HINDSIGHT_COMMAND, command_line, folder);
      await_lines(program, folder, all);
      program.send(signal);
      const Outcome outcome = program.wait();
      EXPECT_EQ(outcome.exit_code, 128 + signal) << outcome.err;
      EXPECT_EQ(outcome.out, "");
      EXPECT_EQ(outcome.err,
                "hindsight: stopped; what is finished is kept in out/journal.jsonl, and the same "
                "command goes on from there\n");
      const Words now = journal(folder);
      EXPECT_EQ(now.size(), all);
      EXPECT_TRUE(begins_with(now, before));
      EXPECT_TRUE(has_no_key_twice(now));
      EXPECT_EQ(folder.entries(), (std::set<std::string>{"e.toml", "out", "out/journal.jsonl"}));
      before = now;
      before.pop_back();  // and its last line torn, so that there is something to do
      const std::string text = folder.read("out/journal.jsonl");
      folder.write("out/journal.jsonl", text.substr(0, text.size() - 10));
    }
  }
}

TEST(Kill, a_full_disk_is_named_and_costs_nothing_that_was_kept) {
  Folder folder;
  folder.write("e.toml", finite);
  Words before;
  for (const rlim_t bytes : {100, 4000, 12000, 30000}) {  // the first has no room for the header
    const Outcome outcome = run_to_the_end(folder, {.file = bytes});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.err, "hindsight: out/journal.jsonl: cannot be written: File too large\n");
    EXPECT_EQ(outcome.out, "");
    const Words now = journal(folder);
    EXPECT_TRUE(begins_with(now, before));
    EXPECT_TRUE(has_no_key_twice(now));
    EXPECT_EQ(now.size() > before.size(), bytes > 100) << "there was room for more";
    before = now;
  }
  EXPECT_EQ(run_to_the_end(folder).exit_code, 0);
  EXPECT_EQ(lasting(folder), reference());
}

/// Everything is played, but a file cannot be put in place.
TEST(Kill, results_that_cannot_be_written_are_written_next_time) {
  Folder folder;
  folder.write("e.toml", finite);
  std::filesystem::create_directories(folder.path() / "out/results.csv");
  const Outcome outcome = run_to_the_end(folder);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err, "hindsight: out/results.csv: cannot be renamed: Is a directory\n");
  const std::string curves = folder.read("out/curves.csv");
  const Words kept = journal(folder);
  EXPECT_EQ(kept.size(), 1u + 8 * 2 * 4 + 2 * 2 * 2 + 2 * 4);  // cells, tuning, comparators
  std::filesystem::remove(folder.path() / "out/results.csv");
  EXPECT_EQ(run_to_the_end(folder).exit_code, 0);
  EXPECT_EQ(lasting(folder), reference());
  EXPECT_EQ(folder.read("out/curves.csv"), curves) << "the times too: nothing was played again";
}

TEST(Kill, an_unfinished_run_of_something_else_is_refused) {
  Folder folder;
  folder.write("e.toml", finite);
  ASSERT_EQ(run_to_the_end(folder, {.file = 4000}).exit_code, 1);
  const std::string before = folder.read("out/journal.jsonl");
  for (const char* change : {"seeds=5", "rounds=[100,2001]", "learner.oracle=dual-averaging",
                             "game.pool=21", "controls=false", "tuning_seeds=3"}) {
    Words arguments = command_line;
    for (const char* word : {"--set", change}) arguments.emplace_back(word);
    const Outcome outcome = Program(HINDSIGHT_COMMAND, arguments, folder).wait();
    EXPECT_EQ(outcome.exit_code, 2) << change;
    EXPECT_NE(outcome.err.find("out/journal.jsonl: is from another experiment"), std::string::npos)
        << change << ": " << outcome.err;
    EXPECT_EQ(folder.read("out/journal.jsonl"), before) << change;
  }
  EXPECT_EQ(run_to_the_end(folder).exit_code, 0);  // and the first is still there
  EXPECT_EQ(lasting(folder), reference());
}

TEST(Kill, two_runs_do_not_share_a_folder) {
  Folder folder;
  folder.write("e.toml", endless);
  Program first(HINDSIGHT_COMMAND, command_line, folder);
  await_lines(first, folder, 1);
  const Outcome second = run_to_the_end(folder);
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_NE(second.err.find("out/journal.jsonl: is in use by another run"), std::string::npos)
      << second.err;
}

TEST(Kill, a_finished_run_is_run_anew) {
  Folder folder;
  folder.write("e.toml", finite);
  EXPECT_EQ(run_to_the_end(folder).exit_code, 0);
  const std::string times = folder.read("out/curves.csv");
  EXPECT_EQ(run_to_the_end(folder).exit_code, 0);
  EXPECT_EQ(lasting(folder), reference());
  EXPECT_NE(folder.read("out/curves.csv"), times);
}

}  // namespace
