#include "land/store/convert.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "land/blocks/mapped_pages.h"
#include "land/blocks/matrix_source.h"
#include "land/engine/worker_pool.h"
#include "land/error.h"
#include "land/kernels/simd_target.h"
#include "land/store/column_window.h"
#include "land/store/pack_block.h"
#include "land/store/store_writer.h"

namespace land {
namespace {

std::int64_t whole_strips(std::int64_t features) { return std::max(kStripWidth, features / kStripWidth * kStripWidth); }

// Features of a table by windows, which is what is held at a time.
class WindowReader {
 public:
  WindowReader(const Table& table, Missing missing, WorkerPool& pool)
      : table_(table), missing_(missing), pool_(pool), source_(table.source(missing)) {}

  // A matrix with the samples of a feature far apart, in a file: features are read row by row, together.
  bool copies() const {
    return !table_.encoded && table_.matrix.mapped && table_.matrix.column_stride < table_.matrix.sample_stride;
  }

  void open(std::int64_t first, std::int64_t last) {
    first_ = first;
    last_ = last;
    if (copies()) {
      const auto cell = [this](std::int64_t sample, std::int64_t feature) {
        return table_.cell(sample, first_ + feature);
      };
      window_ =
          std::make_unique<MatrixSource>(copy_columns(table_.matrix, first, last, pool_, buffer_), cell, missing_);
    }
  }
  // Features of the window; thread-safe.
  void read(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
    if (!window_) return source_->read(first, count, block);
    try {
      window_->read(first - first_, count, block);
    } catch (const InputError&) {
      source_->read(first, count, block);  // says the same of the whole table
      throw;
    }
    for (FeatureHeader& header : block.headers) header.id += first_;
  }
  void close() const {
    const Matrix& matrix = table_.matrix;
    if (table_.encoded || !matrix.mapped || copies()) return;
    const auto item = static_cast<std::int64_t>(size_of(matrix.dtype));
    const std::int64_t begin = matrix.column_of(first_) * matrix.column_stride * item;
    const std::int64_t end = (matrix.column_of(last_ - 1) + 1) * matrix.column_stride * item;
    release_pages({matrix.data + begin, static_cast<std::size_t>(end - begin)}, matrix.bytes());
  }

 private:
  const Table& table_;
  Missing missing_;
  WorkerPool& pool_;
  std::shared_ptr<const FeatureSource> source_;
  AlignedBytes buffer_;  // of the window
  std::unique_ptr<const FeatureSource> window_;
  std::int64_t first_ = 0;
  std::int64_t last_ = 0;
};

// How many features make a block, and how many are in memory at a time. By what features have taken so far, since
// nobody knows before; the same for any number of threads.
class Sizes {
 public:
  Sizes(const Table& table, const ConvertOptions& options, bool copied) : options_(options) {
    const std::int64_t item = table.encoded ? 8 : static_cast<std::int64_t>(size_of(table.matrix.dtype));
    // Strips of float32 and codes beside them.
    encoded_ = table.samples() * std::max<std::int64_t>(item, 5);
    copied_ = copied ? table.samples() * item : 0;
  }
  void measured(std::int64_t features, std::int64_t bytes) { average_ = std::max<std::int64_t>(1, bytes / features); }
  std::int64_t block() const {
    constexpr std::int64_t kMost = std::int64_t{1} << 16U;
    return whole_strips(std::min(kMost, options_.block_bytes / (average_ > 0 ? average_ : encoded_)));
  }
  // Half of the memory is left for what threads work with.
  std::int64_t window() const {
    return whole_strips(options_.memory / 2 / (copied_ + (average_ > 0 ? 2 * average_ : encoded_)));
  }

 private:
  const ConvertOptions& options_;
  std::int64_t encoded_ = 0;  // bytes of a feature, before any was seen
  std::int64_t copied_ = 0;
  std::int64_t average_ = 0;
};

}  // namespace

Converted convert(const Table& table, const std::string& path, const ConvertOptions& options, const Context& context) {
  use_simd_target_of_environment();
  table.check_has_features();
  WorkerPool pool(context.threads);
  WindowReader reader(table, options.missing, pool);
  Sizes sizes(table, options, reader.copies());
  StoreWriter writer(path, table.samples());
  Converted result{table.features(), table.samples(), 0, 0};
  std::vector<FeatureBlock> scratch(static_cast<std::size_t>(pool.threads()));
  std::vector<FeatureBlock> blocks;
  std::int64_t missing = 0;
  std::int64_t first_missing = -1;
  for (std::int64_t first = 0; first < result.features;) {
    const std::int64_t last = std::min(result.features, first + sizes.window());
    const std::int64_t size = sizes.block();
    context.check_stop();
    reader.open(first, last);
    blocks.resize(static_cast<std::size_t>((last - first + size - 1) / size));
    pool.run(std::ssize(blocks), [&](std::int64_t item, int worker) {
      context.check_stop();
      FeatureBlock& block = scratch[static_cast<std::size_t>(worker)];
      const std::int64_t begin = first + item * size;
      reader.read(begin, std::min(size, last - begin), block);
      pack_block(block, blocks[static_cast<std::size_t>(item)]);
    });
    reader.close();
    for (const FeatureBlock& block : blocks) {
      context.check_stop();
      for (const FeatureHeader& header : block.headers) {
        if (header.missing > 0 && first_missing < 0) first_missing = header.id;
        missing += header.missing;
      }
      writer.append(block);
      context.report("converting", static_cast<double>(block.headers.back().id + 1),
                     static_cast<double>(result.features));
    }
    first = last;
    sizes.measured(last, writer.bytes());
  }
  table.check_missing(options.missing, missing, first_missing);
  context.check_stop();
  const std::vector<std::string> names = table.all_feature_names();
  result.fingerprint =
      writer.commit({names, table.sample_ids, table.target ? &*table.target : nullptr, table.default_missing});
  result.bytes = writer.bytes();
  return result;
}

}  // namespace land
