#include "hindsight/core/pages.hpp"

#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace hindsight {
namespace {

constexpr std::size_t line = 64, page = std::size_t{1} << 21;

bool large(std::size_t bytes) { return bytes >= 2 * page; }

}  // namespace

void* allocate_pages(std::size_t bytes) {
  if (!large(bytes)) return ::operator new (bytes, std::align_val_t{line});
  void* const room = ::operator new (bytes, std::align_val_t{page});
#if defined(__linux__)
  madvise(room, bytes, MADV_HUGEPAGE);  // a wish: where it is not granted nothing else changes
#endif
  return room;
}

void free_pages(void* room, std::size_t bytes) noexcept {
  ::operator delete (room, std::align_val_t{large(bytes) ? page : line});
}

}  // namespace hindsight
