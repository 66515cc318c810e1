// Scoring of features stored as codes: exact, from the table of levels by classes (or by the target's columns).
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "land/kernels/scorer.h"

namespace land {
namespace {

constexpr std::int64_t kMostLevels = 256;

// counts[level * classes + class]. Four tables take turns, so that equal neighbours do not wait for each other.
void count_levels(const std::uint8_t* codes, const std::uint16_t* labels, std::int64_t samples, std::int64_t levels,
                  std::int64_t classes, std::vector<std::uint32_t>& counts) {
  const auto size = static_cast<std::size_t>(levels * classes);
  counts.assign(4 * size, 0);
  std::uint32_t* tables[4] = {counts.data(), counts.data() + size, counts.data() + 2 * size, counts.data() + 3 * size};
  const auto cell = [&](std::int64_t i) { return codes[i] * static_cast<std::size_t>(classes) + labels[i]; };
  std::int64_t i = 0;
  for (; i + 4 <= samples; i += 4) {
    ++tables[0][cell(i)];
    ++tables[1][cell(i + 1)];
    ++tables[2][cell(i + 2)];
    ++tables[3][cell(i + 3)];
  }
  for (; i < samples; ++i) ++tables[0][cell(i)];
  for (std::size_t at = 0; at < size; ++at) tables[0][at] += tables[1][at] + tables[2][at] + tables[3][at];
}

// Kernel values between the levels that occur. Where levels stand on a lattice of whole numbers only the distances differ.
void level_kernel(const std::vector<double>& values, double variance, double sigma, std::vector<double>& kernel) {
  const std::size_t levels = values.size();
  const double factor = -0.5 / (variance * sigma * sigma);
  kernel.resize(levels * levels);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  constexpr double kLongest = 512.0;
  const bool lattice = *high - *low <= kLongest && std::all_of(values.begin(), values.end(), [&](double value) {
                         return std::floor(value - *low) == value - *low;
                       });
  if (lattice) {
    std::array<double, static_cast<std::size_t>(kLongest) + 1> by_distance;
    for (std::size_t d = 0; d <= static_cast<std::size_t>(*high - *low); ++d) {
      by_distance[d] = std::exp(factor * static_cast<double>(d * d));
    }
    for (std::size_t a = 0; a < levels; ++a) {
      for (std::size_t b = 0; b < levels; ++b) {
        kernel[a * levels + b] = by_distance[static_cast<std::size_t>(std::abs(values[a] - values[b]))];
      }
    }
    return;
  }
  for (std::size_t a = 0; a < levels; ++a) {
    kernel[a * levels + a] = 1.0;
    for (std::size_t b = 0; b < a; ++b) {
      const double difference = values[a] - values[b];
      kernel[a * levels + b] = kernel[b * levels + a] = std::exp(factor * difference * difference);
    }
  }
}

}  // namespace

Score Scorer::score_codes(const FeatureView& feature) const {
  static thread_local std::vector<std::uint32_t> counts;
  static thread_local std::vector<double> values;     // of the levels that occur
  static thread_local std::vector<double> shares;     // their share of the samples
  static thread_local std::vector<double> contrasts;  // [contrast][level]
  static thread_local std::vector<double> kernel;
  static thread_local std::vector<double> row_means;
  values.clear();
  shares.clear();
  const auto n = static_cast<double>(samples_);
  const auto all_levels = static_cast<std::int64_t>(feature.levels.size());

  std::array<std::int64_t, kMostLevels> present{};  // levels that occur
  std::int64_t levels = 0;
  std::int64_t contrast_rows = 0;
  if (classes_ > 0) {
    count_levels(feature.codes(), labels_.data(), samples_, all_levels, classes_, counts);
    contrast_rows = classes_ == 2 ? 1 : classes_;
    for (std::int64_t v = 0; v < all_levels; ++v) {
      std::uint32_t count = 0;
      for (std::int64_t c = 0; c < classes_; ++c) count += counts[static_cast<std::size_t>(v * classes_ + c)];
      if (count == 0) continue;
      present[static_cast<std::size_t>(levels++)] = v;
      values.push_back(feature.levels[static_cast<std::size_t>(v)]);
      shares.push_back(count / n);
    }
    contrasts.resize(static_cast<std::size_t>(contrast_rows * levels));
    for (std::int64_t c = 0; c < contrast_rows; ++c) {
      const auto members = static_cast<double>(rows_[static_cast<std::size_t>(c)].size());
      const double root = std::sqrt(classes_ == 2 ? members + members * members / (n - members) : members);
      for (std::int64_t v = 0; v < levels; ++v) {
        const std::uint32_t count =
            counts[static_cast<std::size_t>(present[static_cast<std::size_t>(v)] * classes_ + c)];
        contrasts[static_cast<std::size_t>(c * levels + v)] =
            root * (count / members - shares[static_cast<std::size_t>(v)]);
      }
    }
  } else {
    const DenseColumns& columns = target_factor_.dense;
    std::array<double, kMostLevels> count{};
    contrast_rows = columns.columns;
    std::vector<double> by_level(static_cast<std::size_t>(contrast_rows * all_levels), 0.0);
    for (std::int64_t i = 0; i < samples_; ++i) count[feature.codes()[i]] += 1.0;
    for (std::int64_t c = 0; c < chunks_of(samples_); ++c) {
      const std::int64_t rows = std::min(kChunk, samples_ - c * kChunk);
      for (std::int64_t j = 0; j < contrast_rows; ++j) {
        const double* column = columns.chunk(c) + j * kChunk;
        double* to = by_level.data() + j * all_levels;
        const std::uint8_t* codes = feature.codes() + c * kChunk;
        for (std::int64_t i = 0; i < rows; ++i) to[codes[i]] += column[i];
      }
    }
    for (std::int64_t v = 0; v < all_levels; ++v) {
      if (count[static_cast<std::size_t>(v)] == 0.0) continue;
      present[static_cast<std::size_t>(levels++)] = v;
      values.push_back(feature.levels[static_cast<std::size_t>(v)]);
      shares.push_back(count[static_cast<std::size_t>(v)] / n);
    }
    contrasts.resize(static_cast<std::size_t>(contrast_rows * levels));
    for (std::int64_t j = 0; j < contrast_rows; ++j) {
      for (std::int64_t v = 0; v < levels; ++v) {
        contrasts[static_cast<std::size_t>(j * levels + v)] =
            by_level[static_cast<std::size_t>(j * all_levels + present[static_cast<std::size_t>(v)])];
      }
    }
  }

  double mean = 0.0;
  for (std::size_t v = 0; v < values.size(); ++v) mean += shares[v] * values[v];
  double variance = 0.0;
  for (std::size_t v = 0; v < values.size(); ++v) variance += shares[v] * (values[v] - mean) * (values[v] - mean);
  level_kernel(values, variance, options_.sigma, kernel);

  // Centre the kernel by the shares, so that no large numbers cancel afterwards: (6).
  const auto size = static_cast<std::size_t>(levels);
  row_means.assign(size, 0.0);
  double mean_kernel = 0.0;
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b < size; ++b) row_means[a] += shares[b] * kernel[a * size + b];
    mean_kernel += shares[a] * row_means[a];
  }
  double squares = 0.0;
  double numerator = 0.0;
  for (std::size_t a = 0; a < size; ++a) {
    double row = 0.0;
    for (std::size_t b = 0; b < size; ++b) {
      double& centred = kernel[a * size + b];
      centred += mean_kernel - row_means[a] - row_means[b];
      row += shares[b] * centred * centred;
    }
    squares += shares[a] * row;
    for (std::int64_t j = 0; j < contrast_rows; ++j) {
      const double* contrast = contrasts.data() + static_cast<std::size_t>(j) * size;
      double product = 0.0;
      for (std::size_t b = 0; b < size; ++b) product += contrast[b] * kernel[a * size + b];
      numerator += contrast[a] * product;
    }
  }
  const double norm = n * std::sqrt(squares);
  const double scale = options_.measure == Measure::kNhsic ? 1.0 / norm : 1.0 / n;
  double bound = std::max(numerator, 0.0) * scale * target_factor_.scale * (1.0 + 1.1 * kFactorResidual) + 1e-15;
  if (options_.factor == FactorKind::kFull) {
    bound += target_factor_.residual * target_factor_.norm * target_factor_.scale * scale * norm;
  }
  return {static_cast<float>(bound * (1.0 + 1e-6)), static_cast<float>(norm * (1.0 + 1e-6))};
}

}  // namespace land
