// The inverted bell of the paper's Lemma delta_final: inside a block of Mono-FW, the squared error
// of the averaged gradient d_q^(k) is large at both ends and small in the middle.
//
//   Delta_q^(k) = | grad Fbar_{q,k-1}(x_q^(k)) - d_q^(k) |^2,
//   Fbar_{q,k-1} the average of the block's functions t_{q,k}, ..., t_{q,K} not yet used before
//   step k.
//
// Early, few gradients have been averaged; late, the average of the few functions left differs from
// the average over all, which is what d has learned. Prints the mean over blocks for each k, and
// fails if there is no bell.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/games/pool_game.hpp"
#include "hindsight/learners/mono_frank_wolfe.hpp"
#include "hindsight/runs/runner.hpp"

namespace {

using namespace hindsight;

constexpr int steps = 48;
constexpr Round blocks = 400;
constexpr double noise = .3;  // standard deviation of each gradient coordinate

class ErrorMeter final : public Watcher {
 public:
  explicit ErrorMeter(Game& game) : game_(game), errors_(steps, 0.0) {}

  void opened(Round, const PointTable&, const PointTable& iterates,
              std::span<const Round> order) override {
    iterates_ = iterates;
    order_.assign(order.begin(), order.end());
  }

  void updated(Round, int k, PointView, PointView d) override {
    const PointView x = iterates_.row(static_cast<std::size_t>(k - 1));
    Point gradient(d.size()), average(d.size(), 0.0);
    const auto left = static_cast<double>(steps - k + 1);
    for (auto i = static_cast<std::size_t>(k - 1); i < order_.size(); ++i) {
      game_.function(order_[i]).continuous->gradient(x, gradient);  // exact, without noise
      add_scaled(average, 1 / left, gradient);
    }
    add_scaled(average, -1, d);
    errors_[static_cast<std::size_t>(k - 1)] += squared_norm(average) / static_cast<double>(blocks);
  }

  const Point& errors() const { return errors_; }

 private:
  Game& game_;
  PointTable iterates_;
  std::vector<Round> order_;
  Point errors_;
};

Point measure(bool averaging) {
  const std::uint64_t seed = 1;
  PoolGame game(coverage_pool({.dimension = 10}, seed), seed, Noise(seed, 0, noise));
  MonoFrankWolfe learner(uniform_matroid(10, 3),
                         mono_plan(steps * blocks, {.steps = steps, .averaging = averaging}),
                         {.seed = seed});
  ErrorMeter meter(game);
  learner.watch(&meter);
  Ledger ledger;
  play(learner, game, ledger, steps * blocks);
  return meter.errors();
}

double mean(const Point& values, int first, int last) {
  double sum = 0;
  for (int k = first; k <= last; ++k) sum += values[static_cast<std::size_t>(k - 1)];
  return sum / (last - first + 1);
}

}  // namespace

int main() {
  const Point averaged = measure(true);
  const Point raw = measure(false);
  fmt::print(
      "Mono-FW, coverage, any 3 of 10, K = {}, {} blocks, gradient noise {} a coordinate, seed "
      "1\n\n",
      steps, blocks, noise);
  fmt::print("   k   E|error of d|^2   without averaging\n");
  const double top = *std::max_element(averaged.begin(), averaged.end());
  for (int k = 1; k <= steps; ++k) {
    const auto i = static_cast<std::size_t>(k - 1);
    const auto width = static_cast<std::size_t>(50 * averaged[i] / top);
    fmt::print("{:4}   {:15.4f}   {:17.4f}   {}\n", k, averaged[i], raw[i],
               std::string(width, '#'));
  }
  const double start = mean(averaged, 1, 2), middle = mean(averaged, steps / 2 - 2, steps / 2 + 2),
               end = mean(averaged, steps - 1, steps);
  fmt::print(
      "\nfirst two steps {:.3f}, middle {:.3f}, last two {:.3f}; without averaging, middle "
      "{:.3f}\n",
      start, middle, end, mean(raw, steps / 2 - 2, steps / 2 + 2));
  const bool bell = start > 1.5 * middle && end > 1.5 * middle;
  fmt::print("{}\n", bell ? "An inverted bell, as the lemma says." : "NO inverted bell.");
  return bell ? 0 : 1;
}
