#include "land/subset/copy_matrix.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "land/base/aligned.h"
#include "land/base/resident_memory.h"
#include "land/files/mapped_pages.h"
#include "land/files/scratch_file.h"

namespace land {
namespace {

// Elements first .. first + count - 1 of a line.
struct Run {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

std::vector<Run> runs_of(const std::vector<std::int64_t>& numbers) {
  std::vector<Run> runs;
  for (const std::int64_t number : numbers) {
    if (!runs.empty() && runs.back().first + runs.back().count == number) {
      ++runs.back().count;
    } else {
      runs.push_back({number, 1});
    }
  }
  return runs;
}

std::vector<std::int64_t> columns_of(const Matrix& matrix, const Subset& subset) {
  std::vector<std::int64_t> columns;
  columns.reserve(subset.features->size());
  for (const std::int64_t feature : *subset.features) columns.push_back(matrix.column_of(feature));
  return columns;
}

std::vector<std::int64_t> samples_of(const Matrix& matrix, const Subset& subset) {
  std::vector<std::int64_t> samples;
  const std::int64_t count = subset.samples ? std::ssize(*subset.samples) : matrix.samples;
  samples.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    samples.push_back(matrix.row(subset.samples ? (*subset.samples)[static_cast<std::size_t>(i)] : i));
  }
  return samples;
}

bool fits_memory(std::int64_t bytes, const Context& context) {
  if (context.memory > 0) return bytes <= context.memory / 4;
  return bytes <= available_memory() / 4;
}

// One line of the matrix, a sample or a column: the elements of `runs`, one after the other.
void copy_line(const std::byte* line, std::int64_t stride, std::size_t item, std::span<const Run> runs, std::byte* to) {
  for (const Run& run : runs) {
    const std::byte* from = line + run.first * stride * static_cast<std::int64_t>(item);
    if (stride == 1) {
      std::memcpy(to, from, static_cast<std::size_t>(run.count) * item);
      to += static_cast<std::size_t>(run.count) * item;
      continue;
    }
    for (std::int64_t i = 0; i < run.count; ++i, to += item) {
      std::memcpy(to, from + i * stride * static_cast<std::int64_t>(item), item);
    }
  }
}

}  // namespace

Matrix copy_matrix(const Matrix& matrix, const Subset& subset, const std::string& scratch_folder,
                   const Context& context) {
  const std::vector<std::int64_t> samples = samples_of(matrix, subset);
  const std::vector<std::int64_t> columns = columns_of(matrix, subset);
  const bool by_sample = matrix.column_stride <= matrix.sample_stride;
  const std::vector<std::int64_t>& lines = by_sample ? samples : columns;
  const std::vector<std::int64_t>& elements = by_sample ? columns : samples;
  const std::int64_t line_stride = by_sample ? matrix.sample_stride : matrix.column_stride;
  const std::int64_t stride = by_sample ? matrix.column_stride : matrix.sample_stride;
  const std::vector<Run> runs = runs_of(elements);
  const std::size_t item = size_of(matrix.dtype);
  const std::size_t line_bytes = elements.size() * item;
  const auto bytes = static_cast<std::int64_t>(line_bytes * lines.size());

  std::unique_ptr<ScratchFile> scratch;
  if (!fits_memory(bytes, context))
    scratch = std::make_unique<ScratchFile>(scratch_folder.empty() ? temporary_folder() : scratch_folder);
  auto kept = std::make_shared<AlignedBytes>(scratch ? line_bytes : static_cast<std::size_t>(bytes));
  PagesBehind pages(matrix.bytes(), matrix.mapped);
  for (std::size_t t = 0; t < lines.size(); ++t) {
    context.check_stop();
    context.report("copying", static_cast<double>(t), static_cast<double>(lines.size()));
    const auto offset = static_cast<std::size_t>(lines[t] * line_stride) * item;
    pages.passed(offset);
    std::byte* to = kept->data() + (scratch ? 0 : t * line_bytes);
    copy_line(matrix.data + offset, stride, item, runs, to);
    if (scratch) scratch->write_at(static_cast<std::int64_t>(t * line_bytes), {to, line_bytes});
  }

  Matrix copy;
  copy.dtype = matrix.dtype;
  copy.samples = std::ssize(samples);
  copy.columns = std::ssize(columns);
  copy.sample_stride = by_sample ? copy.columns : 1;
  copy.column_stride = by_sample ? 1 : copy.samples;
  if (scratch) {
    const Bytes mapped = scratch->map(bytes);
    copy.data = mapped.view.data();
    copy.owner = mapped.owner;
    copy.mapped = true;
  } else {
    copy.data = kept->data();
    copy.owner = std::move(kept);
  }
  return copy;
}

}  // namespace land
