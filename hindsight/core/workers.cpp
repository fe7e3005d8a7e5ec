#include "hindsight/core/workers.hpp"

#include <cassert>

namespace hindsight {
namespace {

/// Looks so often, resting in between, before others may have the processor, as whoever is waited
/// for may need it: some microseconds.
constexpr int looks_at_once = 100;
/// Does so as often before it goes to sleep: about a millisecond.
constexpr int turns_awake = 200;

/// Until is_there(), which mostly is within microseconds; false if it is not.
template <class IsThere>
bool is_there_soon(IsThere is_there) {
  for (int look = 0; look < looks_at_once; ++look) {
    if (is_there()) return true;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  return false;
}

constexpr int part_bits = 24;

}  // namespace

Workers::Workers(int threads) : shares_(static_cast<std::size_t>(threads)), came_(shares_.size()) {
  assert(threads >= 1);
  for (std::size_t n = 1; n < shares_.size(); ++n) helpers_.emplace_back([this, n] { help(n); });
}

Workers::~Workers() {
  task_.ending = true;
  task_.number.fetch_add(1);
  wake();
  for (std::thread& helper : helpers_) helper.join();
}

void Workers::run(std::size_t parts, Call call) {
  assert(parts < std::size_t{1} << part_bits);
  task_.call = call;
  task_.parts = static_cast<std::uint32_t>(parts);
  const std::uint64_t number = task_.number.load(std::memory_order_relaxed) + 1;
  task_.number.store(number, std::memory_order_release);
  // Without a fence, which would wait for all that was written before: who is just going to sleep
  // may be missed here, but not below.
  if (asleep_.load(std::memory_order_relaxed) > 0) wake();
  do_parts(0, number);
  meet(0);
}

void Workers::meet(std::size_t self) {
  const std::uint64_t number = came_[self].number.load(std::memory_order_relaxed) + 1;
  came_[self].number.store(number, std::memory_order_release);
  for (const Came& other : came_) {
    const auto is_there = [&] { return other.number.load(std::memory_order_acquire) >= number; };
    while (!is_there_soon(is_there)) {
      if (asleep_.load() > 0) wake();
      std::this_thread::yield();
    }
  }
}

void Workers::do_parts(std::size_t self, std::uint64_t number) {
  const std::size_t threads = shares_.size(), parts = task_.parts;
  if (parts == threads) return task_.call(task_.what, self);  // nothing to take from anyone
  const std::uint64_t none = number << part_bits;
  for (std::size_t n = 0; n < threads; ++n) {
    const std::size_t whose = (self + n) % threads;
    const std::size_t first = parts * whose / threads, end = parts * (whose + 1) / threads;
    std::atomic<std::uint64_t>& taken = shares_[whose].taken;
    for (std::uint64_t seen = taken.load(std::memory_order_relaxed);;) {
      // What was taken of an earlier task does not count.
      const std::uint64_t next = seen >> part_bits == none >> part_bits ? seen + 1 : none + 1;
      const std::size_t part = first + (next - none - 1);
      if (part >= end) break;
      if (!taken.compare_exchange_weak(seen, next, std::memory_order_relaxed)) continue;
      task_.call(task_.what, part);
      seen = next;
    }
  }
}

void Workers::help(std::size_t self) {
  for (std::uint64_t done = 0;; ++done) {
    wait_for_task(done);
    if (task_.ending) return;
    do_parts(self, done + 1);
    came_[self].number.fetch_add(1, std::memory_order_release);
  }
}

void Workers::wait_for_task(std::uint64_t done) {
  const auto is_there = [&] { return task_.number.load(std::memory_order_acquire) > done; };
  for (int turn = 0; !is_there_soon(is_there); ++turn) {
    if (turn < turns_awake) {
      std::this_thread::yield();
      continue;
    }
    asleep_.fetch_add(1);
    const std::uint32_t rung = bell_.load();
    if (task_.number.load() == done) bell_.wait(rung);
    asleep_.fetch_sub(1);
  }
}

void Workers::wake() {
  bell_.fetch_add(1);
  bell_.notify_all();
}

}  // namespace hindsight
