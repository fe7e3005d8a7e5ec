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

Workers::Workers(int threads) {
  assert(threads >= 1);
  for (int n = 1; n < threads; ++n) helpers_.emplace_back([this] { help(); });
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
  parts_ = parts;
  next_.store(0, std::memory_order_relaxed);
  const bool shared = parts > 1 && !helpers_.empty();
  if (shared) {
    busy_.store(helpers_.size(), std::memory_order_relaxed);
    tasks_.fetch_add(1, std::memory_order_release);
    tasks_.notify_all();
  }
  do_parts();
  if (!shared) return;
  for (std::size_t busy = busy_.load(std::memory_order_acquire); busy > 0;
       busy = busy_.load(std::memory_order_acquire))
    wait_while(busy_, busy);
}

void Workers::do_parts() {
  for (std::size_t part = next_.fetch_add(1, std::memory_order_relaxed); part < parts_;
       part = next_.fetch_add(1, std::memory_order_relaxed))
    call_(task_, part);
}

void Workers::help() {
  for (std::uint64_t done = 0;; ++done) {
    wait_while(tasks_, done);
    if (ending_) return;
    do_parts();
    if (busy_.fetch_sub(1, std::memory_order_release) == 1) busy_.notify_one();
  }
}

}  // namespace hindsight
