#include "hindsight/runs/experiment.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <set>
#include <sstream>

#include "hindsight/core/nearest.hpp"
#include "hindsight/offline/best_fixed.hpp"

namespace hindsight {
namespace {

using nlohmann::json;

json to_json(const toml::node& node) {
  if (const auto* v = node.as_boolean()) return v->get();
  if (const auto* v = node.as_integer()) return v->get();
  if (const auto* v = node.as_floating_point()) return v->get();
  if (const auto* v = node.as_string()) return v->get();
  if (const auto* list = node.as_array()) {
    json array = json::array();
    for (const toml::node& entry : *list) array.push_back(to_json(entry));
    return array;
  }
  if (const auto* table = node.as_table()) {
    json object = json::object();
    for (const auto& [key, value] : *table) object[std::string(key.str())] = to_json(value);
    return object;
  }
  std::ostringstream text;  // dates and times: no key takes them
  node.visit([&](const auto& value) { text << value; });
  return text.str();
}

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

Settings settings_of(const std::string& path, const std::string& name, const toml::table& table) {
  std::map<std::string, int> lines;
  for (const auto& [key, value] : table)
    lines[std::string(key.str())] = static_cast<int>(key.source().begin.line);
  return Settings(path, line_of(table), name, to_json(table), std::move(lines));
}

[[noreturn]] void fail(const std::string& path, int line, const std::string& message) {
  throw InputError(place_in_file(path, line) + message);
}

/// Tables inside tables are built and destroyed by recursion, so that a key of a hundred thousand
/// parts would exhaust the stack. No key has more than a few.
void require_short_keys(const std::string& path, int first_line, std::string_view text) {
  constexpr int most_dots = 32;
  int line = first_line, dots = 0;
  char quote = 0;  // the kind of string the scan is in; '#' in a comment
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      dots = quote = 0;
    } else if (quote) {
      if (c == '\\' && quote == '"')
        ++i;
      else if (c == quote && c != '#')
        quote = 0;
    } else if (c == '"' || c == '\'' || c == '#') {
      quote = c;
    } else if (c == ',' || c == '=' || c == '{' || c == '[') {
      dots = 0;
    } else if (c == '.' && ++dots > most_dots) {
      fail(path, line, "a key has more than " + std::to_string(most_dots) + " dots");
    }
  }
}

Settings read_table(const std::string& path, const toml::table& root, const char* name) {
  const toml::node* node = root.get(name);
  if (!node) fail(path, 1, std::string("[") + name + "]: is missing");
  if (!node->is_table())
    fail(path, line_of(*node), std::string(name) + ": must be a table, [" + name + "]");
  return settings_of(path, name, *node->as_table());
}

std::vector<Settings> read_learners(const std::string& path, const toml::table& root) {
  const toml::node* node = root.get("learner");
  if (!node) fail(path, 1, "[[learner]]: is missing; an experiment needs at least one");
  const toml::array* list = node->as_array();
  if (!list || list->empty() || !list->is_homogeneous(toml::node_type::table))
    fail(path, line_of(*node), "learner: must be a list of tables, [[learner]]");
  std::vector<Settings> learners;
  for (const toml::node& entry : *list)
    learners.push_back(settings_of(path, "learner", *entry.as_table()));
  return learners;
}

double read_comparator_seconds(const std::string& path, const toml::table& root) {
  double seconds = BestFixedOptions{}.seconds;
  if (!root.contains("comparator")) return seconds;
  Settings settings = read_table(path, root, "comparator");
  seconds = settings.number("seconds").value_or(seconds);
  settings.guard([&] { require(seconds >= 0, "seconds", seconds, "must be at least 0"); });
  settings.finish();
  return seconds;
}

/// A list of whole numbers from `lowest` to `highest`.
template <class Number>
std::vector<Number> read_list(Settings& settings, const std::string& key, Number lowest,
                              Number highest) {
  std::vector<Number> list;
  std::set<double> seen;
  const std::vector<double> values = *settings.numbers(key);
  for (const double value : values) {
    settings.guard([&] {
      require(std::floor(value) == value && value >= static_cast<double>(lowest) &&
                  value <= static_cast<double>(highest),
              key, value,
              "must hold whole numbers from " + std::to_string(lowest) + " to " +
                  std::to_string(highest));
      require(seen.insert(value).second, key, value, "must not be there twice");
    });
    list.push_back(static_cast<Number>(value));
  }
  settings.guard([&] { require(!list.empty(), key, "[]", "must not be empty"); });
  return list;
}

constexpr std::int64_t most_seeds = 1'000'000;

/// A list of seeds, or how many from `first` on.
std::optional<std::vector<std::uint64_t>> read_seeds(Settings& settings, const std::string& key,
                                                     std::uint64_t first) {
  if (settings.is_list(key)) return read_list<std::uint64_t>(settings, key, 0, 1ull << 53);
  const auto count = settings.integer(key, 1, most_seeds);
  if (!count) return std::nullopt;
  std::vector<std::uint64_t> seeds(static_cast<std::size_t>(*count));
  std::iota(seeds.begin(), seeds.end(), first);
  return seeds;
}

/// Those of the file must be apart from the reporting seeds; by default, five that are. They begin
/// where no count of seeds reaches, so that reporting on more seeds tunes nothing differently.
std::vector<std::uint64_t> read_tuning_seeds(Settings& settings,
                                             const std::vector<std::uint64_t>& reporting) {
  const std::string key = "tuning_seeds";
  constexpr std::uint64_t first = most_seeds + 1;
  const std::set<std::uint64_t> reported(reporting.begin(), reporting.end());
  if (const auto given = read_seeds(settings, key, first)) {
    for (const std::uint64_t seed : *given)
      settings.guard([&] {
        require(!reported.contains(seed), key, seed,
                "must not be among the seeds that are reported");
      });
    return *given;
  }
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t seed = first; seeds.size() < 5; ++seed)
    if (!reported.contains(seed)) seeds.push_back(seed);
  return seeds;
}

