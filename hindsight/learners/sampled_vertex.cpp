#include "hindsight/learners/sampled_vertex.hpp"

#include <cmath>

#include "hindsight/core/wide.hpp"
#include "hindsight/estimators/set_estimates.hpp"
#include "hindsight/learners/feedback_check.hpp"
#include "hindsight/learners/tsallis.hpp"

namespace hindsight {
namespace {

/// Writes the estimate g, and g / Psi''.
HINDSIGHT_WIDE
void estimate(double value, PointView member, PointView x, PointRef g, PointRef weighted) {
  score_estimate(value, member, x, g);
  for (std::size_t i = 0; i < g.size(); ++i) weighted[i] = tsallis::local_norm(x[i]) * g[i];
}

HINDSIGHT_WIDE
void scale(PointRef g, double factor) {
  for (double& gi : g) gi *= factor;
}

std::size_t rows(const SampledVertexOptions& options) {
  return static_cast<std::size_t>(options.ahead);
}
std::size_t items(const Matroid& matroid) { return static_cast<std::size_t>(matroid.dimension()); }

}  // namespace

SampledVertex::SampledVertex(MatroidPtr matroid, const SampledVertexOptions& options)
    : matroid_(std::move(matroid)),
      options_(options),
      draws_(options.seed, "sampled vertex"),
      sampler_(make_vertex_sampler(matroid_)),
      window_(options.ahead),
      marginals_(rows(options), items(*matroid_)),
      members_(rows(options), items(*matroid_)),
      points_(options.points ? rows(options) : 0, items(*matroid_)),
      sets_(rows(options), static_cast<std::size_t>(matroid_->rank())),
      reach_(rows(options), 1.0),
      gradient_(items(*matroid_)),
      weighted_(gradient_.size()) {
  drawn_.reserve(gradient_.size());
}

Suggestion SampledVertex::suggest() {
  Suggestion s;
  s.round = window_.send();
  s.phase = Phase::explore;
  const std::size_t row = window_.row(s.round);
  const PointRef x = marginals_.row(row), member = members_.row(row);
  Stream stream = draws_.at(static_cast<std::uint64_t>(s.round));
  copy(sampler_->marginals(), x);
  sampler_->draw(stream, drawn_);
  std::fill(member.begin(), member.end(), 0.0);
  for (const Item item : drawn_) member[static_cast<std::size_t>(item)] = 1;
  if (!options_.points) {
    s.action = Lent<double>::of(x);
    s.set = Lent<Item>::of(sets_.keep(row, drawn_));
    return s;
  }
  const double reach = stream.coin(curvature_.comparing_share()) ? 0 : curvature_.reach();
  const PointRef point = points_.row(row);
  for (std::size_t i = 0; i < point.size(); ++i) point[i] = x[i] + reach * (member[i] - x[i]);
  reach_[row] = reach;
  s.action = Lent<double>::of(point);
  return s;
}

void SampledVertex::observe(const Feedback& feedback) {
  window_.require_out(feedback.round);
  require_fitting(feedback, 0, gradient_.size(), true);
  if (options_.learning) learn(window_.row(feedback.round), *feedback.value);
  window_.settle(feedback.round);
}

void SampledVertex::lose(Round round) {
  window_.require_out(round);
  window_.settle(round);
}

void SampledVertex::learn(std::size_t row, double value) {
  const double s = reach_[row];
  const double range = sampler_->range();
  if (options_.points)
    curvature_.record(s, value, .45 * std::sqrt(range * raw_energy_) / (scale_.count + 1));
  if (s == 0) return;
  const double e = scale_.surprise(value);
  if (scale_.count > 200 && alarm_.raised_by(e, scale_.variance)) {
    scale_ = {};  // steps are large again, and the floor under the marginals is high
    energy_ = raw_energy_ = 0;
    return;
  }
  if (!(scale_.variance > 0 && range > 0)) return;

  estimate(e / s, members_.row(row), marginals_.row(row), gradient_, weighted_);
  const double energy = dot(weighted_, gradient_);  // the squared local norm
  energy_ += energy;
  raw_energy_ += energy * s * s;
  // Regret <= range / eta + eta energy / 2, so that eta ~ sqrt(range / energy). The constant keeps
  // the first steps small; it and the floor are measured.
  const double eta = std::sqrt(range / (energy_ + 100 * scale_.variance));
  const double floor = std::min(.5, eta * eta * scale_.variance / (s * s) / sampler_->mean_share());
  scale(gradient_, eta);
  sampler_->step(gradient_, floor);
}

void SampledVertex::write(Writer& writer) const {
  writer.value(fingerprint(*matroid_));
  writer.value(options_.seed);
  writer.value(options_.ahead);
  writer.value(options_.learning);
  window_.write(writer);
  window_.each_out([&](std::size_t row) {
    writer.values(marginals_.row(row));
    writer.values(members_.row(row));
    writer.value(reach_[row]);
  });
  sampler_->write(writer);
  writer.value(scale_);
  writer.value(alarm_);
  writer.value(curvature_);
  writer.value(energy_);
  writer.value(raw_energy_);
}

void SampledVertex::read(Reader& reader) {
  reader.same("domain", fingerprint(*matroid_));
  reader.same("seed", options_.seed);
  reader.same("ahead", options_.ahead);
  reader.same("learning", options_.learning);
  window_.read(reader);
  window_.each_out([&](std::size_t row) {
    reader.values(marginals_.row(row));
    reader.values(members_.row(row));
    reach_[row] = reader.value<double>();
  });
  sampler_->read(reader);
  scale_ = reader.value<RunningScale>();
  alarm_ = reader.value<DropAlarm>();
  curvature_ = reader.value<Curvature>();
  energy_ = reader.value<double>();
  raw_energy_ = reader.value<double>();
}

}  // namespace hindsight
