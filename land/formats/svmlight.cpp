#include "land/formats/svmlight.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "land/base/option.h"
#include "land/base/worker_pool.h"
#include "land/files/mapped_file.h"
#include "land/formats/compress_columns.h"
#include "land/formats/number_ends.h"
#include "land/formats/parse_pieces.h"
#include "land/formats/sparse_limits.h"
#include "land/formats/sparse_runs.h"
#include "land/formats/target_values.h"
#include "land/formats/text_chunks.h"
#include "land/text/parse_number.h"
#include "land/text/printable.h"

namespace land {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool ends_token(char c) { return is_blank(c) || c == '\n' || c == '#'; }

const char* skip_blanks(const char* at, const char* end) {
  while (at != end && is_blank(*at)) ++at;
  return at;
}

const char* token_end(const char* at, const char* end) {
  while (at != end && !ends_token(*at)) ++at;
  return at;
}

const char* line_end(const char* at, const char* end) { return std::find(at, end, '\n'); }

std::string_view view(const char* begin, const char* end) { return {begin, static_cast<std::size_t>(end - begin)}; }

std::string_view text_of(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

// What the pieces have in common.
struct Source {
  std::string_view text;
  const std::string& name;
  std::int32_t first_index;

  std::string line(const char* at) const { return fmt::format("{}: line {}", name, line_of(text, at)); }
};

struct Piece {
  Entries entries;
  std::vector<std::string_view> labels;  // a line each
  std::int32_t width = 0;                // columns up to the largest index
};

template <class Value>
class PieceParser {
 public:
  // Of a worker.
  struct Room {
    SlabWriter<std::int32_t> columns;
    SlabWriter<Value> values;
  };

  PieceParser(const Source& source, std::string_view text, Room& room)
      : source_(source), at_(text.data()), end_(text.data() + text.size()), ends_(text), room_(room) {
    const std::size_t most = text.size() / 4 + 2;  // "1:1" and what comes after it
    columns_ = room.columns.room(most);
    values_ = room.values.room(most);
  }

  // False when some value is not exactly a Value.
  bool parse(Piece& piece) {
    for (at_ = skip_blanks(at_, end_); at_ != end_; at_ = skip_blanks(at_, end_)) {
      if (*at_ == '\n') {
        ++at_;
      } else if (*at_ == '#') {
        at_ = line_end(at_, end_);
      } else {
        piece.labels.push_back(parse_label());
        if (!parse_entries()) return false;
        piece.entries.ends.push_back(static_cast<std::uint32_t>(count_));
      }
    }
    piece.width = width_;
    piece.entries.columns = room_.columns.keep(count_);
    piece.entries.values = room_.values.keep(count_);
    return true;
  }

 private:
  std::string_view parse_label() {
    const char* const begin = at_;
    at_ = token_end(at_, end_);
    const std::string_view label = view(begin, at_);
    if (label.find(':') != std::string_view::npos) {
      throw InputError(fmt::format("{}: begins with {} where its label should be; write \"label index:value ...\"",
                                   source_.line(begin), in_quotes(label)));
    }
    if (label.find(',') != std::string_view::npos) {
      throw InputError(
          fmt::format("{}: {} are several labels; keep one label a line", source_.line(begin), in_quotes(label)));
    }
    return label;
  }

  // The rest of a line, to the end of it.
  bool parse_entries() {
    last_ = source_.first_index - 1;
    bool fits = true;
    while (fits) {
      at_ = skip_blanks(at_, end_);
      if (parse_plain_entries()) break;
      at_ = skip_blanks(at_, end_);
      if (at_ != end_ && *at_ == '#') at_ = line_end(at_, end_);
      if (at_ == end_ || *at_ == '\n') break;
      fits = parse_entry();
    }
    width_ = std::max(width_, last_ - source_.first_index + 1);
    return fits;
  }

  // As many entries of the form digits:digits as there are from here on. True when the line has ended.
  bool parse_plain_entries() {
    if (!ends_.has_eight_before(at_)) return false;
    const std::int32_t first_index = source_.first_index;
    bool plain = true;
    char after = ' ';
    while (plain && after == ' ' && ends_.seek(at_, 2)) {
      const char* const window = ends_.window();
      const std::uint32_t* const none = ends_.last() - 1;
      std::int32_t* const columns = columns_;
      Value* const values = values_;
      std::size_t count = count_;
      std::int32_t last = last_;
      auto at = static_cast<std::uint32_t>(at_ - window);
      const std::uint32_t* next = ends_.first();
      for (; next < none && after == ' '; next += 2) {
        const std::uint32_t colon = next[0];
        const std::uint32_t stop = next[1];
        const std::uint32_t index_digits = colon - at;
        const std::uint32_t value_digits = stop - colon - 1;
        after = window[stop];
        plain = index_digits - 1 < 8 && value_digits - 1 < 4 && window[colon] == ':' && (after == ' ' || after == '\n');
        if (!plain) break;
        const auto index = static_cast<std::int32_t>(number_before(window + colon, index_digits));
        plain = index > last;
        if (!plain) break;
        const std::uint32_t value = small_number_before(window + stop, value_digits);
        columns[count] = index - first_index;
        values[count] = static_cast<Value>(static_cast<std::int32_t>(value));
        count += value != 0;
        last = index;
        at = stop + 1;
      }
      count_ = count;
      last_ = last;
      at_ = window + at;
      ends_.pass(next);
    }
    return plain && after == '\n';
  }

  // Any entry, or "qid:...". False when the value is not exactly a Value.
  bool parse_entry() {
    if (const auto value = parse_decimal_entry()) return keep(*value);
    const char* const begin = at_;
    const char* const end = token_end(at_, end_);
    at_ = end;
    if (view(begin, end).starts_with("qid:")) return true;
    const char* const colon = std::find(begin, end, ':');
    const auto index = parse_index(view(begin, colon));
    // Numbers that cannot be an index are named as such further down.
    if (colon == end || colon == begin || (!index && !is_numeric(view(begin, colon)))) {
      throw InputError(fmt::format("{}: {} is not index:value; write features as index:value, a comment after #",
                                   source_.line(begin), in_quotes(view(begin, end))));
    }
    check_index(begin, view(begin, colon), index);
    last_ = static_cast<std::int32_t>(*index);
    const std::string_view written = view(colon + 1, end);
    const auto value = parse_number(written);
    if (!value) throw_bad_value(begin, written);
    return keep(*value);
  }

  // The value of an entry of the form digits:digits.digits, perhaps with a minus sign, and no more than a few digits.
  // Whole numbers below 2^53 and powers of ten up to 10^22 are exact, so their quotient is rounded once, as it should.
  std::optional<double> parse_decimal_entry() {
    static constexpr std::array<double, 9> kPowers = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
    if (!ends_.has_eight_before(at_) || !ends_.seek(at_, 4)) return std::nullopt;
    const char* const window = ends_.window();
    const std::uint32_t* next = ends_.first();
    const char* const colon = window + next[0];
    const bool negative = window[next[1]] == '-' && next[1] == next[0] + 1;
    if (negative) ++next;
    const char* const point = window + next[1];
    const char* const stop = window + next[2];
    const auto index_digits = static_cast<std::size_t>(colon - at_);
    const auto whole_digits = static_cast<std::size_t>(point - colon) - (negative ? 2 : 1);
    const auto other_digits = static_cast<std::size_t>(stop - point) - 1;
    if (index_digits - 1 >= 8 || whole_digits - 1 >= 4 || other_digits - 1 >= 8 || *colon != ':' || *point != '.' ||
        !ends_token(*stop)) {
      return std::nullopt;
    }
    const auto index = static_cast<std::int32_t>(number_before(colon, index_digits));
    if (index <= last_) return std::nullopt;
    last_ = index;
    at_ = stop;
    const double power = kPowers[other_digits];
    const double value = (small_number_before(point, whole_digits) * power + number_before(stop, other_digits)) / power;
    return negative ? -value : value;
  }

  // The value of feature last_.
  bool keep(double value) {
    if (!is_exactly<Value>(value)) return false;
    columns_[count_] = last_ - source_.first_index;
    values_[count_] = static_cast<Value>(value);
    count_ += value != 0.0;
    return true;
  }

  void check_index(const char* at, std::string_view written, std::optional<long long> index) const {
    if (index && *index > last_ && *index <= kLargestIndex) return;
    const std::string line = source_.line(at);
    if (!index || *index > kLargestIndex) {
      throw InputError(fmt::format("{}: index {} is not a whole number from {} to {}; number the features anew", line,
                                   in_quotes(written), source_.first_index, kLargestIndex));
    }
    if (*index < source_.first_index) {
      throw InputError(fmt::format("{}: index 0, but indices count from 1; if they count from 0 here, say {}", line,
                                   option("zero-based")));
    }
    if (*index == last_) {
      throw InputError(fmt::format("{}, feature {}: stands twice in the line; keep one of the two", line, *index));
    }
    throw InputError(fmt::format("{}, feature {}: comes after feature {}; sort the features of a line by index", line,
                                 *index, last_));
  }

  [[noreturn]] void throw_bad_value(const char* at, std::string_view written) const {
    const std::string place = fmt::format("{}, feature {}", source_.line(at), last_);
    if (written.empty()) {
      throw InputError(fmt::format("{}: the value is missing; write index:value without blanks", place));
    }
    if (is_numeric(written)) {
      throw InputError(fmt::format("{}: {} is not a finite number; remove or impute missing values first", place,
                                   in_quotes(written)));
    }
    throw InputError(
        fmt::format("{}: {} is not a number; features are numbers: remove or encode it", place, in_quotes(written)));
  }

  const Source& source_;
  const char* at_;
  const char* end_;
  NumberEnds ends_;
  Room& room_;
  std::int32_t* columns_ = nullptr;
  Value* values_ = nullptr;
  std::size_t count_ = 0;
  std::int32_t last_ = 0;
  std::int32_t width_ = 0;
};

// Numbers if all labels are, text otherwise, as for the columns of any table.
TargetColumn target_of(const Source& source, const std::vector<Piece>& pieces, std::int64_t samples,
                       const Context& context) {
  TargetColumn target;
  target.name = "label";
  target.numbers.resize(static_cast<std::size_t>(samples));
  std::atomic<bool> numeric{true};
  parallel_for(context, static_cast<std::int64_t>(pieces.size()), [&](std::int64_t p, int) {
    const Piece& piece = pieces[static_cast<std::size_t>(p)];
    double* to = target.numbers.data() + piece.entries.first_sample;
    for (const std::string_view label : piece.labels) {
      const auto number = parse_number(label);
      if (!number) {
        numeric = false;
        return;
      }
      *to++ = *number;
    }
  });
  if (numeric) return target;
  std::vector<std::string_view> labels;
  for (const Piece& piece : pieces) labels.insert(labels.end(), piece.labels.begin(), piece.labels.end());
  std::vector<std::string> text;
  text.reserve(labels.size());
  for (const std::string_view label : labels) text.push_back(to_utf8(label));
  return target_from_text(target.name, std::move(text),
                          [&](std::int64_t i) { return source.line(labels[static_cast<std::size_t>(i)].data()); });
}

// What was met so far.
struct Size {
  std::int64_t samples = 0;
  std::int64_t columns = 0;
  std::int64_t entries = 0;

  // Numbers the samples of the pieces that come next.
  void add(std::vector<Piece>& pieces) {
    for (Piece& piece : pieces) {
      piece.entries.first_sample = samples;
      samples += static_cast<std::int64_t>(piece.labels.size());
      columns = std::max<std::int64_t>(columns, piece.width);
      entries += static_cast<std::int64_t>(piece.entries.size());
    }
  }
  void check(const std::string& name) const {
    if (samples == 0) throw InputError(fmt::format("{}: the file has no samples", name));
    if (columns == 0) throw InputError(fmt::format("{}: the file has labels but no features", name));
    check_limits(name);
  }
  void check_limits(const std::string& name) const {
    check_sparse_size(name, "features", columns, entries);
    check_sparse_size(name, "samples", samples, entries);
  }
};

}  // namespace

SparseText read_svmlight(const Bytes& bytes, const ReadRequest& request, bool zero_based) {
  advise(bytes, Access::kSequential);
  const Source source{text_of(bytes.view), request.name, zero_based ? 0 : 1};
  std::vector<Piece> pieces = parse_pieces<PieceParser, Piece>(source, cut_at_lines(source.text), request.context);
  Size size;
  size.add(pieces);
  size.check(request.name);

  SparseText result;
  result.target = target_of(source, pieces, size.samples, request.context);
  result.columns = compress_columns(entries_of(std::move(pieces)), size.samples, size.columns, request.context).columns;
  return result;
}

SparseTextRuns read_svmlight_in_runs(const Bytes& bytes, const ReadRequest& request, bool zero_based) {
  advise(bytes, Access::kSequential);
  const Source source{text_of(bytes.view), request.name, zero_based ? 0 : 1};
  SparseRuns runs(request.options.scratch_folder);
  Size size;
  std::vector<std::string> labels;
  std::vector<const char*> places;
  read_stretches(cut_at_lines(source.text, bytes.mapped), SparseRuns::text_bytes(request.scratch_above()), bytes.mapped,
                 request.context, [&](std::span<const std::string_view> texts, const Context& context) {
                   std::vector<Piece> pieces = parse_pieces<PieceParser, Piece>(source, texts, context);
                   size.add(pieces);
                   size.check_limits(request.name);
                   for (const Piece& piece : pieces) {
                     for (const std::string_view label : piece.labels) {
                       labels.push_back(to_utf8(label));
                       places.push_back(label.data());
                     }
                   }
                   runs.add(entries_of(std::move(pieces)), size.samples, size.columns, context);
                 });
  size.check(request.name);
  const auto place = [&](std::int64_t i) { return source.line(places[static_cast<std::size_t>(i)]); };
  // Samples rise from run to run, so that nothing is repeated.
  return {runs.source(size.samples, size.columns, {}), target_from_text("label", std::move(labels), place)};
}

bool looks_like_svmlight(std::span<const std::byte> bytes) {
  constexpr std::size_t kHead = 65536;  // a line of labels only decides nothing, but that many do
  constexpr int kTokens = 8;
  const std::string_view text = text_of(bytes.first(std::min(bytes.size(), kHead)));
  const bool cut = bytes.size() > kHead;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end; ++at) {
    at = skip_blanks(at, end);
    const char* stop = token_end(at, end);
    const std::string_view label = view(at, stop);
    // Several labels are refused by the reader, in better words than by that of delimited text.
    if (label.find_first_of(label.find_first_not_of("0123456789,+-.") == std::string_view::npos ? ":;\"" : ",:;\"") !=
        std::string_view::npos) {
      return false;
    }
    bool features = false;
    for (int token = 0; token < kTokens && !label.empty(); ++token) {
      at = skip_blanks(stop, end);
      stop = token_end(at, end);
      if (at == stop || (cut && stop == end)) break;
      const std::string_view pair = view(at, stop);
      const std::size_t colon = pair.find(':');
      if (colon == std::string_view::npos) return false;
      if (pair.starts_with("qid:")) continue;
      if (!parse_index(pair.substr(0, colon)) || !is_numeric(pair.substr(colon + 1))) return false;
      features = true;
    }
    if (features) return true;
    at = line_end(stop, end);
    if (at == end) break;
  }
  return false;
}

bool is_named_svmlight(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  return name.ends_with(".svm") || name.ends_with(".svmlight") || name.ends_with(".libsvm");
}

}  // namespace land
