#include "land/commands/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "land/base/option.h"
#include "land/blocks/distinct_values.h"
#include "land/blocks/encode_column.h"
#include "land/files/files_in_use.h"
#include "land/formats/refuse_text.h"

namespace land {

namespace {

constexpr std::int64_t kStrip = 64;  // features read together: a few cache lines of every row of a sample-major file

// One more than an encoding with one byte per value can tell apart.
using DistinctCounter = DistinctValues<257>;

void count_encoding(int distinct, bool fits_float32, std::int64_t samples, Survey& result) {
  if (codes_pay(distinct, samples)) {
    ++result.encodings.codes;
    result.bytes_encoded += samples + distinct * static_cast<std::int64_t>(sizeof(double));
  } else if (fits_float32) {
    ++result.encodings.float32;
    result.bytes_encoded += samples * static_cast<std::int64_t>(sizeof(float));
  } else {
    ++result.encodings.float64;
    result.bytes_encoded += samples * static_cast<std::int64_t>(sizeof(double));
  }
}

void count_distinct(int distinct, Survey::Distinct& counts) {
  if (distinct <= 1)
    ++counts.constant;
  else if (distinct == 2)
    ++counts.two;
  else if (distinct <= 64)
    ++counts.up_to_64;
  else if (distinct <= 256)
    ++counts.up_to_256;
  else
    ++counts.more;
}

void count_encoding(const FeatureHeader& header, std::int64_t samples, Survey& result) {
  const std::int64_t levels = header.levels * static_cast<std::int64_t>(sizeof(double));
  const std::int64_t rows = header.stored * static_cast<std::int64_t>(sizeof(std::int32_t));
  switch (header.encoding) {
    case Encoding::kFloat32:
      ++result.encodings.float32;
      result.bytes_encoded += samples * static_cast<std::int64_t>(sizeof(float));
      break;
    case Encoding::kFloat64:
      ++result.encodings.float64;
      result.bytes_encoded += samples * static_cast<std::int64_t>(sizeof(double));
      break;
    case Encoding::kCodes:
      ++result.encodings.codes;
      result.bytes_encoded += samples + levels;
      break;
    case Encoding::kPacked2:
      ++result.encodings.packed2;
      result.bytes_encoded += packed_bytes(samples);
      break;
    case Encoding::kSparseCodes:
      ++result.encodings.sparse_codes;
      result.bytes_encoded += rows + header.stored + levels;
      break;
    case Encoding::kSparseValues:
      ++result.encodings.sparse_values;
      result.bytes_encoded += rows + header.stored * static_cast<std::int64_t>(sizeof(double)) + levels;
      break;
  }
}

void survey_feature(const Table& table, std::int64_t feature, std::span<const double> values, DistinctCounter& distinct,
                    Survey& result) {
  std::int64_t missing = 0;
  bool fits_float32 = true;
  distinct.clear();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    if (!std::isfinite(value)) {
      if (missing++ == 0 && result.first_missing.empty()) {
        result.first_missing = table.cell(static_cast<std::int64_t>(i), feature);
      }
      continue;
    }
    fits_float32 &= static_cast<double>(static_cast<float>(value)) == value;
    if (!distinct.full()) distinct.code(value);
  }
  count_distinct(distinct.count(), result.distinct);
  result.missing += missing;
  result.features_missing += missing > 0;
  const bool encoded = table.encoded != nullptr;
  if (!encoded && missing == 0 && distinct.count() > 1) {
    count_encoding(distinct.count(), fits_float32, result.samples, result);
  }
}

// The values of features [first, last), one feature after the other.
void read_values(const Table& table, std::int64_t first, std::int64_t last, std::span<double> values,
                 FeatureBlock& block, Survey& result) {
  if (!table.encoded) {
    copy_features(table.matrix, first, last, values);
    return;
  }
  table.encoded->read(first, last - first, block);
  const auto n = static_cast<std::size_t>(result.samples);
  for (std::int64_t k = 0; k < block.features(); ++k) {
    const FeatureView view = block.view(k);
    view.copy_values(values.subspan(static_cast<std::size_t>(k) * n, n));
    if (!view.header->constant) count_encoding(*view.header, result.samples, result);
  }
}

// What to type about features of text.
std::string text_advice(const Table& table) {
  if (table.text_features.empty()) return "";
  if (std::ssize(table.text_features) > kMostNamed) {
    return fmt::format("{} needs {}, or {} or {} with their names, or {}", command("select"), option("nominal", "auto"),
                       option("nominal"), option("exclude"), option("id"));
  }
  std::vector<std::string> names;
  std::vector<std::int64_t> features;
  std::vector<std::string> missing;
  for (const TextFeature& text : table.text_features) {
    names.push_back(table.feature_name(text.feature));
    features.push_back(text.feature);
    const std::string& word = text.words.front();
    if (may_mean_missing(word) && std::find(missing.begin(), missing.end(), word) == missing.end()) {
      missing.push_back(word);
    }
  }
  std::string advice = fmt::format("{} needs {} or {}", command("select"), option("nominal", as_words(names, features)),
                                   option("exclude", as_patterns(names)));
  if (!table.layout.rows_are_features) advice += fmt::format(", or {} for ids", option("id"));
  if (!missing.empty()) advice += fmt::format("; or {} if that means missing", option("na=", as_patterns(missing)));
  return advice;
}

}  // namespace

