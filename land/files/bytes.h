// Bytes that stay alive and still: a mapped file, a decompressed buffer, a test's string.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace land {

struct Bytes {
  std::span<const std::byte> view;
  std::shared_ptr<const void> owner;
  bool mapped = false;
};

}  // namespace land
