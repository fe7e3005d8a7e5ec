/// Memory for tables and for rows that kernels work on. It begins where a line of the cache does,
/// so that no register's load or store touches two of them. Large tables are in pages of 2 MiB
/// where the system has them, so that walking through a table is not a walk through the system's
/// own tables too.
#pragma once

#include <cstddef>

namespace hindsight {

void* allocate_pages(std::size_t bytes);
void free_pages(void* room, std::size_t bytes) noexcept;

/// For std::vector.
template <class T>
struct PageAllocator {
  using value_type = T;

  PageAllocator() = default;
  template <class U>
  PageAllocator(const PageAllocator<U>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_pages(count * sizeof(T))); }
  void deallocate(T* room, std::size_t count) noexcept { free_pages(room, count * sizeof(T)); }
  template <class U>
  bool operator==(const PageAllocator<U>&) const {
    return true;
  }
};

}  // namespace hindsight
