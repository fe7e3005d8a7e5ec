/// Games by name, from a table of settings.
#pragma once

#include <span>
#include <string_view>

#include "hindsight/core/settings.hpp"
#include "hindsight/games/game.hpp"

namespace hindsight {

struct GameKind {
  std::string_view kind;
  std::string_view summary;
  std::string_view keys;
};
std::span<const GameKind> game_kinds();

/// The game of one seed. File names in the table are relative to `folder`.
GamePtr make_game(Settings& settings, std::uint64_t seed, const std::string& folder);

}  // namespace hindsight
