#include "land/formats/compress_columns.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <variant>

#include "land/base/populate.h"
#include "land/base/worker_pool.h"
#include "land/blocks/sample_numbers.h"

namespace land {
namespace {

// A transposition jumps between as many places as there are columns. So columns are dealt with in blocks whose entries
// fit a cache; first every piece finds, or gathers, what it has of each block.
constexpr std::int64_t kBlockEntries = 1 << 17;
constexpr std::int64_t kMostBlocks = 2048;  // but for the limit of their width
constexpr std::int64_t kBlockColumns = 1 << 16;
// A line with fewer entries than this in an average block is not worth a visit by every block.
constexpr std::size_t kEntriesPerVisit = 8;
constexpr std::size_t kAhead = 4;  // lines

class ColumnBlocks {
 public:
  // Bounds of about equally many entries, from a sample of them.
  ColumnBlocks(const std::vector<Entries>& pieces, std::int64_t columns) {
    constexpr std::int64_t kSampled = 1 << 16;
    std::int64_t entries = 0;
    for (const Entries& piece : pieces) entries += static_cast<std::int64_t>(piece.size());
    const auto stride = static_cast<std::size_t>(std::max<std::int64_t>(entries / kSampled, 1));
    std::vector<std::int32_t> sampled;
    std::uint64_t random = 1;
    for (const Entries& piece : pieces) {
      // At random in each stretch, since columns may repeat at regular distances.
      for (std::size_t at = 0; at < piece.size(); at += stride) {
        random = random * 6364136223846793005 + 1442695040888963407;
        sampled.push_back(piece.columns[std::min(at + (random >> 33) % stride, piece.size() - 1)]);
      }
    }
    std::sort(sampled.begin(), sampled.end());

    const std::int64_t wanted = std::clamp<std::int64_t>(entries / kBlockEntries, 1, kMostBlocks);
    const std::size_t step = std::max<std::size_t>(sampled.size() / static_cast<std::size_t>(wanted), 1);
    for (std::size_t i = step; i < sampled.size(); i += step) add(sampled[i]);
    add(columns);

    while (columns >> shift_ >= kGroups) ++shift_;
    for (std::int64_t group = 0; group << shift_ <= columns; ++group) {
      const auto above = std::upper_bound(first_.begin(), first_.end() - 1, group << shift_);
      block_of_group_.push_back(static_cast<std::uint32_t>(above - first_.begin() - 1));
    }
    block_of_group_.push_back(static_cast<std::uint32_t>(size() - 1));
  }

  std::size_t size() const { return first_.size() - 1; }
  // Block b has columns first(b) .. first(b + 1) - 1, at most kBlockColumns.
  std::int64_t first(std::size_t block) const { return first_[block]; }

  std::size_t block_of(std::int32_t column) const {
    const auto group = static_cast<std::size_t>(column >> shift_);
    std::size_t block = block_of_group_[group];
    if (block == block_of_group_[group + 1]) return block;
    const auto begin = first_.begin() + static_cast<std::ptrdiff_t>(block);
    const auto end = first_.begin() + block_of_group_[group + 1] + 1;
    return static_cast<std::size_t>(std::upper_bound(begin, end, column) - first_.begin() - 1);
  }

 private:
  static constexpr std::int64_t kGroups = 1 << 16;

  void add(std::int64_t bound) {
    while (bound - first_.back() > kBlockColumns) first_.push_back(first_.back() + kBlockColumns);
    if (bound > first_.back()) first_.push_back(bound);
  }

  std::vector<std::int64_t> first_ = {0};
  int shift_ = 0;
  std::vector<std::uint32_t> block_of_group_;  // that of the first column of the group
};

template <class Row, class Value>
class Compressor {
 public:
  Compressor(std::vector<Entries> pieces, std::int64_t samples, std::int64_t columns, const Context& context)
      : context_(context), pieces_(std::move(pieces)), blocks_(pieces_, columns) {
    result_.columns.samples = samples;
    result_.columns.columns = columns;
    scratch_.resize(static_cast<std::size_t>(std::max(context.threads, 1)));
    std::size_t entries = 0;
    std::size_t lines = 0;
    for (const Entries& piece : pieces_) {
      entries += piece.size();
      lines += piece.ends.size();
      in_order_ = in_order_ && piece.by_line();
    }
    by_line_ = in_order_ && entries >= kEntriesPerVisit * lines * blocks_.size();
  }

