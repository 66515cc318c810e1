#include "land/store/encode_blocks.h"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "land/base/aligned.h"
#include "land/base/resident_memory.h"
#include "land/base/worker_pool.h"
#include "land/store/pack_block.h"

namespace land {
namespace {

// How the work is cut, in blocks. A block is encoded by one thread and written as one; a few of them make a batch,
// which is written while the next one is encoded; a window is what is copied at a time of a matrix whose samples are
// far apart.
struct Sizes {
  std::size_t window = 0;
  std::size_t batch = 0;
  int workers = 0;

  Sizes(const Table& table, const FeatureSource& source, std::int64_t block_size, const ConvertOptions& options,
        int threads) {
    // What has been read is there already; headers will be, and one of their fields again when they are written.
    const std::int64_t header = sizeof(FeatureHeader) + 2 * sizeof(std::int64_t);
    const std::int64_t left = options.memory - resident_memory().all - table.features() * header;
    // While a block is encoded it may take twice its size (codes beside strips) and half as much again to grow; its
    // pages of the file, and what is read together of features far apart, come on top.
    const std::int64_t worker = 5 * block_size + 2 * kStripWidth * table.samples() * std::int64_t{sizeof(double)};
    workers = static_cast<int>(std::clamp<std::int64_t>(left / 2 / worker, 1, threads));
    const auto together = std::clamp<std::int64_t>(left / 4 / (2 * block_size), 1, std::int64_t{4} * workers);
    const std::int64_t room = left - workers * worker - 2 * together * block_size;
    batch = static_cast<std::size_t>(together);
    window =
        source.paging().is_scattered() ? static_cast<std::size_t>(std::max<std::int64_t>(1, room / block_size)) : batch;
  }
};

}  // namespace

std::int64_t bytes_of_feature(const Table& table, const FeatureSource& source) {
  if (table.encoded) return source.bytes_each();
  return table.samples() * static_cast<std::int64_t>(size_of(table.matrix.dtype));
}

std::int64_t features_of_block(std::int64_t bytes_each, const ConvertOptions& options) {
  const std::int64_t bytes = std::min(options.block_bytes, options.memory / 64);
  return std::clamp(bytes / bytes_each / kStripWidth * kStripWidth, kStripWidth, std::int64_t{1} << 16U);
}

void encode_blocks(const Table& table, const FeatureSource& source, std::span<const std::int64_t> firsts,
                   std::int64_t block_bytes, const ConvertOptions& options, const Context& context,
                   const WriteBlocks& write) {
  const Sizes sizes(table, source, block_bytes, options, context.threads);
  WorkerPool pool(sizes.workers);
  std::vector<FeatureBlock> scratch(static_cast<std::size_t>(pool.threads()));
  std::vector<FeatureBlock> fresh(sizes.batch);
  std::vector<FeatureBlock> ready(fresh.size());
  std::size_t ready_count = 0;
  AlignedBytes copied;
  std::unique_ptr<const FeatureSource> window;
  const auto write_ready = [&] { write({ready.data(), ready_count}); };
  const std::size_t all = firsts.size() - 1;
  for (std::size_t first = 0; first < all; first += sizes.window) {
    const std::size_t last = std::min(all, first + sizes.window);
    context.check_stop();
    if (source.paging().is_scattered()) window = source.copy(firsts[first], firsts[last] - firsts[first], copied);
    for (std::size_t begin = first; begin < last; begin += sizes.batch) {
      const std::size_t count = std::min(sizes.batch, last - begin);
      pool.run(1 + static_cast<std::int64_t>(count), [&](std::int64_t item, int worker) {
        context.check_stop();
        if (item == 0) return write_ready();
        FeatureBlock& raw = scratch[static_cast<std::size_t>(worker)];
        const auto place = static_cast<std::size_t>(item - 1);
        const std::int64_t from = firsts[begin + place];
        const std::int64_t features = firsts[begin + place + 1] - from;
        (window ? *window : source).read(from, features, raw);
        pack_block(raw, fresh[place]);
        source.paging().release(from, features);
      });
      fresh.swap(ready);
      ready_count = count;
    }
  }
  write_ready();
}

}  // namespace land
