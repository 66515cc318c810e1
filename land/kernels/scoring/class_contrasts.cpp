// Contrasts of classes, counted where features are codes.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "land/blocks/packed_counts.h"
#include "land/kernels/scoring/contrasts.h"
#include "land/kernels/scoring/count_few.h"

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

class ClassContrasts final : public Contrasts {
 public:
  explicit ClassContrasts(const Target& target);

  void of_strip(const float* strip, const StripMap& map, int degree, float* means,
                AlignedBuffer<float>& contrasts) const override;
  void of_codes(const FeatureView& feature, LevelTable& table) const override;
  void of_sparse_codes(const FeatureView& feature, LevelTable& table) const override;
  std::optional<LevelForms> sparse_forms(const FeatureView& feature, double sigma) const override;
  double sum_roundings() const override { return kClassSumRoundings; }

 private:
  std::int64_t samples_;
  std::size_t classes_;
  std::vector<std::vector<std::int32_t>> rows_;  // the samples of each class
  std::vector<std::uint16_t> labels_;            // the class of each sample
  std::vector<std::uint8_t> byte_labels_;        // the same, if there are at most 256 classes
  std::vector<std::int64_t> members_;
  std::vector<std::uint64_t> class_masks_;         // of packed samples: see packed_counts.h
  std::vector<ContrastWeights> contrast_weights_;  // of a class's sums in its contrast
  std::vector<double> roots_;  // of the contrasts root (mean over the class - mean over all): two classes need only one
};

ClassContrasts::ClassContrasts(const Target& target) : samples_(target.size()), classes_(target.class_names.size()) {
  const auto n = static_cast<double>(samples_);
  rows_.resize(classes_);
  for (std::int64_t i = 0; i < samples_; ++i) {
    const std::int32_t label = target.labels[static_cast<std::size_t>(i)];
    rows_[static_cast<std::size_t>(label)].push_back(static_cast<std::int32_t>(i));
    labels_.push_back(static_cast<std::uint16_t>(label));
  }
  double square = 0.0;
  for (const auto& rows : rows_) {
    const auto count = static_cast<double>(rows.size());
    const double sum = 2.0 * std::sqrt(count) * (1.0 - count / n);
    square += sum * sum;
    roots_.push_back(std::sqrt(count));
    members_.push_back(std::ssize(rows));
  }
  if (classes_ <= 256) byte_labels_.assign(labels_.begin(), labels_.end());
  class_masks_ = packed_class_masks(labels_, classes_);
  if (classes_ == 2) {
    // Both contrasts are one direction: this multiple of the first has the norm of both.
    const auto count = static_cast<double>(rows_[0].size());
    roots_ = {std::sqrt(count + count * count / (n - count))};
  }
  for (std::size_t c = 0; c < roots_.size(); ++c) {
    contrast_weights_.push_back({roots_[c] / static_cast<double>(rows_[c].size()), roots_[c] / n});
  }
  weight_ = std::sqrt(square);
}

void ClassContrasts::of_strip(const float* strip, const StripMap& map, int degree, float* means,
                              AlignedBuffer<float>& contrasts) const {
  static thread_local AlignedBuffer<double> sums;
  const auto size = static_cast<std::size_t>(degree + 1) * kStripWidth;
  sums.resize(size * rows_.size());
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    chebyshev_sums(strip, rows_[c], map, degree, sums.data() + size * c);
  }
  contrasts.resize(size * contrast_weights_.size());
  class_contrasts(sums, size, static_cast<double>(samples_), contrast_weights_, contrasts.data(), means);
}

void ClassContrasts::of_codes(const FeatureView& feature, LevelTable& table) const {
  static thread_local std::vector<std::uint32_t> counts;
  const std::size_t levels = feature.levels.size();
  const auto samples = static_cast<std::size_t>(samples_);
  const std::size_t classes = classes_;
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
}

void ClassContrasts::of_sparse_codes(const FeatureView& feature, LevelTable& table) const {
  static thread_local std::vector<std::uint32_t> counts;
  const std::uint8_t* codes = feature.stored_codes();
  const std::size_t levels = feature.levels.size();
  const auto n = static_cast<double>(samples_);
  const std::size_t classes = classes_;
  counts.resize(classes * kMostLevels);
  for (std::size_t c = 0; c < classes; ++c) std::fill_n(counts.data() + c * kMostLevels, levels, 0U);
  std::uint32_t* count = counts.data();
  const std::uint16_t* labels = labels_.data();
  // Level 0 is not in the table.
  feature.visit_stored_samples([&](auto rows) {
    for (std::size_t e = 0; e < rows.size(); ++e) ++count[labels[rows[e]] * kMostLevels + codes[e] - 1];
  });
  set_contrasts(counts, kMostLevels, members_, roots_, n, table);
}

std::optional<LevelForms> ClassContrasts::sparse_forms(const FeatureView& feature, double sigma) const {
  if (classes_ != 2 || !is_few_counts(feature.levels)) return std::nullopt;
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
  return few_counts_forms({shares.data(), levels}, {contrast.data(), levels}, sigma);
}

}  // namespace

std::unique_ptr<const Contrasts> class_contrasts_of(const Target& target) {
  return std::make_unique<ClassContrasts>(target);
}

}  // namespace land