  CompressedColumns run() {
    WorkerPool pool(context_.threads);
    const auto for_each = [&](std::size_t count, const auto& work) {
      pool.run(static_cast<std::int64_t>(count), [&](std::int64_t item, int worker) {
        context_.check_stop();
        work(static_cast<std::size_t>(item), scratch_[static_cast<std::size_t>(worker)]);
      });
    };
    for_each(pieces_.size(), [&](std::size_t p, Scratch& scratch) { widen(pieces_[p], scratch); });
    if (by_line_) {
      list_lines();
      for_each(lines_.size(), [&](std::size_t line, Scratch&) { find_blocks(line); });
    } else {
      gathered_.resize(pieces_.size());
      for_each(pieces_.size(), [&](std::size_t p, Scratch& scratch) { gather(pieces_[p], gathered_[p], scratch); });
    }
    make_room();
    for_each(blocks_.size(), [&](std::size_t block, Scratch& scratch) { fill(block, scratch); });
    // To give memory back takes time as well.
    for_each(pieces_.size(), [&](std::size_t p, Scratch&) {
      pieces_[p] = Entries();
      if (!by_line_) gathered_[p] = Gathered();
    });
    return std::move(result_);
  }

 private:
  // What the result refers to.
  struct Arrays {
    AlignedBuffer<std::int64_t> starts;
    AlignedBuffer<Row> rows;
    AlignedBuffer<Value> values;
  };

  struct Pair {
    Row sample;
    Value value;
  };

  struct Line {
    const std::int32_t* columns;
    const Value* values;
    std::uint32_t size;
    std::int32_t sample;
  };

  // A piece sorted by block: block b has entries bounds[b] .. bounds[b + 1] - 1.
  struct Gathered {
    std::vector<std::uint32_t> bounds;
    SlabArray<Row> samples;
    SlabArray<std::uint16_t> columns;  // within the block
    SlabArray<Value> values;
  };

  struct Scratch {
    std::vector<std::uint32_t> block;
    std::vector<std::uint32_t> cursors;
    std::vector<std::int32_t> samples;
    SlabWriter<Row> slab_samples;
    SlabWriter<std::uint16_t> slab_columns;
    SlabWriter<Value> slab_values;
    std::vector<std::uint32_t> column_ends;
    AlignedBuffer<Pair> pairs;
  };

  static const SlabArray<Value>& values(const Entries& piece) { return std::get<SlabArray<Value>>(piece.values); }

  static void widen(Entries& piece, Scratch& scratch) {
    if (std::holds_alternative<SlabArray<Value>>(piece.values)) return;
    Value* const to = scratch.slab_values.room(piece.size());
    std::visit(
        [&](const auto& narrow) {
          for (std::size_t e = 0; e < narrow.size(); ++e) to[e] = static_cast<Value>(narrow[e]);
        },
        piece.values);
    piece.values = scratch.slab_values.keep(piece.size());
  }

  void list_lines() {
    for (const Entries& piece : pieces_) {
      std::uint32_t begin = 0;
      auto sample = static_cast<std::int32_t>(piece.first_sample);
      for (const std::uint32_t end : piece.ends) {
        lines_.push_back({piece.columns.data() + begin, values(piece).data() + begin, end - begin, sample++});
        begin = end;
      }
    }
    line_bounds_.resize((blocks_.size() + 1) * lines_.size());
  }

  void find_blocks(std::size_t number) {
    const Line& line = lines_[number];
    const std::int32_t* at = line.columns;
    const std::int32_t* const end = at + line.size;
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      const std::int64_t first = blocks_.first(block);
      std::ptrdiff_t step = 16;
      while (end - at > step && at[step] < first) {
        at += step;
        step *= 2;
      }
      at = std::lower_bound(at, end - at > step ? at + step : end, first);
      line_bounds_[block * lines_.size() + number] = static_cast<std::uint32_t>(at - line.columns);
    }
    line_bounds_[blocks_.size() * lines_.size() + number] = line.size;
  }

