#include "hindsight/runs/grid.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <mutex>
#include <numbers>
#include <thread>

#include "hindsight/domains/domain_registry.hpp"
#include "hindsight/games/game_registry.hpp"
#include "hindsight/learners/frank_wolfe_blocks.hpp"
#include "hindsight/learners/registry.hpp"
#include "hindsight/offline/best_fixed.hpp"
#include "hindsight/runs/runner.hpp"

namespace hindsight {
namespace {

struct Cell {
  std::size_t learner;
  Round rounds;
  std::uint64_t seed;
};

std::int64_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

/// Rounds are played in portions, so that progress can be told while a long cell runs.
constexpr Round portion = 1 << 16;

ResultRow play_cell(const Experiment& experiment, const Cell& cell,
                    const std::function<void(Round)>& played) {
  const auto start = std::chrono::steady_clock::now();
  const World world = make_world(experiment, cell.rounds, cell.seed);
  Settings settings = experiment.learners[cell.learner];
  const LearnerPtr learner = make_fitting_learner(settings, world, cell.rounds, cell.seed);
  Ledger ledger(std::dynamic_pointer_cast<const Matroid>(world.domain));
  for (Round done = 0; done < cell.rounds;) {
    const Round now = std::min(portion, cell.rounds - done);
    play(*learner, *world.game, ledger, now);
    done += now;
    played(now);
  }
  ResultRow row;
  row.learner = learner->kind();
  row.name = learner_name(settings);
  if (const auto* blocks = dynamic_cast<const FrankWolfeBlocks*>(learner.get()))
    row.schedule = blocks->plan().schedule;
  const LearnerKind& kind = learner_kind(row.learner);
  const auto has_key = [&](std::string_view name) {
    return std::any_of(kind.keys.begin(), kind.keys.end(),
                       [&](const LearnerKey& key) { return key.key == name; });
  };
  if (has_key("oracle")) row.oracle = settings.text("oracle").value_or(OracleOptions{}.kind);
  row.learning = has_key("learning") && settings.flag("learning").value_or(true);
  row.game = *Settings(experiment.game).text("kind");
  row.rounds = cell.rounds;
  row.seed = cell.seed;
  row.dimension = world.domain->dimension();
  row.reward = ledger.reward();
  row.alpha = 1 - 1 / std::numbers::e;
  row.value_queries = ledger.value_queries();
  row.gradient_queries = ledger.gradient_queries();
  row.infeasible_plays = ledger.infeasible_plays();
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  row.peak_bytes = peak_bytes();
  return row;
}

/// Runs tasks 0 .. count-1 on `jobs` threads; the first exception stops the rest and is thrown on.
void run_parallel(std::size_t count, int jobs, const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        task(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::jthread> helpers;
  for (int j = 1; j < jobs; ++j) helpers.emplace_back(work);
  work();
  helpers.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

World make_world(const Experiment& experiment, Round rounds, std::uint64_t seed) {
  Settings game_settings = experiment.game;
  Settings domain_settings = experiment.domain;
  GamePtr game = make_game(game_settings, {seed, rounds, experiment.folder});
  DomainPtr domain = make_domain(domain_settings, game->dimension());
  return {std::move(game), std::move(domain)};
}

LearnerPtr make_fitting_learner(const Settings& settings, const World& world, Round rounds,
                                std::uint64_t seed) {
  LearnerPtr learner = make_learner(settings, {world.domain, rounds, seed});
  settings.guard([&] {
    require(!learner->plays_sets() || world.game->has_sets(), "kind", learner->kind(),
            "plays sets, but the game has functions of points alone");
  });
  return learner;
}

void check_experiment(const Experiment& experiment) {
  const World world = make_world(experiment, experiment.rounds.front(), experiment.seeds.front());
  std::vector<std::string> names;
  for (const Settings& settings : experiment.learners) {
    for (const Round rounds : experiment.rounds)
      make_fitting_learner(settings, world, rounds, experiment.seeds.front());
    names.push_back(learner_name(settings));
    settings.guard([&] {
      require(std::count(names.begin(), names.end(), names.back()) == 1, "name", names.back(),
              "must tell two learners apart; give each its own name");
    });
  }
}

std::vector<ResultRow> play_grid(const Experiment& experiment, int jobs,
                                 const std::function<void(const Progress&)>& report) {
  check_experiment(experiment);
  std::vector<Cell> cells;
  Progress progress;
  for (std::size_t learner = 0; learner < experiment.learners.size(); ++learner)
    for (const Round rounds : experiment.rounds)
      for (const std::uint64_t seed : experiment.seeds) {
        cells.push_back({learner, rounds, seed});
        progress.rounds += rounds;
      }
  progress.cells = cells.size();

  std::mutex mutex;
  const auto tell = [&](Round rounds, std::size_t done) {
    const std::lock_guard lock(mutex);
    progress.rounds_done += rounds;
    progress.cells_done += done;
    if (report) report(progress);
  };
  std::vector<ResultRow> rows(cells.size());
  run_parallel(cells.size(), jobs, [&](std::size_t i) {
    rows[i] = play_cell(experiment, cells[i], [&](Round rounds) { tell(rounds, 0); });
    tell(0, 1);
  });

  // One comparator a horizon and seed, for all learners.
  std::vector<std::pair<Round, std::uint64_t>> comparisons;
  for (const Round rounds : experiment.rounds)
    for (const std::uint64_t seed : experiment.seeds) comparisons.emplace_back(rounds, seed);
  std::vector<BestFixed> best(comparisons.size());
  run_parallel(comparisons.size(), jobs, [&](std::size_t i) {
    const World world = make_world(experiment, comparisons[i].first, comparisons[i].second);
    best[i] = best_fixed(Mixture(world.game->mixture(comparisons[i].first)), world.domain);
  });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const BestFixed& b =
        best[i % comparisons.size()];  // cells repeat the comparisons' order a learner
    rows[i].hindsight_lower = b.lower;
    rows[i].hindsight_upper = b.upper;
  }
  return rows;
}

}  // namespace hindsight
