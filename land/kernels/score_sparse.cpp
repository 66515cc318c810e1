// Scoring of sparse codes: exact, at the cost of the samples that are not at level 0.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "land/kernels/level_forms.h"
#include "land/kernels/level_table.h"
#include "land/kernels/scorer.h"

namespace land {
namespace {

// Levels 0, 1, 2, ... up to kFewCounts.
bool is_few_counts(std::span<const double> levels) {
  if (levels.size() < 2 || levels.size() > kFewCounts + 1) return false;
  bool counts = true;
  for (std::size_t v = 0; v < levels.size(); ++v) counts = counts & (levels[v] == static_cast<double>(v));
  return counts;
}

// How many samples are at levels 1, 2, ..., each in a byte of a word, so that nothing waits for memory.
struct FewCounts {
  std::array<std::uint32_t, kFewCounts> all{};
  std::array<std::uint32_t, kFewCounts> first{};  // of the first class of two
};

template <class Number>
FewCounts count_levels(std::span<const Number> samples, const std::uint8_t* codes, const std::uint16_t* labels,
                       std::size_t levels) {
  constexpr std::size_t kTogether = 255;  // that a byte can count
  FewCounts counts;
  for (std::size_t begin = 0; begin < samples.size(); begin += kTogether) {
    std::uint64_t all = 0;
    std::uint64_t first = 0;
    const std::size_t end = std::min(begin + kTogether, samples.size());
    for (std::size_t e = begin; e < end; ++e) {
      const std::uint64_t one = std::uint64_t{1} << (8U * codes[e] - 8U);
      const std::uint64_t in_first = std::uint64_t{labels[samples[e]]} - 1;  // all bits or none
      all += one;
      first += one & in_first;
    }
    for (std::size_t v = 0; v < levels; ++v) {
      counts.all[v] += all >> 8U * v & 255U;
      counts.first[v] += first >> 8U * v & 255U;
    }
  }
  return counts;
}

}  // namespace

Score Scorer::score_sparse(const FeatureView& feature) const {
  return classes_ == 2 && is_few_counts(feature.levels) ? score_sparse_counts(feature) : score_sparse_codes(feature);
}

Score Scorer::score_sparse_counts(const FeatureView& feature) const {
  const std::size_t levels = feature.levels.size() - 1;
  const auto n = static_cast<double>(samples_);
  const FewCounts counts = feature.visit_stored_samples(
      [&](auto samples) { return count_levels(samples, feature.stored_codes(), labels_.data(), levels); });
  const double inverse = 1.0 / n;
  const double each = roots_[0] / static_cast<double>(members_[0]);
  std::array<double, kFewCounts> shares;
  std::array<double, kFewCounts> contrast;
  for (std::size_t v = 0; v < levels; ++v) {
    shares[v] = counts.all[v] * inverse;
    contrast[v] = counts.first[v] * each - roots_[0] * shares[v];
  }
  const LevelForms forms = few_counts_forms({shares.data(), levels}, {contrast.data(), levels}, options_.sigma);
  return bound_of(forms.numerator, n * std::sqrt(forms.squares));
}

const std::vector<double>& Scorer::target_rows() const {
  std::call_once(target_rows_made_, [this] {
    const DenseColumns& columns = target_factor_.dense;
    target_rows_.resize(static_cast<std::size_t>(samples_ * columns.columns));
    for (std::int64_t i = 0; i < samples_; ++i) {
      for (std::int64_t j = 0; j < columns.columns; ++j) {
        target_rows_[static_cast<std::size_t>(i * columns.columns + j)] = columns.at(i, j);
      }
    }
  });
  return target_rows_;
}

Score Scorer::score_sparse_codes(const FeatureView& feature) const {
  static thread_local LevelTable table;
  static thread_local std::vector<std::uint32_t> counts;
  const std::uint8_t* codes = feature.stored_codes();
  const std::size_t levels = feature.levels.size();
  table.last_is_missing = false;
  table.values.clear();
  for (std::size_t v = 1; v < levels; ++v) table.values.push_back(feature.levels[v] - feature.levels[0]);
  const auto n = static_cast<double>(samples_);
  if (classes_ > 0) {
    const auto classes = static_cast<std::size_t>(classes_);
    counts.resize(classes * kMostLevels);
    for (std::size_t c = 0; c < classes; ++c) std::fill_n(counts.data() + c * kMostLevels, levels, 0U);
    std::uint32_t* count = counts.data();
    const std::uint16_t* labels = labels_.data();
    // Level 0 is not in the table.
    feature.visit_stored_samples([&](auto rows) {
      for (std::size_t e = 0; e < rows.size(); ++e) ++count[labels[rows[e]] * kMostLevels + codes[e] - 1];
    });
    set_contrasts(counts, kMostLevels, members_, roots_, n, table);
  } else {
    table.shares.assign(levels - 1, 0.0);
    table.contrast_count = static_cast<std::size_t>(target_factor_.columns);
    table.contrasts.assign(table.contrast_count * (levels - 1), 0.0);
    const std::vector<double>& target = target_rows();
    feature.visit_stored_samples([&](auto rows) {
      for (std::size_t e = 0; e < rows.size(); ++e) {
        const std::size_t level = codes[e] - 1U;
        table.shares[level] += 1.0 / n;
        const double* row = target.data() + static_cast<std::size_t>(rows[e]) * table.contrast_count;
        for (std::size_t j = 0; j < table.contrast_count; ++j) table.contrasts[j * (levels - 1) + level] += row[j];
      }
    });
  }
  tame(table);
  const LevelForms forms = sparse_forms(table, options_.sigma);
  return bound_of(forms.numerator, n * std::sqrt(forms.squares));
}

}  // namespace land
