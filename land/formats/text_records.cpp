#include "land/formats/text_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <numeric>
#include <utility>

#include "land/base/option.h"
#include "land/files/mapped_pages.h"
#include "land/formats/number_style.h"
#include "land/text/parse_number.h"
#include "land/text/printable.h"

namespace land {
namespace {

// In the order of preference: a comma may be a decimal comma between semicolons, or part of a name between tabs.
constexpr std::array<char, 4> kDelimiters = {'\t', ';', ',', '|'};
constexpr std::size_t kLikely = 3;  // the first of them: found also where lines differ
constexpr std::size_t kLookedAt = 10;
using Counts = std::array<std::int64_t, kDelimiters.size()>;

const char* find(const char* begin, const char* end, char c) {
  if (begin == end) return end;
  const void* found = std::memchr(begin, c, static_cast<std::size_t>(end - begin));
  return found == nullptr ? end : static_cast<const char*>(found);
}

bool is_blank(char c, char delimiter) { return c == ' ' || (c == '\t' && delimiter != '\t'); }

const char* skip_blanks(const char* at, const char* end, char delimiter) {
  while (at != end && is_blank(*at, delimiter)) ++at;
  return at;
}

// The closing quote of a cell whose content begins at `at`; `end` when there is none.
const char* closing_quote(const char* at, const char* end) {
  while (true) {
    at = find(at, end, '"');
    if (at == end || at + 1 == end || at[1] != '"') return at;
    at += 2;
  }
}

bool ends_with(std::string_view name, std::string_view ending) {
  return name.size() >= ending.size() && name.substr(name.size() - ending.size()) == ending;
}

// How often each delimiter stands outside quotes in the first records.
std::vector<Counts> count_delimiters(std::string_view text, char line_end) {
  std::vector<Counts> counts(1);
  bool cell_start = true;
  for (const char *at = text.data(), *end = at + text.size(); at != end; ++at) {
    if (*at == line_end) {
      if (counts.size() == kLookedAt) break;
      counts.emplace_back();
      cell_start = true;
      continue;
    }
    const auto delimiter = std::find(kDelimiters.begin(), kDelimiters.end(), *at);
    if (delimiter != kDelimiters.end()) {
      ++counts.back()[static_cast<std::size_t>(delimiter - kDelimiters.begin())];
      cell_start = true;
    } else if (*at == '"' && cell_start) {
      at = closing_quote(at + 1, end);
      if (at == end) break;
      cell_start = false;
    } else if (*at != ' ') {
      cell_start = false;
    }
  }
  return counts;
}

struct CountedCells {
  std::int64_t cells = 0;
  bool has_number = false;
};

CountedCells count_cells(std::string_view line, char delimiter) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  CountedCells counted;
  CellReader reader(line, delimiter);
  for (Cell cell; reader.next(cell); ++counted.cells) {
    counted.has_number = counted.has_number || parse_number(cell.text) || is_decimal_comma(cell.text);
  }
  return counted;
}

// Whether the first lines have equally many cells between blanks, more than one (the first line perhaps one less), and
// each but the first a number.
bool blanks_delimit(std::string_view text, char line_end) {
  std::vector<CountedCells> lines;
  while (lines.size() < kLookedAt && !text.empty()) {
    const std::size_t stop = text.find(line_end);
    lines.push_back(count_cells(text.substr(0, stop), ' '));
    text.remove_prefix(stop == std::string_view::npos ? text.size() : stop + 1);
  }
  const std::int64_t expected = lines.back().cells;
  if (expected < 2 || (lines[0].cells != expected && lines[0].cells + 1 != expected)) return false;
  if (lines.size() == 1) return lines[0].has_number;
  return std::all_of(lines.begin() + 1, lines.end(),
                     [&](const CountedCells& line) { return line.cells == expected && line.has_number; });
}

bool promises_delimiter(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  return name.ends_with(".csv") || name.ends_with(".tsv");
}

char detect_delimiter(std::string_view text, char line_end, const std::string& name) {
  const auto counts = count_delimiters(text, line_end);
  for (std::size_t k = 0; k < kDelimiters.size(); ++k) {
    const std::int64_t expected = counts.back()[k];
    // The first record may lack a name for the ids.
    bool consistent = expected > 0 && (counts[0][k] == expected || counts[0][k] + 1 == expected);
    for (std::size_t r = 1; r < counts.size(); ++r) consistent = consistent && counts[r][k] == expected;
    if (consistent) return kDelimiters[k];
  }
  if (!promises_delimiter(name) && blanks_delimit(text, line_end)) return ' ';
  const auto most = std::max_element(counts[0].begin(), counts[0].begin() + kLikely);
  if (*most > 0) return kDelimiters[static_cast<std::size_t>(most - counts[0].begin())];
  return ends_with(name, ".tsv") || ends_with(name, ".tsv.gz") ? '\t' : ',';
}

// The delimiter of Excel's first line `sep=;`; '\0' if it is no such line.
char excel_delimiter(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() > 2 && line.front() == '"' && line.back() == '"') line = line.substr(1, line.size() - 2);
  if (line.size() != 5 || line[3] != '=') return '\0';
  const std::string_view word = line.substr(0, 3);
  return word == "sep" || word == "SEP" || word == "Sep" ? line[4] : '\0';
}

