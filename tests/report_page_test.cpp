/// report.html as a browser sees it: runs the command, opens the page in headless Chromium, and
/// judges the document it ends up with. Pages broken on purpose must be refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <regex>

#include "tests/command.hpp"

namespace {

using command::Folder;
using command::Outcome;
using Words = std::vector<std::string>;

const std::string chromium = "/usr/bin/chromium";
const std::string gnuplot = "/usr/bin/gnuplot";

#define SKIP_WITHOUT(program) \
  if (!std::filesystem::exists(program)) GTEST_SKIP() << program << " is not installed"

std::string world(const std::string& top) {
  return top +
         "\n[game]\nkind = \"coverage\"\ndimension = 5\nitems = 8\npool = 6\n"
         "[domain]\nkind = \"uniform-matroid\"\nrank = 2\n";
}

std::string learner(const std::string& kind, const std::string& name,
                    const std::string& keys = "") {
  return "[[learner]]\nkind = \"" + kind + "\"\nname = " + name + "\n" + keys;
}

/// Runs the experiment into `out` and expects it to go well. Returns what was said on stderr.
std::string play(const Folder& folder, const std::string& experiment) {
  folder.write("e.toml", experiment);
  const Outcome outcome =
      command::run(HINDSIGHT_COMMAND, {"run", "e.toml", "--out", "out"}, folder);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return outcome.err;
}

/// The document after the browser has read it.
std::string document(const Folder& folder, const std::string& file) {
  const Folder profile;
  const Outcome outcome = command::run(
      chromium,
      {"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
       "--disable-background-networking", "--disable-component-update", "--disable-sync",
       "--user-data-dir=" + profile.path().string(), "--dump-dom",
       "file://" + (folder.path() / file).string()},
      folder);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return outcome.out;
}

std::string without(std::string text, const std::string& part) {
  for (std::size_t at; (at = text.find(part)) != std::string::npos;) text.erase(at, part.size());
  return text;
}

Words parts(const std::string& text, const std::string& begin, const std::string& end) {
  Words found;
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1))
    found.push_back(text.substr(at, text.find(end, at) - at));
  return found;
}

/// Drawn lines of a plot: gnuplot's groups, one a line, in which a path goes somewhere.
int curves(const std::string& svg) {
  int drawn = 0;
  for (const std::string& group : parts(svg, "gnuplot_plot_", "</g>\n\t</g>"))
    for (const std::string& path : parts(group, "<path ", ">"))
      drawn += std::count(path.begin(), path.end(), 'L') >= 1;
  return drawn;
}

/// What is wrong with a page that must have these names and so many plots.
Words complaints(const std::string& dom, const Words& names, std::size_t plots) {
  Words found;
  for (const char* part : {"Which learner should I use", "What everyone earned", "Exponents",
                           "Comparator", "<h3>Experiment</h3>"})
    if (dom.find(part) == std::string::npos) found.push_back(std::string("missing: ") + part);
  for (const std::string& name : names)
    if (dom.find(name) == std::string::npos) found.push_back("missing: " + name);
  std::size_t drawn = 0;
  for (const std::string& figure : parts(dom, "<figure", "</figure>")) {
    if (figure.find("<svg") == std::string::npos) continue;
    ++drawn;
    if (curves(figure) == 0) found.push_back("a plot without a curve");
  }
  if (drawn != plots) found.push_back(std::to_string(drawn) + " plots");
  const std::string bare = without(without(dom, "xmlns=\"http://www.w3.org/2000/svg\""),
                                   "xmlns:xlink=\"http://www.w3.org/1999/xlink\"");
  if (std::regex_search(bare, std::regex("https?:|<link|<img|<iframe|@import|url\\([^#]|src=")))
    found.push_back("a reference to somewhere else");
  if (bare.find("<script") != std::string::npos) found.push_back("a script");
  if (std::regex_search(bare, std::regex("[> (-](nan|inf)[< ),]"))) found.push_back("not a number");
  return found;
}

std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += word + "\n";
  return text;
}

/// Names that would break a page, a script or a shell; two learners earn more than the yardstick.
const std::string long_name(300, 'w');
const std::string nasty =
    world("rounds = [20, 60, 200]\nseeds = 3\n") +
    learner("mono-frank-wolfe", "\"<script>alert(1)</script>\"") +
    learner("meta-frank-wolfe", "'''it's \"quoted\" & `touch pwned` $(touch pwned)'''",
            "max_steps = 3\n") +
    learner("gradient-ascent", "\"na\xC3\xAFve \xE6\x97\xA5\xE6\x9C\xAC\"") +
    learner("bandit-frank-wolfe", "\"'; system('touch pwned') #\\nx ]]> y\"") +
    learner("responsive-frank-wolfe", "\"" + long_name + "\"") +
    learner("vr-frank-wolfe", "\"vr {/Symbol a} \\\\ @ %s\"", "max_steps = 3\n");
