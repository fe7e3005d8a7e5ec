/// Functions read from a JSON-lines file, one round a line, cycled if the horizon is longer.
#pragma once

#include <fstream>
#include <string>

#include "hindsight/games/game.hpp"

namespace hindsight {

/// Only one line is in memory at a time. The file is read whole once at the start, so that every
/// error (with file, line, key, value and rule) comes before the first round.
class ReplayGame final : public Game {
 public:
  ReplayGame(std::string path, Noise noise);

  int dimension() const override { return dimension_; }
  const RoundFunction& function(Round t) override;
  std::vector<WeightedFunction> mixture(Round horizon) override;
  FunctionFacts facts() const override { return facts_; }
  bool has_sets() const override { return has_sets_; }

 private:
  RoundFunction read_next();

  std::string path_;
  std::ifstream file_;
  Round lines_ = 0;   // functions in the file
  int line_ = 0;      // of the file, for errors
  Round loaded_ = 0;  // the function now in memory, from 1 to lines_
  int dimension_ = 0;
  bool has_sets_ = true;
  FunctionFacts facts_;
  RoundFunction current_;
};

}  // namespace hindsight
