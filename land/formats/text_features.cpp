#include "land/formats/text_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/formats/find_features.h"
#include "land/formats/header_row.h"
#include "land/formats/refuse_text.h"
#include "land/text/printable.h"

namespace land {
namespace {

class TextSettler {
 public:
  TextSettler(const TextTable& table, const TextCellsOf& cells)
      : request_(table.request),
        records_(table.records),
        layout_(table.layout),
        style_(table.style),
        text_cells_(cells),
        names_(layout_.feature_names()) {}

  SettledText settle() {
    const ColumnLookup lookup{request_.name, names_, std::ssize(names_), "feature"};
    std::vector<std::int64_t> named = find_features(lookup, "nominal", named_nominal(request_.options));
    // Covariates may be words, too.
    for (const std::int64_t feature : find_features(lookup, "adjust", named_covariates(request_.options))) {
      named.push_back(feature);
    }
    const auto is_named = [&](std::int64_t feature) {
      return std::find(named.begin(), named.end(), feature) != named.end();
    };
    const bool automatic = is_nominal_auto(request_.options);
    std::vector<std::int64_t> tried;
    std::vector<std::int64_t> others;
    for (const auto& [feature, cells] : text_cells_) {
      (is_named(feature) || (automatic && !is_slip(cells)) ? tried : others).push_back(feature);
    }
    SettledText settled;
    std::vector<TextWords> words = words_of(tried);
    for (std::size_t k = 0; k < tried.size(); ++k) {
      if (is_named(tried[k])) check_number(tried[k], words[k]);
      if (is_named(tried[k]) || are_few(words[k])) {
        words[k].sort();
        settled.categories.emplace_back(tried[k], std::move(words[k]));
      } else {
        others.push_back(tried[k]);
      }
    }
    std::sort(others.begin(), others.end());
    if (!others.empty() && !request_.options.describe_text) refuse(others);
    settled.others = describe(others);
    return settled;
  }

 private:
  std::vector<TextWords> words_of(std::span<const std::int64_t> features) const {
    return read_words(records_, layout_, style_, features, request_.context);
  }

  const std::string& name_of(std::int64_t feature) const { return names_[static_cast<std::size_t>(feature)]; }

  void check_number(std::int64_t feature, const TextWords& words) const {
    if (!words.more) return;
    throw InputError(fmt::format("{}: {}: feature {} has more than {} categories; leave it out if it is an id",
                                 request_.name, option("nominal"), in_quotes(name_of(feature)), kMostCategories));
  }

  // A column of numbers with a few odd cells, not one of text.
  bool is_slip(const TextCells& cells) const {
    const std::int64_t samples = layout_.rows_are_features ? layout_.values_per_row() : layout_.value_rows;
    return 2 * cells.count <= samples;
  }

  // What --nominal auto takes.
  bool are_few(const TextWords& words) const {
    constexpr std::size_t kFew = 20;
    return !words.more && words.distinct.size() <= kFew && 2 * words.distinct.size() <= words.codes.size();
  }

  std::vector<TextFeature> describe(std::span<const std::int64_t> features) const {
    constexpr std::size_t kShown = 5;
    std::vector<TextFeature> described;
    std::vector<TextWords> words = words_of(features);
    for (std::size_t k = 0; k < features.size(); ++k) {
      TextFeature text;
      text.feature = features[k];
      text.cells = text_cells_.at(features[k]).count;
      text.missing = words[k].missing;
      text.distinct = std::ssize(words[k].distinct) + (words[k].more ? 1 : 0);
      text.words = std::move(words[k].distinct);
      // Of a column of numbers the odd cells are of interest.
      std::stable_partition(text.words.begin(), text.words.end(),
                            [&](const std::string& word) { return !style_.is_numeric(word); });
      if (text.words.size() > kShown) text.words.resize(kShown);
      described.push_back(std::move(text));
    }
    return described;
  }

