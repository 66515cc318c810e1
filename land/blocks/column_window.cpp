#include "land/blocks/column_window.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "land/base/error.h"
#include "land/files/mapped_pages.h"

namespace land {
namespace {

struct Run {
  std::int64_t from = 0;  // bytes from the beginning of a row
  std::int64_t to = 0;    // of a row of the copy
  std::int64_t bytes = 0;
};

std::vector<Run> runs_of(std::span<const std::int64_t> columns, std::int64_t item) {
  std::vector<Run> runs;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (c > 0 && columns[c] == columns[c - 1] + 1) {
      runs.back().bytes += item;
    } else {
      runs.push_back({columns[c] * item, static_cast<std::int64_t>(c) * item, item});
    }
  }
  return runs;
}

}  // namespace

Matrix copy_columns(const Matrix& matrix, std::span<const std::int64_t> columns, AlignedBytes& values) {
  const auto item = static_cast<std::int64_t>(size_of(matrix.dtype));
  Matrix copied = matrix;
  copied.columns = std::ssize(columns);
  copied.sample_stride = copied.columns;
  copied.skipped_column = -1;
  copied.kept = nullptr;
  copied.mapped = false;
  copied.owner = nullptr;
  const std::int64_t row_bytes = copied.columns * item;
  values.clear();
  values.resize(static_cast<std::size_t>(matrix.samples * row_bytes));
  copied.data = values.data();

  const std::vector<Run> runs = runs_of(columns, item);
  constexpr std::int64_t kHeld = std::int64_t{4} << 20U;
  const std::int64_t step = matrix.sample_stride * item;
  const std::int64_t touched = std::min(step, row_bytes + std::ssize(runs) * kPagesAround);
  const std::int64_t rows = std::max<std::int64_t>(1, kHeld / touched);
  for (std::int64_t from = 0; from < matrix.samples; from += rows) {
    const std::int64_t to = std::min(matrix.samples, from + rows);
    for (std::int64_t i = from; i < to; ++i) {
      for (const Run& run : runs) {
        std::memcpy(values.data() + i * row_bytes + run.to, matrix.data + matrix.row(i) * step + run.from,
                    static_cast<std::size_t>(run.bytes));
      }
    }
    const std::int64_t begin = matrix.row(from);
    const std::int64_t end = matrix.row(to - 1) + 1;
    release_pages(
        matrix.bytes().subspan(static_cast<std::size_t>(begin * step), static_cast<std::size_t>((end - begin) * step)),
        matrix.bytes());
  }
  return copied;
}

ColumnWindow::ColumnWindow(const MatrixSource& whole, const Matrix& matrix, std::int64_t first, std::int64_t count,
                           Missing missing, AlignedBytes& values)
    : whole_(whole), first_(first) {
  // A column that is skipped among them is copied and skipped: strips end there.
  const std::int64_t begin = matrix.column_of(first);
  std::vector<std::int64_t> columns(static_cast<std::size_t>(matrix.column_of(first + count - 1) + 1 - begin));
  std::iota(columns.begin(), columns.end(), begin);
  Matrix window = copy_columns(matrix, columns, values);
  if (matrix.skipped_column > begin && matrix.skipped_column <= columns.back()) {
    window.skipped_column = matrix.skipped_column - begin;
  }
  // Places are named by the whole, see read.
  columns_ = std::make_unique<MatrixSource>(window, [](std::int64_t, std::int64_t) { return std::string(); }, missing);
}

void ColumnWindow::read(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
  try {
    columns_->read(first - first_, count, block);
  } catch (const InputError&) {
    whole_.read(first, count, block);  // says the same, of the whole file
    throw;
  }
  for (FeatureHeader& header : block.headers) header.id += first_;
}

}  // namespace land
