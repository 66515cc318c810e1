// Pages of mapped files: asked for ahead of time, and let go of. Hints, never errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace land {

// What may come into memory with a single byte: a large page.
inline constexpr std::int64_t kPagesAround = std::int64_t{2} << 20U;

// Has the system read them in while something else is computed.
void prefetch_pages(std::span<const std::byte> part);

// Has them in memory at once, which costs less than a fault for each.
void load_pages(std::span<const std::byte> part);

// Takes a part of a mapped file, and what came with it, out of this program's memory; whoever touches it again gets it
// again. Nothing beyond `mapped` is let go of, which has to be of a file.
void release_pages(std::span<const std::byte> part, std::span<const std::byte> mapped);

// Lets go of pages behind one that goes over a mapped file from front to back. Does nothing unless `active`.
class PagesBehind {
 public:
  PagesBehind(std::span<const std::byte> mapped, bool active) : mapped_(mapped), active_(active) {}

  // Nothing before byte `at` is needed any more.
  void passed(std::size_t at) {
    constexpr std::size_t kHeld = std::size_t{4} << 20U;
    if (!active_ || at - from_ < kHeld) return;
    release_pages(mapped_.subspan(from_, at - from_), mapped_);
    from_ = at;
  }

 private:
  std::span<const std::byte> mapped_;
  std::size_t from_ = 0;
  bool active_;
};

}  // namespace land