  [[noreturn]] void refuse(std::span<const std::int64_t> features) const {
    RefusedText text;
    const TextCells* slip = nullptr;
    std::int64_t slipped = 0;
    for (const std::int64_t feature : features) {
      const TextCells& cells = text_cells_.at(feature);
      if (!is_slip(cells)) {
        if (text.count++ < kMostNamed) text.features.push_back(feature);
      } else if (slip == nullptr || std::pair(cells.record, cells.column) < std::pair(slip->record, slip->column)) {
        slip = &cells;
        slipped = feature;
      }
    }
    if (text.count == 0 && slip != nullptr) throw_slip(*slip, slipped, name_of(slipped));
    text.file = request_.name;
    text.rows_are_features = layout_.rows_are_features;
    text.after_auto = is_nominal_auto(request_.options);
    const std::vector<TextWords> words = words_of(text.features);
    for (std::size_t k = 0; k < words.size(); ++k) {
      const std::int64_t feature = text.features[k];
      text.names.push_back(name_of(feature));
      text.words.push_back(some_of(words[k]));
      const bool distinct = words[k].more || words[k].distinct.size() == words[k].codes.size();
      if (distinct && text.ids.empty() && !layout_.rows_are_features) text.ids = id_argument(feature);
      const bool first = !layout_.rows_are_features && layout_.value_columns()[static_cast<std::size_t>(feature)] == 0;
      if (first && text.count == 1) {
        text.rows_look_like_features = rows_look_like_features(layout_.header, words[k].distinct);
      }
    }
    text.may_be_columns =
        layout_.columns == 1 && !words[0].distinct.empty() && words[0].distinct[0].find(' ') != std::string::npos;
    throw_text(text);
  }

  // The column of the feature for messages about --id.
  std::string id_argument(std::int64_t feature) const {
    const std::int64_t column = layout_.value_columns()[static_cast<std::size_t>(feature)];
    if (!layout_.has_header()) return option("id", column);
    return option("id", as_words(std::array{layout_.header[static_cast<std::size_t>(column)]}, std::array{column}));
  }

  static std::string some_of(const TextWords& words) {
    constexpr std::size_t kShown = 3;
    std::string list;
    for (std::size_t w = 0; w < std::min(kShown, words.distinct.size()); ++w) {
      const std::string word = in_quotes(words.distinct[w]);
      list += (w == 0 ? "" : ", ") + word.substr(1, word.size() - 2);
    }
    return list + (words.distinct.size() > kShown ? ", ..." : "");
  }

  [[noreturn]] void throw_slip(const TextCells& cells, std::int64_t feature, const std::string& name) const {
    Cell cell;
    CellReader reader = records_.cells(cells.record);
    for (std::int64_t column = 0; column <= cells.column; ++column) reader.next(cell);
    const char* line = layout_.rows_are_features ? "row" : "column";
    std::string advice = fmt::format("features are numbers: correct the cell, or leave the {} out with {}", line,
                                     option("exclude", as_patterns(std::array{name})));
    if (may_mean_missing(cell.text)) {
      const std::string word = cell.str();
      advice = fmt::format("add {} if it means that the value is missing",
                           option("na=", as_words(std::array{word}, std::array{feature})));
    }
    throw InputError(fmt::format(
        "{}: {} is not a number{}; {}", TextPlaces{request_.name, records_, layout_}.cell(cells.record, cells.column),
        in_quotes(cell.str()),
        cells.count == 1 ? "" : fmt::format(", nor are {} more cells of the {}", cells.count - 1, line), advice));
  }

  const ReadRequest& request_;
  const TextRecords& records_;
  const TextLayout& layout_;
  const NumberStyle& style_;
  const TextCellsOf& text_cells_;
  const std::vector<std::string> names_;
};

}  // namespace

void add_text_cells(std::int64_t feature, const TextCells& cells, TextCellsOf& all) {
  const auto [place, is_new] = all.emplace(feature, cells);
  if (is_new) return;
  TextCells& known = place->second;
  const std::int64_t count = known.count + cells.count;
  if (std::pair(cells.record, cells.column) < std::pair(known.record, known.column)) known = cells;
  known.count = count;
}

SettledText settle_text(const TextTable& table, const TextCellsOf& cells) {
  if (cells.empty()) return {};
  return TextSettler(table, cells).settle();
}

}  // namespace land
