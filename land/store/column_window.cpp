#include "land/store/column_window.h"

#include <algorithm>
#include <cstring>

#include "land/blocks/mapped_pages.h"

namespace land {

Matrix copy_columns(const Matrix& matrix, std::int64_t first, std::int64_t last, WorkerPool& pool,
                    AlignedBytes& buffer) {
  const auto item = static_cast<std::int64_t>(size_of(matrix.dtype));
  const std::int64_t begin = matrix.column_of(first);
  Matrix window = matrix;
  window.columns = matrix.column_of(last - 1) + 1 - begin;
  window.sample_stride = window.columns;
  window.skipped_column = matrix.skipped_column > begin && matrix.skipped_column < begin + window.columns
                              ? matrix.skipped_column - begin
                              : -1;
  window.mapped = false;
  const std::int64_t row_bytes = window.columns * item;
  buffer.clear();
  buffer.resize(static_cast<std::size_t>(matrix.samples * row_bytes));
  window.data = buffer.data();
  window.owner = nullptr;

  constexpr std::int64_t kHeld = std::int64_t{4} << 20U;
  const std::int64_t step = matrix.sample_stride * item;
  const std::int64_t rows = std::max<std::int64_t>(1, kHeld / step);
  pool.run((matrix.samples + rows - 1) / rows, [&](std::int64_t band, int) {
    const std::int64_t from = band * rows;
    const std::int64_t to = std::min(matrix.samples, from + rows);
    for (std::int64_t i = from; i < to; ++i) {
      std::memcpy(buffer.data() + i * row_bytes, matrix.data + i * step + begin * item,
                  static_cast<std::size_t>(row_bytes));
    }
    if (matrix.mapped)
      release_pages({matrix.data + from * step, static_cast<std::size_t>((to - from) * step)}, matrix.bytes());
  });
  return window;
}

}  // namespace land
