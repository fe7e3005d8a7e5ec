/// The rooms of hindsight/ may include only rooms above them, and what an application embeds may
/// include nothing but the standard library and header-only libraries. The lists of rooms, in
/// their order, are those of the top CMakeLists.txt.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Words words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

const Words kEmbedded = words(HINDSIGHT_EMBEDDED_ROOMS);
const Words kMeasuring = words(HINDSIGHT_MEASURING_ROOMS);

constexpr auto npos = static_cast<std::size_t>(-1);

/// The floor of a room, counted from the top; npos if there is no such room.
std::size_t floor_of(const std::string& room) {
  Words rooms = kEmbedded;
  rooms.insert(rooms.end(), kMeasuring.begin(), kMeasuring.end());
  const auto found = std::find(rooms.begin(), rooms.end(), room);
  return found == rooms.end() ? npos : static_cast<std::size_t>(found - rooms.begin());
}

bool embedded(const std::string& room) { return floor_of(room) < kEmbedded.size(); }

std::string until_slash(const std::string& path) { return path.substr(0, path.find('/')); }

/// Why `file` ("core/rng.cpp") may not include `header`; empty if it may.
std::string objection(const std::string& file, const std::string& header, bool quoted) {
  const std::string room = until_slash(file);
  if (floor_of(room) == npos) return "is in no known room";

  if (header.starts_with("hindsight/")) {
    const std::string other = until_slash(header.substr(std::string_view("hindsight/").size()));
    if (floor_of(other) == npos) return "the header is in no known room";
    return floor_of(other) <= floor_of(room) ? "" : other + " is not above " + room;
  }
  if (quoted) return "headers of this library are included as \"hindsight/room/name.hpp\"";
  if (!embedded(room) || file == "domains/clp_program.cpp") return "";

  const bool standard = header.find_first_of("./") == std::string::npos;
  if (standard || header.starts_with("Eigen/") || header.starts_with("nlohmann/")) return "";
  if (header.starts_with("Random123/"))
    return file.ends_with(".cpp") ? "" : "a consumer of this header may lack Random123";
  // Where the system is Linux.
  if (file == "core/pages.cpp" && header == "sys/mman.h") return "";
  if (header == "immintrin.h" || header == "cpuid.h") return "";  // of the compiler itself
  return "an application that embeds a learner may lack this library";
}

/// What follows #include on this line, with its quotes or brackets; empty if it is another line.
std::string included(std::string_view line) {
  for (const std::string_view expected : {"#", "include"}) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with(expected)) return "";
    line.remove_prefix(expected.size());
  }
  const std::size_t open = line.find_first_of("<\"");
  if (open == std::string_view::npos) return "";
  const std::size_t close = line.find_first_of(">\"", open + 1);
  return close == std::string_view::npos ? "" : std::string(line.substr(open, close + 1 - open));
}

/// One line for every include of `source` that is not allowed.
Words objections(const std::string& file, const std::string& source) {
  Words found;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    const std::string header = included(line);
    if (header.empty()) continue;
    const std::string why = objection(file, header.substr(1, header.size() - 2), header[0] == '"');
    if (!why.empty()) found.push_back(file + " includes " + header + ": " + why);
  }
  return found;
}

TEST(Layers, RoomsAreListedFromTheTopDown) {
  ASSERT_FALSE(kEmbedded.empty());
  ASSERT_FALSE(kMeasuring.empty());
  EXPECT_EQ(kEmbedded.front(), "core");
  EXPECT_EQ(kEmbedded.back(), "learners");
}

TEST(Layers, NoFileIncludesARoomBelowIt) {
  const fs::path library = fs::path(HINDSIGHT_SOURCE_DIR) / "hindsight";
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(library)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".hpp" && extension != ".cpp") continue;
    ++files;
    std::ostringstream source;
    source << std::ifstream(entry.path()).rdbuf();
    const std::string file = fs::relative(entry.path(), library).generic_string();
    for (const std::string& line : objections(file, source.str())) ADD_FAILURE() << line;
  }
  EXPECT_GT(files, 10) << "there is more to read than this in " << library;
}

// The broken twins: every rule, broken once, is reported; kept, it is not.

TEST(Layers, ReportsARoomThatIsNotAbove) {
  const std::string good = "#include \"hindsight/core/rng.hpp\"\n#include <vector>\n";
  EXPECT_TRUE(objections("domains/box.cpp", good).empty());
  const Words bad = objections("core/rng.cpp", good + "#include \"hindsight/domains/box.hpp\"\n");
  ASSERT_EQ(bad.size(), 1u);
  EXPECT_EQ(bad[0],
            "core/rng.cpp includes \"hindsight/domains/box.hpp\": domains is not above core");
  EXPECT_EQ(objections("core/a.hpp", "  #  include <hindsight/learners/a.hpp>").size(), 1u);
}

TEST(Layers, ReportsUnknownRoomsAndRelativePaths) {
  EXPECT_EQ(objections("cellar/wine.cpp", "#include <vector>").size(), 1u);
  EXPECT_EQ(objections("core/rng.cpp", "#include \"hindsight/cellar/wine.hpp\"").size(), 1u);
  EXPECT_EQ(objections("core/rng.cpp", "#include \"rng.hpp\"").size(), 1u);
  EXPECT_EQ(objections("core/rng.cpp", "#include \"../domains/box.hpp\"").size(), 1u);
}

TEST(Layers, ReportsASolverInWhatIsEmbedded) {
  for (const std::string header : {"ClpSimplex.hpp", "coin/ClpSimplex.hpp", "CoinPackedMatrix.hpp",
                                   "fmt/format.h", "toml++/toml.h"}) {
    const std::string source = "#include <" + header + ">";
    EXPECT_EQ(objections("domains/packing.cpp", source).size(), 1u) << header;
    EXPECT_TRUE(objections("domains/clp_program.cpp", source).empty()) << header;
    EXPECT_TRUE(objections("offline/exact.cpp", source).empty()) << header;
  }
}

TEST(Layers, ReportsRandom123InAHeader) {
  EXPECT_TRUE(objections("core/rng.cpp", "#include <Random123/philox.h>").empty());
  EXPECT_EQ(objections("core/rng.hpp", "#include <Random123/philox.h>").size(), 1u);
}

}  // namespace
