#include "hindsight/games/game_registry.hpp"

#include <filesystem>

#include "hindsight/core/nearest.hpp"
#include "hindsight/games/chen_pools.hpp"
#include "hindsight/games/data_loader.hpp"
#include "hindsight/games/pool_game.hpp"
#include "hindsight/games/replay_game.hpp"
#include "hindsight/games/trap.hpp"

namespace hindsight {
namespace {

#define POOL_KEYS "dimension (10), pool (200), phases (1): popularity changes between them"
#define NOISE_KEYS "; noise (0), gradient_noise (0): standard deviations"
#define DATA_KEYS "path, order (\"random\" or \"file\"), malformed (\"stop\" or \"skip\")"
#define ITEM_KEYS DATA_KEYS ", items (50): at most"
constexpr GameKind kinds[] = {
    {"coverage", "independent draws from a pool of weighted coverage functions",
     POOL_KEYS ", items (30): things to cover" NOISE_KEYS},
    {"facility-location", "independent draws from a pool of facility location functions",
     POOL_KEYS ", items (30): customers" NOISE_KEYS},
    {"quadratic", "independent draws from a pool of quadratics; functions of points alone",
     POOL_KEYS ", monotone (true): false lets them fall, and stay at least 0" NOISE_KEYS},
    {"concave-budget",
     "independent draws from a pool of saturating functions; the best point is fractional",
     POOL_KEYS ", items (30): customers" NOISE_KEYS},
    {"nqp",
     "quadratics (x/2 - 1)'Hx, H_ij uniform in [-100, 0] (Chen et al. 2018); of points alone",
     POOL_KEYS NOISE_KEYS},
    {"design", "D-optimal design with normal vectors (Chen et al. 2018); of points alone",
     POOL_KEYS NOISE_KEYS},
    {"trap", "two kinds of items; the first tenth of the rounds rewards the wrong kind",
     "pairs (5): dimension is twice that; or exchange (false): four items in two parts, where no "
     "single exchange leads out" NOISE_KEYS},
    {"replay", "functions from a JSON-lines file, one round a line, cycled", "file" NOISE_KEYS},
    {"ratings", "show items; a user a round, worth the best rating among them (facility location)",
     ITEM_KEYS ", batch (1): users a round, shift (0): added to ratings, names: file of names and "
               "groups" NOISE_KEYS,
     "data such as MovieLens: Harper, Konstan, ACM TiiS 5(4), 2015; Jester: Goldberg et al., "
     "Information Retrieval 4(2), 2001"},
    {"visits", "show items; a user a round, worth 1 if one of them was visited (coverage)",
     ITEM_KEYS ", batch (1): users a round, names: file of names and groups" NOISE_KEYS,
     "data such as msweb: Breese, Heckerman, Kadie, UAI 1998"},
    {"words", "follow words; documents with one of them are worth their length (coverage)",
     ITEM_KEYS ", batch (1): documents a round, most_documents (0.5): share above which a word is "
               "no candidate" NOISE_KEYS,
     "data such as Bag of Words: Newman, UCI Machine Learning Repository, 2008"},
    {"graph", "choose first adopters; a batch of cascades a round, worth the nodes reached",
     ITEM_KEYS ", directed (false), probability (0.01), pool (100): batches, graphs (5): in a "
               "batch" NOISE_KEYS,
     "Kempe, Kleinberg, Tardos, KDD 2003; data such as SNAP: Leskovec, Krevl, 2014"},
    {"table-design", "choose experiments; a linear model a round, worth the log-det of information",
     ITEM_KEYS ", factors (all): columns a model, scale (1), samples (1024): of the "
               "extension" NOISE_KEYS,
     "data such as Concrete: Yeh, Cement and Concrete Research 28(12), 1998"},
    {"stations", "place sensors; a day a round, worth the highest reading (facility location)",
     ITEM_KEYS NOISE_KEYS,
     "data such as PM10 in Germany: Pebesma, Journal of Statistical Software 51(7), 2012"},
    {"airports", "choose airports; a customer a round, worth how near the nearest one is",
     ITEM_KEYS ", batch (1): customers a round, routes: file, reach (500): km" NOISE_KEYS,
     "data such as US airports: Bureau of Transportation Statistics, 2008"},
    {"routes", "choose routes; a traveller a round, worth how near the nearest one's ends are",
     ITEM_KEYS ", batch (1): customers a round, routes: file, reach (500): km" NOISE_KEYS,
     "data such as US airports: Bureau of Transportation Statistics, 2008"},
    {"p-median", "open nodes; a customer a round, worth the longest distance less the one to go",
     DATA_KEYS ", batch (1): customers a round" NOISE_KEYS,
     "OR-Library: Beasley, Journal of the Operational Research Society 41(11), 1990"},
};
#undef ITEM_KEYS
#undef DATA_KEYS
#undef POOL_KEYS
#undef NOISE_KEYS

using MakePool = std::vector<RoundFunction> (*)(const PoolOptions&, std::uint64_t);

constexpr double most_numbers = 1e9;  // in all functions of all pools

std::vector<PoolPhase> read_pools(Settings& settings, const GameWorld& world, MakePool make,
                                  bool has_items) {
  PoolOptions options;
  const auto size = [&](const char* key, int preset, int most) {
    return static_cast<int>(settings.integer(key, 1, most).value_or(preset));
  };
  options.dimension = size("dimension", options.dimension, 1'000'000);
  if (has_items) options.items = size("items", options.items, 1'000'000);
  options.pool = size("pool", options.pool, 1'000'000);
  const int phases = size("phases", 1, 1000);
  if (make == quadratic_pool) options.monotone = settings.flag("monotone").value_or(true);
  // What is refused here would fill the memory before it could be played.
  const double each = 1.0 * options.dimension * (has_items ? options.items : options.dimension);
  require(each * options.pool * phases <= most_numbers, "pool", options.pool,
          "must keep pool * phases * dimension * " +
              std::string(has_items ? "items" : "dimension") + " at most 10^9");
  std::vector<PoolPhase> result;
  for (options.phase = 0; options.phase < phases; ++options.phase) {
    const Round first = world.horizon * options.phase / phases + 1;
    // A phase without a round of its own gives way to the next.
    if (!result.empty() && result.back().first == first) result.pop_back();
    result.push_back({first, make(options, world.seed)});
  }
  return result;
}

GamePtr build(Settings& settings, const std::string& kind, const GameWorld& world) {
  const double value_noise = settings.number("noise").value_or(0);
  const double gradient_noise = settings.number("gradient_noise").value_or(0);
  require(value_noise >= 0, "noise", value_noise, "must be at least 0");
  require(gradient_noise >= 0, "gradient_noise", gradient_noise, "must be at least 0");
  const Noise noise(world.seed, value_noise, gradient_noise);
  const auto pools = [&](MakePool make, bool has_items) {
    return std::make_unique<PoolGame>(read_pools(settings, world, make, has_items), world.seed,
                                      noise);
  };
  if (kind == "coverage") return pools(coverage_pool, true);
  if (kind == "facility-location") return pools(facility_location_pool, true);
  if (kind == "quadratic") return pools(quadratic_pool, false);
  if (kind == "concave-budget") return pools(concave_budget_pool, true);
  if (kind == "nqp") return pools(nqp_pool, false);
  if (kind == "design") return pools(design_pool, false);
  if (kind == "trap") {
    if (settings.flag("exchange").value_or(false))
      return std::make_unique<PoolGame>(exchange_trap_phases(world.horizon), world.seed, noise);
    const auto pairs = settings.integer("pairs", 1, 100'000).value_or(5);
    return std::make_unique<PoolGame>(trap_phases(static_cast<int>(pairs), world.horizon),
                                      world.seed, noise);
  }
  if (kind == "replay") {
    const std::string file = settings.needed("file", settings.text("file"));
    return std::make_unique<ReplayGame>((std::filesystem::path(world.folder) / file).string(),
                                        noise);
  }
  if (const auto load = data_loader(settings, kind, world.folder)) {
    const RoundOrder order = settings.choice("order", {"random", "file"}) == "file"
                                 ? RoundOrder::file
                                 : RoundOrder::random;
    const DataPoolPtr pool = world.data ? world.data->get(settings.dump() + world.folder, load)
                                        : std::make_shared<const DataPool>(load());
    return std::make_unique<DataGame>(pool, order, world.seed, noise);
  }
  std::vector<std::string> known;
  for (const GameKind& entry : kinds) known.emplace_back(entry.kind);
  reject("kind", kind, "is not a game" + did_you_mean(kind, known));
}

}  // namespace

std::span<const GameKind> game_kinds() { return kinds; }

GamePtr make_game(Settings& settings, const GameWorld& world) {
  const std::string kind = settings.needed("kind", settings.text("kind"));
  GamePtr game = settings.guard([&] { return build(settings, kind, world); });
  settings.finish();
  return game;
}

}  // namespace hindsight
