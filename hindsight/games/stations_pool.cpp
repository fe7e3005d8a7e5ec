#include <fmt/format.h>

#include "hindsight/functions/facility_location.hpp"
#include "hindsight/games/data_pools.hpp"
#include "hindsight/games/ranked_names.hpp"

namespace hindsight {

DataPool stations_pool(const DataOptions& options) {
  DataPool pool;
  pool.malformed.skip = options.skip_malformed;
  RowReader reader(options.path, pool.malformed);
  reader.require_columns(2);
  const std::size_t stations = reader.header().size() - 1;
  std::vector<Point> days;
  std::vector<double> readings(stations, 0.0);  // by station
  reader.each([&](const Fields& fields) {
    Point day(stations, 0.0);
    std::vector<double> more = readings;
    for (std::size_t s = 0; s < stations; ++s) {
      const std::string_view field = fields[s + 1];
      if (field.empty() || field == "NA") continue;
      day[s] = read_number(reader.header()[s + 1], field);
      require(day[s] >= 0, reader.header()[s + 1], day[s], "must be at least 0");
      ++more[s];
    }
    readings = std::move(more);
    days.push_back(std::move(day));
  });
  if (days.empty()) reader.fail("must hold at least one day");
  const std::vector<int> chosen = most_frequent(readings, options.items);
  if (chosen.empty()) reader.fail("must hold at least one reading");
  for (const int s : chosen)
    pool.items.names.push_back(reader.header()[static_cast<std::size_t>(s) + 1]);
  const double total = std::accumulate(readings.begin(), readings.end(), 0.0);
  pool.summary = fmt::format("{} days, {} stations, {:.0f} readings", days.size(), stations, total);
  for (const Point& day : days) {
    Point seen;
    for (const int s : chosen) seen.push_back(day[static_cast<std::size_t>(s)]);
    pool.add(std::make_shared<FacilityLocation>(std::vector<Point>{std::move(seen)}));
  }
  return pool;
}

}  // namespace hindsight
