#include "hindsight/core/json.hpp"

#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "hindsight/core/error.hpp"

namespace hindsight {
namespace {

using Json = nlohmann::ordered_json;

Json array(PointView numbers) { return Json(std::vector<double>(numbers.begin(), numbers.end())); }

Json table(const PointList& points) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < points.count; ++i) rows.push_back(array(points[i]));
  return rows;
}

void require_keys(const Json& json, std::initializer_list<std::string_view> known) {
  require(json.is_object(), "json", json.dump(), "must be an object");
  for (const auto& [key, value] : json.items()) {
    bool found = false;
    for (const std::string_view name : known) found = found || name == key;
    require(found, key, value.dump(), "is not a key of this object");
  }
}

Round read_round(const Json& json) {
  const Json round = json.value("round", Json());
  require(round.is_number_integer() && round.get<double>() >= 1 && round.get<double>() < 9e15,
          "round", round.dump(), "must be a whole number from 1 on");
  return round.get<Round>();
}

std::vector<double> read_numbers(const Json& json, const std::string& key) {
  require(json.is_array(), key, json.dump(), "must be a list of numbers");
  std::vector<double> numbers;
  for (const Json& entry : json) {
    require(entry.is_number() && std::isfinite(entry.get<double>()), key, entry.dump(),
            "must hold finite numbers");
    numbers.push_back(entry.get<double>());
  }
  return numbers;
}

PointList read_table(const Json& json, const std::string& key) {
  require(json.is_array(), key, json.dump(), "must be a list of points");
  std::vector<double> numbers;
  std::size_t width = 0;
  for (const Json& row : json) {
    const std::vector<double> point = read_numbers(row, key);
    require(!point.empty() && (width == 0 || point.size() == width), key, row.dump(),
            "must hold points of one dimension");
    width = point.size();
    numbers.insert(numbers.end(), point.begin(), point.end());
  }
  return {json.size(), Lent<double>(std::move(numbers))};
}

}  // namespace

Json to_json(const Suggestion& s) {
  Json json;
  json["round"] = s.round;
  if (!s.action.empty()) json["action"] = array(s.action.view());
  if (s.set) json["set"] = std::vector<Item>(s.set->begin(), s.set->end());
  if (s.probes.count > 0) json["probes"] = table(s.probes);
  if (s.surrogate) json["surrogate"] = true;
  if (s.phase != Phase::none) json["phase"] = s.phase == Phase::explore ? "explore" : "exploit";
  if (s.step > 0) json["k"] = s.step;
  if (!s.direction.empty()) json["direction"] = array(s.direction.point());
  return json;
}

Json to_json(const Feedback& f) {
  Json json;
  json["round"] = f.round;
  if (f.value) json["value"] = *f.value;
  if (f.gradients.count > 0) json["gradients"] = table(f.gradients);
  return json;
}

Suggestion suggestion_from_json(const Json& json) {
  require_keys(json, {"round", "action", "set", "probes", "surrogate", "phase", "k", "direction"});
  Suggestion s;
  s.round = read_round(json);
  if (json.contains("action")) s.action = read_numbers(json["action"], "action");
  if (json.contains("set")) {
    std::vector<Item> items;
    require(json["set"].is_array(), "set", json["set"].dump(), "must be a list of items");
    for (const Json& item : json["set"]) {
      require(item.is_number_unsigned() && item.get<std::uint64_t>() < (1u << 31), "set",
              item.dump(), "must hold items, counted from 0");
      items.push_back(item.get<Item>());
    }
    s.set = Lent<Item>(std::move(items));
  }
  if (json.contains("probes")) s.probes = read_table(json["probes"], "probes");
  if (json.contains("surrogate")) {
    require(json["surrogate"].is_boolean(), "surrogate", json["surrogate"].dump(),
            "must be true or false");
    s.surrogate = json["surrogate"].get<bool>();
  }
  if (json.contains("phase")) {
    const Json& phase = json["phase"];
    require(phase == "explore" || phase == "exploit", "phase", phase.dump(),
            "must be \"explore\" or \"exploit\"");
    s.phase = phase == "explore" ? Phase::explore : Phase::exploit;
  }
  if (json.contains("k")) {
    require(json["k"].is_number_unsigned() && json["k"].get<std::uint64_t>() >= 1 &&
                json["k"].get<std::uint64_t>() < (1u << 31),
            "k", json["k"].dump(), "must be a step, counted from 1");
    s.step = json["k"].get<int>();
  }
  if (json.contains("direction"))
    s.direction = LentDirection(read_numbers(json["direction"], "direction"));
  return s;
}

Feedback feedback_from_json(const Json& json) {
  require_keys(json, {"round", "value", "gradients"});
  Feedback f;
  f.round = read_round(json);
  if (json.contains("value")) {
    const Json& value = json["value"];
    require(value.is_number() && std::isfinite(value.get<double>()), "value", value.dump(),
            "must be a finite number");
    f.value = value.get<double>();
  }
  if (json.contains("gradients")) f.gradients = read_table(json["gradients"], "gradients");
  return f;
}

}  // namespace hindsight
