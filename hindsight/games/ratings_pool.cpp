#include <fmt/format.h>

#include <map>
#include <unordered_set>

#include "hindsight/functions/coverage.hpp"
#include "hindsight/functions/extension.hpp"
#include "hindsight/functions/facility_location.hpp"
#include "hindsight/games/data_pools.hpp"
#include "hindsight/games/ranked_names.hpp"

namespace hindsight {
namespace {

/// What one user has said of the items: (item, worth), each item once.
using UserRow = std::vector<std::pair<int, double>>;

struct Opinions {
  Names users, items;
  std::vector<UserRow> rows;   // by user
  std::vector<double> counts;  // by item

  bool add(std::string_view user, std::string_view item, double worth) {
    const int u = users.add(user), i = items.add(item);
    if (!seen_.insert((static_cast<std::uint64_t>(u) << 32) + static_cast<std::uint64_t>(i)).second)
      return false;
    rows.resize(static_cast<std::size_t>(users.size()));
    counts.resize(static_cast<std::size_t>(items.size()));
    rows[static_cast<std::size_t>(u)].emplace_back(i, worth);
    ++counts[static_cast<std::size_t>(i)];
    return true;
  }

  /// Keeps the most frequent items, numbered by their rank. Returns which they were.
  std::vector<int> keep(int most) {
    const std::vector<int> chosen = most_frequent(counts, most);
    const std::vector<int> rank = positions(chosen, counts.size());
    for (UserRow& row : rows) {
      for (auto& [item, worth] : row) item = rank[static_cast<std::size_t>(item)];
      std::erase_if(row, [](const auto& entry) { return entry.first < 0; });
      std::sort(row.begin(), row.end());
    }
    return chosen;
  }

 private:
  std::unordered_set<std::uint64_t> seen_;
};

/// Names of the chosen items and, where the file has a third column, a part for each group that
/// comes first there. Returns how many rows the file has.
std::size_t read_item_names(const std::string& path, const Names& ids,
                            const std::vector<int>& chosen, Malformed& malformed,
                            ItemStructure& out) {
  for (const int id : chosen) out.names.push_back(ids[id]);
  if (path.empty()) return 0;
  RowReader reader(path, malformed, "names");
  reader.require_columns(2);
  const std::vector<int> rank = positions(chosen, static_cast<std::size_t>(ids.size()));
  std::vector<std::string> groups(chosen.size(), "(not listed)");
  Names listed;
  reader.each([&](const Fields& fields) {
    const std::string_view id = read_name("item", fields[0]);
    require(listed.find(id) < 0, "item", shown(id), "must not be listed twice");
    listed.add(id);
    const int number = ids.find(id);
    if (number < 0 || rank[static_cast<std::size_t>(number)] < 0) return;
    const auto item = static_cast<std::size_t>(rank[static_cast<std::size_t>(number)]);
    out.names[item] = fields[1];
    if (fields.size() > 2) groups[item] = fields[2].substr(0, fields[2].find('|'));
  });
  if (reader.header().size() > 2) {
    std::map<std::string, ItemSet> parts;
    for (std::size_t i = 0; i < groups.size(); ++i)
      parts[groups[i]].push_back(static_cast<Item>(i));
    for (auto& [name, part] : parts) {
      out.part_names.push_back(name);
      out.parts.push_back(std::move(part));
    }
  }
  return static_cast<std::size_t>(listed.size());
}

/// A round for every `batch` users in their order; `make` turns their rows into a function.
template <class Make>
void add_rounds(const std::vector<UserRow>& rows, int batch, Make make, DataPool& pool) {
  std::map<std::vector<UserRow>, int> known;
  const auto step = static_cast<std::size_t>(batch);
  for (std::size_t first = 0; first < rows.size(); first += step) {
    const std::size_t last = std::min(rows.size(), first + step);
    const auto from = rows.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<UserRow> users(from, from + static_cast<std::ptrdiff_t>(last - first));
    const auto [at, fresh] = known.try_emplace(users, static_cast<int>(pool.functions.size()));
    if (fresh) {
      const SetFunctionPtr f = make(users);
      pool.functions.push_back({f, extend(f)});
    }
    pool.rounds.push_back(at->second);
  }
}

/// "98653 visits by 32710 users of 285 items; 285 names"
std::string summarize(const Opinions& all, std::size_t rows, std::string_view what,
                      std::size_t names) {
  return fmt::format("{} {} by {} users of {} items{}", rows, what, all.rows.size(),
                     all.counts.size(), names > 0 ? fmt::format("; {} names", names) : "");
}

}  // namespace

DataPool ratings_pool(const RatingsOptions& options) {
  DataPool pool;
  pool.malformed.skip = options.skip_malformed;
  RowReader reader(options.path, pool.malformed);
  reader.require_columns(3);
  Opinions opinions;
  std::size_t ratings = 0;
  reader.each([&](const Fields& fields) {
    const std::string_view user = read_name("user", fields[0]);
    const std::string_view item = read_name("item", fields[1]);
    const double worth = read_number("rating", fields[2]) + options.shift;
    require(worth >= 0, "rating", fields[2],
            fmt::format("must be at least 0 with shift = {} added", options.shift));
    require(opinions.add(user, item, worth), "item", shown(item),
            "must not be rated twice by one user");
    ++ratings;
  });
  if (ratings == 0) reader.fail("must hold at least one rating");
  const std::vector<int> chosen = opinions.keep(options.items);
  const std::size_t names =
      read_item_names(options.names, opinions.items, chosen, pool.malformed, pool.items);
  pool.summary = summarize(opinions, ratings, "ratings", names);
  add_rounds(
      opinions.rows, options.batch,
      [&](const std::vector<UserRow>& users) {
        std::vector<std::vector<double>> benefits;
        for (const UserRow& row : users) {
          benefits.emplace_back(chosen.size(), 0.0);
          for (const auto& [item, worth] : row)
            benefits.back()[static_cast<std::size_t>(item)] = worth;
        }
        return std::make_shared<FacilityLocation>(benefits);
      },
      pool);
  return pool;
}

DataPool visits_pool(const VisitsOptions& options) {
  DataPool pool;
  pool.malformed.skip = options.skip_malformed;
  RowReader reader(options.path, pool.malformed);
  reader.require_columns(2);
  Opinions opinions;
  std::size_t visits = 0;
  reader.each([&](const Fields& fields) {
    const std::string_view user = read_name("user", fields[0]);
    opinions.add(user, read_name("item", fields[1]), 1);  // again is no more than once
    ++visits;
  });
  if (visits == 0) reader.fail("must hold at least one visit");
  const std::vector<int> chosen = opinions.keep(options.items);
  const std::size_t names =
      read_item_names(options.names, opinions.items, chosen, pool.malformed, pool.items);
  pool.summary = summarize(opinions, visits, "visits", names);
  add_rounds(
      opinions.rows, options.batch,
      [&](const std::vector<UserRow>& users) {
        std::vector<std::vector<int>> sets(chosen.size());
        for (std::size_t u = 0; u < users.size(); ++u)
          for (const auto& [item, worth] : users[u])
            sets[static_cast<std::size_t>(item)].push_back(static_cast<int>(u));
        return std::make_shared<Coverage>(std::vector<double>(users.size(), 1.0), sets);
      },
      pool);
  return pool;
}

}  // namespace hindsight
