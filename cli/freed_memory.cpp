#include "cli/freed_memory.h"

#include <malloc.h>

namespace land::cli {

namespace {

constexpr int kMegabyte = 1 << 20;

}  // namespace

void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 32 * kMegabyte);
  mallopt(M_TRIM_THRESHOLD, 1024 * kMegabyte);
  mallopt(M_TOP_PAD, 16 * kMegabyte);
}

void give_back_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, kMegabyte);
  mallopt(M_TRIM_THRESHOLD, 4 * kMegabyte);
  mallopt(M_TOP_PAD, kMegabyte);
}

}  // namespace land::cli