bool has_decimal_comma(std::string_view record) {
  CellReader reader(record, ';');
  for (Cell cell; reader.next(cell);) {
    if (is_decimal_comma(cell.text)) return true;
  }
  return false;
}

[[noreturn]] void throw_not_text(const std::string& name, std::int64_t offset, std::string_view text) {
  const bool utf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
  throw InputError(
      fmt::format("{}: not a text table: zero byte at offset {}; {}", name, offset,
                  utf16 ? "the file is UTF-16: save it as UTF-8" : "known are .csv, .tsv (also .gz), .npy and .npz"));
}

}  // namespace

std::string Cell::str() const {
  if (!quoted || text.find("\"\"") == std::string_view::npos) return to_utf8(text);
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    plain += text[i];
    if (text[i] == '"') ++i;
  }
  return to_utf8(plain);
}

bool CellReader::next(Cell& cell) {
  if (done_) return false;
  cell = Cell();
  const char* begin = skip_blanks(at_, end_, delimiter_);
  const char* stop = nullptr;
  if (begin != end_ && *begin == '"') {
    const char* close = closing_quote(begin + 1, end_);
    cell.quoted = true;
    cell.text = {begin + 1, static_cast<std::size_t>(close - begin - 1)};
    const char* rest = close == end_ ? end_ : close + 1;
    if (delimiter_ != ' ') rest = skip_blanks(rest, end_, delimiter_);
    stop = find(rest, end_, delimiter_);
    cell.malformed = close == end_ || stop != rest;
  } else {
    stop = find(begin, end_, delimiter_);
    const char* last = stop;
    while (last != begin && is_blank(last[-1], delimiter_)) --last;
    cell.text = {begin, static_cast<std::size_t>(last - begin)};
  }
  resume(stop);
  return true;
}

char delimiter_of(const std::string& word) {
  constexpr std::array<std::pair<std::string_view, char>, 6> kNames = {
      {{"tab", '\t'}, {"\\t", '\t'}, {"comma", ','}, {"semicolon", ';'}, {"space", ' '}, {"pipe", '|'}}};
  if (word.empty()) return '\0';
  for (const auto& [name, delimiter] : kNames) {
    if (word == name) return delimiter;
  }
  const auto byte = static_cast<unsigned char>(word[0]);
  if (word.size() > 1 || byte >= 0x80 || byte == '"' || byte == '\n' || byte == '\r' || std::isalnum(byte) != 0) {
    throw InputError(fmt::format("{}: give one character, or tab, comma, semicolon, space or pipe",
                                 option("delimiter", Verbatim{in_quotes(word)})));
  }
  return word[0];
}

TextRecords::TextRecords(std::string_view text, const std::string& name, const Context& context, const Given& given)
    : text_(text), delimiter_(given.delimiter), release_(given.release), first_line_(given.first_line) {
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  const std::size_t last = text_.find_last_not_of(" \r\n");
  if (last == std::string_view::npos) throw InputError(fmt::format("{}: the file is empty", name));
  text_ = text_.substr(0, last + 1);
  // Classic Mac files end lines with a bare carriage return.
  if (text_.find('\n') == std::string_view::npos && text_.find('\r') != std::string_view::npos) line_end_ = '\r';
  const std::string_view head = text_.substr(0, 4096);
  if (const std::size_t zero = head.find('\0'); zero != std::string_view::npos) {
    throw_not_text(name, static_cast<std::int64_t>(zero), text);
  }
  find_delimiter(name);
  find_records(name, context);
}

