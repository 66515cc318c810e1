// Scoring of features stored as codes: exact, from the table of levels by classes (or by the target's columns).
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "land/kernels/scorer.h"
#include "land/kernels/toeplitz.h"

namespace land {
namespace {

constexpr std::size_t kMostLevels = 256;

// What is known of a coded feature's levels: their values, shares of the samples, and the target's contrasts.
struct LevelTable {
  std::vector<double> values;
  std::vector<double> shares;
  std::vector<double> contrasts;  // [contrast][level]
  std::size_t contrast_count = 0;
  std::size_t levels() const { return values.size(); }
};

struct Forms {
  double numerator = 0.0;  // sum over contrasts of contrast' K contrast
  double squares = 0.0;    // ||HKH||_F^2 / n^2
};

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

double variance_of(const LevelTable& table) {
  double mean = 0.0;
  for (std::size_t v = 0; v < table.levels(); ++v) mean += table.shares[v] * table.values[v];
  double variance = 0.0;
  for (std::size_t v = 0; v < table.levels(); ++v) {
    const double centred = table.values[v] - mean;
    variance += table.shares[v] * centred * centred;
  }
  return variance;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Levels one apart, in rising order: the kernel depends on the distance only.
Forms equidistant_forms(const LevelTable& table, double factor) {
  const std::size_t levels = table.levels();
  static thread_local std::vector<double> kernel;   // by distance, mirrored
  static thread_local std::vector<double> squared;  // its squares
  static thread_local std::vector<double> image;
  kernel.resize(2 * levels - 1);
  squared.resize(2 * levels - 1);
  image.resize(levels);
  // exp(factor d^2) by its ratios, which are geometric: off by d^2 half-ulps at most.
  double value = 1.0;
  double ratio = std::exp(factor);
  const double step = ratio * ratio;
  for (std::size_t d = 0; d < levels; ++d) {
    kernel[levels - 1 + d] = kernel[levels - 1 - d] = value;
    squared[levels - 1 + d] = squared[levels - 1 - d] = value * value;
    value *= ratio;
    ratio *= step;
  }
  Forms forms;
  for (std::size_t j = 0; j < table.contrast_count; ++j) {
    const std::span<const double> contrast{table.contrasts.data() + j * levels, levels};
    toeplitz_product(contrast, kernel, image);
    forms.numerator += dot(contrast, image);
  }
  toeplitz_product(table.shares, squared, image);
  const double mean_square = dot(table.shares, image);
  toeplitz_product(table.shares, kernel, image);
  double square_mean = 0.0;
  for (std::size_t v = 0; v < levels; ++v) square_mean += table.shares[v] * image[v] * image[v];
  const double mean = dot(table.shares, image);
  forms.squares = mean_square - 2.0 * square_mean + mean * mean;
  return forms;
}

// Any levels. The kernel is centred by the shares before it is squared, so that no large numbers cancel: (6).
Forms general_forms(const LevelTable& table, double factor) {
  const std::size_t levels = table.levels();
  static thread_local std::vector<double> kernel;
  static thread_local std::vector<double> row_means;
  kernel.resize(levels * levels);
  row_means.assign(levels, 0.0);
  for (std::size_t a = 0; a < levels; ++a) {
    kernel[a * levels + a] = 1.0;
    for (std::size_t b = 0; b < a; ++b) {
      const double difference = table.values[a] - table.values[b];
      kernel[a * levels + b] = kernel[b * levels + a] = std::exp(factor * difference * difference);
    }
  }
  double mean = 0.0;
  for (std::size_t a = 0; a < levels; ++a) {
    row_means[a] = dot({kernel.data() + a * levels, levels}, table.shares);
    mean += table.shares[a] * row_means[a];
  }
  Forms forms;
  for (std::size_t a = 0; a < levels; ++a) {
    double row = 0.0;
    for (std::size_t b = 0; b < levels; ++b) {
      double& centred = kernel[a * levels + b];
      centred += mean - row_means[a] - row_means[b];
      row += table.shares[b] * centred * centred;
    }
    forms.squares += table.shares[a] * row;
    for (std::size_t j = 0; j < table.contrast_count; ++j) {
      const std::span<const double> contrast{table.contrasts.data() + j * levels, levels};
      forms.numerator += contrast[a] * dot(contrast, {kernel.data() + a * levels, levels});
    }
  }
  return forms;
}

// Leaves out levels that no sample has.
void drop_absent(LevelTable& table) {
  std::size_t kept = 0;
  const std::size_t levels = table.levels();
  std::vector<std::size_t> present;
  for (std::size_t v = 0; v < levels; ++v) {
    if (table.shares[v] > 0.0) present.push_back(v);
  }
  if (present.size() == levels) return;
  for (std::size_t j = 0; j < table.contrast_count; ++j) {
    for (const std::size_t v : present) table.contrasts[kept++] = table.contrasts[j * levels + v];
  }
  for (std::size_t p = 0; p < present.size(); ++p) {
    table.values[p] = table.values[present[p]];
    table.shares[p] = table.shares[present[p]];
  }
  table.values.resize(present.size());
  table.shares.resize(present.size());
}

}  // namespace

Score Scorer::score_codes(const FeatureView& feature) const {
  static thread_local LevelTable table;
  static thread_local std::vector<std::uint32_t> counts;
  const auto n = static_cast<double>(samples_);
  const std::size_t levels = feature.levels.size();
  table.values.assign(feature.levels.begin(), feature.levels.end());
  table.shares.assign(levels, 0.0);
  if (classes_ > 0) {
    const auto classes = static_cast<std::size_t>(classes_);
    count_levels(feature.codes(), labels_.data(), static_cast<std::size_t>(samples_), classes, levels, counts);
    for (std::size_t c = 0; c < classes; ++c) {
      for (std::size_t v = 0; v < levels; ++v) table.shares[v] += counts[c * kMostLevels + v];
    }
    for (double& share : table.shares) share *= 1.0 / n;
    table.contrast_count = roots_.size();
    table.contrasts.resize(table.contrast_count * levels);
    for (std::size_t c = 0; c < table.contrast_count; ++c) {
      const auto members = static_cast<double>(rows_[c].size());
      const double root = roots_[c];
      for (std::size_t v = 0; v < levels; ++v) {
        table.contrasts[c * levels + v] = counts[c * kMostLevels + v] * (root / members) - root * table.shares[v];
      }
    }
  } else {
    const DenseColumns& columns = target_factor_.dense;
    table.contrast_count = static_cast<std::size_t>(columns.columns);
    table.contrasts.assign(table.contrast_count * levels, 0.0);
    for (std::int64_t i = 0; i < samples_; ++i) table.shares[feature.codes()[i]] += 1.0;
    for (double& share : table.shares) share /= n;
    for (std::int64_t c = 0; c < chunks_of(samples_); ++c) {
      const std::int64_t rows = std::min(kChunk, samples_ - c * kChunk);
      const std::uint8_t* codes = feature.codes() + c * kChunk;
      for (std::size_t j = 0; j < table.contrast_count; ++j) {
        const double* column = columns.chunk(c) + static_cast<std::int64_t>(j) * kChunk;
        double* to = table.contrasts.data() + j * levels;
        for (std::int64_t i = 0; i < rows; ++i) to[codes[i]] += column[i];
      }
    }
  }

  const double factor = -0.5 / (variance_of(table) * options_.sigma * options_.sigma);
  bool equidistant = true;
  for (std::size_t v = 1; v < levels && equidistant; ++v)
    equidistant = table.values[v] == table.values[0] + static_cast<double>(v);
  // The equidistant forms subtract numbers of order 1: good to 1e-13, which must not matter.
  constexpr double kCancelled = 1e-6;
  Forms forms;
  if (equidistant) forms = equidistant_forms(table, factor);
  if (!(forms.squares > kCancelled)) {
    drop_absent(table);
    forms = general_forms(table, factor);
  }
  const double norm = n * std::sqrt(forms.squares);
  const double scale = kernel_scale(options_.measure, norm, n);
  double bound = std::max(forms.numerator, 0.0) * scale * target_factor_.scale * (1.0 + 1.1 * kFactorResidual) + 1e-12;
  if (options_.factor == FactorKind::kFull) {
    bound += target_factor_.residual * target_factor_.norm * target_factor_.scale * scale * norm;
  }
  return {static_cast<float>(bound * (1.0 + 1e-6)), static_cast<float>(norm * (1.0 + 1e-6))};
}

}  // namespace land
