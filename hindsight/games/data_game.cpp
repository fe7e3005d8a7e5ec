#include "hindsight/games/data_game.hpp"

#include <cassert>

#include "hindsight/functions/extension.hpp"

namespace hindsight {

void DataPool::add(const SetFunctionPtr& f, ContinuousFunctionPtr extension) {
  rounds.push_back(static_cast<int>(functions.size()));
  functions.push_back({f, std::move(extension)});
}

void DataPool::add(const SetFunctionPtr& f) { add(f, extend(f)); }

DataPoolPtr DataStore::get(const std::string& key, const std::function<DataPool()>& read) {
  const std::lock_guard lock(mutex_);  // while one thread reads, the others wait for what it reads
  DataPoolPtr& pool = pools_[key];
  if (!pool) pool = std::make_shared<const DataPool>(read());
  return pool;
}

std::vector<DataPoolPtr> DataStore::pools() const {
  const std::lock_guard lock(mutex_);
  std::vector<DataPoolPtr> list;
  for (const auto& [key, pool] : pools_)
    if (pool) list.push_back(pool);
  return list;
}

DataGame::DataGame(DataPoolPtr pool, RoundOrder order, std::uint64_t seed, Noise noise)
    : Game(noise), pool_(std::move(pool)), order_(order), draws_(seed, "round of the data") {
  assert(!pool_->rounds.empty());
}

std::size_t DataGame::function_of(Round t) const {
  const std::uint64_t count = pool_->rounds.size();
  const auto n = static_cast<std::uint64_t>(t);
  const std::uint64_t at = order_ == RoundOrder::file ? (n - 1) % count : draws_.at(n).below(count);
  return static_cast<std::size_t>(pool_->rounds[at]);
}

std::vector<WeightedFunction> DataGame::mixture(Round horizon) {
  std::vector<WeightedFunction> mixture;
  for (const RoundFunction& f : pool_->functions) mixture.push_back({f, 0.0});
  for (Round t = 1; t <= horizon; ++t) mixture[function_of(t)].weight += 1;
  return mixture;
}

FunctionFacts DataGame::facts() const {
  FunctionFacts facts = pool_->functions.front().continuous->facts();
  for (const RoundFunction& f : pool_->functions) facts = weaker(facts, f.continuous->facts());
  return facts;
}

}  // namespace hindsight
