/// One table of an experiment file: keys, values, and the lines they came from. Whoever builds
/// something from a table asks for its keys by type; what was never asked for is an error.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hindsight/core/error.hpp"
#include "hindsight/core/item_set.hpp"
#include "hindsight/core/point.hpp"
#include "hindsight/core/suggestion.hpp"

namespace hindsight {

/// "file.toml:12: ", as errors begin. What was put in from the command line stands on line 0.
std::string place_in_file(const std::string& file, int line);

class Settings {
 public:
  /// `values` is an object; `lines` tells where each of its keys stands in `file`; `line` where the
  /// table does.
  Settings(std::string file, int line, std::string table, nlohmann::json values,
           std::map<std::string, int> lines);
  /// Without a file, for programs: every error names the table alone.
  Settings(std::string table, nlohmann::json values)
      : Settings("", 0, std::move(table), std::move(values), {}) {}

  /// All keys and their values, an object.
  const nlohmann::json& values() const { return values_; }
  /// The same table with another value for a key, or without the key; places in the file stay.
  Settings with(const std::string& key, nlohmann::json value) const;
  Settings without(const std::string& key) const;

  bool has(const std::string& key) const;
  bool is_list(const std::string& key) const;
  bool is_text(const std::string& key) const;
  /// All keys and values as one text: equal tables have equal texts.
  std::string dump() const;

  /// The value of a key, if it is there. Numbers are finite; another type is an error.
  std::optional<std::string> text(const std::string& key);
  /// One of these words; the first, if the key is not there.
  std::string choice(const std::string& key, const std::vector<std::string>& words);
  std::optional<bool> flag(const std::string& key);
  std::optional<double> number(const std::string& key);
  std::optional<std::int64_t> integer(const std::string& key, std::int64_t lowest,
                                      std::int64_t highest);
  std::optional<std::vector<double>> numbers(const std::string& key);
  std::optional<std::vector<Point>> rows(const std::string& key);
  std::optional<std::vector<int>> integers(const std::string& key);
  std::optional<std::vector<ItemSet>> item_sets(const std::string& key);

  /// Unwraps what must be there.
  template <class T>
  T needed(const std::string& key, std::optional<T> value) const {
    if (!value) fail(InputError(key + ": is missing", key));
    return *std::move(value);
  }

  /// The keys of a table that is not built from now, but must be right all the same.
  void expect(const std::string& key) { find(key); }

  /// Throws for a key that nobody asked for, with the nearest one that somebody did.
  void finish() const;

  /// Runs `build`; an InputError from it is thrown again with file, line and table in front.
  template <class Build>
  auto guard(Build build) const -> decltype(build()) {
    try {
      return build();
    } catch (const InputError& error) {
      fail(error);
    }
  }
  [[noreturn]] void fail(const InputError& error) const;

 private:
  const nlohmann::json* find(const std::string& key);
  [[noreturn]] void wrong(const std::string& key, const nlohmann::json& value,
                          const std::string& rule) const;
  double finite(const std::string& key, const nlohmann::json& value) const;
  int small(const std::string& key, const nlohmann::json& value) const;

  std::string file_;
  int line_;
  std::string table_;
  nlohmann::json values_;
  std::map<std::string, int> lines_;
  std::vector<std::string> asked_;
};

}  // namespace hindsight