/// As the browser writes them.
const Words nasty_names = {"&lt;script&gt;alert(1)&lt;/script&gt;",
                           "it's \"quoted\" &amp; `touch pwned` $(touch pwned)",
                           "na\xC3\xAFve \xE6\x97\xA5\xE6\x9C\xAC",
                           "'; system('touch pwned') # x ]]&gt; y",
                           long_name.substr(0, 60),
                           "vr {/Symbol a} \\ @ %s",
                           "vr {/Symbol a} \\ @ %s, learning off",
                           "constant",
                           "random-base"};

TEST(ReportPage, is_whole_with_nasty_names_and_broken_twins_are_not) {
  SKIP_WITHOUT(chromium);
  SKIP_WITHOUT(gnuplot);
  Folder folder;
  EXPECT_EQ(play(folder, nasty), "");
  for (const std::string& entry : folder.entries())
    EXPECT_EQ(entry.find("pwned"), std::string::npos) << "a name was run as a command";
  const std::string page = folder.read("out/report.html");
  EXPECT_EQ(joined(complaints(document(folder, "out/report.html"), nasty_names, 5)), "");

  // The twins: cut in the middle; a plot without its curves; a name, a picture from elsewhere.
  folder.write("half.html", page.substr(0, page.size() / 2));
  EXPECT_NE(joined(complaints(document(folder, "half.html"), nasty_names, 5)), "");
  const std::string no_curves =
      std::regex_replace(page, std::regex("(gnuplot_plot_[^]*?<path [^>]*d=')[^']*'"), "$1M0,0'");
  folder.write("empty.html", no_curves);
  EXPECT_EQ(joined(complaints(document(folder, "empty.html"), nasty_names, 5)).substr(0, 22),
            "a plot without a curve");
  EXPECT_EQ(joined(complaints(page + "<img src=\"http://example.org/x.png\">", {}, 5)),
            "a reference to somewhere else\n");
  EXPECT_EQ(joined(complaints(page, {"nobody"}, 5)), "missing: nobody\n");
  EXPECT_EQ(joined(complaints(page + "<td>nan</td>", {}, 5)), "not a number\n");
}

TEST(ReportPage, its_plots_are_files_that_stand_alone) {
  SKIP_WITHOUT(chromium);
  SKIP_WITHOUT(gnuplot);
  Folder folder;
  play(folder, nasty);
  for (const std::string name : {"ratio", "regret", "alpha-regret", "queries", "seconds"})
    EXPECT_GT(curves(folder.read("out/" + name + ".svg")), 0) << name;
  const std::string dom = document(folder, "out/ratio.svg");
  EXPECT_EQ(dom.find("parsererror"), std::string::npos) << dom.substr(0, 500);
  EXPECT_GT(curves(dom), 0);
}

TEST(ReportPage, is_whole_with_one_seed_and_one_horizon) {
  SKIP_WITHOUT(chromium);
  SKIP_WITHOUT(gnuplot);
  Folder folder;
  play(folder, world("rounds = 30") + learner("mono-frank-wolfe", "\"mono\""));
  // Regret is drawn over horizons: its two plots are left out.
  const std::string dom = document(folder, "out/report.html");
  EXPECT_EQ(joined(complaints(dom, {"mono", "mono, learning off", "constant"}, 3)), "");
  EXPECT_NE(dom.find("One seed cannot tell skill from luck"), std::string::npos);
  EXPECT_NE(dom.find("needs at least 3 horizons"), std::string::npos);
}

TEST(ReportPage, is_drawn_again_from_the_files_alone_to_the_same_bytes) {
  Folder folder;
  play(folder, nasty);
  const std::string before = folder.read("out/report.html");
  const auto entries = folder.entries();
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "out"))
    if (entry.path().extension() == ".svg" || entry.path().extension() == ".html")
      std::filesystem::remove(entry.path());
  const Outcome outcome = command::run(HINDSIGHT_COMMAND, {"report", "out"}, folder);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(folder.read("out/report.html"), before);
  EXPECT_EQ(folder.entries(), entries);
}

