#include "hindsight/runs/grid.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <map>
#include <mutex>
#include <numbers>
#include <thread>

#include "hindsight/learners/frank_wolfe_blocks.hpp"
#include "hindsight/learners/registry.hpp"
#include "hindsight/offline/best_fixed.hpp"
#include "hindsight/offline/continuous_greedy.hpp"
#include "hindsight/runs/protocol.hpp"
#include "hindsight/runs/runner.hpp"

namespace hindsight {

using nlohmann::json;

// How parts are kept: every number comes back as it was.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ResultRow, learner, name, schedule, oracle, learning, game,
                                   rounds, seed, dimension, reward, alpha, value_queries,
                                   gradient_queries, infeasible_plays, seconds, peak_bytes)

void to_json(json& j, const CurvePoint& p) {
  j = json::array({p.round, p.reward, p.value_queries, p.gradient_queries, p.seconds});
}

void from_json(const json& j, CurvePoint& p) {
  p = {j.at(0).get<Round>(), j.at(1).get<double>(), j.at(2).get<Round>(), j.at(3).get<Round>(),
       j.at(4).get<double>()};
}

void to_json(json& j, const Comparator& c) {
  j = {{"rounds", c.rounds}, {"seed", c.seed},         {"lower", c.lower},
       {"upper", c.upper},   {"lower_by", c.lower_by}, {"upper_by", c.upper_by}};
  if (c.continuous_greedy) j["continuous_greedy"] = *c.continuous_greedy;
}

void from_json(const json& j, Comparator& c) {
  c = {j.at("rounds").get<Round>(),
       j.at("seed").get<std::uint64_t>(),
       j.at("lower").get<double>(),
       j.at("upper").get<double>(),
       j.at("lower_by").get<std::string>(),
       j.at("upper_by").get<std::string>(),
       std::nullopt};
  if (j.contains("continuous_greedy")) c.continuous_greedy = j["continuous_greedy"].get<double>();
}

namespace {

struct Cell {
  json key;  ///< its own, for the store
  const Settings* learner;
  Round rounds;
  std::uint64_t seed;
};

struct PlayedCell {
  ResultRow row;
  Curve curve;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PlayedCell, row, curve)

std::int64_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

/// Rounds are played in portions of about a tenth of a second, so that a long cell can tell how far
/// it is and be stopped.
Round portion(Round done, double seconds, Round most) {
  const double pace = static_cast<double>(done) / std::max(seconds, 1e-9);
  return std::max<Round>(1, static_cast<Round>(std::min(0.1 * pace, static_cast<double>(most))));
}

PlayedCell play_cell(const Experiment& experiment, const Cell& cell, int threads,
                     const std::function<void(Round)>& played) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const World world = make_world(experiment, cell.rounds, cell.seed);
  Settings settings = *cell.learner;
  const LearnerPtr learner =
      make_fitting_learner(settings, world, cell.rounds, cell.seed,
                           threads > 1 ? std::make_shared<Workers>(threads) : nullptr);
  Ledger ledger(std::dynamic_pointer_cast<const Matroid>(world.domain));
  Curve curve;
  for (const Round checkpoint : checkpoints(cell.rounds)) {
    while (ledger.rounds() < checkpoint) {
      const Round done = ledger.rounds(), now = portion(done, seconds(), checkpoint - done);
      play(*learner, *world.game, ledger, now);
      played(now);
    }
    curve.push_back({checkpoint, ledger.reward(), ledger.value_queries(), ledger.gradient_queries(),
                     seconds()});
  }
  ResultRow row;
  row.learner = learner->kind();
  row.name = learner_name(settings);
  if (const auto* blocks = dynamic_cast<const FrankWolfeBlocks*>(learner.get()))
    row.schedule = blocks->plan().schedule;
  const LearnerKind& kind = learner_kind(row.learner);
  row.oracle = learner->oracle();
  row.learning = kind.takes("learning") && settings.flag("learning").value_or(true);
  row.game = *Settings(experiment.game).text("kind");
  row.rounds = cell.rounds;
  row.seed = cell.seed;
  row.dimension = world.domain->dimension();
  row.reward = ledger.reward();
  row.alpha = 1 - 1 / std::numbers::e;
  row.value_queries = ledger.value_queries();
  row.gradient_queries = ledger.gradient_queries();
  row.infeasible_plays = ledger.infeasible_plays();
  row.seconds = curve.back().seconds;
  row.peak_bytes = peak_bytes();
  return {std::move(row), std::move(curve)};
}