  // Keeps the order within each block.
  void gather(Entries& piece, Gathered& gathered, Scratch& scratch) const {
    const std::size_t size = piece.size();
    scratch.block.resize(size);
    gathered.bounds.assign(blocks_.size() + 1, 0);
    for (std::size_t e = 0; e < size; ++e) {
      const std::size_t block = blocks_.block_of(piece.columns[e]);
      scratch.block[e] = static_cast<std::uint32_t>(block);
      ++gathered.bounds[block + 1];
    }
    for (std::size_t block = 0; block < blocks_.size(); ++block) gathered.bounds[block + 1] += gathered.bounds[block];
    scratch.cursors.assign(gathered.bounds.begin(), gathered.bounds.end() - 1);

    if (piece.by_line()) {
      scratch.samples.resize(size);
      std::uint32_t at = 0;
      auto sample = static_cast<std::int32_t>(piece.first_sample);
      for (const std::uint32_t end : piece.ends) {
        std::fill(scratch.samples.begin() + at, scratch.samples.begin() + end, sample++);
        at = end;
      }
    }
    const std::int32_t* const from = piece.by_line() ? scratch.samples.data() : piece.samples.data();
    Row* const samples = scratch.slab_samples.room(size);
    std::uint16_t* const columns = scratch.slab_columns.room(size);
    Value* const to_values = scratch.slab_values.room(size);
    for (std::size_t e = 0; e < size; ++e) {
      const std::size_t block = scratch.block[e];
      const std::size_t to = scratch.cursors[block]++;
      samples[to] = static_cast<Row>(from[e]);
      columns[to] = static_cast<std::uint16_t>(piece.columns[e] - blocks_.first(block));
      to_values[to] = values(piece)[e];
    }
    gathered.samples = scratch.slab_samples.keep(size);
    gathered.columns = scratch.slab_columns.keep(size);
    gathered.values = scratch.slab_values.keep(size);
    piece = Entries();
  }

  // Counts the entries of each block.
  void make_room() {
    starts_.assign(blocks_.size() + 1, 0);
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      std::int64_t count = 0;
      for (const Gathered& piece : gathered_) count += piece.bounds[block + 1] - piece.bounds[block];
      const std::uint32_t* const begins = line_bounds_.data() + block * lines_.size();
      for (std::size_t line = 0; line < lines_.size(); ++line) count += begins[lines_.size() + line] - begins[line];
      starts_[block + 1] = starts_[block] + count;
    }
    const auto columns = static_cast<std::size_t>(result_.columns.columns);
    const auto entries = static_cast<std::size_t>(starts_.back());
    arrays_->starts.resize(columns + 1);
    arrays_->starts[columns] = starts_.back();
    arrays_->rows.resize(entries);
    arrays_->values.resize(entries);
    result_.columns.starts = {arrays_->starts.data(), columns + 1};
    result_.columns.rows = std::span<const Row>(arrays_->rows.data(), entries);
    result_.columns.values = std::span<const Value>(arrays_->values.data(), entries);
    result_.columns.owner = arrays_;
  }

  // Calls visit(column within the block, sample, value) for all entries of the block, in their order.
  template <class Visit>
  void for_each_entry(std::size_t block, const Visit& visit) const {
    for (const Gathered& piece : gathered_) {
      const std::uint32_t end = piece.bounds[block + 1];
      for (std::uint32_t e = piece.bounds[block]; e < end; ++e) {
        visit(piece.columns[e], piece.samples[e], piece.values[e]);
      }
    }
    const auto first = static_cast<std::int32_t>(blocks_.first(block));
    const std::size_t lines = lines_.size();
    const std::uint32_t* const begins = line_bounds_.data() + block * lines;
    const std::uint32_t* const ends = begins + lines;
    for (std::size_t l = 0; l < lines; ++l) {
      // The stretches are too short for the processor to foresee the next one.
      if (const std::size_t ahead = l + kAhead; ahead < lines) {
        for (std::uint32_t e = begins[ahead]; e < ends[ahead]; e += kCacheLine / sizeof(std::int32_t)) {
          __builtin_prefetch(lines_[ahead].columns + e);
          __builtin_prefetch(lines_[ahead].values + e);
        }
      }
      const Line& line = lines_[l];
      for (std::uint32_t e = begins[l]; e < ends[l]; ++e) {
        visit(line.columns[e] - first, static_cast<Row>(line.sample), line.values[e]);
      }
    }
  }

