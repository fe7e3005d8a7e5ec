#include "hindsight/domains/domain.hpp"

#include <cstring>

#include "hindsight/core/archive.hpp"
#include "hindsight/core/lanes.hpp"
#include "hindsight/core/narrow.hpp"
#include "hindsight/core/rng.hpp"
#include "hindsight/core/wide.hpp"

namespace hindsight {
namespace {

/// y += scale * x, row by row.
HINDSIGHT_WIDE
void add_scaled_rows(std::span<double> rows, std::span<const double> scales, PointView added) {
  const std::size_t n = rows.size() / scales.size();
  double* __restrict y = rows.data();
  const double* __restrict x = added.data();
  for (const double scale : scales) {
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
      Lanes at, more;
      load(y + i, at);
      load(x + i, more);
      store(y + i, at + scale * more);
    }
    for (; i < n; ++i) y[i] += scale * x[i];
    y += n;
    x += n;
  }
}

/// z = lower + (y + step * x) / scale, row by row.
HINDSIGHT_WIDE
void widen_and_add(PointView lower, double scale, std::span<const float> rows,
                   std::span<const double> steps, std::span<const float> added, PointRef moved) {
  const std::size_t n = lower.size(), length = narrow_length(n);
  const double factor = 1 / scale;
  const float* __restrict y = rows.data();
  const float* __restrict x = added.data();
  double* __restrict z = moved.data();
  for (const double step : steps) {
    for (std::size_t i = 0; i < n; ++i)
      z[i] = lower[i] + factor * (static_cast<double>(y[i]) + step * static_cast<double>(x[i]));
    y += length;
    x += length;
    z += n;
  }
}

/// y = scale * (z - lower), rounded down, row by row.
HINDSIGHT_WIDE
void narrow_rows(PointView lower, double scale, PointView moved, std::span<float> rows) {
  const std::size_t n = lower.size(), length = narrow_length(n);
  for (std::size_t p = 0; p * length < rows.size(); ++p)
    for (std::size_t i = 0; i < n; ++i)
      keep(&rows[p * length + i], scale * (moved[p * n + i] - lower[i]));
}

/// Moves all points and calls project(some, their) with some of them and their multipliers.
template <class Project>
void ascend_rows(const Domain& domain, PointRef points, std::span<const double> steps,
                 PointView directions, std::span<double> warm, Workers* workers, Project project) {
  const auto d = static_cast<std::size_t>(domain.dimension());
  const auto m = static_cast<std::size_t>(domain.multipliers());
  share_rows(workers, steps.size(), [&](std::size_t first, std::size_t count) {
    const PointRef some = points.subspan(first * d, count * d);
    add_scaled_rows(some, steps.subspan(first, count), directions.subspan(first * d, count * d));
    project(some, warm.subspan(first * m, count * m));
  });
}

}  // namespace

void Domain::project_each(std::span<double> points, std::span<double> warm) const {
  const auto d = static_cast<std::size_t>(dimension()), m = static_cast<std::size_t>(multipliers());
  for (std::size_t p = 0; p * d < points.size(); ++p)
    project(points.subspan(p * d, d), warm.subspan(p * m, m));
}

void Domain::ascend_each(std::span<double> points, std::span<const double> steps,
                         PointView directions, std::span<double> warm, Workers* workers) const {
  ascend_rows(*this, points, steps, directions, warm, workers,
              [&](PointRef some, std::span<double> their) { project_each(some, their); });
}

void Domain::ascend_each_in(const AffineMap& image, std::span<double> points,
                            std::span<const double> steps, PointView directions,
                            std::span<double> warm, Workers* workers) const {
  ascend_rows(*this, points, steps, directions, warm, workers,
              [&](PointRef some, std::span<double> their) {
                image.to_base(some);
                project_each(some, their);
                image.from_base(some);
              });
}

void Domain::ascend_each(std::span<float> distances, PointView lower, double scale,
                         std::span<const double> steps, const NarrowDirections& directions,
                         std::span<double> warm) const {
  static thread_local Point moved;
  moved.resize(steps.size() * lower.size());
  widen_and_add(lower, scale, distances, steps, directions.rows, moved);
  project_each(moved, warm);
  narrow_rows(lower, scale, moved, distances);
}

Point diagonal_point(const Domain& domain) {
  // Membership is monotone along the ray from the lower corner, so that bisection finds its end;
  // the tolerance it needs there is taken back by a projection.
  const Point corner = domain.lower();
  Point x = corner;
  const auto inside = [&](double c) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = corner[i] + c;
    return domain.contains(x, 1e-13);
  };
  double low = 0;
  double high = domain.diameter() + 1;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) break;
    (inside(middle) ? low : high) = middle;
  }
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = corner[i] + low;
  domain.project(x);
  return x;
}

std::uint64_t fingerprint(const Domain& domain) {
  const auto d = static_cast<std::size_t>(domain.dimension());
  Point seen = domain.lower();
  seen.push_back(domain.inner_radius());
  seen.push_back(domain.diameter());
  Point weights(d), v(d);
  const StreamFamily streams(0, "domain fingerprint");
  for (std::uint64_t n = 0; n < 16; ++n) {
    Stream stream = streams.at(n);
    for (double& w : weights) w = stream.uniform();
    domain.maximize(weights, v);
    seen.insert(seen.end(), v.begin(), v.end());
  }
  Writer writer;
  writer.values(seen);
  const std::string bytes = std::move(writer).finish();
  std::uint64_t checksum = 0;  // the archive's own, its last eight bytes
  std::memcpy(&checksum, bytes.data() + bytes.size() - sizeof checksum, sizeof checksum);
  return checksum;
}

}  // namespace hindsight
