/// Games by name, from a table of settings.
#pragma once

#include <span>
#include <string_view>

#include "hindsight/core/settings.hpp"
#include "hindsight/games/data_game.hpp"

namespace hindsight {

struct GameKind {
  std::string_view kind;
  std::string_view summary;
  std::string_view keys;
  std::string_view citation = {};  ///< of the data, or of what it is modelled after
};
std::span<const GameKind> game_kinds();

/// What a game may depend on besides its table.
struct GameWorld {
  std::uint64_t seed = 1;
  Round horizon = 1;          ///< phases are shares of it
  std::string folder;         ///< file names are relative to it
  DataStore* data = nullptr;  ///< where games share what they read; none: each reads for itself
};

GamePtr make_game(Settings& settings, const GameWorld& world);

}  // namespace hindsight
