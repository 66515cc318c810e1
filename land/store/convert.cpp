#include "land/store/convert.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "land/base/resident_memory.h"
#include "land/base/simd_target.h"
#include "land/base/worker_pool.h"
#include "land/blocks/feature_source.h"
#include "land/files/files_in_use.h"
#include "land/store/pack_block.h"
#include "land/store/store_writer.h"

namespace land {
namespace {

// How the work is cut. A block is encoded by one thread and written as one; a few of them make a batch, which is
// written while the next one is encoded; a window, of whole blocks, is what is copied at a time of a matrix whose
// samples are far apart. Blocks depend on the table and the memory asked for, never on threads or on what happens to be
// free.
struct Sizes {
  std::int64_t block = 0;   // features
  std::int64_t window = 0;  // features, a multiple of `block`
  std::int64_t batch = 0;   // blocks
  int workers = 0;

  Sizes(const Table& table, const FeatureSource& source, const ConvertOptions& options, int threads) {
    const std::int64_t item = table.encoded ? 0 : static_cast<std::int64_t>(size_of(table.matrix.dtype));
    const std::int64_t each = table.encoded ? source.bytes_each() : table.samples() * item;
    const std::int64_t block_bytes = std::min(options.block_bytes, options.memory / 64);
    block = std::clamp(block_bytes / each / kStripWidth * kStripWidth, kStripWidth, std::int64_t{1} << 16U);

    // What has been read is there already; headers will be, and one of their fields again when they are written.
    const std::int64_t header = sizeof(FeatureHeader) + 2 * sizeof(std::int64_t);
    const std::int64_t left = options.memory - resident_memory().all - table.features() * header;
    const std::int64_t block_size = block * each;
    // While a block is encoded it may take twice its size (codes beside strips) and half as much again to grow; its
    // pages of the file, and what is read together of features far apart, come on top.
    const std::int64_t worker = 5 * block_size + 2 * kStripWidth * table.samples() * std::int64_t{sizeof(double)};
    workers = static_cast<int>(std::clamp<std::int64_t>(left / 2 / worker, 1, threads));
    batch = std::clamp<std::int64_t>(left / 4 / (2 * block_size), 1, std::int64_t{4} * workers);
    const std::int64_t room = left - workers * worker - 2 * batch * block_size;
    window = source.paging().is_scattered() ? block * std::max<std::int64_t>(1, room / block_size) : block * batch;
  }
};

// Writes blocks in their order, and sees what they lack.
class Output {
 public:
  Output(const Table& table, const std::string& path, const Context& context)
      : table_(table), context_(context), writer_(path, table.samples(), table.features()) {}

  void write(std::span<const FeatureBlock> blocks) {
    for (const FeatureBlock& block : blocks) {
      context_.check_stop();
      for (const FeatureHeader& header : block.headers) {
        if (header.missing > 0 && first_missing_ < 0) first_missing_ = header.id;
        missing_ += header.missing;
      }
      writer_.append(block);
      context_.report("encoding", static_cast<double>(block.headers.back().id + 1),
                      static_cast<double>(table_.features()));
    }
  }

  Converted commit(Missing missing) {
    table_.check_missing(missing, missing_, first_missing_);
    context_.check_stop();
    std::vector<std::string> lines;
    if (table_.names) lines = table_.all_feature_names();
    // Of a part of a table without names each keeps the one that its number among all gives it.
    const bool numbered = !table_.names && table_.feature_names.empty() && !table_.feature_numbers.kept.empty();
    for (std::int64_t k = 0; numbered && k < table_.features(); ++k) lines.push_back(table_.feature_name(k));
    if (table_.files) table_.files->check_unchanged();
    Converted result{table_.features(), table_.samples(), writer_.bytes(), 0};
    result.fingerprint = writer_.commit({lines.empty() ? table_.feature_names : lines, table_.sample_ids,
                                         table_.target ? &*table_.target : nullptr, table_.default_missing});
    return result;
  }

 private:
  const Table& table_;
  const Context& context_;
  StoreWriter writer_;
  std::int64_t missing_ = 0;
  std::int64_t first_missing_ = -1;
};

void encode_all(const Table& table, const ConvertOptions& options, const Context& context, Output& output) {
  const std::shared_ptr<const FeatureSource> whole = table.source(options.missing);
  const Sizes sizes(table, *whole, options, context.threads);
  WorkerPool pool(sizes.workers);
  std::vector<FeatureBlock> scratch(static_cast<std::size_t>(pool.threads()));
  std::vector<FeatureBlock> fresh(static_cast<std::size_t>(sizes.batch));
  std::vector<FeatureBlock> ready(fresh.size());
  std::size_t ready_count = 0;
  AlignedBytes copied;
  std::unique_ptr<const FeatureSource> window;
  const auto write_ready = [&] { output.write({ready.data(), ready_count}); };
  for (std::int64_t first = 0; first < table.features(); first += sizes.window) {
    const std::int64_t last = std::min(table.features(), first + sizes.window);
    context.check_stop();
    if (whole->paging().is_scattered()) window = whole->copy(first, last - first, copied);
    for (std::int64_t begin = first; begin < last; begin += sizes.batch * sizes.block) {
      const std::int64_t count = std::min(sizes.batch, (last - begin + sizes.block - 1) / sizes.block);
      pool.run(1 + count, [&](std::int64_t item, int worker) {
        context.check_stop();
        if (item == 0) return write_ready();
        FeatureBlock& block = scratch[static_cast<std::size_t>(worker)];
        const std::int64_t from = begin + (item - 1) * sizes.block;
        const std::int64_t features = std::min(sizes.block, last - from);
        (window ? *window : *whole).read(from, features, block);
        pack_block(block, fresh[static_cast<std::size_t>(item - 1)]);
        whole->paging().release(from, features);
      });
      fresh.swap(ready);
      ready_count = static_cast<std::size_t>(count);
    }
  }
  write_ready();
}

}  // namespace

Converted convert(const Table& table, const std::string& path, const ConvertOptions& options, const Context& context) {
  use_simd_target_of_environment();
  table.check_has_features();
  if (table.files) table.files->check_output(path);
  return or_blame_changes(table.files, [&] {
    Output output(table, path, context);
    encode_all(table, options, context, output);
    return output.commit(options.missing);
  });
}

}  // namespace land
