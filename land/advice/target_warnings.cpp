#include "land/advice/target_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "land/base/option.h"
#include "land/text/printable.h"

namespace land {
namespace {

// Beyond these one sample, or a few, are most of what the kernel of the target sees.
constexpr double kFarOut = 6.0;
constexpr double kHeavyTails = 10.0;

double excess_kurtosis(std::span<const double> values) {
  double mean = 0.0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  double second = 0.0;
  double fourth = 0.0;
  for (const double value : values) {
    const double square = (value - mean) * (value - mean);
    second += square;
    fourth += square * square;
  }
  return static_cast<double>(values.size()) * fourth / (second * second) - 3.0;
}

// Letters in one case, blanks gone: "Case ", "case" and "CASE" are one word.
std::string plain(const std::string& name) {
  std::string word;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isspace(byte) == 0) word += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
  }
  return word;
}

std::string sizes_in_words(const Target& target, std::span<const std::int64_t> sizes) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t c = 0; c < std::min(kShown, sizes.size()); ++c) {
    text += fmt::format("{}{}: {}", c == 0 ? "" : ", ", in_quotes(target.class_names[c]), sizes[c]);
  }
  return text + (sizes.size() > kShown ? ", ..." : "");
}

void warn_of_small_classes(const Target& target, std::vector<std::string>& warnings) {
  std::vector<std::int64_t> sizes(target.class_names.size(), 0);
  for (const std::int32_t label : target.labels) ++sizes[static_cast<std::size_t>(label)];
  const auto alone = std::count(sizes.begin(), sizes.end(), 1);
  if (alone > 0) {
    const auto first = static_cast<std::size_t>(std::find(sizes.begin(), sizes.end(), 1) - sizes.begin());
    warnings.push_back(fmt::format("target {}: class {} has one sample{}; is it a slip? ({})", in_quotes(target.name),
                                   in_quotes(target.class_names[first]),
                                   alone == 1 ? "" : fmt::format(", and so have {} more", alone - 1),
                                   sizes_in_words(target, sizes)));
  }
  std::map<std::string, std::size_t> first_of;
  for (std::size_t b = 0; b < sizes.size(); ++b) {
    const auto [found, is_new] = first_of.emplace(plain(target.class_names[b]), b);
    if (!is_new) {
      const std::size_t a = found->second;
      warnings.push_back(fmt::format("target {}: are {} ({}) and {} ({}) the same class? Write them alike",
                                     in_quotes(target.name), in_quotes(target.class_names[a]), sizes[a],
                                     in_quotes(target.class_names[b]), sizes[b]));
      return;
    }
  }
}

void warn_of_few_events(const Target& target, std::vector<std::string>& warnings) {
  constexpr std::int64_t kFew = 10;
  const std::int64_t events = std::count(target.events.begin(), target.events.end(), 1);
  if (events >= kFew) return;
  warnings.push_back(fmt::format("target {}: {} event{} among {} samples: what is selected rests on these few",
                                 in_quotes(target.name), events, events == 1 ? "" : "s", target.size()));
}

}  // namespace

Outlier find_outlier(std::span<const double> values) {
  double mean = 0.0;
  double count = 0.0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    mean += value;
    count += 1.0;
  }
  mean /= count;
  double sum = 0.0;
  double furthest = 0.0;
  Outlier outlier;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    const double square = (values[i] - mean) * (values[i] - mean);
    sum += square;
    if (square <= furthest) continue;
    furthest = square;
    outlier.sample = static_cast<std::int64_t>(i);
  }
  outlier.share = sum > 0.0 ? furthest / sum : 0.0;
  outlier.deviations = std::sqrt(outlier.share * count);
  return outlier;
}

std::string sample_title(const Table& table, std::int64_t sample) {
  const auto i = static_cast<std::size_t>(sample);
  if (i < table.sample_ids.size()) return in_quotes(table.sample_ids[i]);
  return fmt::format("{} (counted from 0)", table.sample_numbers[sample]);
}

std::vector<std::string> target_warnings(const Target& target, const Table& table) {
  std::vector<std::string> warnings;
  if (target.has_classes()) {
    warn_of_small_classes(target, warnings);
    return warnings;
  }
  if (!target.events.empty()) warn_of_few_events(target, warnings);
  const Outlier outlier = find_outlier(target.values);
  if (target.is_linear()) {
    if (outlier.deviations >= kFarOut) {
      warnings.push_back(fmt::format(
          "target {}: the residual of sample {} is {:.1f} standard deviations from the mean, and features "
          "that follow it alone look relevant; see whether its time is right, or leave it out with {}",
          in_quotes(target.name), sample_title(table, outlier.sample), outlier.deviations, option("exclude-samples")));
    }
    return warnings;
  }
  const double kurtosis = excess_kurtosis(target.values);
  if (outlier.deviations >= kFarOut || kurtosis > kHeavyTails) {
    warnings.push_back(
        fmt::format("target {}: heavy tails: sample {} is {:.1f} standard deviations from the mean (excess kurtosis "
                    "{:.0f}), and features that follow it alone look relevant; try {}, the target's logarithm "
                    "or ranks, or leave the sample out with {}",
                    in_quotes(target.name), sample_title(table, outlier.sample), outlier.deviations, kurtosis,
                    option("sigma", std::int64_t{3}), option("exclude-samples")));
  }
  return warnings;
}

}  // namespace land