/// Puts a value at a dotted path; in a list of tables, into each of them.
void insert(toml::node& at, std::string_view path, const toml::node& value,
            const std::string& change) {
  if (toml::array* list = at.as_array()) {
    for (toml::node& entry : *list) insert(entry, path, value, change);
    return;
  }
  toml::table* table = at.as_table();
  if (!table) reject("--set", change, "must name a key inside a table");
  const std::size_t dot = path.find('.');
  const std::string_view key = path.substr(0, dot);
  if (key.empty()) reject("--set", change, "must be of the form a.b=value");
  if (dot == std::string_view::npos) {
    table->erase(key);  // with the line on which it stood
    table->insert(key, value);
    return;
  }
  toml::node* inner = table->get(key);
  if (!inner) inner = &table->insert_or_assign(key, toml::table{}).first->second;
  insert(*inner, path.substr(dot + 1), value, change);
}

/// Files are checked by their parser; a bare word is not.
const std::string& readable(const std::string& word) {
  try {
    json(word).dump();
  } catch (const json::type_error&) {
    reject("--set", word, "must be UTF-8");
  }
  return word;
}

void apply(toml::table& root, const std::string& change) {
  const std::size_t equals = change.find('=');
  if (equals == std::string::npos) reject("--set", change, "must be of the form a.b=value");
  require_short_keys("--set " + change.substr(0, 60), 1, change);
  const std::string value = change.substr(equals + 1);
  toml::table parsed;
  try {
    parsed = toml::parse("value = " + value);
  } catch (const toml::parse_error&) {
    // People write .5 where TOML wants 0.5; any other bare word is a text.
    double number = 0;
    const char* const end = value.data() + value.size();
    const auto read = std::from_chars(value.data(), end, number);
    if (read.ec == std::errc() && read.ptr == end)
      parsed = toml::table{{"value", number}};
    else
      parsed = toml::table{{"value", readable(value)}};
  }
  if (parsed.size() != 1) reject("--set", change, "must give one value");
  insert(root, std::string_view(change).substr(0, equals), *parsed.get("value"), change);
}

}  // namespace

std::string learner_name(Settings settings) {
  auto name = settings.text("name");
  return name ? *name : settings.needed("kind", settings.text("kind"));
}

const Settings& Experiment::learner(const std::string& name) const {
  std::vector<const Settings*> by_name, by_kind;
  std::vector<std::string> known;
  for (const Settings& settings : learners) {
    known.push_back(learner_name(settings));
    if (known.back() == name) by_name.push_back(&settings);
    if (Settings(settings).text("kind") == name) by_kind.push_back(&settings);
  }
  const auto& found = by_name.empty() ? by_kind : by_name;
  if (found.size() > 1)
    reject("--learner", name, "must name one learner; give them different names");
  if (found.empty())
    reject("--learner", name, "is not a learner of " + file + did_you_mean(name, known));
  return *found.front();
}

Experiment parse_experiment(const std::string& text, const std::string& path,
                            const std::vector<std::string>& changes) {
  require_short_keys(path, 1, text);
  toml::table root;
  try {
    root = toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    fail(path, static_cast<int>(error.source().begin.line), std::string(error.description()));
  }
  for (const std::string& change : changes) apply(root, change);
  Settings top = settings_of(path, "", root);
  constexpr Round most_rounds = 1'000'000'000'000'000;
  std::vector<Round> rounds;
  if (top.is_list("rounds"))
    rounds = read_list<Round>(top, "rounds", 1, most_rounds);
  else
    rounds = {top.needed("rounds", top.integer("rounds", 1, most_rounds))};
  std::vector<std::uint64_t> seeds =
      read_seeds(top, "seeds", 1).value_or(std::vector<std::uint64_t>{1});
  std::vector<std::uint64_t> tuning_seeds = read_tuning_seeds(top, seeds);
  const std::vector<std::string> known = {"rounds", "seeds",  "controls", "tuning_seeds",
                                          "game",   "domain", "learner",  "comparator"};
  for (const auto& [key, value] : root) {
    const std::string name(key.str());
    if (std::find(known.begin(), known.end(), name) == known.end())
      fail(path, static_cast<int>(key.source().begin.line),
           name + ": is not a key of an experiment" + did_you_mean(name, known));
  }
  std::ostringstream played;
  played << root << '\n';
  Experiment experiment{path,
                        std::filesystem::path(path).parent_path().string(),
                        std::move(rounds),
                        std::move(seeds),
                        read_table(path, root, "game"),
                        read_table(path, root, "domain"),
                        read_learners(path, root),
                        top.flag("controls").value_or(true),
                        std::move(tuning_seeds),
                        played.str(),
                        read_comparator_seconds(path, root)};
  double total = 0;  // of all rounds, which are counted while they are played
  for (const Round horizon : experiment.rounds) total += static_cast<double>(horizon);
  total *= static_cast<double>(experiment.seeds.size() * experiment.learners.size());
  top.guard([&] {
    require(total <= 1e18, "rounds", total,
            "summed over all horizons, seeds and learners, must be at most 10^18");
  });
  return experiment;
}

Experiment read_experiment(const std::string& path, const std::vector<std::string>& changes) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || std::filesystem::is_directory(path))
    throw InputError(path + ": must be a file that can be read");
  return parse_experiment(text.str(), path, changes);
}

}  // namespace hindsight
