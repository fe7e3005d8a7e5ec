#include <fmt/format.h>

#include <algorithm>
#include <array>
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

/// From one airport to another, or to itself.
using Trip = std::array<int, 2>;

struct Airports {
  Names codes;
  std::vector<Place> places;

  double between(int a, int b) const {
    return distance(places[static_cast<std::size_t>(a)], places[static_cast<std::size_t>(b)]);
  }
  /// How far a customer's ends are from the ends of an item, on average, whichever way it is flown.
  double gap(const Trip& customer, const Trip& item) const {
    return std::min(between(customer[0], item[0]) + between(customer[1], item[1]),
                    between(customer[0], item[1]) + between(customer[1], item[0])) /
           2;
  }
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
using Routes = std::map<Trip, double>;

Routes read_routes(const std::string& path, const Names& codes, Malformed& malformed,
                   std::size_t& rows) {
  RowReader reader(path, malformed, "routes");
  reader.require_columns(3);
  Routes routes;
  reader.each([&](const Fields& fields) {
    Trip ends{};
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

  std::vector<Trip> customers, items;
  std::vector<double> flights;
  if (options.items_are_routes) {
    for (const auto& [ends, count] : routes) {
      customers.push_back(ends);
      flights.push_back(count);
    }
  } else {
    flights.resize(airports.places.size());
    for (const auto& [ends, count] : routes)
      for (const int a : ends) flights[static_cast<std::size_t>(a)] += count;
    for (int a = 0; a < airports.codes.size(); ++a) customers.push_back({a, a});
  }
  for (const int i : most_frequent(flights, options.items)) {
    items.push_back(customers[static_cast<std::size_t>(i)]);
    const auto [from, to] = items.back();
    pool.items.names.push_back(airports.codes[from]);
    if (!options.items_are_routes) continue;
    pool.items.names.back() += "-" + airports.codes[to];
    pool.items.edges.push_back({from, to});
  }
  std::vector<Point> benefits;
  for (const Trip& customer : customers) {
    benefits.emplace_back();
    for (const Trip& item : items) {
      const double gap = std::min(options.reach, airports.gap(customer, item));
      benefits.back().push_back(1 - gap / options.reach);
    }
  }
  add_customer_rounds(benefits, options.batch, pool);
  return pool;
}

}  // namespace hindsight
