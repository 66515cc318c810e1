// Scoring of features in codes: exact, from the table of levels by classes (or by the target's columns).
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "land/blocks/packed_counts.h"
#include "land/kernels/count_few.h"
#include "land/kernels/level_forms.h"
#include "land/kernels/scorer.h"

namespace land {
namespace {

// counts[class * 256 + level]. Four tables take turns, so that equal neighbours do not wait for each other.
void count_levels(const std::uint8_t* codes, const std::uint16_t* labels, std::size_t samples, std::size_t classes,
                  std::size_t levels, std::vector<std::uint32_t>& counts) {
  const std::size_t size = classes * kMostLevels;
  counts.resize(4 * size);
  std::uint32_t* first = counts.data();
  std::uint32_t* second = first + size;
  std::uint32_t* third = second + size;
  std::uint32_t* fourth = third + size;
  for (std::size_t at = 0; at < 4 * size; at += kMostLevels) std::fill_n(first + at, levels, 0U);
  const auto cell = [&](std::size_t i) { return labels[i] * kMostLevels + codes[i]; };
  std::size_t i = 0;
  for (; i + 4 <= samples; i += 4) {
    ++first[cell(i)];
    ++second[cell(i + 1)];
    ++third[cell(i + 2)];
    ++fourth[cell(i + 3)];
  }
  for (; i < samples; ++i) ++first[cell(i)];
  for (std::size_t c = 0; c < size; c += kMostLevels) {
    for (std::size_t at = c; at < c + levels; ++at) first[at] += second[at] + third[at] + fourth[at];
  }
}

// The same where class and level fit one byte together: eight samples of either are one word. The tables are those of a
// plain histogram, which is what bounds the speed.
void count_in_bytes(const std::uint8_t* codes, const std::uint8_t* labels, std::size_t samples, std::size_t classes,
                    std::size_t levels, std::vector<std::uint32_t>& counts) {
  const int shift = std::bit_width(levels - 1);
  std::array<std::array<std::uint32_t, kMostLevels>, 4> tables;
  const std::size_t used = classes << static_cast<unsigned>(shift);
  for (auto& table : tables) std::fill_n(table.begin(), used, 0U);
  std::size_t i = 0;
  for (; i + 8 <= samples; i += 8) {
    std::uint64_t word = 0;
    std::uint64_t label = 0;
    std::memcpy(&word, codes + i, 8);
    std::memcpy(&label, labels + i, 8);
    word |= label << static_cast<unsigned>(shift);
    ++tables[0][word & 255U];
    ++tables[1][word >> 8U & 255U];
    ++tables[2][word >> 16U & 255U];
    ++tables[3][word >> 24U & 255U];
    ++tables[0][word >> 32U & 255U];
    ++tables[1][word >> 40U & 255U];
    ++tables[2][word >> 48U & 255U];
    ++tables[3][word >> 56U];
  }
  for (; i < samples; ++i) ++tables[0][codes[i] | static_cast<std::size_t>(labels[i]) << static_cast<unsigned>(shift)];
  counts.resize(classes * kMostLevels);
  for (std::size_t c = 0; c < classes; ++c) {
    for (std::size_t v = 0; v < levels; ++v) {
      const std::size_t at = (c << static_cast<unsigned>(shift)) + v;
      counts[c * kMostLevels + v] = tables[0][at] + tables[1][at] + tables[2][at] + tables[3][at];
    }
  }
}

// The level that stands for missing values takes the mean of the others; or is left out, and the rest centred anew; or
// goes to the end, where the forms know it. Returns the share of the samples that remains.
double settle_missing(Missing missing, LevelTable& table) {
  const auto found = std::find_if(table.values.begin(), table.values.end(), [](double x) { return std::isnan(x); });
  if (found == table.values.end()) return 1.0;
  const auto at = found - table.values.begin();
  const std::size_t levels = table.levels();
  if (missing == Missing::kMean) {
    double sum = 0.0;
    for (std::size_t v = 0; v < levels; ++v) {
      if (!std::isnan(table.values[v])) sum += table.shares[v] * table.values[v];
    }
    *found = sum / (1.0 - table.shares[static_cast<std::size_t>(at)]);
    return 1.0;
  }
  const bool keep = missing == Missing::kLevel && table.shares[static_cast<std::size_t>(at)] > 0.0;
  const auto to_end = [&](double* first) { std::rotate(first + at, first + at + 1, first + levels); };
  to_end(table.values.data());
  to_end(table.shares.data());
  for (std::size_t j = 0; j < table.contrast_count; ++j) to_end(table.contrasts.data() + j * levels);
  if (keep) {
    table.values.back() = 0.0;
    table.last_is_missing = true;
    return 1.0;
  }
  const double left = 1.0 - table.shares.back();
  table.values.pop_back();
  table.shares.pop_back();
  for (double& share : table.shares) share /= left;
  for (std::size_t j = 0; j < table.contrast_count; ++j) {
    double* to = table.contrasts.data() + j * (levels - 1);
    std::copy_n(table.contrasts.data() + j * levels, levels - 1, to);
    double sum = 0.0;
    for (std::size_t v = 0; v + 1 < levels; ++v) sum += to[v];
    for (std::size_t v = 0; v + 1 < levels; ++v) to[v] -= sum * table.shares[v];
  }
  return left;
}

}  // namespace

Score Scorer::score_codes(const FeatureView& feature) const {
  static thread_local LevelTable table;
  static thread_local std::vector<std::uint32_t> counts;
  const std::size_t levels = feature.levels.size();
  table.values.assign(feature.levels.begin(), feature.levels.end());
  table.last_is_missing = false;
  const auto samples = static_cast<std::size_t>(samples_);
  if (classes_ > 0) {
    const auto classes = static_cast<std::size_t>(classes_);
    if (feature.header->encoding == Encoding::kPacked2) {
      counts.resize(classes * kMostLevels);
      count_packed(feature.packed(), samples, class_masks_, members_, feature.header->missing == 0, kMostLevels,
                   counts.data());
    } else if (classes << static_cast<unsigned>(std::bit_width(levels - 1)) <= kMostLevels) {
      counts.resize(classes * kMostLevels);
      if (!count_few(feature.codes(), byte_labels_.data(), samples, classes, levels, kMostLevels, counts.data())) {
        count_in_bytes(feature.codes(), byte_labels_.data(), samples, classes, levels, counts);
      }
    } else {
      count_levels(feature.codes(), labels_.data(), samples, classes, levels, counts);
    }
    set_contrasts(counts, kMostLevels, members_, roots_, static_cast<double>(samples_), table);
  } else {
    static thread_local std::vector<std::uint8_t> unpacked;
    const std::uint8_t* codes = feature.codes();
    if (feature.header->encoding == Encoding::kPacked2) {
      unpacked.resize(samples);
      feature.copy_codes(unpacked);
      codes = unpacked.data();
    }
    table.shares.assign(levels, 0.0);
    for (std::size_t i = 0; i < samples; ++i) table.shares[codes[i]] += 1.0;
    for (double& share : table.shares) share /= static_cast<double>(samples_);
    const DenseColumns& columns = target_factor_.dense;
    table.contrast_count = static_cast<std::size_t>(columns.columns);
    table.contrasts.assign(table.contrast_count * levels, 0.0);
    for (std::int64_t c = 0; c < chunks_of(samples_); ++c) {
      const std::int64_t rows = std::min(kChunk, samples_ - c * kChunk);
      for (std::size_t j = 0; j < table.contrast_count; ++j) {
        const double* column = columns.column(c, static_cast<std::int64_t>(j));
        double* to = table.contrasts.data() + j * levels;
        for (std::int64_t i = 0; i < rows; ++i) to[codes[c * kChunk + i]] += column[i];
      }
    }
  }
  const double left = feature.header->missing > 0 ? settle_missing(options_.missing, table) : 1.0;
  if (feature.header->encoding == Encoding::kPacked2 && feature.header->missing == 0) {
    settle_missing(Missing::kIgnore, table);  // no call is missing: its level goes
  }
  tame(table);
  const LevelForms forms = level_forms(table, options_.sigma);
  return bound_of(forms.numerator, left * static_cast<double>(samples_) * std::sqrt(forms.squares));
}

Score Scorer::bound_of(double numerator, double norm) const {
  const double scale = kernel_scale(options_.measure, norm, static_cast<double>(samples_));
  double bound = std::max(numerator, 0.0) * scale * target_factor_.scale * (1.0 + 1.1 * kFactorResidual) + 1e-12;
  if (options_.factor == FactorKind::kFull) {
    bound += target_factor_.residual * target_factor_.norm * target_factor_.scale * scale * norm;
  }
  const double low = std::max(numerator, 0.0) * scale * target_factor_.scale * (1.0 - 1e-9);
  return score_of(bound, low - factor_error(norm), norm * (1.0 + 1e-9));
}

}  // namespace land
