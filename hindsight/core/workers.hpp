/// A few threads that share the parts of one task after another.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

#include "hindsight/core/point.hpp"

namespace hindsight {

/// Lent to what can use them; who lends them decides how many there are. Tasks must give the same
/// result whoever does which part, and must not throw. One caller at a time.
class Workers {
 public:
  /// What is gone through in a few sweeps, over rows of fewer numbers, is done sooner alone: it
  /// takes no longer than passing a row from one thread's caches to another's (docs/speed.md).
  static constexpr std::size_t shortest_row = 4096;

  /// `threads` with the caller's own: at least 1.
  explicit Workers(int threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int threads() const { return static_cast<int>(helpers_.size()) + 1; }

  /// Calls part(0), ..., part(parts - 1), each once, and returns when all have ended. `part` is
  /// copied, byte by byte, to where helpers look for it: what it holds by value arrives with it, a
  /// reference is one more line of the cache to wait for.
  template <class Part>
  void each(std::size_t parts, Part part) {
    static_assert(sizeof part <= sizeof task_.what && alignof(Part) <= what_alignment);
    static_assert(std::is_trivially_copyable_v<Part>);
    if (parts <= 1 || helpers_.empty()) {
      for (std::size_t p = 0; p < parts; ++p) part(p);
      return;
    }
    std::memcpy(task_.what, &part, sizeof part);
    run(parts, [](void* task, std::size_t p) { (*static_cast<Part*>(task))(p); });
  }
  /// Inside each(threads(), part): returns when all parts have called it as often.
  void meet(std::size_t part);

 private:
  using Call = void (*)(void* task, std::size_t part);
  static constexpr std::size_t what_alignment = 8;
  void run(std::size_t parts, Call call);
  void help(std::size_t self);
  void do_parts(std::size_t self, std::uint64_t number);
  void wait_for_task(std::uint64_t done);
  void wake();

  /// The task at hand, in two lines of the cache that come together: who sees that `number` has
  /// grown sees all of it.
  struct alignas(128) Task {
    std::atomic<std::uint64_t> number = 0;
    Call call = nullptr;
    std::uint32_t parts = 0;
    bool ending = false;
    alignas(what_alignment) std::byte what[104];
  };
  /// Some parts are a thread's own, who does the same ones of task after task, as what they work on
  /// is near it. Others take from them when theirs are done.
  struct alignas(64) Share {
    std::atomic<std::uint64_t> taken = 0;  // how many, below the number of the task
  };
  /// How often a thread has come to where all meet.
  struct alignas(64) Came {
    std::atomic<std::uint64_t> number = 0;
  };

  Task task_;
  std::vector<Share> shares_;  // the caller's first
  std::vector<Came> came_;     // as well
  alignas(64) std::atomic<int> asleep_ = 0;
  std::atomic<std::uint32_t> bell_ = 0;  // rung to wake them
  std::vector<std::thread> helpers_;
};

using WorkersPtr = std::shared_ptr<Workers>;

/// Calls task(part, columns) with all parts of the columns, by `workers` if there are.
template <class Task>
void share_columns(Workers* workers, std::size_t columns, Task task) {
  const auto do_parts = [=](Columns some) {
    const std::size_t end = some.first + some.count;
    for (std::size_t first = some.first; first < end; first += columns_at_a_time)
      task(first / columns_at_a_time, Columns{first, std::min(columns_at_a_time, end - first)});
  };
  if (!workers) return do_parts({0, columns});
  const auto threads = static_cast<std::size_t>(workers->threads());
  workers->each(threads,
                [=](std::size_t thread) { do_parts(columns_of(thread, threads, columns)); });
}

/// Calls task(first, count) with rows that together are all of them, by `workers` if there are:
/// several parts for each, as some rows take longer than others.
template <class Task>
void share_rows(Workers* workers, std::size_t rows, Task task) {
  if (!workers) return task(0, rows);
  const std::size_t parts = std::min(rows, 4 * static_cast<std::size_t>(workers->threads()));
  workers->each(parts, [=](std::size_t part) {
    const std::size_t first = rows * part / parts;
    task(first, rows * (part + 1) / parts - first);
  });
}

}  // namespace hindsight
