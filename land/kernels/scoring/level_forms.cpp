#include "land/kernels/scoring/level_forms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "land/kernels/scoring/toeplitz.h"

namespace land {
namespace {

// Over the levels that are values.
double variance_of(const LevelTable& table) {
  const std::size_t levels = table.levels() - (table.last_is_missing ? 1 : 0);
  double observed = 0.0;
  double mean = 0.0;
  for (std::size_t v = 0; v < levels; ++v) {
    observed += table.shares[v];
    mean += table.shares[v] * table.values[v];
  }
  mean /= observed;
  double variance = 0.0;
  for (std::size_t v = 0; v < levels; ++v) {
    const double centred = table.values[v] - mean;
    variance += table.shares[v] * centred * centred;
  }
  return variance / observed;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// powers[d] = exp(factor d^2) by its ratios, which are geometric: off by d^2 half-ulps at most.
void whole_powers(double factor, std::span<double> powers) {
  double value = 1.0;
  double ratio = std::exp(factor);
  const double step = ratio * ratio;
  for (double& power : powers) {
    power = value;
    value *= ratio;
    ratio *= step;
  }
}

// Levels one apart, in rising order: the kernel depends on the distance only.
LevelForms equidistant_forms(const LevelTable& table, double factor) {
  const std::size_t levels = table.levels();
  static thread_local std::vector<double> powers;
  static thread_local std::vector<double> kernel;   // by distance, mirrored
  static thread_local std::vector<double> squared;  // its squares
  static thread_local std::vector<double> image;
  powers.resize(levels);
  whole_powers(factor, powers);
  kernel.resize(2 * levels - 1);
  squared.resize(2 * levels - 1);
  image.resize(levels);
  for (std::size_t d = 0; d < levels; ++d) {
    kernel[levels - 1 + d] = kernel[levels - 1 - d] = powers[d];
    squared[levels - 1 + d] = squared[levels - 1 - d] = powers[d] * powers[d];
  }
  LevelForms forms;
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

// The kernel of any levels, [level][level], centred by the shares before it is squared, so that no large numbers
// cancel: (6).
void centred_kernel(const LevelTable& table, double factor, std::vector<double>& kernel) {
  const std::size_t levels = table.levels();
  static thread_local std::vector<double> row_means;
  kernel.resize(levels * levels);
  row_means.assign(levels, 0.0);
  for (std::size_t a = 0; a < levels; ++a) {
    kernel[a * levels + a] = 1.0;
    for (std::size_t b = 0; b < a; ++b) {
      if (table.last_is_missing && a + 1 == levels) {
        kernel[a * levels + b] = kernel[b * levels + a] = 0.0;
        continue;
      }
      const double difference = table.values[a] - table.values[b];
      kernel[a * levels + b] = kernel[b * levels + a] = std::exp(factor * difference * difference);
    }
  }
  double mean = 0.0;
  for (std::size_t a = 0; a < levels; ++a) {
    row_means[a] = dot({kernel.data() + a * levels, levels}, table.shares);
    mean += table.shares[a] * row_means[a];
  }
  for (std::size_t a = 0; a < levels; ++a) {
    for (std::size_t b = 0; b < levels; ++b) kernel[a * levels + b] += mean - row_means[a] - row_means[b];
  }
}

LevelForms forms_of(const LevelTable& table, const std::vector<double>& centred) {
  const std::size_t levels = table.levels();
  LevelForms forms;
  for (std::size_t a = 0; a < levels; ++a) {
    const std::span<const double> row(centred.data() + a * levels, levels);
    double squares = 0.0;
    for (std::size_t b = 0; b < levels; ++b) squares += table.shares[b] * row[b] * row[b];
    forms.squares += table.shares[a] * squares;
    for (std::size_t j = 0; j < table.contrast_count; ++j) {
      const std::span<const double> contrast{table.contrasts.data() + j * levels, levels};
      forms.numerator += contrast[a] * dot(contrast, row);
    }
  }
  return forms;
}

LevelForms general_forms(const LevelTable& table, double factor) {
  static thread_local std::vector<double> kernel;
  centred_kernel(table, factor, kernel);
  return forms_of(table, kernel);
}

// Of kernels of several widths, each divided by its norm.
LevelForms mixed_forms(const LevelTable& table, std::span<const double> sigma) {
  static thread_local std::vector<double> kernel;
  static thread_local std::vector<double> sum;
  const double variance = variance_of(table);
  std::vector<double> norms;
  sum.assign(table.levels() * table.levels(), 0.0);
  for (const double width : sigma) {
    centred_kernel(table, -0.5 / (variance * width * width), kernel);
    const double norm = std::sqrt(forms_of(table, kernel).squares);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += kernel[i] / norm;
    norms.push_back(norm);
  }
  LevelForms forms = forms_of(table, sum);
  forms.norms = std::move(norms);
  return forms;
}

// A table of the levels but one, with that one, which is at 0, in front.
LevelTable with_base(const LevelTable& others) {
  const std::size_t levels = others.levels();
  LevelTable table;
  table.contrast_count = others.contrast_count;
  double share = 1.0;
  for (const double other : others.shares) share -= other;
  table.values = {0.0};
  table.values.insert(table.values.end(), others.values.begin(), others.values.end());
  table.shares = {share};
  table.shares.insert(table.shares.end(), others.shares.begin(), others.shares.end());
  for (std::size_t j = 0; j < others.contrast_count; ++j) {
    const std::span<const double> contrast(others.contrasts.data() + j * levels, levels);
    double sum = 0.0;
    for (const double one : contrast) sum += one;
    table.contrasts.push_back(-sum);
    table.contrasts.insert(table.contrasts.end(), contrast.begin(), contrast.end());
  }
  return table;
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

// The forms of a sparse feature. to_base(a) is the kernel of level a with level 0, kernel(a, b) that of two levels;
// `levels` may be a constant of the type, for loops without end checks.
template <class Levels, class ToBase, class Kernel>
LevelForms forms_to_base(Levels levels, const double* shares, const double* contrasts, std::size_t contrast_count,
                         const ToBase& to_base, const Kernel& kernel) {
  std::array<double, kMostLevels> row_means;  // of the kernel relative to level 0
  for (std::size_t a = 0; a < levels; ++a) row_means[a] = 0.0;
  LevelForms forms;
  for (std::size_t a = 0; a < levels; ++a) {
    const double own = 2.0 - 2.0 * to_base(a);
    double squares = shares[a] * own * own;
    row_means[a] += shares[a] * own;
    for (std::size_t j = 0; j < contrast_count; ++j) {
      const double contrast = contrasts[j * levels + a];
      forms.numerator += contrast * contrast * own;
    }
    for (std::size_t b = a + 1; b < levels; ++b) {
      const double relative = kernel(a, b) - to_base(a) - to_base(b) + 1.0;
      squares += 2.0 * shares[b] * relative * relative;
      row_means[a] += shares[b] * relative;
      row_means[b] += shares[a] * relative;
      for (std::size_t j = 0; j < contrast_count; ++j) {
        forms.numerator += 2.0 * contrasts[j * levels + a] * contrasts[j * levels + b] * relative;
      }
    }
    forms.squares += shares[a] * squares;
  }
  double mean_kernel = 0.0;
  double mean_squares = 0.0;
  for (std::size_t a = 0; a < levels; ++a) {
    mean_kernel += shares[a] * row_means[a];
    mean_squares += shares[a] * row_means[a] * row_means[a];
  }
  forms.squares += mean_kernel * mean_kernel - 2.0 * mean_squares;
  return forms;
}

// Levels 1, 2, ..., kLevels and one contrast.
template <std::size_t kLevels>
LevelForms forms_of_few(const double* shares, const double* contrast, double sigma) {
  double mean = 0.0;
  double square = 0.0;
  for (std::size_t v = 0; v < kLevels; ++v) {
    const auto value = static_cast<double>(v + 1);
    mean += shares[v] * value;
    square += shares[v] * value * value;
  }
  std::array<double, kLevels + 1> powers;
  whole_powers(-0.5 / ((square - mean * mean) * sigma * sigma), powers);
  return forms_to_base(
      std::integral_constant<std::size_t, kLevels>{}, shares, contrast, 1, [&](std::size_t a) { return powers[a + 1]; },
      [&](std::size_t a, std::size_t b) { return powers[b - a]; });
}

}  // namespace

LevelForms level_forms(LevelTable& table, std::span<const double> sigma) {
  if (sigma.size() > 1) {
    drop_absent(table);
    return mixed_forms(table, sigma);
  }
  const double factor = -0.5 / (variance_of(table) * sigma.front() * sigma.front());
  bool equidistant = !table.last_is_missing;
  for (std::size_t v = 1; v < table.levels() && equidistant; ++v) {
    equidistant = table.values[v] == table.values[0] + static_cast<double>(v);
  }
  // The equidistant forms subtract numbers of order 1: good to 1e-13, which must not matter.
  constexpr double kCancelled = 1e-6;
  LevelForms forms;
  if (equidistant) forms = equidistant_forms(table, factor);
  if (!(forms.squares > kCancelled)) {
    drop_absent(table);
    forms = general_forms(table, factor);
  }
  return forms;
}

LevelForms sparse_forms(const LevelTable& table, std::span<const double> sigma) {
  if (sigma.size() > 1) return mixed_forms(with_base(table), sigma);
  double mean = 0.0;
  double square = 0.0;
  bool counts = true;
  double largest = 0.0;
  constexpr double kMostPowers = 256.0;
  for (std::size_t v = 0; v < table.levels(); ++v) {
    const double value = table.values[v];
    mean += table.shares[v] * value;
    square += table.shares[v] * value * value;
    counts = counts && value >= 0.0 && value < kMostPowers && value == static_cast<double>(static_cast<int>(value));
    largest = std::max(largest, value);
  }
  // At least half of the samples are at 0: the variance is at least half of the mean square.
  const double factor = -0.5 / ((square - mean * mean) * sigma.front() * sigma.front());
  std::array<double, static_cast<std::size_t>(kMostPowers)> powers;
  if (counts) whole_powers(factor, {powers.data(), static_cast<std::size_t>(largest) + 1});
  const auto kernel = [&](double difference) {
    if (counts) return powers[static_cast<std::size_t>(std::abs(difference))];
    return std::exp(factor * difference * difference);
  };
  std::array<double, kMostLevels> to_base;
  for (std::size_t a = 0; a < table.levels(); ++a) to_base[a] = kernel(table.values[a]);
  return forms_to_base(
      table.levels(), table.shares.data(), table.contrasts.data(), table.contrast_count,
      [&](std::size_t a) { return to_base[a]; },
      [&](std::size_t a, std::size_t b) { return kernel(table.values[a] - table.values[b]); });
}

LevelForms few_counts_forms(std::span<const double> shares, std::span<const double> contrast, double sigma) {
  using Forms = LevelForms (*)(const double*, const double*, double);
  static constexpr std::array<Forms, kFewCounts> kForms = {forms_of_few<1>, forms_of_few<2>, forms_of_few<3>,
                                                           forms_of_few<4>, forms_of_few<5>, forms_of_few<6>,
                                                           forms_of_few<7>, forms_of_few<8>};
  return kForms[shares.size() - 1](shares.data(), contrast.data(), sigma);
}

}  // namespace land
