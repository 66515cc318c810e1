#include "land/blocks/matrix.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace land {
namespace {

template <class T>
double load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

}  // namespace

std::size_t size_of(DType type) {
  switch (type) {
    case DType::kInt8:
    case DType::kUint8:
    case DType::kBool:
      return 1;
    case DType::kInt16:
    case DType::kUint16:
      return 2;
    case DType::kFloat32:
    case DType::kInt32:
    case DType::kUint32:
      return 4;
    case DType::kFloat64:
    case DType::kInt64:
    case DType::kUint64:
      break;
  }
  return 8;
}

std::string_view to_string(DType type) {
  switch (type) {
    case DType::kFloat32:
      return "float32";
    case DType::kFloat64:
      return "float64";
    case DType::kInt8:
      return "int8";
    case DType::kInt16:
      return "int16";
    case DType::kInt32:
      return "int32";
    case DType::kInt64:
      return "int64";
    case DType::kUint8:
      return "uint8";
    case DType::kUint16:
      return "uint16";
    case DType::kUint32:
      return "uint32";
    case DType::kUint64:
      return "uint64";
    case DType::kBool:
      break;
  }
  return "bool";
}

double Matrix::at(std::int64_t sample, std::int64_t column) const {
  const std::int64_t element = row(sample) * sample_stride + column * column_stride;
  const std::byte* p = data + element * static_cast<std::int64_t>(size_of(dtype));
  switch (dtype) {
    case DType::kFloat32:
      return load<float>(p);
    case DType::kFloat64:
      return load<double>(p);
    case DType::kInt8:
      return load<std::int8_t>(p);
    case DType::kInt16:
      return load<std::int16_t>(p);
    case DType::kInt32:
      return load<std::int32_t>(p);
    case DType::kInt64:
      return load<std::int64_t>(p);
    case DType::kUint8:
      return load<std::uint8_t>(p);
    case DType::kUint16:
      return load<std::uint16_t>(p);
    case DType::kUint32:
      return load<std::uint32_t>(p);
    case DType::kUint64:
      return load<std::uint64_t>(p);
    case DType::kBool:
      break;
  }
  // Any non-zero byte of a file is true; reading it as a C++ bool would be undefined.
  return *p == std::byte{0} ? 0.0 : 1.0;
}

void Matrix::keep(const std::vector<std::int64_t>& numbers) {
  auto rows = std::make_shared<std::vector<std::int64_t>>();
  rows->reserve(numbers.size());
  for (const std::int64_t number : numbers) rows->push_back(row(number));
  if (!kept) stored_samples = samples;
  kept = std::move(rows);
  samples = std::ssize(numbers);
}

namespace {

template <class T>
void copy_as_double(const Matrix& matrix, std::int64_t first, std::int64_t last, std::span<double> values) {
  const T* data = reinterpret_cast<const T*>(matrix.data);
  constexpr std::int64_t kRows = 64;  // whose lines, with a few features each, stay in the nearest cache
  with_offsets(matrix, [&](const auto& offset) {
    for (std::int64_t from = 0; from < matrix.samples; from += kRows) {
      const std::int64_t to = std::min(matrix.samples, from + kRows);
      for (std::int64_t feature = first; feature < last; ++feature) {
        const T* column = data + matrix.column_of(feature) * matrix.column_stride;
        double* out = values.data() + (feature - first) * matrix.samples;
        for (std::int64_t sample = from; sample < to; ++sample) {
          out[sample] = static_cast<double>(column[offset(sample)]);
        }
      }
    }
  });
}

}  // namespace

void copy_features(const Matrix& matrix, std::int64_t first, std::int64_t last, std::span<double> values) {
  switch (matrix.dtype) {
    case DType::kFloat32:
      return copy_as_double<float>(matrix, first, last, values);
    case DType::kFloat64:
      return copy_as_double<double>(matrix, first, last, values);
    case DType::kInt8:
      return copy_as_double<std::int8_t>(matrix, first, last, values);
    case DType::kInt16:
      return copy_as_double<std::int16_t>(matrix, first, last, values);
    case DType::kInt32:
      return copy_as_double<std::int32_t>(matrix, first, last, values);
    case DType::kInt64:
      return copy_as_double<std::int64_t>(matrix, first, last, values);
    case DType::kUint8:
    case DType::kBool:
      return copy_as_double<std::uint8_t>(matrix, first, last, values);
    case DType::kUint16:
      return copy_as_double<std::uint16_t>(matrix, first, last, values);
    case DType::kUint32:
      return copy_as_double<std::uint32_t>(matrix, first, last, values);
    case DType::kUint64:
      return copy_as_double<std::uint64_t>(matrix, first, last, values);
  }
}

}  // namespace land
