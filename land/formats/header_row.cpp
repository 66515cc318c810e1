#include "land/formats/header_row.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_set>

#include "land/formats/find_targets.h"
#include "land/text/id_words.h"
#include "land/text/parse_number.h"

namespace land {
namespace {

bool is_name(const std::string& text, std::span<const std::string> names) {
  return !text.empty() && !is_numeric(text) && std::find(names.begin(), names.end(), text) != names.end();
}

bool are_distinct_indices(std::span<const std::string> cells) {
  std::unordered_set<std::string_view> seen;
  return !cells.empty() && std::all_of(cells.begin(), cells.end(), [&](const std::string& cell) {
    return parse_index(cell).has_value() && seen.insert(cell).second;
  });
}

// All begin with the same letter and have a number in them: s1, s2, or TCGA-02-0001, TCGA-02-0003.
bool are_numbered_alike(std::span<const std::string> names) {
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    return !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0 && name[0] == names[0][0] &&
           name.find_first_of("0123456789") != std::string::npos;
  });
}

// Numbered by those who name genes, probes and variants.
bool is_feature_id(std::string_view name) {
  constexpr std::array<std::string_view, 7> kPrefixes = {"ENSG", "ENSMUSG", "ENST", "rs", "cg", "ILMN_", "LOC"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view prefix) {
    return name.size() > prefix.size() && name.starts_with(prefix) &&
           std::isdigit(static_cast<unsigned char>(name[prefix.size()])) != 0;
  });
}

}  // namespace

bool has_header(const FirstRows& rows, const ReadOptions& options, const NumberStyle& style) {
  const bool features = options.rows == Rows::kFeatures;
  const std::string& corner = rows.first[0];
  if (!corner.empty() && (features ? marks_feature_names(corner) : marks_sample_ids(corner))) return true;
  // pandas and R write an empty corner, and often mere numbers beside it.
  if (corner.empty() && are_distinct_indices(rows.first.subspan(1))) return true;
  const std::vector<std::string> targets = pieces_of(options.target);
  const auto is_in_first = [&](const std::string& word) { return is_name(word, rows.first); };
  if (is_in_first(options.id_column)) return true;
  if (!features && (is_in_first(options.target) || std::any_of(targets.begin(), targets.end(), is_in_first)))
    return true;
  if (!features && std::any_of(options.nominal.begin(), options.nominal.end(), is_in_first)) return true;

  const auto id = parse_index(options.id_column);
  const auto is_target = [&](long long column) {
    return std::any_of(targets.begin(), targets.end(), [&](const auto& word) { return parse_index(word) == column; });
  };
  bool text_over_number = false;
  bool any_text = false;
  bool any_number = false;
  for (std::size_t j = 0; j < rows.first.size(); ++j) {
    const auto column = static_cast<long long>(j);
    if (column == id || (!features && is_target(column)) || (features && !id && j == 0)) continue;
    const bool number = style.is_numeric(rows.first[j]);
    (number ? any_number : any_text) = true;
    if (!number && j < rows.second.size() && style.is_numeric(rows.second[j])) text_over_number = true;
  }
  return text_over_number || (any_text && !any_number);
}

bool rows_look_like_features(std::span<const std::string> header, std::span<const std::string> row_labels) {
  if (header.size() < 2) return false;
  if (marks_features_only(header[0])) return true;
  constexpr std::size_t kFewest = 200;
  constexpr std::size_t kTimes = 5;
  const auto columns = header.subspan(1);
  if (row_labels.size() < kFewest || row_labels.size() < kTimes * columns.size() || columns.size() < 3) return false;
  return are_numbered_alike(columns) && (!are_numbered_alike(row_labels) || is_feature_id(row_labels[0]));
}

}  // namespace land
