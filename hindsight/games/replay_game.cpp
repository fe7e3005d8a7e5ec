#include "hindsight/games/replay_game.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "hindsight/core/error.hpp"
#include "hindsight/games/json_line.hpp"

namespace hindsight {

ReplayGame::ReplayGame(std::string path, Noise noise)
    : Game(noise), path_(std::move(path)), file_(path_) {
  // It is read again and again, from the top: a pipe or a device will not do.
  require(file_.good() && std::filesystem::is_regular_file(path_), "file", path_,
          "must be a file that can be read");
  while (true) {
    const RoundFunction f = read_next();
    if (!f.continuous) break;
    facts_ = lines_ == 0 ? f.continuous->facts() : weaker(facts_, f.continuous->facts());
    has_sets_ = has_sets_ && f.set;
    dimension_ = f.continuous->dimension();
    ++lines_;
  }
  require(lines_ > 0, "file", path_, "must hold at least one function");
}

/// The next function, or none at the end of the file. Empty lines are passed over.
RoundFunction ReplayGame::read_next() {
  for (std::string text; std::getline(file_, text);) {
    ++line_;
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string place = path_ + ":" + std::to_string(line_) + ": ";
    try {
      return function_from_json(parse_json_line(text),
                                dimension_ > 0 ? std::optional(dimension_) : std::nullopt);
    } catch (const InputError& error) {
      throw error.after(place);
    }
  }
  if (file_.bad()) throw InputError(path_ + ": cannot be read to its end");
  file_.clear();
  file_.seekg(0);
  line_ = 0;
  return {};
}

const RoundFunction& ReplayGame::function(Round t) {
  const Round wanted = (t - 1) % lines_ + 1;
  while (loaded_ != wanted) {
    current_ = read_next();
    if (!current_.continuous) current_ = read_next();  // from the top again
    if (!current_.continuous) throw InputError(path_ + ": must not change while it is played");
    loaded_ = loaded_ % lines_ + 1;
  }
  return current_;
}

std::vector<WeightedFunction> ReplayGame::mixture(Round horizon) {
  std::vector<WeightedFunction> mixture;
  for (Round t = 1; t <= std::min(horizon, lines_); ++t) {
    const Round count = (horizon - t) / lines_ + 1;
    mixture.push_back({function(t), static_cast<double>(count)});
  }
  return mixture;
}

}  // namespace hindsight