void TextRecords::skip_line() {
  const std::size_t stop = text_.find(line_end_);
  text_.remove_prefix(stop == std::string_view::npos ? text_.size() : stop + 1);
  ++first_line_;
}

void TextRecords::find_delimiter(const std::string& name) {
  const char excel = excel_delimiter(text_.substr(0, text_.find(line_end_)));
  if (excel != '\0') {
    if (delimiter_ == '\0') delimiter_ = excel;
    skip_line();
    if (text_.empty()) throw InputError(fmt::format("{}: the file is empty", name));
  }
  if (text_.starts_with('#')) {
    skip_comments(name);
  } else if (delimiter_ == '\0') {
    delimiter_ = detect_delimiter(text_, line_end_, name);
  }
}

void TextRecords::skip_comments(const std::string& name) {
  std::string_view below = text_;
  std::string_view comment;
  while (below.starts_with('#')) {
    const std::size_t stop = below.find(line_end_);
    comment = below.substr(0, stop);
    below.remove_prefix(stop == std::string_view::npos ? below.size() : stop + 1);
  }
  if (below.empty()) throw InputError(fmt::format("{}: the file holds comments (#) only", name));
  if (delimiter_ == '\0') delimiter_ = detect_delimiter(below, line_end_, name);
  while (text_.size() > below.size() + comment.size() + 1) skip_line();
  const std::size_t word = comment.find_first_not_of("# ");
  const bool one_mark = !comment.starts_with("##") && word != std::string_view::npos;
  if (one_mark) {
    const CountedCells names = count_cells(comment.substr(word), delimiter_);
    const CountedCells next = count_cells(below.substr(0, below.find(line_end_)), delimiter_);
    if (names.cells > 1 && names.cells == next.cells && (word == 1 || next.has_number)) {
      text_.remove_prefix(word);
      return;
    }
  }
  skip_line();
}

void TextRecords::find_records(const std::string& name, const Context& context) {
  const char* const begin = text_.data();
  const char* const end = begin + text_.size();
  std::int64_t line = first_line_;
  PagesBehind pages(std::as_bytes(std::span(text_)), release_);
  for (const char* record = begin;;) {
    pages.passed(static_cast<std::size_t>(record - begin));
    if ((starts_.size() & 0xFFF) == 0) context.check_stop();
    const std::int64_t start = record - begin;
    starts_.push_back(start);
    const bool spans_before = !lines_.empty();
    if (spans_before) lines_.push_back(line);

    const char* stop = find(record, end, line_end_);
    std::int64_t breaks = 0;
    if (find(record, stop, '"') != stop) {
      for (const char* at = record;;) {
        at = skip_blanks(at, stop, delimiter_);
        if (at != stop && *at == '"') {
          const char* close = closing_quote(at + 1, end);
          if (close == end) {
            throw InputError(fmt::format("{}: row {}: the quote before {} is never closed; close it or remove it", name,
                                         line,
                                         in_quotes({at + 1, static_cast<std::size_t>(std::min(stop, end) - at - 1)})));
          }
          if (close > stop) {
            breaks += std::count(stop, close, line_end_);
            stop = find(close, end, line_end_);
          }
          at = close + 1;
        }
        at = find(at, stop, delimiter_);
        if (at == stop) break;
        ++at;
      }
    }
    if (delimiter_ == ';' && !decimal_comma_ && find(record, stop, ',') != stop) {
      decimal_comma_ = has_decimal_comma({record, static_cast<std::size_t>(stop - record)});
    }
    if (const char* zero = find(record, stop, '\0'); zero != stop) throw_not_text(name, zero - begin, text_);
    if (breaks > 0 && !spans_before) {
      lines_.resize(starts_.size());
      std::iota(lines_.begin(), lines_.end(), first_line_);
    }
    line += 1 + breaks;
    if (stop == end) break;
    record = stop + 1;
  }
  starts_.push_back(end - begin + 1);
}

std::string_view TextRecords::operator[](std::int64_t record) const {
  const auto first = static_cast<std::size_t>(start(record));
  const auto last = static_cast<std::size_t>(start(record + 1)) - 1;
  std::string_view view = text_.substr(first, last - first);
  if (!view.empty() && view.back() == '\r') view.remove_suffix(1);
  return view;
}

}  // namespace land
