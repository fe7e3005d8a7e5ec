/// A table for every game that is read from data, with six items, on the files of tests/data.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

/// Nothing for the games that need no data.
inline std::optional<nlohmann::json> data_table(std::string_view kind) {
  const std::string folder = std::string(HINDSIGHT_TEST_DATA) + "/";
  const auto table = [&](const char* file, nlohmann::json more = nlohmann::json::object()) {
    more.update({{"kind", kind}, {"path", folder + file}});
    if (kind != "p-median") more["items"] = 6;
    return more;
  };
  if (kind == "ratings") return table("ratings.csv", {{"names", folder + "films.csv"}});
  if (kind == "visits") return table("visits.csv");
  if (kind == "words") return table("bags.txt", {{"most_documents", 0.9}});
  if (kind == "graph") return table("weighted.csv", {{"probability", 0.3}, {"pool", 20}});
  if (kind == "table-design") return table("table.csv", {{"factors", 2}});
  if (kind == "stations") return table("readings.csv");
  if (kind == "airports" || kind == "routes")
    return table("airports.csv", {{"routes", folder + "flights.csv"}});
  if (kind == "p-median") return table("median.txt");
  return std::nullopt;
}
