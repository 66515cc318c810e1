#include "land/formats/matrix_market.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "land/files/mapped_file.h"
#include "land/formats/compress_columns.h"
#include "land/formats/number_ends.h"
#include "land/formats/parse_pieces.h"
#include "land/formats/sparse_limits.h"
#include "land/formats/sparse_runs.h"
#include "land/formats/text_chunks.h"
#include "land/text/parse_number.h"
#include "land/text/printable.h"

namespace land {
namespace {

constexpr std::string_view kMagic = "%%matrixmarket";

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// A line without its end, cut off from `text`.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// A word without the blanks around it, cut off from `line`; empty when there is none.
std::string_view take_word(std::string_view& line) {
  constexpr std::string_view kBlanks = " \t\r";
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

bool is_entry(std::string_view line) {
  const std::string_view word = take_word(line);
  return !word.empty() && word.front() != '%';
}

struct Header {
  bool pattern = false;
  bool symmetric = false;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t entries = 0;
};

// The file, and what its first lines say of the rest.
struct Source {
  std::string_view text;
  std::string name;
  bool rows_are_features;
  Header header;
  std::string_view body;

  std::string line(const char* at) const { return fmt::format("{}: line {}", name, line_of(text, at)); }
  std::int64_t samples() const { return rows_are_features ? header.columns : header.rows; }
  std::int64_t features() const { return rows_are_features ? header.rows : header.columns; }
};

void read_kind(const std::string& name, std::string_view line, Header& header) {
  take_word(line);
  const std::string object = lower(take_word(line));
  const std::string format = lower(take_word(line));
  const std::string field = lower(take_word(line));
  const std::string symmetry = lower(take_word(line));
  const auto refuse = [&](std::string_view what, std::string_view advice) {
    throw InputError(fmt::format("{}: line 1: {}; {}", name, what, advice));
  };
  const auto unknown = [&](const std::string& word) {
    refuse(fmt::format("{} is not known here", in_quotes(word)),
           "read are 'matrix coordinate', then real, integer or pattern, then general or symmetric");
  };
  if (format == "array") refuse("a dense array, which is not read here", "save it as .npy or .csv");
  if (object != "matrix") unknown(object);
  if (format != "coordinate") unknown(format);
  if (field == "complex") refuse("complex values, but features are real", "save real and imaginary parts apart");
  if (field != "real" && field != "double" && field != "integer" && field != "pattern") unknown(field);
  if (symmetry == "skew-symmetric" || symmetry == "hermitian") {
    refuse(fmt::format("a {} matrix, which is not read here", symmetry), "save all its entries as 'general'");
  }
  if (symmetry != "general" && symmetry != "symmetric") unknown(symmetry);
  header.pattern = field == "pattern";
  header.symmetric = symmetry == "symmetric";
}

Source read_header(std::string_view text, const ReadRequest& request) {
  Source source{text, request.name, request.options.rows == Rows::kFeatures, {}, text};
  Header& header = source.header;
  read_kind(request.name, take_line(source.body), header);
  std::string_view line;
  do {
    if (source.body.empty()) {
      throw InputError(fmt::format("{}: truncated: no line says how many rows, columns and entries", request.name));
    }
    line = take_line(source.body);
  } while (!is_entry(line));
  const std::string place = source.line(line.data());
  std::string_view words = line;
  for (std::int64_t* const number : {&header.rows, &header.columns, &header.entries}) {
    const auto value = parse_index(take_word(words));
    if (!value) {
      throw InputError(
          fmt::format("{}: {} is not \"rows columns entries\"; write three whole numbers", place, in_quotes(line)));
    }
    *number = *value;
  }
  if (!take_word(words).empty()) {
    throw InputError(
        fmt::format("{}: {} is not \"rows columns entries\"; write three whole numbers", place, in_quotes(line)));
  }
  if (header.rows < 1 || header.columns < 1 || std::max(header.rows, header.columns) > kLargestIndex) {
    throw InputError(fmt::format("{}: {} rows and {} columns; known are 1 to {} of each", place, header.rows,
                                 header.columns, kLargestIndex));
  }
  if (header.symmetric && header.rows != header.columns) {
    throw InputError(fmt::format("{}: symmetric, but {} rows and {} columns; save it as 'general'", place, header.rows,
                                 header.columns));
  }
  return source;
}

struct Piece {
  Entries entries;
  std::int64_t lines = 0;  // that hold entries
};

struct Place {
  std::int64_t row = 0;  // both from 1
  std::int64_t column = 0;
};

Place parse_place(const Source& source, std::string_view line, std::string_view& rest) {
  rest = line;
  std::array<std::int64_t, 2> place{};
  for (std::size_t i = 0; i < 2; ++i) {
    const char* const what = i == 0 ? "row" : "column";
    const std::int64_t most = i == 0 ? source.header.rows : source.header.columns;
    const std::string_view word = take_word(rest);
    if (word.empty()) {
      throw InputError(fmt::format("{}: {} has no {}; write \"row column{}\", or is the file cut off?",
                                   source.line(line.data()), in_quotes(line), what,
                                   source.header.pattern ? "" : " value"));
    }
    const auto index = parse_index(word);
    if (!index || *index < 1 || *index > most) {
      throw InputError(fmt::format("{}: {} {} is not a whole number from 1 to {}; correct it, or the sizes above",
                                   source.line(line.data()), what, in_quotes(word), most));
    }
    place[i] = *index;
  }
  return {place[0], place[1]};
}

template <class Value>
class PieceParser {
 public:
  // Of a worker.
  struct Room {
    SlabWriter<std::int32_t> samples;
    SlabWriter<std::int32_t> columns;
    SlabWriter<Value> values;
  };

  PieceParser(const Source& source, std::string_view text, Room& room)
      : source_(source), text_(text), ends_(text), room_(room) {
    const std::size_t most = (text.size() / 4 + 2) * (source.header.symmetric ? 2 : 1);  // "1 1" and a line end
    samples_ = room.samples.room(most);
    columns_ = room.columns.room(most);
    values_ = room.values.room(most);
  }

  // False when some value is not exactly a Value.
  bool parse(Piece& piece) {
    while (!text_.empty()) {
      parse_plain_lines();
      const std::string_view line = take_line(text_);
      if (!is_entry(line)) continue;
      if (!parse_line(line)) return false;
    }
    piece.lines = lines_;
    piece.entries.samples = room_.samples.keep(count_);
    piece.entries.columns = room_.columns.keep(count_);
    piece.entries.values = room_.values.keep(count_);
    return true;
  }

 private:
  void add(std::int64_t row, std::int64_t column, Value value) {
    const auto r = static_cast<std::int32_t>(row - 1);
    const auto c = static_cast<std::int32_t>(column - 1);
    const auto put = [&](std::int32_t sample, std::int32_t feature) {
      samples_[count_] = sample;
      columns_[count_] = feature;
      values_[count_++] = value;
    };
    source_.rows_are_features ? put(c, r) : put(r, c);
    if (source_.header.symmetric && r != c) source_.rows_are_features ? put(r, c) : put(c, r);
    ++lines_;
  }

  // As many lines of small whole numbers, one blank between them, as there are from here on.
  void parse_plain_lines() {
    const std::size_t numbers = source_.header.pattern ? 2 : 3;
    const auto rows = static_cast<std::uint64_t>(source_.header.rows);
    const auto columns = static_cast<std::uint64_t>(source_.header.columns);
    const char* at = text_.data();
    bool plain = ends_.has_eight_before(at);
    while (plain && ends_.seek(at, numbers)) {
      const std::uint32_t* next = ends_.first();
      for (; next + numbers <= ends_.last(); next += numbers) {
        const char* const first = ends_.window() + next[0];
        const char* const second = ends_.window() + next[1];
        const char* const third = ends_.window() + next[numbers - 1];
        const auto digits = [](const char* begin, const char* end) { return static_cast<std::size_t>(end - begin); };
        plain = digits(at, first) - 1 < 8 && digits(first, second) - 2 < 8 && *first == ' ' && *third == '\n' &&
                (numbers == 2 || (*second == ' ' && digits(second, third) - 2 < 4));
        if (!plain) break;
        const std::uint32_t row = number_before(first, digits(at, first));
        const std::uint32_t column = number_before(second, digits(first, second) - 1);
        plain = row - std::uint64_t{1} < rows && column - std::uint64_t{1} < columns;
        if (!plain) break;
        add(row, column,
            numbers == 2 ? Value{1} : static_cast<Value>(small_number_before(third, digits(second, third) - 1)));
        at = third + 1;
      }
      ends_.pass(next);
    }
    text_.remove_prefix(static_cast<std::size_t>(at - text_.data()));
  }

  bool parse_line(std::string_view line) {
    std::string_view rest;
    const Place place = parse_place(source_, line, rest);
    double value = 1.0;
    if (!source_.header.pattern) value = parse_value(line, take_word(rest));
    if (const std::string_view word = take_word(rest); !word.empty()) {
      throw InputError(fmt::format("{}: {} after the entry; write \"row column{}\"", source_.line(line.data()),
                                   in_quotes(word), source_.header.pattern ? "" : " value"));
    }
    if (!is_exactly<Value>(value)) return false;
    add(place.row, place.column, static_cast<Value>(value));
    return true;
  }

  double parse_value(std::string_view line, std::string_view word) const {
    const auto value = parse_number(word);
    if (value) return *value;
    const std::string place = source_.line(line.data());
    if (word.empty()) {
      throw InputError(fmt::format("{}: {} has no value; write \"row column value\", or is the file cut off?", place,
                                   in_quotes(line)));
    }
    if (is_numeric(word)) {
      throw InputError(
          fmt::format("{}: {} is not a finite number; remove or impute missing values first", place, in_quotes(word)));
    }
    throw InputError(fmt::format("{}: {} is not a number; write \"row column value\"", place, in_quotes(word)));
  }

  const Source& source_;
  std::string_view text_;
  NumberEnds ends_;
  Room& room_;
  std::int32_t* samples_ = nullptr;
  std::int32_t* columns_ = nullptr;
  Value* values_ = nullptr;
  std::size_t count_ = 0;
  std::int64_t lines_ = 0;
};

std::int64_t count_lines(const std::vector<Piece>& pieces) {
  std::int64_t lines = 0;
  for (const Piece& piece : pieces) lines += piece.lines;
  return lines;
}

void check_count(const Source& source, std::int64_t found) {
  const std::int64_t expected = source.header.entries;
  if (found < expected) {
    throw InputError(
        fmt::format("{}: {} entries announced, {} found before the file ends in line {}; it may be cut off",
                    source.name, expected, found, line_of(source.text, source.text.data() + source.text.size() - 1)));
  }
  if (found == expected) return;
  std::string_view rest = source.body;
  std::string_view line = take_line(rest);
  for (std::int64_t entry = 0; entry <= expected; line = take_line(rest)) {
    if (is_entry(line) && ++entry > expected) break;
  }
  throw InputError(fmt::format("{}: entry {}, but only {} announced; correct the number of entries above",
                               source.line(line.data()), expected + 1, expected));
}

[[noreturn]] void throw_repeated(const Source& source, const RepeatedEntry& entry) {
  Place wanted{entry.sample + 1, entry.column + 1};
  if (source.rows_are_features) std::swap(wanted.row, wanted.column);
  const char* first = nullptr;
  for (std::string_view rest = source.body, words; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (!is_entry(line)) continue;
    const Place place = parse_place(source, line, words);
    const bool same = place.row == wanted.row && place.column == wanted.column;
    const bool mirrored = source.header.symmetric && place.row == wanted.column && place.column == wanted.row;
    if (!same && !mirrored) continue;
    if (first != nullptr) {
      throw InputError(fmt::format("{}: row {}, column {} stands {}in line {}; keep one of the two",
                                   source.line(line.data()), place.row, place.column,
                                   source.header.symmetric ? "(or is mirrored) " : "", line_of(source.text, first)));
    }
    first = line.data();
  }
  throw InputError(fmt::format("{}: row {}, column {} stands there twice", source.name, wanted.row, wanted.column));
}

Source open_source(const Bytes& bytes, const ReadRequest& request) {
  advise(bytes, Access::kSequential);
  if (!is_matrix_market(bytes.view)) {
    throw InputError(fmt::format("{}: not a Matrix Market file: it does not begin with %%MatrixMarket; save it again",
                                 request.name));
  }
  return read_header({reinterpret_cast<const char*>(bytes.view.data()), bytes.view.size()}, request);
}

void check_size(const Source& source) {
  check_sparse_size(source.name, "features", source.features(), source.header.entries);
  check_sparse_size(source.name, "samples", source.samples(), source.header.entries);
}

}  // namespace

bool is_matrix_market(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return lower(text.substr(0, kMagic.size())) == kMagic;
}

SparseColumns read_matrix_market(const Bytes& bytes, const ReadRequest& request) {
  const Source source = open_source(bytes, request);
  std::vector<Piece> pieces = parse_pieces<PieceParser, Piece>(source, cut_at_lines(source.body), request.context);
  check_count(source, count_lines(pieces));
  check_size(source);
  CompressedColumns result =
      compress_columns(entries_of(std::move(pieces)), source.samples(), source.features(), request.context);
  if (result.repeated) throw_repeated(source, *result.repeated);
  return std::move(result.columns);
}

std::shared_ptr<const FeatureSource> read_matrix_market_in_runs(const Bytes& bytes, const ReadRequest& request) {
  const Source source = open_source(bytes, request);
  check_size(source);
  SparseRuns runs(request.options.scratch_folder);
  std::int64_t lines = 0;
  read_stretches(cut_at_lines(source.body, bytes.mapped), SparseRuns::text_bytes(request.scratch_above()), bytes.mapped,
                 request.context, [&](std::span<const std::string_view> texts, const Context& context) {
                   std::vector<Piece> pieces = parse_pieces<PieceParser, Piece>(source, texts, context);
                   lines += count_lines(pieces);
                   const auto repeated =
                       runs.add(entries_of(std::move(pieces)), source.samples(), source.features(), context);
                   if (repeated) throw_repeated(source, *repeated);
                 });
  check_count(source, lines);
  return runs.source(source.samples(), source.features(),
                     [source, owner = bytes.owner](const RepeatedEntry& entry) { throw_repeated(source, entry); });
}

}  // namespace land
