#include "land/formats/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "land/base/aligned.h"
#include "land/base/option.h"
#include "land/files/mapped_file.h"
#include "land/formats/find_targets.h"
#include "land/formats/given_names.h"
#include "land/formats/take_targets.h"
#include "land/formats/target_values.h"
#include "land/text/parse_number.h"
#include "land/text/printable.h"

namespace land {
namespace {

static_assert(std::endian::native == std::endian::little, "big-endian machines need the opposite byte swap");

constexpr std::string_view kMagic = "\x93NUMPY";

[[noreturn]] void throw_malformed(const std::string& name, const std::string& what) {
  throw InputError(fmt::format("{}: malformed .npy header: {}; save the array again with numpy.save", name, what));
}

// The header is a Python dictionary; this reads the part of the language that NumPy writes there.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  NpyHeader parse() {
    NpyHeader header;
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr") {
        if (peek() == '[' || peek() == '(') {
          throw InputError(
              fmt::format("{}: structured arrays (several fields an element) are not supported; "
                          "save one plain array of numbers",
                          name_));
        }
        header.descr = string();
        has_descr = true;
      } else if (key == "fortran_order") {
        header.fortran_order = boolean();
        has_order = true;
      } else if (key == "shape") {
        header.shape = tuple();
        has_shape = true;
      } else {
        throw_malformed(name_, fmt::format("unknown key {}", in_quotes(key)));
      }
      if (!accept(',') && peek() != '}') throw_malformed(name_, "',' or '}' expected");
    }
    if (peek() != 0) throw_malformed(name_, "text after the dictionary");
    if (!has_descr || !has_order || !has_shape) throw_malformed(name_, "descr, fortran_order or shape is missing");
    return header;
  }

 private:
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) throw_malformed(name_, fmt::format("'{}' expected", c));
  }
  std::string string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') throw_malformed(name_, "a string expected");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) throw_malformed(name_, "a string is not closed");
    const std::string value(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return value;
  }
  bool boolean() {
    peek();
    const std::string_view rest = text_.substr(at_);
    const bool value = rest.starts_with("True");
    if (!value && !rest.starts_with("False")) throw_malformed(name_, "True or False expected");
    at_ += value ? 4 : 5;
    return value;
  }
  std::int64_t integer() {
    peek();
    std::int64_t value = 0;
    const char* end = text_.data() + text_.size();
    const auto [last, error] = std::from_chars(text_.data() + at_, end, value);
    if (error != std::errc() || value < 0) throw_malformed(name_, "a size is not a whole number that fits 63 bits");
    at_ = static_cast<std::size_t>(last - text_.data());
    accept('L');  // Python 2
    return value;
  }
  std::vector<std::int64_t> tuple() {
    constexpr std::size_t kMostDimensions = 64;  // NumPy's own limit
    std::vector<std::int64_t> sizes;
    expect('(');
    while (!accept(')')) {
      sizes.push_back(integer());
      if (sizes.size() > kMostDimensions) throw_malformed(name_, "more than 64 dimensions");
      if (!accept(',') && peek() != ')') throw_malformed(name_, "',' or ')' expected");
    }
    return sizes;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  const std::string& name_;
};

// Splits "<f8" into order, kind and size.
void parse_descr(NpyHeader& header, const std::string& name) {
  std::string_view rest = header.descr;
  if (!rest.empty() && std::string_view("<>|=").find(rest[0]) != std::string_view::npos) {
    header.big_endian = rest[0] == '>';
    rest.remove_prefix(1);
  }
  if (rest.empty()) throw_malformed(name, "descr is empty");
  header.kind = rest[0];
  const auto size = parse_index(rest.substr(1));
  const auto number = static_cast<std::size_t>(size.value_or(0));
  if (size && *size > std::numeric_limits<std::int32_t>::max()) throw_malformed(name, "an element of more than 2 GB");
  header.item_size = header.kind == 'U' ? 4 * number : number;
}

