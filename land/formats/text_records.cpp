#include "land/formats/text_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "land/blocks/mapped_pages.h"
#include "land/formats/printable.h"

namespace land {
namespace {

// In the order of preference: a comma may be a decimal comma between semicolons, or part of a name between tabs.
constexpr std::array<char, 3> kDelimiters = {'\t', ';', ','};

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
std::vector<std::array<std::int64_t, 3>> count_delimiters(std::string_view text, char line_end) {
  constexpr std::size_t kRecords = 10;
  std::vector<std::array<std::int64_t, 3>> counts(1);
  bool cell_start = true;
  for (const char *at = text.data(), *end = at + text.size(); at != end; ++at) {
    if (*at == line_end) {
      if (counts.size() == kRecords) break;
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

// The first one that occurs equally often in all records looked at (in the first, which may lack a name for the ids,
// once less); else the one that is most frequent in the first record; else by name.
char detect_delimiter(std::string_view text, char line_end, const std::string& name) {
  const auto counts = count_delimiters(text, line_end);
  for (std::size_t k = 0; k < kDelimiters.size(); ++k) {
    const std::int64_t expected = counts.back()[k];
    bool consistent = expected > 0 && (counts[0][k] == expected || counts[0][k] + 1 == expected);
    for (std::size_t r = 1; r < counts.size(); ++r) consistent = consistent && counts[r][k] == expected;
    if (consistent) return kDelimiters[k];
  }
  const auto most = std::max_element(counts[0].begin(), counts[0].end());
  if (*most > 0) return kDelimiters[static_cast<std::size_t>(most - counts[0].begin())];
  return ends_with(name, ".tsv") || ends_with(name, ".tsv.gz") ? '\t' : ',';
}

[[noreturn]] void throw_not_text(const std::string& name, std::int64_t offset, std::string_view text) {
  const bool utf16 = text.size() >= 2 && (text.substr(0, 2) == "\xFF\xFE" || text.substr(0, 2) == "\xFE\xFF");
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
    const char* rest = close == end_ ? end_ : skip_blanks(close + 1, end_, delimiter_);
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

TextRecords::TextRecords(std::string_view text, const std::string& name, const Context& context, bool release)
    : text_(text), release_(release) {
  if (text_.substr(0, 3) == "\xEF\xBB\xBF") text_.remove_prefix(3);
  const std::size_t last = text_.find_last_not_of(" \r\n");
  if (last == std::string_view::npos) throw InputError(fmt::format("{}: the file is empty", name));
  text_ = text_.substr(0, last + 1);
  // Classic Mac files end lines with a bare carriage return.
  if (text_.find('\n') == std::string_view::npos && text_.find('\r') != std::string_view::npos) line_end_ = '\r';
  const std::string_view head = text_.substr(0, 4096);
  if (const std::size_t zero = head.find('\0'); zero != std::string_view::npos) {
    throw_not_text(name, static_cast<std::int64_t>(zero), text);
  }
  delimiter_ = detect_delimiter(text_, line_end_, name);
  find_records(name, context);
}

void TextRecords::find_records(const std::string& name, const Context& context) {
  const char* const begin = text_.data();
  const char* const end = begin + text_.size();
  std::int64_t line = 1;
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
    if (const char* zero = find(record, stop, '\0'); zero != stop) throw_not_text(name, zero - begin, text_);
    if (breaks > 0 && !spans_before) {
      lines_.resize(starts_.size());
      std::iota(lines_.begin(), lines_.end(), std::int64_t{1});
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
