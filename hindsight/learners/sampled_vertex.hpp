/// Sampled vertices: a bandit learner that plays a random base and learns from every round.
///
/// Each round draws a base S with marginals x and plays it, as a set or as the point x + s (1_S -
/// x). Its value f, less a baseline b of earlier rounds, is the estimate
///     g_i = (f - b)/s * (1[i in S] - x_i) / (x_i (1 - x_i)),
/// and x makes a mirror step on the base polytope with the symmetric Tsallis entropy. No horizon,
/// no scale of f. For points, s is 1 until the values show that the functions curve along S - x
/// (then the best point lies inside); a share of the rounds plays x itself to find out.
///
/// Proved: every play is feasible, and g is unbiased for E[f | i in S] - E[f | i not in S]. No
/// regret bound is proved. A base that no exchange improves earns half of the best, and traps exist
/// in which it stays at one (docs/sampled-vertex.md); `guarded` and `safe` are the answers to
/// those.
#pragma once

#include "hindsight/learners/curvature.hpp"
#include "hindsight/learners/drop_alarm.hpp"
#include "hindsight/learners/learner.hpp"
#include "hindsight/learners/round_window.hpp"
#include "hindsight/learners/running_scale.hpp"
#include "hindsight/learners/set_table.hpp"
#include "hindsight/learners/vertex_sampler.hpp"

namespace hindsight {

struct SampledVertexOptions {
  bool points = false;   ///< plays points, for functions of points; else sets
  Round ahead = 64;      ///< how many rounds may be out at once
  bool learning = true;  ///< false: the control
  std::uint64_t seed = 1;
};

class SampledVertex final : public Learner {
 public:
  explicit SampledVertex(MatroidPtr matroid, const SampledVertexOptions& options = {});

  std::string_view kind() const override {
    return options_.points ? "sampled-point" : "sampled-vertex";
  }
  bool plays_sets() const override { return !options_.points; }
  Suggestion suggest() override;
  Round ready() const override { return window_.ready(); }
  void observe(const Feedback& feedback) override;
  void lose(Round round) override;

  /// Where the next round draws from.
  PointView marginals() const { return sampler_->marginals(); }

 private:
  void learn(std::size_t row, double value);
  void write(Writer& writer) const override;
  void read(Reader& reader) override;

  MatroidPtr matroid_;
  SampledVertexOptions options_;
  StreamFamily draws_;
  std::unique_ptr<VertexSampler> sampler_;
  RoundWindow window_;

  // What is known of the rounds that are out, by row.
  PointTable marginals_;
  PointTable members_;  // 1 for the items drawn
  PointTable points_;   // played, where points are
  SetTable sets_;
  std::vector<double> reach_;  // s

  RunningScale scale_;
  DropAlarm alarm_;
  Curvature curvature_;
  double energy_ = 0;      // sum of the squared local norms of the estimates
  double raw_energy_ = 0;  // the same as if s had been 1
  Point gradient_, weighted_;
  ItemSet drawn_;
};

}  // namespace hindsight