  void fill(std::size_t block, Scratch& scratch) {
    const std::int64_t first = blocks_.first(block);
    const std::int64_t start = starts_[block];
    const auto width = static_cast<std::size_t>(blocks_.first(block + 1) - first);
    const auto size = static_cast<std::size_t>(starts_[block + 1] - start);
    // Fewer than 2^32: a column has fewer than 2^31, and the others hardly more than their share.
    scratch.column_ends.assign(width, 0);
    std::uint32_t* const ends = scratch.column_ends.data();
    for_each_entry(block, [&](std::int32_t column, Row, Value) { ++ends[column]; });
    std::uint32_t end = 0;
    for (std::size_t k = 0; k < width; ++k) {
      arrays_->starts[static_cast<std::size_t>(first) + k] = start + end;
      end += std::exchange(ends[k], end);
    }
    scratch.pairs.resize(size);
    Pair* const pairs = scratch.pairs.data();
    for_each_entry(block,
                   [&](std::int32_t column, Row sample, Value value) { pairs[ends[column]++] = {sample, value}; });
    for (std::size_t k = 0; !in_order_ && k < width; ++k) {
      sort_column(first + static_cast<std::int64_t>(k), {pairs + (k == 0 ? 0 : ends[k - 1]), pairs + ends[k]});
    }
    Row* const rows = arrays_->rows.data() + start;
    Value* const to = arrays_->values.data() + start;
    populate(rows, size * sizeof(Row));
    populate(to, size * sizeof(Value));
    for (std::size_t e = 0; e < size; ++e) {
      rows[e] = pairs[e].sample;
      to[e] = pairs[e].value;
    }
  }

  void sort_column(std::int64_t column, std::span<Pair> pairs) {
    const auto below = [](const Pair& a, const Pair& b) { return a.sample < b.sample; };
    const auto not_below = [](const Pair& a, const Pair& b) { return a.sample >= b.sample; };
    if (std::adjacent_find(pairs.begin(), pairs.end(), not_below) == pairs.end()) return;
    std::sort(pairs.begin(), pairs.end(), below);
    const auto twice = std::adjacent_find(pairs.begin(), pairs.end(), not_below);
    if (twice == pairs.end()) return;
    const std::scoped_lock lock(mutex_);
    if (!result_.repeated || column < result_.repeated->column) result_.repeated = {{twice->sample, column}};
  }

  const Context& context_;
  std::vector<Entries> pieces_;
  const ColumnBlocks blocks_;
  bool in_order_ = true;  // all pieces are by line
  bool by_line_ = false;  // and blocks visit the lines
  std::vector<Line> lines_;
  std::vector<std::uint32_t> line_bounds_;  // block by line: where in the line the block begins
  std::vector<Gathered> gathered_;          // the pieces, if not by_line_
  std::vector<std::int64_t> starts_;        // of the blocks, in the matrix
  std::vector<Scratch> scratch_;            // of the workers
  std::mutex mutex_;                        // of repeated
  std::shared_ptr<Arrays> arrays_ = std::make_shared<Arrays>();
  CompressedColumns result_;
};

}  // namespace

CompressedColumns compress_columns(std::vector<Entries> pieces, std::int64_t samples, std::int64_t columns,
                                   const Context& context) {
  const auto compress = [&]<class Value>(Value) {
    if (are_sample_numbers_short(samples)) {
      return Compressor<std::uint16_t, Value>(std::move(pieces), samples, columns, context).run();
    }
    return Compressor<std::int32_t, Value>(std::move(pieces), samples, columns, context).run();
  };
  std::size_t widest = 0;
  for (const Entries& piece : pieces) widest = std::max(widest, piece.values.index());
  if (widest == 0) return compress(std::uint16_t{});
  return widest == 1 ? compress(float{}) : compress(double{});
}

}  // namespace land
