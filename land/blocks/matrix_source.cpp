#include "land/blocks/matrix_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "land/base/checksum.h"
#include "land/base/error.h"
#include "land/base/option.h"
#include "land/blocks/column_window.h"
#include "land/blocks/encode_column.h"
#include "land/blocks/encode_floats.h"

namespace land {
namespace {

bool is_byte(DType type) { return type == DType::kInt8 || type == DType::kUint8 || type == DType::kBool; }

}  // namespace

MatrixSource::MatrixSource(Matrix matrix, std::function<std::string(std::int64_t, std::int64_t)> cell, Missing missing)
    : matrix_(std::move(matrix)),
      cell_(std::move(cell)),
      missing_(missing),
      multipliers_(checksum_multipliers(matrix_.samples)) {}

std::int64_t MatrixSource::count_missing() const {
  constexpr std::int64_t kTogether = 64;
  const auto n = static_cast<std::size_t>(matrix_.samples);
  std::vector<double> values(n * static_cast<std::size_t>(kTogether));
  std::int64_t count = 0;
  for (std::int64_t first = 0; first < features(); first += kTogether) {
    const std::int64_t last = std::min(first + kTogether, features());
    copy_features(matrix_, first, last, values);
    count += std::count_if(values.begin(), values.begin() + (last - first) * matrix_.samples,
                           [](double x) { return std::isnan(x); });
  }
  return count;
}

void MatrixSource::refuse(std::int64_t feature) const {
  for (std::int64_t i = 0; i < matrix_.samples; ++i) {
    const double value = matrix_.at(i, matrix_.column_of(feature));
    if (std::isinf(value)) {
      throw InputError(cell_(i, feature) + ": infinity is not a finite number; make it NaN if the value is missing");
    }
    if (std::isnan(value) && missing_ == Missing::kError) {
      const std::int64_t all = count_missing();
      throw InputError(fmt::format("{}: the value is missing, {}; remove {}, or choose {}", cell_(i, feature),
                                   all == 1 ? "the only one" : fmt::format("one of {}", all), all == 1 ? "it" : "them",
                                   option("missing", {"mean", "ignore", "level"})));
    }
  }
  throw InputError(cell_(0, feature) + ": values too large to add up");
}

void MatrixSource::encode_checked(std::span<const double> column, std::int64_t feature, FeatureBlock& block) const {
  const bool refused = std::any_of(column.begin(), column.end(), [this](double x) {
    return std::isinf(x) || (std::isnan(x) && missing_ == Missing::kError);
  });
  if (refused) refuse(feature);
  encode_column(column, multipliers_, feature, block);
}

void MatrixSource::read(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
  block.clear(matrix_.samples);
  block.headers.reserve(static_cast<std::size_t>(count));
  while (count > 0) {
    std::int64_t run = count;
    if (matrix_.skipped_column > first) run = std::min(run, matrix_.skipped_column - first);
    // Strips begin at multiples of 16 (and behind the skipped column), so that they are the same for any block.
    if (first % kStripWidth != 0) run = std::min(run, kStripWidth - first % kStripWidth);
    if (matrix_.dtype == DType::kFloat32 && matrix_.column_stride == 1 && !matrix_.kept) {
      const float* values = reinterpret_cast<const float*>(matrix_.data) + matrix_.column_of(first);
      read_strips(values, matrix_.sample_stride, first, run, block);
    } else if (matrix_.dtype == DType::kFloat32) {
      read_aside(first, run, block);
    } else if (is_byte(matrix_.dtype)) {
      read_bytes(first, run, block);
    } else {
      read_columns(first, run, block);
    }
    first += run;
    count -= run;
  }
}

void MatrixSource::read_aside(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
  const std::int64_t n = matrix_.samples;
  const float* values = reinterpret_cast<const float*>(matrix_.data);
  static thread_local AlignedBuffer<float> strip;
  strip.resize(static_cast<std::size_t>(n * kStripWidth));
  // `first` to `first + count` never cross the skipped column.
  const auto copy_rows = [&](std::int64_t begin, std::int64_t width, const auto& offset) {
    const float* from = values + matrix_.column_of(begin);
    constexpr std::int64_t kAhead = 16;
    for (std::int64_t i = 0; i < n; ++i) {
      if (i + kAhead < n) __builtin_prefetch(from + offset(i + kAhead));
      std::copy_n(from + offset(i), width, strip.begin() + i * kStripWidth);
    }
  };
  const auto turn_columns = [&](std::int64_t begin, std::int64_t width, const auto& offset) {
    constexpr std::int64_t kRows = 64;  // so that the lines that are written stay in the nearest cache
    for (std::int64_t from = 0; from < n; from += kRows) {
      const std::int64_t to = std::min(n, from + kRows);
      for (std::int64_t lane = 0; lane < width; ++lane) {
        const float* column = values + matrix_.column_of(begin + lane) * matrix_.column_stride;
        for (std::int64_t i = from; i < to; ++i) {
          strip[static_cast<std::size_t>(i * kStripWidth + lane)] = column[offset(i)];
        }
      }
    }
  };
  for (std::int64_t k = 0; k < count; k += kStripWidth) {
    const std::int64_t width = std::min(kStripWidth, count - k);
    with_offsets(matrix_, [&](const auto& offset) {
      if (matrix_.column_stride == 1) {
        copy_rows(first + k, width, offset);
      } else {
        turn_columns(first + k, width, offset);
      }
    });
    read_strips(strip.data(), kStripWidth, first + k, width, block);
  }
}

void MatrixSource::read_strips(const float* source, std::int64_t stride, std::int64_t first, std::int64_t count,
                               FeatureBlock& block) const {
  static thread_local StripRun run;
  run.put(source, stride, count, multipliers_, block);
  for (std::int64_t k = 0; k < count; ++k) {
    if (!run.append(k, first + k, block)) read_columns(first + k, 1, block);
  }
}

void MatrixSource::read_bytes(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
  const std::int64_t n = matrix_.samples;
  const auto* source = reinterpret_cast<const std::uint8_t*>(matrix_.data);
  constexpr std::int64_t kColumns = 64;  // a cache line of a row
  static thread_local std::vector<std::uint8_t> columns;
  columns.resize(static_cast<std::size_t>(n * std::min(kColumns, count)));
  for (std::int64_t k = 0; k < count; k += kColumns) {
    const std::int64_t width = std::min(kColumns, count - k);
    const std::uint8_t* tile = source + matrix_.column_of(first + k) * matrix_.column_stride;
    constexpr std::int64_t kRows = 64;
    with_offsets(matrix_, [&](const auto& offset) {
      for (std::int64_t row = 0; row < n; row += kRows) {
        const std::int64_t row_end = std::min(n, row + kRows);
        for (std::int64_t c = 0; c < width; ++c) {
          for (std::int64_t i = row; i < row_end; ++i) {
            columns[static_cast<std::size_t>(c * n + i)] = tile[offset(i) + c * matrix_.column_stride];
          }
        }
      }
    });
    for (std::int64_t c = 0; c < width; ++c) {
      encode_bytes({columns.data() + c * n, static_cast<std::size_t>(n)}, matrix_.dtype == DType::kInt8, multipliers_,
                   first + k + c, block);
    }
  }
}

void MatrixSource::read_columns(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
  const auto n = static_cast<std::size_t>(matrix_.samples);
  constexpr std::int64_t kMost = 16;
  constexpr std::int64_t kValues = std::int64_t{4} << 20U;  // of those that are looked at together
  const std::int64_t together = std::clamp<std::int64_t>(kValues / matrix_.samples, 1, std::min(kMost, count));
  static thread_local std::vector<double> columns;
  columns.resize(n * static_cast<std::size_t>(together));
  for (std::int64_t k = 0; k < count; k += together) {
    const std::int64_t width = std::min(together, count - k);
    copy_features(matrix_, first + k, first + k + width, columns);
    for (std::int64_t c = 0; c < width; ++c) {
      encode_checked({columns.data() + static_cast<std::size_t>(c) * n, n}, first + k + c, block);
    }
  }
}

void MatrixSource::gather(std::span<const std::int64_t> ids, FeatureBlock& block) const {
  block.clear(matrix_.samples);
  if (is_byte(matrix_.dtype)) {
    for (const std::int64_t id : ids) read_bytes(id, 1, block);
    return;
  }
  if (matrix_.dtype != DType::kFloat32) {
    for (const std::int64_t id : ids) read_columns(id, 1, block);
    return;
  }
  constexpr std::size_t kTogether = 64;
  for (; !ids.empty(); ids = ids.subspan(std::min(kTogether, ids.size()))) {
    gather_floats(ids.first(std::min(kTogether, ids.size())), block);
  }
}

// Row by row; what lies in the rows that follow is asked for meanwhile, one value of every cache line.
void MatrixSource::gather_floats(std::span<const std::int64_t> ids, FeatureBlock& block) const {
  const std::int64_t n = matrix_.samples;
  constexpr std::int64_t kAhead = 4;
  constexpr std::int64_t kLine = 16;
  const auto width = static_cast<std::int64_t>(ids.size());
  static thread_local AlignedBuffer<float> columns;
  columns.clear();
  columns.resize(static_cast<std::size_t>(n * width));
  std::vector<std::int64_t> offsets;
  std::vector<std::int64_t> lines;
  for (const std::int64_t id : ids) {
    offsets.push_back(matrix_.column_of(id) * matrix_.column_stride);
    if (lines.empty() || std::abs(offsets.back() - lines.back()) >= kLine) lines.push_back(offsets.back());
  }
  const float* source = reinterpret_cast<const float*>(matrix_.data);
  for (std::int64_t i = 0; i < n; ++i) {
    const float* row = source + matrix_.row(i) * matrix_.sample_stride;
    if (i + kAhead < n) {
      const float* next = source + matrix_.row(i + kAhead) * matrix_.sample_stride;
      for (const std::int64_t line : lines) __builtin_prefetch(next + line);
    }
    for (std::int64_t k = 0; k < width; ++k) {
      columns[static_cast<std::size_t>(k * n + i)] = row[offsets[static_cast<std::size_t>(k)]];
    }
  }
  for (std::int64_t k = 0; k < width; ++k) {
    const std::int64_t id = ids[static_cast<std::size_t>(k)];
    const std::span<const float> values(columns.data() + k * n, static_cast<std::size_t>(n));
    if (!encode_floats(values, multipliers_, id, block)) read_columns(id, 1, block);
  }
}

const Paging& MatrixSource::paging() const {
  if (!matrix_.mapped) return FeatureSource::paging();
  return *this;
}

std::span<const std::byte> MatrixSource::bytes_of(std::int64_t first, std::int64_t count) const {
  if (is_scattered() || count < 1) return {};
  const std::int64_t step = matrix_.column_stride * static_cast<std::int64_t>(size_of(matrix_.dtype));
  const std::int64_t begin = matrix_.column_of(first);
  const std::int64_t end = matrix_.column_of(first + count - 1) + 1;
  return {matrix_.data + begin * step, static_cast<std::size_t>((end - begin) * step)};
}

void MatrixSource::gather_sparingly(std::span<const std::int64_t> ids, FeatureBlock& block) const {
  if (!paging().is_scattered()) return FeatureSource::gather_sparingly(ids, block);
  std::vector<std::int64_t> columns;
  for (const std::int64_t id : ids) columns.push_back(matrix_.column_of(id));
  AlignedBytes values;
  const MatrixSource copied(copy_columns(matrix_, columns, values), cell_, missing_);
  std::iota(columns.begin(), columns.end(), 0);
  copied.gather(columns, block);
  for (FeatureHeader& header : block.headers) header.id = ids[static_cast<std::size_t>(header.id)];
}

std::unique_ptr<const FeatureSource> MatrixSource::copy(std::int64_t first, std::int64_t count,
                                                        AlignedBytes& buffer) const {
  return std::make_unique<ColumnWindow>(*this, matrix_, first, count, missing_, buffer);
}

}  // namespace land
