#include "hindsight/games/data_loader.hpp"

#include <filesystem>

#include "hindsight/games/data_pools.hpp"

namespace hindsight {
namespace {

/// Reads the keys that several kinds have.
class Keys {
 public:
  Keys(Settings& settings, const std::string& folder) : settings_(settings), folder_(folder) {}

  std::string file(const char* key) { return resolve(settings_.needed(key, settings_.text(key))); }
  std::string optional_file(const char* key) {
    const auto name = settings_.text(key);
    return name ? resolve(*name) : "";
  }
  int whole(const char* key, int preset, int most) {
    return static_cast<int>(settings_.integer(key, 1, most).value_or(preset));
  }
  double positive(const char* key, double preset) {
    const double value = settings_.number(key).value_or(preset);
    require(value > 0, key, value, "must be positive");
    return value;
  }
  double share(const char* key, double preset) {
    const double value = settings_.number(key).value_or(preset);
    require(value > 0 && value <= 1, key, value, "must be above 0 and at most 1");
    return value;
  }
  bool flag(const char* key, bool preset) { return settings_.flag(key).value_or(preset); }
  double number(const char* key, double preset) { return settings_.number(key).value_or(preset); }

  void data(DataOptions& options) {
    options.path = file("path");
    options.skip_malformed = settings_.choice("malformed", {"stop", "skip"}) == "skip";
  }
  void items(DataOptions& options) { options.items = whole("items", options.items, 100'000); }
  void batch(DataOptions& options) { options.batch = whole("batch", options.batch, 1'000'000); }

 private:
  std::string resolve(const std::string& name) const {
    return (std::filesystem::path(folder_) / name).string();
  }

  Settings& settings_;
  const std::string& folder_;
};

std::function<DataPool()> load_ratings(Keys keys) {
  RatingsOptions o;
  keys.data(o);
  keys.items(o);
  keys.batch(o);
  o.shift = keys.number("shift", o.shift);
  o.names = keys.optional_file("names");
  return [o] { return ratings_pool(o); };
}

std::function<DataPool()> load_visits(Keys keys) {
  VisitsOptions o;
  keys.data(o);
  keys.items(o);
  keys.batch(o);
  o.names = keys.optional_file("names");
  return [o] { return visits_pool(o); };
}

std::function<DataPool()> load_words(Keys keys) {
  WordsOptions o;
  keys.data(o);
  keys.items(o);
  keys.batch(o);
  o.most_documents = keys.share("most_documents", o.most_documents);
  return [o] { return words_pool(o); };
}

std::function<DataPool()> load_graph(Keys keys) {
  GraphOptions o;
  keys.data(o);
  keys.items(o);
  o.directed = keys.flag("directed", o.directed);
  o.probability = keys.share("probability", o.probability);
  o.pool = keys.whole("pool", o.pool, 1'000'000);
  o.graphs = keys.whole("graphs", o.graphs, 1'000'000);
  return [o] { return graph_pool(o); };
}

std::function<DataPool()> load_design(Keys keys) {
  DesignOptions o;
  keys.data(o);
  keys.items(o);
  o.factors = keys.whole("factors", o.factors, 1'000'000);
  o.scale = keys.positive("scale", o.scale);
  o.samples = keys.whole("samples", o.samples, 1'000'000);
  require(o.samples >= 2, "samples", o.samples, "must be at least 2");
  return [o] { return design_pool(o); };
}

std::function<DataPool()> load_stations(Keys keys) {
  DataOptions o;
  keys.data(o);
  keys.items(o);
  return [o] { return stations_pool(o); };
}

std::function<DataPool()> load_airports(Keys keys, bool items_are_routes) {
  AirportsOptions o;
  keys.data(o);
  keys.items(o);
  keys.batch(o);
  o.routes = keys.file("routes");
  o.items_are_routes = items_are_routes;
  o.reach = keys.positive("reach", o.reach);
  return [o] { return airports_pool(o); };
}

std::function<DataPool()> load_p_median(Keys keys) {
  DataOptions o;
  keys.data(o);
  keys.batch(o);
  return [o] { return p_median_pool(o); };
}

}  // namespace

std::function<DataPool()> data_loader(Settings& settings, const std::string& kind,
                                      const std::string& folder) {
  const Keys keys(settings, folder);
  if (kind == "ratings") return load_ratings(keys);
  if (kind == "visits") return load_visits(keys);
  if (kind == "words") return load_words(keys);
  if (kind == "graph") return load_graph(keys);
  if (kind == "table-design") return load_design(keys);
  if (kind == "stations") return load_stations(keys);
  if (kind == "airports") return load_airports(keys, false);
  if (kind == "routes") return load_airports(keys, true);
  if (kind == "p-median") return load_p_median(keys);
  return {};
}

}  // namespace hindsight
