#include "land/files/mapped_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace land {
namespace {

void advise(std::uintptr_t begin, std::uintptr_t end, int advice) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  begin = begin / page * page;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, advice);  // NOLINT(performance-no-int-to-ptr)
}

std::uintptr_t begin_of(std::span<const std::byte> bytes) { return reinterpret_cast<std::uintptr_t>(bytes.data()); }

}  // namespace

void prefetch_pages(std::span<const std::byte> part) {
  advise(begin_of(part), begin_of(part) + part.size(), MADV_WILLNEED);
}

void load_pages(std::span<const std::byte> part) {
#ifdef MADV_POPULATE_READ
  advise(begin_of(part), begin_of(part) + part.size(), MADV_POPULATE_READ);
#else
  prefetch_pages(part);
#endif
}

void release_pages(std::span<const std::byte> part, std::span<const std::byte> mapped) {
  if (part.empty()) return;
  constexpr auto kAround = static_cast<std::uintptr_t>(kPagesAround);
  const std::uintptr_t begin = begin_of(part) / kAround * kAround;
  const std::uintptr_t end = (begin_of(part) + part.size() + kAround - 1) / kAround * kAround;
  advise(std::max(begin, begin_of(mapped)), std::min(end, begin_of(mapped) + mapped.size()), MADV_DONTNEED);
}

}  // namespace land