[[noreturn]] void throw_unsupported(const NpyHeader& header, const std::string& name) {
  std::string type = fmt::format("dtype {}", in_quotes(header.descr));
  std::string advice = "convert it with x.astype('float32')";
  switch (header.kind) {
    case 'f':
      type = fmt::format("dtype float{}", 8 * header.item_size);
      if (header.item_size > 8) advice = "convert it with x.astype('float64')";
      break;
    case 'c':
      type = fmt::format("dtype complex{}", 8 * header.item_size);
      advice = "save real and imaginary parts, or abs(x), as features";
      break;
    case 'O':
      type = "dtype object";
      advice = "objects are pickles and never loaded: convert with x.astype('float64'), or labels with y.astype('str')";
      break;
    case 'M':
    case 'm':
      advice = "convert dates to numbers with x.astype('int64')";
      break;
    default:
      break;
  }
  throw InputError(fmt::format("{}: {} is not supported; {}", name, type, advice));
}

std::optional<DType> dtype_of(const NpyHeader& header) {
  switch (header.kind) {
    case 'f':
      if (header.item_size == 4) return DType::kFloat32;
      if (header.item_size == 8) return DType::kFloat64;
      break;
    case 'i':
      if (header.item_size == 1) return DType::kInt8;
      if (header.item_size == 2) return DType::kInt16;
      if (header.item_size == 4) return DType::kInt32;
      if (header.item_size == 8) return DType::kInt64;
      break;
    case 'u':
      if (header.item_size == 1) return DType::kUint8;
      if (header.item_size == 2) return DType::kUint16;
      if (header.item_size == 4) return DType::kUint32;
      if (header.item_size == 8) return DType::kUint64;
      break;
    case 'b':
      if (header.item_size == 1) return DType::kBool;
      break;
    default:
      break;
  }
  return std::nullopt;
}

bool is_string(const NpyHeader& header) { return (header.kind == 'U' || header.kind == 'S') && header.item_size > 0; }

std::string shape_text(const NpyHeader& header) {
  std::string text;
  for (const std::int64_t size : header.shape) text += fmt::format("{}{}", text.empty() ? "" : ", ", size);
  return fmt::format("({}{})", text, header.shape.size() == 1 ? "," : "");
}

void set_sizes(NpyHeader& header, const std::string& name) {
  header.elements = 1;
  bool overflow = false;
  for (const std::int64_t size : header.shape) {
    overflow = __builtin_mul_overflow(header.elements, size, &header.elements) || overflow;
  }
  std::int64_t bytes = 0;
  overflow = __builtin_mul_overflow(header.elements, static_cast<std::int64_t>(header.item_size), &bytes) || overflow;
  std::int64_t total = 0;
  overflow = __builtin_add_overflow(bytes, static_cast<std::int64_t>(header.data_offset), &total) || overflow;
  // An empty dimension hides an overflow of the others; both are wrong here.
  if (overflow) throw_malformed(name, fmt::format("shape {} is larger than any file", shape_text(header)));
  header.file_size = static_cast<std::size_t>(total);
}

unsigned byte_at(std::span<const std::byte> bytes, std::size_t i) { return std::to_integer<unsigned>(bytes[i]); }

std::size_t prologue_size(std::span<const std::byte> prefix, const std::string& name) {
  const unsigned major = byte_at(prefix, 6);
  if (major < 1 || major > 3) {
    throw InputError(
        fmt::format("{}: .npy version {}.{} is not known (1.0, 2.0 and 3.0 are); save the array again with a "
                    "current NumPy",
                    name, major, byte_at(prefix, 7)));
  }
  return major == 1 ? 10 : 12;
}

// A copy in memory with the bytes of each element reversed if they are big-endian.
std::shared_ptr<const AlignedBytes> native_copy(const std::byte* from, const NpyHeader& header,
                                                const Context& context) {
  const std::size_t item = header.kind == 'U' ? 4 : header.item_size;
  const std::size_t total = header.file_size - header.data_offset;
  auto copy = std::make_shared<AlignedBytes>(total);
  // A multiple of every item size.
  constexpr std::size_t kStep = std::size_t{16} << 20;
  for (std::size_t begin = 0; begin < total; begin += kStep) {
    context.check_stop();
    context.report("reading", static_cast<double>(begin), static_cast<double>(total));
    const std::size_t size = std::min(kStep, total - begin);
    std::byte* to = copy->data() + begin;
    std::memcpy(to, from + begin, size);
    if (header.big_endian && item > 1) {
      for (std::size_t i = 0; i < size; i += item) std::reverse(to + i, to + i + item);
    }
  }
  return copy;
}

