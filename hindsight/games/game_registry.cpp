#include "hindsight/games/game_registry.hpp"

#include <filesystem>

#include "hindsight/games/pool_game.hpp"
#include "hindsight/games/replay_game.hpp"

namespace hindsight {
namespace {

constexpr GameKind kinds[] = {
    {"coverage", "independent draws from a pool of weighted coverage functions",
     "dimension (10), items (30): things to cover, pool (200)"},
    {"replay", "functions from a JSON-lines file, one round a line, cycled", "file"},
};

GamePtr build(Settings& settings, const std::string& kind, std::uint64_t seed,
              const std::string& folder) {
  const double value_noise = settings.number("noise").value_or(0);
  const double gradient_noise = settings.number("gradient_noise").value_or(0);
  require(value_noise >= 0, "noise", value_noise, "must be at least 0");
  require(gradient_noise >= 0, "gradient_noise", gradient_noise, "must be at least 0");
  const Noise noise(seed, value_noise, gradient_noise);
  if (kind == "coverage") {
    CoveragePoolOptions options;
    const auto size = [&](const char* key, int& field, int most) {
      field = static_cast<int>(settings.integer(key, 1, most).value_or(field));
    };
    size("dimension", options.dimension, 1'000'000);
    size("items", options.items, 1'000'000);
    size("pool", options.pool, 1'000'000);
    return std::make_unique<PoolGame>(coverage_pool(options, seed), seed, noise);
  }
  if (kind == "replay") {
    const std::string file = settings.needed("file", settings.text("file"));
    return std::make_unique<ReplayGame>((std::filesystem::path(folder) / file).string(), noise);
  }
  std::vector<std::string> known;
  for (const GameKind& entry : kinds) known.emplace_back(entry.kind);
  const auto meant = nearest(kind, known);
  reject("kind", kind, "is not a game" + (meant ? " (did you mean `" + *meant + "`?)" : ""));
}

}  // namespace

std::span<const GameKind> game_kinds() { return kinds; }

GamePtr make_game(Settings& settings, std::uint64_t seed, const std::string& folder) {
  const std::string kind = settings.needed("kind", settings.text("kind"));
  GamePtr game = settings.guard([&] { return build(settings, kind, seed, folder); });
  settings.finish();
  return game;
}

}  // namespace hindsight