Comparator compare(const Experiment& experiment, Round rounds, std::uint64_t seed) {
  const World world = make_world(experiment, rounds, seed);
  const Mixture mixture(world.game->mixture(rounds));
  const BestFixed best =
      best_fixed(mixture, world.domain, {.seconds = experiment.comparator_seconds});
  Comparator comparator{rounds,        seed,          best.lower,  best.upper,
                        best.lower_by, best.upper_by, std::nullopt};
  if (mixture.exact()) {
    Point x = continuous_greedy(mixture, *world.domain, BestFixedOptions{}.steps);
    world.domain->project(x);  // takes back the rounding of all steps
    comparator.continuous_greedy = mixture.value(x);
  }
  return comparator;
}

/// Thrown by a task that leaves because another one has failed.
struct Abandoned {};

/// Runs tasks 0 .. count-1 on `jobs` threads. The first exception is thrown on, and sets `failed`:
/// a long task asks for it now and then.
void run_parallel(std::size_t count, int jobs, std::atomic<bool>& failed,
                  const std::function<void(std::size_t)>& task) {
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
        failed = true;
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

/// Whatever was kept is not done again.
template <class Part, class Make>
Part once(PartStore* store, const json& key, Make make) {
  if (store)
    if (const auto kept = store->find(key)) return kept->get<Part>();
  Part part = make();
  if (store) store->keep(key, part);
  return part;
}

/// A table with lists, tuned once for all learners that have it in common.
struct Search {
  json table;
  std::string name;  ///< of the first of them
  std::vector<Candidate> candidates;
  std::vector<std::size_t> best;  ///< one of them a horizon
};

std::vector<Search> find_searches(const Experiment& experiment) {
  std::vector<Search> searches;
  for (const Settings& learner : experiment.learners) {
    const Settings table = common_part(learner);
    const bool known = std::any_of(searches.begin(), searches.end(), [&](const Search& search) {
      return search.table == table.values();
    });
    std::vector<Candidate> all = candidates(table);
    if (!known && !all.front().values.empty())
      searches.push_back({table.values(), learner_name(learner), std::move(all), {}});
  }
  return searches;
}

class GridPlayer {
 public:
  GridPlayer(const Experiment& experiment, int jobs,
             const std::function<void(const Progress&)>& report, PartStore* store)
      : experiment_(experiment),
        jobs_(jobs),
        report_(report),
        store_(store),
        searches_(find_searches(experiment)) {
    std::size_t a_horizon = experiment.learners.size() * experiment.seeds.size();
    for (const Search& search : searches_)
      a_horizon += search.candidates.size() * experiment.tuning_seeds.size();
    for (const Round rounds : experiment.rounds)
      progress_.rounds += static_cast<double>(rounds) * static_cast<double>(a_horizon);
    progress_.cells = a_horizon * experiment.rounds.size();
    progress_.comparators = experiment.rounds.size() * experiment.seeds.size();
  }

  Results play() {
    Results results;
    tune(results);
    report_on(results);
    compare_all(results);
    return results;
  }

 private:
  void tune(Results& results) {
    std::vector<Cell> cells;
    for (const Search& search : searches_)
      for (const Round rounds : experiment_.rounds)
        for (const Candidate& candidate : search.candidates)
          for (const std::uint64_t seed : experiment_.tuning_seeds)
            cells.push_back({{"tuning", search.name, candidate.values, rounds, seed},
                             &candidate.settings,
                             rounds,
                             seed});
    std::vector<double> rewards(cells.size());
    play_all(cells, [&](std::size_t i, PlayedCell cell) { rewards[i] = cell.row.reward; });

    auto reward = rewards.begin();
    const std::size_t seeds = experiment_.tuning_seeds.size();
    for (Search& search : searches_)
      for (const Round rounds : experiment_.rounds) {
        const std::size_t first = results.tuning.size();
        std::size_t best = 0;
        for (std::size_t c = 0; c < search.candidates.size(); ++c) {
          double mean = 0;
          for (std::size_t i = 0; i < seeds; ++i) mean += *reward++ / static_cast<double>(seeds);
          results.tuning.push_back(
              {search.name, search.candidates[c].values, rounds, seeds, mean, false});
          if (mean > results.tuning[first + best].mean_reward) best = c;
        }
        results.tuning[first + best].chosen = true;
        search.best.push_back(best);
      }
  }

  /// The table that a learner is reported with.
  Settings tuned(const Settings& learner, std::size_t horizon) const {
    for (const Search& search : searches_)
      if (search.table == common_part(learner).values())
        return candidates(learner)[search.best[horizon]].settings;
    return learner;
  }

  void report_on(Results& results) {
    const std::size_t horizons = experiment_.rounds.size();
    std::vector<Settings> tables;
    for (const Settings& learner : experiment_.learners)
      for (std::size_t h = 0; h < horizons; ++h) tables.push_back(tuned(learner, h));
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < tables.size(); ++i)
      for (const std::uint64_t seed : experiment_.seeds) {
        const Round rounds = experiment_.rounds[i % horizons];
        cells.push_back(
            {{"cell", learner_name(tables[i]), rounds, seed}, &tables[i], rounds, seed});
      }
    results.rows.resize(cells.size());
    results.curves.resize(cells.size());
    play_all(cells, [&](std::size_t i, PlayedCell cell) {
      results.rows[i] = std::move(cell.row);
      results.curves[i] = std::move(cell.curve);
    });
  }

  void compare_all(Results& results) {
    std::vector<std::pair<Round, std::uint64_t>> worlds;
    for (const Round rounds : experiment_.rounds)
      for (const std::uint64_t seed : experiment_.seeds) worlds.emplace_back(rounds, seed);
    results.comparators.resize(worlds.size());
    run_parallel(worlds.size(), jobs_, failed_, [&](std::size_t i) {
      const Round rounds = worlds[i].first;
      const std::uint64_t seed = worlds[i].second;
      results.comparators[i] = once<Comparator>(store_, {"comparator", rounds, seed},
                                                [&] { return compare(experiment_, rounds, seed); });
      tell([](Progress& progress) { ++progress.comparators_done; });
    });
    for (std::size_t i = 0; i < results.rows.size(); ++i) {
      // Rows repeat the comparators' order a learner.
      const Comparator& best = results.comparators[i % worlds.size()];
      results.rows[i].hindsight_lower = best.lower;
      results.rows[i].hindsight_upper = best.upper;
    }
  }

  void play_all(const std::vector<Cell>& cells,
                const std::function<void(std::size_t, PlayedCell)>& take) {
    // Threads that have no cell of their own help with the others'.
    const int threads =
        std::max(1, jobs_ / static_cast<int>(std::max<std::size_t>(1, cells.size())));
    run_parallel(cells.size(), jobs_, failed_, [&](std::size_t i) {
      bool found = true;
      take(i, once<PlayedCell>(store_, cells[i].key, [&] {
             found = false;
             return play_cell(experiment_, cells[i], threads, [&](Round rounds) {
               tell([&](Progress& progress) {
                 progress.rounds_done += static_cast<double>(rounds);
               });
             });
           }));
      tell([&](Progress& progress) {
        ++progress.cells_done;
        if (!found) return;
        progress.rounds_done += static_cast<double>(cells[i].rounds);
        progress.rounds_found += static_cast<double>(cells[i].rounds);
      });
    });
  }

  void tell(const std::function<void(Progress&)>& change) {
    const std::lock_guard lock(mutex_);
    if (failed_) throw Abandoned{};
    change(progress_);
    if (report_) report_(progress_);
  }

  const Experiment& experiment_;
  int jobs_;
  const std::function<void(const Progress&)>& report_;
  PartStore* store_;
  std::vector<Search> searches_;
  std::mutex mutex_;  // for progress_ and report_
  Progress progress_;
  std::atomic<bool> failed_{false};
};

}  // namespace

std::vector<Round> checkpoints(Round rounds) {
  std::vector<Round> list;
  for (int k = 0;; ++k) {
    const auto round = static_cast<Round>(std::llround(std::pow(10.0, k / 16.0)));
    if (round >= rounds) break;
    if (list.empty() || round > list.back()) list.push_back(round);
  }
  list.push_back(rounds);
  return list;
}

Results play_grid(const Experiment& experiment, int jobs,
                  const std::function<void(const Progress&)>& report, PartStore* store) {
  return GridPlayer(experiment, jobs, report, store).play();
}

}  // namespace hindsight
