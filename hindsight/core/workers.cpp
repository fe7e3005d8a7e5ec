#include "hindsight/core/workers.hpp"

#include <cassert>

namespace hindsight {
namespace {

/// Waits for an answer that mostly comes within microseconds: looks again for a while before it
/// lets the processor go.
template <class Value>
void wait_while(const std::atomic<Value>& value, Value old) {
  for (int look = 0; look < 20'000; ++look) {
    if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  value.wait(old, std::memory_order_acquire);
}

constexpr int part_bits = 24;

}  // namespace

Workers::Workers(int threads)
    : shares_(static_cast<std::size_t>(threads)), ended_(shares_.size() - 1) {
  assert(threads >= 1);
  for (std::size_t n = 1; n < shares_.size(); ++n) helpers_.emplace_back([this, n] { help(n); });
}

Workers::~Workers() {
  task_.ending = true;
  task_.number.fetch_add(1, std::memory_order_release);
  task_.number.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void Workers::run(std::size_t parts, Call call, void* what) {
  if (parts <= 1 || helpers_.empty()) {
    for (std::size_t part = 0; part < parts; ++part) call(what, part);
    return;
  }
  assert(parts < std::size_t{1} << part_bits);
  task_.call = call;
  task_.what = what;
  task_.parts = parts;
  const std::uint64_t before = task_.number.load(std::memory_order_relaxed), number = before + 1;
  task_.number.store(number, std::memory_order_release);
  task_.number.notify_all();
  do_parts(0, number);
  for (const Ended& ended : ended_) wait_while(ended.number, before);
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
  std::atomic<std::uint64_t>& ended = ended_[self - 1].number;
  for (std::uint64_t done = 0;; ++done) {
    wait_while(task_.number, done);
    if (task_.ending) return;
    do_parts(self, done + 1);
    ended.store(done + 1, std::memory_order_release);
    ended.notify_one();
  }
}

}  // namespace hindsight
