#include "land/formats/text_words.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "land/files/mapped_pages.h"

namespace land {
namespace {

class WordCounter {
 public:
  explicit WordCounter(const NumberStyle& style) : style_(style) {}

  void add(const Cell& cell) {
    std::int32_t code = -1;
    if (style_.is_missing(cell.text)) {
      ++words_.missing;
    } else if (const auto found = codes_.find(cell.text); found != codes_.end()) {
      code = found->second;
    } else if (std::ssize(words_.distinct) == kMostCategories) {
      words_.more = true;
    } else {
      code = static_cast<std::int32_t>(words_.distinct.size());
      words_.distinct.push_back(cell.str());
      codes_.emplace(cell.text, code);
    }
    words_.codes.push_back(code);
  }

  TextWords take() { return std::move(words_); }

 private:
  const NumberStyle& style_;
  TextWords words_;
  std::unordered_map<std::string_view, std::int32_t> codes_;  // views into the file
};

}  // namespace

void TextWords::sort() {
  std::vector<std::int32_t> order(distinct.size());
  std::iota(order.begin(), order.end(), 0);
  const auto word = [&](std::int32_t code) -> std::string& { return distinct[static_cast<std::size_t>(code)]; };
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return word(a) < word(b); });
  std::vector<std::int32_t> place(order.size());
  std::vector<std::string> sorted;
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
    sorted.push_back(std::move(word(order[k])));
  }
  distinct = std::move(sorted);
  for (std::int32_t& code : codes) code = code < 0 ? code : place[static_cast<std::size_t>(code)];
}

std::vector<TextWords> read_words(const TextRecords& records, const TextLayout& layout, const NumberStyle& style,
                                  std::span<const std::int64_t> features, const Context& context) {
  std::vector<WordCounter> counters(features.size(), WordCounter(style));
  PagesBehind pages(std::as_bytes(std::span(records.text())), records.release());
  Cell cell;
  if (layout.rows_are_features) {
    for (std::size_t k = 0; k < features.size(); ++k) {
      context.check_stop();
      CellReader reader = records.cells(layout.record_of(features[k]));
      for (std::int64_t column = 0; reader.next(cell); ++column) {
        if (layout.is_value(column)) counters[k].add(cell);
      }
    }
  } else {
    std::vector<std::int64_t> columns;
    const std::vector<std::int64_t> all = layout.value_columns();
    for (const std::int64_t feature : features) columns.push_back(all[static_cast<std::size_t>(feature)]);
    for (std::int64_t record = layout.first_row(); record < records.size(); ++record) {
      pages.passed(static_cast<std::size_t>(records.start(record)));
      if ((record & 0xFFF) == 0) context.check_stop();
      CellReader reader = records.cells(record);
      std::size_t k = 0;
      for (std::int64_t column = 0; k < columns.size() && reader.next(cell); ++column) {
        if (column == columns[k]) counters[k++].add(cell);
      }
    }
  }
  std::vector<TextWords> words;
  for (WordCounter& counter : counters) words.push_back(counter.take());
  return words;
}

}  // namespace land
