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

}  // namespace

Workers::Workers(int threads) : shares_(static_cast<std::size_t>(threads)) {
  assert(threads >= 1);
  for (std::size_t n = 1; n < shares_.size(); ++n) helpers_.emplace_back([this, n] { help(n); });
}

Workers::~Workers() {
  ending_ = true;
  tasks_.fetch_add(1, std::memory_order_release);
  tasks_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void Workers::run(std::size_t parts, Call call, void* task) {
  call_ = call;
  task_ = task;
  for (std::size_t n = 0; n < shares_.size(); ++n) {
    shares_[n].next.store(parts * n / shares_.size(), std::memory_order_relaxed);
    shares_[n].end = parts * (n + 1) / shares_.size();
  }
  const bool shared = parts > 1 && !helpers_.empty();
  if (shared) {
    busy_.store(helpers_.size(), std::memory_order_relaxed);
    tasks_.fetch_add(1, std::memory_order_release);
    tasks_.notify_all();
  }
  do_parts(0);
  if (!shared) return;
  for (std::size_t busy = busy_.load(std::memory_order_acquire); busy > 0;
       busy = busy_.load(std::memory_order_acquire))
    wait_while(busy_, busy);
}

void Workers::do_parts(std::size_t self) {
  for (std::size_t n = 0; n < shares_.size(); ++n) {
    Share& share = shares_[(self + n) % shares_.size()];
    for (std::size_t part = share.next.fetch_add(1, std::memory_order_relaxed); part < share.end;
         part = share.next.fetch_add(1, std::memory_order_relaxed))
      call_(task_, part);
  }
}

void Workers::help(std::size_t self) {
  for (std::uint64_t done = 0;; ++done) {
    wait_while(tasks_, done);
    if (ending_) return;
    do_parts(self);
    if (busy_.fetch_sub(1, std::memory_order_release) == 1) busy_.notify_one();
  }
}

}  // namespace hindsight
