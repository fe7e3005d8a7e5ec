// After start-up no learner allocates in suggest and observe.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <nlohmann/json.hpp>

#include "hindsight/core/rng.hpp"
#include "hindsight/domains/laminar_matroid.hpp"
#include "hindsight/learners/registry.hpp"
#include "hindsight/oracles/oracle_bank.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HINDSIGHT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HINDSIGHT_SANITIZED 1
#endif
#endif

namespace {

bool counting = false;
long allocations = 0;

}  // namespace

#ifndef HINDSIGHT_SANITIZED
namespace {

void* allocate(std::size_t size) {
  if (counting) ++allocations;
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}

void* allocate(std::size_t size, std::align_val_t alignment) {
  if (counting) ++allocations;
  const auto step = static_cast<std::size_t>(alignment);
  if (void* memory =
          std::aligned_alloc(step, (std::max<std::size_t>(size, 1) + step - 1) / step * step))
    return memory;
  throw std::bad_alloc();
}

}  // namespace

// The nothrow forms of the standard library call these.
void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t a) { return allocate(size, a); }
void* operator new[](std::size_t size, std::align_val_t a) { return allocate(size, a); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
#endif

namespace hindsight {
namespace {

using nlohmann::json;

constexpr std::size_t dimension = 10;
constexpr Round warm_up = 400;  // at least ten blocks of every learner below
constexpr Round counted = 1600;

/// Gradients and values from a stream, in memory that is there before counting starts.
class World {
 public:
  World() : stream_(StreamFamily(1, "world").at(0)), gradients_(200 * dimension) {}

  Feedback answer(const Suggestion& s) {
    Feedback f;
    f.round = s.round;
    f.value = stream_.uniform();
    const std::span<double> used(gradients_.data(), s.probes.count * dimension);
    for (double& g : used) g = stream_.normal();
    f.gradients = {s.probes.count, Lent<double>::of(used)};
    return f;
  }

 private:
  Stream stream_;
  std::vector<double> gradients_;
};

/// What a further `counted` rounds allocate, without those that open a block of `uncounted` rounds;
/// with `copies`, of a loop that copies what it is lent.
long allocations_of(Learner& learner, bool copies, Round uncounted = 0) {
  World world;
  for (Round t = 0; t < warm_up; ++t) learner.observe(world.answer(learner.suggest()));
  allocations = 0;
  for (Round t = 0; t < counted; ++t) {
    counting = uncounted == 0 || (warm_up + t) % uncounted != 0;
    const Suggestion s = learner.suggest();
    if (copies) {
      const Suggestion owned = s;
      learner.observe(world.answer(owned));
    } else {
      learner.observe(world.answer(s));
    }
  }
  counting = false;
  return allocations;
}

std::vector<json> variants() {
  std::vector<json> list;
  for (const LearnerKind& kind : learner_kinds()) {
    json keys = {{"kind", kind.kind}};
    const auto has = [&](std::string_view key) {
      return std::any_of(kind.keys.begin(), kind.keys.end(),
                         [&](const LearnerKey& k) { return k.key == key; });
    };
    if (has("feedback")) keys["feedback"] = "any-set";
    if (has("steps")) keys["steps"] = 12;
    if (has("block_length")) keys["block_length"] = 40;
    if (has("oracle")) {
      for (const OracleKind& oracle : oracle_kinds()) {
        keys["oracle"] = oracle.kind;
        list.push_back(keys);
      }
    } else {
      list.push_back(keys);
    }
    if (has("sets")) {
      keys["sets"] = true;
      list.push_back(keys);
    }
    if (has("rounding")) {
      keys["rounding"] = "swap-rounding";
      list.push_back(keys);
    }
    if (has("horizon")) {  // one long stage: its start allocates, its rounds must not
      keys["horizon"] = "unknown";
      keys["first_horizon"] = 1000000;
      list.push_back(keys);
    }
  }
  return list;
}

TEST(Allocation, NoneAfterStartUp) {
#ifdef HINDSIGHT_SANITIZED
  GTEST_SKIP() << "the sanitizer has its own operator new";
#endif
  const auto domain = uniform_matroid(static_cast<int>(dimension), 3);
  for (const json& keys : variants()) {
    const auto make = [&] { return make_learner(Settings("learner", keys), {domain, 1000000, 3}); };
    // Swap rounding decomposes a new point each block, which may allocate by its interface.
    const bool prepares = keys.value("rounding", "") == "swap-rounding";
    if (prepares && !keys.contains("block_length")) continue;  // a new point each round
    EXPECT_EQ(allocations_of(*make(), false, prepares ? keys["block_length"].get<Round>() : 0), 0)
        << keys;
    // The broken twin, which also shows that the counter counts.
    EXPECT_GE(allocations_of(*make(), true), counted) << keys;
  }
}

}  // namespace
}  // namespace hindsight
