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

// Takes a part of a mapped file, and what came with it, out of this program's memory; whoever touches it again gets it
// again. Nothing beyond `mapped` is let go of, which has to be of a file.
void release_pages(std::span<const std::byte> part, std::span<const std::byte> mapped);

}  // namespace land