// One element of a string array, without the zeros that pad it.
std::string string_at(const std::byte* element, const NpyHeader& header) {
  if (header.kind == 'S') {
    std::string text(reinterpret_cast<const char*>(element), header.item_size);
    text.resize(text.find_last_not_of('\0') + 1);
    return to_utf8(text);
  }
  std::u32string codes(header.item_size / 4, U'\0');
  std::memcpy(codes.data(), element, header.item_size);
  codes.resize(codes.find_last_not_of(U'\0') + 1);
  std::string text;
  for (const char32_t code : codes) append_utf8(code, text);
  return text;
}

}  // namespace

bool is_npy(std::span<const std::byte> bytes) {
  return bytes.size() >= kMagic.size() && std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

std::size_t npy_header_size(std::span<const std::byte> prefix, const std::string& name) {
  if (prefix.size() < 12) throw_malformed(name, fmt::format("the file ends after {} bytes", prefix.size()));
  const std::size_t prologue = prologue_size(prefix, name);
  std::size_t length = byte_at(prefix, 8) | byte_at(prefix, 9) << 8;
  if (prologue == 12) length |= std::size_t{byte_at(prefix, 10)} << 16 | std::size_t{byte_at(prefix, 11)} << 24;
  return prologue + length;
}

NpyHeader parse_npy_header(std::span<const std::byte> prefix, const std::string& name) {
  const std::size_t size = npy_header_size(prefix, name);
  if (size > prefix.size()) {
    throw InputError(fmt::format("{}: truncated .npy file: the header takes {} bytes, the file has {}; copy it again",
                                 name, size, prefix.size()));
  }
  const std::size_t prologue = prologue_size(prefix, name);
  const std::string_view text(reinterpret_cast<const char*>(prefix.data()) + prologue, size - prologue);
  NpyHeader header = HeaderParser(text, name).parse();
  header.data_offset = size;
  parse_descr(header, name);
  if (!dtype_of(header) && !is_string(header)) throw_unsupported(header, name);
  set_sizes(header, name);
  return header;
}

NpyArray open_npy(const Bytes& bytes, const std::string& name) {
  NpyArray array{parse_npy_header(bytes.view, name), bytes};
  const std::size_t expected = array.header.file_size;
  if (bytes.view.size() != expected) {
    throw InputError(fmt::format(
        "{}: the header says shape {} of {}, {} bytes in all, but the file has {}; {}", name, shape_text(array.header),
        in_quotes(array.header.descr), expected, bytes.view.size(),
        bytes.view.size() < expected ? "it was cut short: copy it again" : "save each array in a file of its own"));
  }
  return array;
}

Matrix npy_matrix(const NpyArray& array, const std::string& name, Rows rows, const Context& context) {
  const NpyHeader& header = array.header;
  const auto dtype = dtype_of(header);
  if (!dtype) {
    throw InputError(fmt::format("{}: dtype {} holds strings; features are numbers: convert with x.astype('float64')",
                                 name, in_quotes(header.descr)));
  }
  if (header.shape.size() != 2) {
    const std::string advice = header.shape.size() == 1
                                   ? "for one feature, save x[:, None]; a target goes to " + option("target")
                                   : "reshape it to two, x.reshape(len(x), -1)";
    throw InputError(fmt::format("{}: the array has shape {}; a table has two dimensions (samples x features): {}",
                                 name, shape_text(header), advice));
  }
  if (header.elements == 0) {
    throw InputError(fmt::format("{}: the array of shape {} is empty", name, shape_text(header)));
  }
  Matrix matrix;
  matrix.dtype = *dtype;
  matrix.samples = header.shape[0];
  matrix.columns = header.shape[1];
  matrix.sample_stride = header.fortran_order ? 1 : header.shape[1];
  matrix.column_stride = header.fortran_order ? header.shape[0] : 1;
  if (rows == Rows::kFeatures) {
    std::swap(matrix.samples, matrix.columns);
    std::swap(matrix.sample_stride, matrix.column_stride);
  }
  const std::byte* data = array.file.view.data() + header.data_offset;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % header.item_size == 0;
  if (aligned && !(header.big_endian && header.item_size > 1)) {
    matrix.data = data;
    matrix.owner = array.file.owner;
    matrix.mapped = array.file.mapped;
    advise(array.file, Access::kWhole);
  } else {
    const auto copy = native_copy(data, header, context);
    matrix.data = copy->data();
    matrix.owner = copy;
  }
  return matrix;
}

namespace {

bool is_line(const NpyHeader& header) {
  const auto& shape = header.shape;
  return header.elements > 0 && (shape.size() == 1 || (shape.size() == 2 && (shape[0] == 1 || shape[1] == 1)));
}

}  // namespace

std::vector<std::string> npy_strings(const NpyArray& array, const std::string& name, const Context& context) {
  const NpyHeader& header = array.header;
  if (!is_string(header) || !is_line(header)) {
    throw InputError(
        fmt::format("{}: names are strings in one dimension, and this is {} of shape {}; save "
                    "names.astype('str')",
                    name, in_quotes(header.descr), shape_text(header)));
  }
  const std::byte* data = array.file.view.data() + header.data_offset;
  std::shared_ptr<const AlignedBytes> copy;
  if (header.big_endian) {
    copy = native_copy(data, header, context);
    data = copy->data();
  }
  std::vector<std::string> text;
  text.reserve(static_cast<std::size_t>(header.elements));
  for (std::int64_t i = 0; i < header.elements; ++i) {
    text.push_back(string_at(data + static_cast<std::size_t>(i) * header.item_size, header));
  }
  return text;
}

TargetColumn npy_target(const NpyArray& array, const std::string& name, std::string target_name,
                        const Context& context) {
  const NpyHeader& header = array.header;
  if (!is_line(header)) {
    throw InputError(fmt::format("{}: the target has shape {}; it must be (n,), (n, 1) or (1, n): one value per sample",
                                 name, shape_text(header)));
  }
  const auto place = [&](std::int64_t i) { return fmt::format("{}: element {} (counted from 0)", name, i); };
  if (is_string(header)) return target_from_text(std::move(target_name), npy_strings(array, name, context), place);
  const std::byte* data = array.file.view.data() + header.data_offset;
  std::shared_ptr<const AlignedBytes> copy;
  if (header.big_endian) {
    copy = native_copy(data, header, context);
    data = copy->data();
  }
  Matrix column;
  column.data = data;
  column.dtype = dtype_of(header).value();
  column.samples = header.elements;
  column.columns = 1;
  column.sample_stride = 1;
  return target_from_matrix(std::move(target_name), column, 0, place);
}

bool take_target_columns(const ReadRequest& request, Table& table) {
  const char* noun = table.layout.feature_noun();
  auto found = find_targets({table.path, table.feature_names, table.matrix.columns, noun}, request);
  if (!found) return false;
  std::vector<PlacedTarget> targets;
  for (const std::int64_t column : *found) {
    std::string name = fmt::format("{} {}", noun, column);
    if (!table.feature_names.empty()) name = table.feature_names[static_cast<std::size_t>(column)];
    PlaceOf place = [&table, column](std::int64_t i) { return table.cell(i, column); };
    targets.push_back({target_from_matrix(std::move(name), table.matrix, column, place), place});
  }
  take_targets(std::move(targets), request.options.survival, table);
  // The matrix can skip one column; others are left out with the rest of what is (apply_subset).
  std::sort(found->begin(), found->end());
  const std::int64_t skipped = found->front();
  table.matrix.skipped_column = skipped;
  (table.layout.rows_are_features ? table.layout.other_rows : table.layout.other_columns).push_back(skipped);
  if (!table.feature_names.empty()) table.feature_names.erase(table.feature_names.begin() + skipped);
  for (std::size_t t = 1; t < found->size(); ++t) table.target_features.push_back((*found)[t] - 1);
  if (table.matrix.features() <= std::ssize(table.target_features)) {
    throw InputError(fmt::format("{}: no feature is left beside the target, {} {}", table.path, noun, skipped));
  }
  return true;
}

Table table_of_array(const NpyArray& array, const ReadRequest& request) {
  const ReadOptions& options = request.options;
  if (!options.id_column.empty()) {
    throw InputError(fmt::format("{}: {}: arrays have no column of ids; leave {} out", request.name,
                                 option("id", Verbatim{in_quotes(options.id_column)}), option("id")));
  }
  Table table;
  table.path = request.name;
  table.layout.rows_are_features = options.rows == Rows::kFeatures;
  table.matrix = npy_matrix(array, request.name, options.rows, request.context);
  if (!options.names.empty()) name_columns(read_given_names(request), options.names, table);
  return table;
}

Table read_npy(const Bytes& bytes, const ReadRequest& request) {
  Table table = table_of_array(open_npy(bytes, request.name), request);
  if (!request.options.target.empty()) take_target_columns(request, table);
  return table;
}

}  // namespace land
