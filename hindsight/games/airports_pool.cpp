#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numbers>

#include "hindsight/games/customer_rounds.hpp"
#include "hindsight/games/data_pools.hpp"
#include "hindsight/games/ranked_names.hpp"

namespace hindsight {
namespace {

struct Place {
  double latitude, longitude;  // degrees
};

/// On a sphere of the earth's mean radius, in km (haversine formula).
double distance(const Place& a, const Place& b) {
  constexpr double earth = 6371.0088, degree = std::numbers::pi / 180;
  const double p = std::sin((b.latitude - a.latitude) * degree / 2);
  const double l = std::sin((b.longitude - a.longitude) * degree / 2);
  const double h = p * p + std::cos(a.latitude * degree) * std::cos(b.latitude * degree) * l * l;
  return 2 * earth * std::asin(std::min(1.0, std::sqrt(h)));
}

struct Airports {
  Names codes;
  std::vector<Place> places;
};

Airports read_airports(const std::string& path, Malformed& malformed) {
  RowReader reader(path, malformed);
  reader.require_columns(3);
  const std::size_t latitude = reader.column("latitude"), longitude = reader.column("longitude");
  Airports airports;
  reader.each([&](const Fields& fields) {
    const std::string_view code = read_name("airport", fields[0]);
    const Place place{read_number("latitude", fields[latitude]),
                      read_number("longitude", fields[longitude])};
    require(std::abs(place.latitude) <= 90, "latitude", place.latitude, "must be from -90 to 90");
    require(std::abs(place.longitude) <= 180, "longitude", place.longitude,
            "must be from -180 to 180");
    require(airports.codes.find(code) < 0, "airport", shown(code), "must not be listed twice");
    airports.codes.add(code);
    airports.places.push_back(place);
  });
  if (airports.places.empty()) reader.fail("must hold at least one airport");
  return airports;
}

/// Flights between two airports, both directions together.
using Routes = std::map<std::array<int, 2>, double>;

Routes read_routes(const std::string& path, const Names& codes, Malformed& malformed,
                   std::size_t& rows) {
  RowReader reader(path, malformed, "routes");
  reader.require_columns(3);
  Routes routes;
  reader.each([&](const Fields& fields) {
    std::array<int, 2> ends{};
    for (std::size_t e = 0; e < 2; ++e) {
      ends[e] = codes.find(fields[e]);
      require(ends[e] >= 0, "airport", shown(fields[e]), "must be in the file of airports");
    }
    require(ends[0] != ends[1], "airport", shown(fields[1]), "must not be both ends of a route");
    const double flights = read_number("count", fields[2]);
    require(flights > 0, "count", flights, "must be positive");
    std::sort(ends.begin(), ends.end());
    routes[ends] += flights;
    ++rows;
  });
  if (routes.empty()) reader.fail("must hold at least one route");
  return routes;
}

}  // namespace

DataPool airports_pool(const AirportsOptions& options) {
  DataPool pool;
  pool.malformed.skip = options.skip_malformed;
  const Airports airports = read_airports(options.path, pool.malformed);
  std::size_t rows = 0;
  const Routes routes = read_routes(options.routes, airports.codes, pool.malformed, rows);
  pool.summary = fmt::format("{} airports, {} routes", airports.places.size(), rows);

  std::vector<std::vector<int>> sites;  // by item
  std::vector<double> flights;
  if (options.items_are_routes) {
    for (const auto& [ends, count] : routes) flights.push_back(count);
    for (const int r : most_frequent(flights, options.items)) {
      const auto ends = std::next(routes.begin(), r)->first;
      sites.push_back({ends[0], ends[1]});
      pool.items.edges.push_back(ends);
      pool.items.names.push_back(airports.codes[ends[0]] + "-" + airports.codes[ends[1]]);
    }
  } else {
    flights.resize(airports.places.size());
    for (const auto& [ends, count] : routes)
      for (const int a : ends) flights[static_cast<std::size_t>(a)] += count;
    for (const int a : most_frequent(flights, options.items)) {
      sites.push_back({a});
      pool.items.names.push_back(airports.codes[a]);
    }
  }
  std::vector<Point> benefits;
  for (const Place& customer : airports.places) {
    benefits.emplace_back();
    for (const std::vector<int>& item : sites) {
      double nearest = options.reach;
      for (const int a : item)
        nearest =
            std::min(nearest, distance(customer, airports.places[static_cast<std::size_t>(a)]));
      benefits.back().push_back(1 - nearest / options.reach);
    }
  }
  add_customer_rounds(benefits, options.batch, pool);
  return pool;
}

}  // namespace hindsight
