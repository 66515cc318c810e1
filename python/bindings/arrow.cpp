#include "bindings/arrow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "bindings/targets.h"
#include "land/base/aligned.h"
#include "land/base/error.h"
#include "land/formats/memory_table.h"

namespace nb = nanobind;

// The structures of the interface, whose layout is fixed by its specification.
extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
  int (*get_next)(ArrowArrayStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}

namespace land::python {
namespace {

// Owns one of the structures above.
template <class T>
struct Owned {
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Owned(Owned&& other) noexcept : value(std::exchange(other.value, T{})) {}
  ~Owned() {
    if (value.release != nullptr) value.release(&value);
  }
  T value{};
};

struct Stream {
  Owned<ArrowSchema> schema;
  std::vector<Owned<ArrowArray>> batches;
};

ArrowArrayStream* stream_of(const nb::object& capsule) {
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  return stream;
}

void check(int code, ArrowArrayStream* stream, const std::string& name) {
  if (code == 0) return;
  const char* why = stream->get_last_error(stream);
  throw InputError(fmt::format("{}: its columns cannot be read: {}", name, why != nullptr ? why : "no reason given"));
}

Owned<ArrowSchema> schema_of(ArrowArrayStream* stream, const std::string& name) {
  Owned<ArrowSchema> schema;
  check(stream->get_schema(stream, &schema.value), stream, name);
  if (std::string_view(schema.value.format) != "+s") {
    throw InputError(fmt::format("{}: one column (its Arrow format is {}) where a table of columns is needed", name,
                                 schema.value.format));
  }
  return schema;
}

Stream read_stream(const nb::object& capsule, const std::string& name) {
  ArrowArrayStream* stream = stream_of(capsule);
  Stream all{schema_of(stream, name), {}};
  while (true) {
    Owned<ArrowArray> batch;
    check(stream->get_next(stream, &batch.value), stream, name);
    if (batch.value.release == nullptr) return all;
    all.batches.push_back(std::move(batch));
  }
}

bool is_text(std::string_view format) { return format == "u" || format == "U" || format == "vu"; }
bool is_number(std::string_view format) {
  return format.size() == 1 && std::strchr("cCsSiIlLfgbe", format[0]) != nullptr;
}
// Exactly what float32 can hold.
bool fits_float32(std::string_view format) { return std::strchr("cCsSfbe", format[0]) != nullptr; }

template <class T>
double load(const void* buffer, std::int64_t at) {
  return static_cast<double>(static_cast<const T*>(buffer)[at]);
}

bool bit(const void* buffer, std::int64_t at) {
  return (static_cast<const std::uint8_t*>(buffer)[at / 8] >> (at % 8) & 1) != 0;
}

double half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  double value = 0.0;
  if (exponent == 31) {
    value = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else {
    value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

// One chunk of a column. Rows count from the first of the batch.
struct Chunk {
  const ArrowArray* array;
  std::string_view format;
  std::int64_t offset;

  bool missing(std::int64_t row) const {
    return array->null_count != 0 && array->buffers[0] != nullptr && !bit(array->buffers[0], offset + row);
  }
  double number(std::int64_t row) const {
    const void* data = array->buffers[1];
    const std::int64_t at = offset + row;
    switch (format[0]) {
      case 'c':
        return load<std::int8_t>(data, at);
      case 'C':
        return load<std::uint8_t>(data, at);
      case 's':
        return load<std::int16_t>(data, at);
      case 'S':
        return load<std::uint16_t>(data, at);
      case 'i':
        return load<std::int32_t>(data, at);
      case 'I':
        return load<std::uint32_t>(data, at);
      case 'l':
        return load<std::int64_t>(data, at);
      case 'L':
        return load<std::uint64_t>(data, at);
      case 'f':
        return load<float>(data, at);
      case 'g':
        return load<double>(data, at);
      case 'e':
        return half(static_cast<const std::uint16_t*>(data)[at]);
      default:
        return bit(data, at) ? 1.0 : 0.0;
    }
  }
  std::string text(std::int64_t row) const {
    const std::int64_t at = offset + row;
    if (is_number(format)) return fmt::format("{}", number(row));
    if (format == "vu") {
      // 4 bytes of length, then the text itself, or 4 of prefix, 4 of a buffer's number and 4 of a place in it.
      const auto* view = static_cast<const char*>(array->buffers[1]) + 16 * at;
      std::int32_t fields[4];
      std::memcpy(fields, view, sizeof fields);
      const auto length = static_cast<std::size_t>(fields[0]);
      if (length <= 12) return {view + 4, length};
      return {static_cast<const char*>(array->buffers[2 + fields[2]]) + fields[3], length};
    }
    const auto* data = static_cast<const char*>(array->buffers[2]);
    const auto bounds = [&](const auto* offsets) {
      return std::string(data + offsets[at], static_cast<std::size_t>(offsets[at + 1] - offsets[at]));
    };
    return format == "u" ? bounds(static_cast<const std::int32_t*>(array->buffers[1]))
                         : bounds(static_cast<const std::int64_t*>(array->buffers[1]));
  }
};

class Column {
 public:
  Column(const Stream& stream, std::int64_t position) : schema_(*stream.schema.value.children[position]) {
    for (const Owned<ArrowArray>& batch : stream.batches) {
      const ArrowArray* array = batch.value.children[position];
      Part part{{array, schema_.format, array->offset + batch.value.offset}, {}, batch.value.length};
      if (schema_.dictionary != nullptr) {
        part.words = {array->dictionary, schema_.dictionary->format, array->dictionary->offset};
      }
      parts_.push_back(part);
    }
  }

  // Its values will be missing, whatever they are.
  void leave_unread() { unread_ = true; }
  bool unread() const { return unread_; }

  std::string_view name() const { return schema_.name; }
  bool categorical() const { return schema_.dictionary != nullptr; }
  bool text() const { return categorical() ? is_text(schema_.dictionary->format) : is_text(schema_.format); }
  bool number() const { return !categorical() && is_number(schema_.format); }
  bool usable() const { return number() || text() || (categorical() && is_number(schema_.dictionary->format)); }
  bool float32() const { return number() && fits_float32(schema_.format); }
  std::string format() const { return schema_.format; }

  template <class T>
  void copy_numbers(T* to) const {
    for (const Part& part : parts_) {
      for (std::int64_t row = 0; row < part.length; ++row) {
        *to++ =
            part.values.missing(row) ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(part.values.number(row));
      }
    }
  }
  // Numbers for categories or words, in order of their first row.
  template <class T>
  void copy_codes(T* to) const {
    std::unordered_map<std::string, std::int64_t> codes;
    for (const Part& part : parts_) {
      for (std::int64_t row = 0; row < part.length; ++row) {
        const std::optional<std::string> word = part.word(row, categorical());
        *to++ = word ? static_cast<T>(codes.emplace(*word, std::ssize(codes)).first->second)
                     : std::numeric_limits<T>::quiet_NaN();
      }
    }
  }
  // Empty where there is none.
  std::vector<std::string> words() const {
    std::vector<std::string> all;
    for (const Part& part : parts_) {
      for (std::int64_t row = 0; row < part.length; ++row) all.push_back(part.word(row, categorical()).value_or(""));
    }
    return all;
  }

 private:
  struct Part {
    Chunk values;
    Chunk words;  // of a dictionary
    std::int64_t length;

    std::optional<std::string> word(std::int64_t row, bool categorical) const {
      if (values.missing(row)) return std::nullopt;
      if (!categorical) return values.text(row);
      const auto code = static_cast<std::int64_t>(values.number(row));
      return words.missing(code) ? std::nullopt : std::optional(words.text(code));
    }
  };

  const ArrowSchema& schema_;
  std::vector<Part> parts_;
  bool unread_ = false;
};

template <class T>
Matrix copy(const std::vector<Column>& features, std::int64_t samples, DType type) {
  auto values = std::make_shared<AlignedBuffer<T>>(features.size() * static_cast<std::size_t>(samples));
  T* to = values->data();
  for (const Column& feature : features) {
    if (feature.unread()) {
      std::fill_n(to, samples, std::numeric_limits<T>::quiet_NaN());
    } else if (feature.number()) {
      feature.copy_numbers(to);
    } else {
      feature.copy_codes(to);
    }
    to += samples;
  }
  Matrix matrix;
  matrix.data = reinterpret_cast<const std::byte*>(values->data());
  matrix.dtype = type;
  matrix.samples = samples;
  matrix.columns = std::ssize(features);
  matrix.sample_stride = 1;
  matrix.column_stride = samples;
  matrix.owner = values;
  return matrix;
}

TargetColumn target_of(const Column& column, std::int64_t samples) {
  TargetColumn target{std::string(column.name()), {}, {}};
  if (column.number()) {
    target.numbers.resize(static_cast<std::size_t>(samples));
    column.copy_numbers(target.numbers.data());
  } else {
    target.text = column.words();
    target.categorical = true;
  }
  number_from_0(target);
  return target;
}

}  // namespace

std::vector<std::string> arrow_columns(const nb::object& capsule, const std::string& name) {
  const Owned<ArrowSchema> schema = schema_of(stream_of(capsule), name);
  std::vector<std::string> names;
  for (std::int64_t c = 0; c < schema.value.n_children; ++c) names.emplace_back(schema.value.children[c]->name);
  return names;
}

Table table_of_arrow(const nb::object& capsule, const std::string& name, const std::string& target,
                     const std::string& ids, const std::vector<std::string>& nominal,
                     const std::vector<std::string>& unread) {
  const std::unordered_set<std::string_view> not_read(unread.begin(), unread.end());
  const Stream stream = read_stream(capsule, name);
  std::int64_t samples = 0;
  for (const Owned<ArrowArray>& batch : stream.batches) samples += batch.value.length;

  std::vector<Column> features;
  std::vector<std::string> names;
  std::vector<std::int64_t> nominal_ids;
  std::optional<TargetColumn> target_column;
  std::vector<std::string> sample_ids;
  bool float32 = true;
  for (std::int64_t c = 0; c < stream.schema.value.n_children; ++c) {
    Column column(stream, c);
    if (not_read.contains(column.name())) {
      column.leave_unread();
      names.emplace_back(column.name());
      features.push_back(std::move(column));
      continue;
    }
    if (!column.usable()) {
      throw InputError(
          fmt::format("{}: column '{}' holds neither numbers nor categories (its Arrow format is {}); "
                      "convert it or leave it out",
                      name, column.name(), column.format()));
    }
    if (!ids.empty() && column.name() == ids) {
      sample_ids = column.words();
      continue;
    }
    if (!target.empty() && column.name() == target) {
      target_column = target_of(column, samples);
      continue;
    }
    const bool listed = std::find(nominal.begin(), nominal.end(), column.name()) != nominal.end();
    if (!listed && !column.number() && !column.categorical()) {
      throw InputError(
          fmt::format("{}: column '{}' is text; name it in nominal (or make it categorical) if its values "
                      "are classes, or leave it out",
                      name, column.name()));
    }
    if (listed || column.categorical()) nominal_ids.push_back(std::ssize(features));
    float32 = float32 && (column.float32() || !column.number());
    names.emplace_back(column.name());
    features.push_back(std::move(column));
  }
  Table table = table_of(
      float32 ? copy<float>(features, samples, DType::kFloat32) : copy<double>(features, samples, DType::kFloat64),
      name);
  table.feature_names = std::move(names);
  table.nominal.features = std::move(nominal_ids);
  table.target = std::move(target_column);
  if (table.target) table.matching = {Matching::How::kSameTable, samples, samples, samples};
  table.sample_ids = std::move(sample_ids);
  return table;
}

}  // namespace land::python
