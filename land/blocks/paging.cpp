#include "land/blocks/paging.h"

#include "land/files/mapped_pages.h"

namespace land {

void Paging::prefetch(std::int64_t first, std::int64_t count) const { prefetch_pages(bytes_of(first, count)); }

void Paging::release(std::int64_t first, std::int64_t count) const { release_pages(bytes_of(first, count), file()); }

void Paging::load(std::int64_t piece, std::int64_t pieces) const {
  const std::span<const std::byte> all = file();
  const auto begin = [&](std::int64_t p) { return static_cast<std::size_t>(std::ssize(all) / pieces * p); };
  const std::size_t end = piece + 1 < pieces ? begin(piece + 1) : all.size();
  load_pages(all.subspan(begin(piece), end - begin(piece)));
}

}  // namespace land
