/// Games read from data files: a fixed pool of functions, of which every round takes one.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "hindsight/core/rng.hpp"
#include "hindsight/games/game.hpp"
#include "hindsight/games/row_reader.hpp"

namespace hindsight {

/// What was made from the files of one game. It knows neither seed nor horizon.
struct DataPool {
  std::vector<RoundFunction> functions;  ///< all of one dimension
  std::vector<int> rounds;  ///< which function, in the order of the file; equal rounds share one
  ItemStructure items;
  std::string summary;  ///< "100836 ratings by 610 users of 9724 items"
  Malformed malformed;

  /// A round with a function of its own.
  void add(const SetFunctionPtr& f, ContinuousFunctionPtr extension);
  void add(const SetFunctionPtr& f);
};
using DataPoolPtr = std::shared_ptr<const DataPool>;

/// The pools of one experiment: what one cell has read, the others share. Safe to use from threads.
class DataStore {
 public:
  /// `read` is called if nobody has asked for this key yet.
  DataPoolPtr get(const std::string& key, const std::function<DataPool()>& read);
  /// What was read so far.
  std::vector<DataPoolPtr> pools() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, DataPoolPtr> pools_;
};

enum class RoundOrder {
  random,  ///< F_t is drawn uniformly from the rounds of the file, by the seed and t alone
  file,    ///< as in the file, from the start again after its end
};

class DataGame final : public Game {
 public:
  DataGame(DataPoolPtr pool, RoundOrder order, std::uint64_t seed, Noise noise);

  int dimension() const override { return pool_->functions.front().continuous->dimension(); }
  const RoundFunction& function(Round t) override { return pool_->functions[function_of(t)]; }
  std::vector<WeightedFunction> mixture(Round horizon) override;
  bool has_sets() const override { return true; }
  FunctionFacts facts() const override;
  const ItemStructure& items() const override { return pool_->items; }

 private:
  std::size_t function_of(Round t) const;

  DataPoolPtr pool_;
  RoundOrder order_;
  StreamFamily draws_;
};

}  // namespace hindsight