TEST(ReportPage, has_its_tables_where_gnuplot_is_missing) {
  Folder folder;
  const std::string path = getenv("PATH");
  setenv("PATH", folder.path().c_str(), 1);
  const std::string said = play(folder, nasty);
  setenv("PATH", path.c_str(), 1);
  EXPECT_NE(said.find("gnuplot is not installed"), std::string::npos) << said;
  const std::string page = folder.read("out/report.html");
  EXPECT_NE(page.find("Plots need gnuplot"), std::string::npos);
  EXPECT_EQ(joined(complaints(page, {"constant", "random-base"}, 0)), "");
  EXPECT_EQ(folder.entries().count("out/ratio.svg"), 0u);
}

TEST(Report, in_markdown_is_dated_as_told_and_writes_nothing) {
  Folder folder;
  play(folder, world("rounds = [20, 60, 200]\nseeds = 3") + learner("mono-frank-wolfe", "\"a|b\""));
  const auto entries = folder.entries();
  const Outcome outcome = command::run(
      HINDSIGHT_COMMAND, {"report", "out", "--markdown", "--date", "2026-01-02"}, folder);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(folder.entries(), entries);
  for (const char* part : {"## out\n", "2026-01-02", "| a\\|b | 200 |", "a\\|b, learning off",
                           "Exponents of regret against T", "0.800, alpha = 0.632"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in\n" << outcome.out;
}

TEST(Report, refuses_a_folder_with_a_bad_file_and_leaves_it_as_it_is) {
  Folder folder;
  play(folder, world("rounds = [20, 60]\nseeds = 2") + learner("mono-frank-wolfe", "\"mono\""));
  struct Bad {
    std::string file, pattern, replacement, message;
  };
  const std::vector<Bad> bad = {
      {"results.csv", "mono-frank-wolfe,mono,", "monkey,mono,",
       "results.csv:2: learner = monkey: is not a learner"},
      {"results.csv", ",true,coverage", ",yes,coverage", "learning = yes: must be true or false"},
      {"results.csv", "coverage,20,1,5,[^,]*", "coverage,20,1,5,nan",
       "results.csv:2: reward = nan: must be a finite number"},
      {"results.csv", "coverage,20,2,", "coverage,20,1,",
       "results.csv:3: name = mono: must not be there twice"},
      {"results.csv", "\n[^\n]*\n$", "\n", "must have a line with rounds = 60 and seed = 2"},
      {"results.csv", "dimension", "size", "the column dimension is missing"},
      {"curves.csv", "\nmono,20,1,1,", "\nmono,20,1,21,",
       "curves.csv:2: round = 21: must be at most rounds = 20"},
      {"curves.csv", "[^]*", "", "curves.csv: must have a header"},
      {"comparators.csv", "\n20,1,[^,]*,", "\n20,1,1e9,",
       "hindsight_lower = 1e9: must be at most hindsight_upper"},
      {"comparators.csv", "\n[^\n]*\n$", "\n", "must have a line with rounds = 60 and seed = 2"},
  };
  for (const Bad& b : bad) {
    const std::string good = folder.read("out/" + b.file);
    const std::string changed = std::regex_replace(good, std::regex(b.pattern), b.replacement,
                                                   std::regex_constants::format_first_only);
    ASSERT_NE(changed, good) << b.pattern;
    folder.write("out/" + b.file, changed);
    const std::string page = folder.read("out/report.html");
    const Outcome outcome = command::run(HINDSIGHT_COMMAND, {"report", "out"}, folder);
    EXPECT_EQ(outcome.exit_code, 2) << b.message;
    EXPECT_NE(outcome.err.find(b.message), std::string::npos) << outcome.err;
    EXPECT_EQ(folder.read("out/report.html"), page);
    folder.write("out/" + b.file, good);
  }
  for (const char* file : {"results.csv", "curves.csv", "comparators.csv", "experiment.toml"}) {
    const std::string good = folder.read(std::string("out/") + file);
    std::filesystem::remove(folder.path() / "out" / file);
    const Outcome outcome = command::run(HINDSIGHT_COMMAND, {"report", "out"}, folder);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find(std::string(file) + ": must be a file that can be read"),
              std::string::npos)
        << outcome.err;
    folder.write(std::string("out/") + file, good);
  }
  const Outcome none = command::run(HINDSIGHT_COMMAND, {"report", "nowhere"}, folder);
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("DIR = nowhere: must be the folder of a run"), std::string::npos);
}

}  // namespace