Survey survey(const Table& table, const Context& context) {
  const Matrix& matrix = table.matrix;
  Survey result;
  result.path = table.path;
  result.features = table.features();
  result.samples = table.samples();
  result.dtype = table.encoded ? "encoded" : to_string(matrix.dtype);
  result.storage = table.encoded ? table.encoded->storage() : matrix.storage();
  result.id_column = table.id_column_name;
  result.nominal = std::ssize(table.nominal.features);
  result.warnings = table.warnings;
  result.text_advice = text_advice(table);
  for (const TextFeature& text : table.text_features) {
    result.text.push_back({table.feature_name(text.feature), text.cells, text.missing, text.distinct, text.words});
  }
  std::vector<bool> is_text(static_cast<std::size_t>(table.text_features.empty() ? 0 : result.features));
  for (const TextFeature& text : table.text_features) is_text[static_cast<std::size_t>(text.feature)] = true;

  std::vector<double> strip(static_cast<std::size_t>(std::min(kStrip, result.features) * result.samples));
  FeatureBlock block;
  DistinctCounter distinct;
  for (std::int64_t first = 0; first < result.features; first += kStrip) {
    context.check_stop();
    context.report("looking", static_cast<double>(first), static_cast<double>(result.features));
    const std::int64_t last = std::min(first + kStrip, result.features);
    read_values(table, first, last, strip, block, result);
    for (std::int64_t feature = first; feature < last; ++feature) {
      if (!is_text.empty() && is_text[static_cast<std::size_t>(feature)]) continue;
      const auto offset = static_cast<std::size_t>((feature - first) * result.samples);
      survey_feature(table, feature, std::span(strip).subspan(offset, static_cast<std::size_t>(result.samples)),
                     distinct, result);
    }
  }
  result.bytes_stored = table.encoded
                            ? result.bytes_encoded
                            : matrix.samples * matrix.columns * static_cast<std::int64_t>(size_of(matrix.dtype));
  if (table.files) table.files->check_unchanged();
  return result;
}

Survey::TargetSurvey survey(const Target& target) {
  Survey::TargetSurvey result;
  result.name = target.name;
  result.task = target.task;
  result.follow_up = summary_of(target).follow_up;
  if (target.has_classes()) {
    for (const std::string& name : target.class_names) result.classes.emplace_back(name, 0);
    for (const std::int32_t label : target.labels) ++result.classes[static_cast<std::size_t>(label)].second;
  } else {
    const std::vector<double>& values = target.times.empty() ? target.values : target.times;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    result.minimum = *low;
    result.maximum = *high;
    result.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  }
  return result;
}

}  // namespace land
