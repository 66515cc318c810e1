#include "land/kernels/scoring/value_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "land/base/simd_target.h"
#include "land/kernels/factors/dense_columns.h"

namespace land {
namespace {

std::vector<double> normal_values(std::size_t count) {
  std::mt19937_64 random(count);
  std::normal_distribution<double> normal(3.0, 2.0);
  std::vector<double> values(count);
  for (double& value : values) value = normal(random);
  return values;
}

constexpr std::size_t kCounts[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 128, 1001};

// Sixteen lanes, what is left over in the first; then halves are added up.
double in_lanes(const std::vector<double>& terms) {
  std::vector<double> lanes(16, 0.0);
  for (std::size_t i = 0; i < terms.size(); ++i) lanes[i < terms.size() / 16 * 16 ? i % 16 : 0] += terms[i];
  for (std::size_t half = 8; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  }
  return lanes[0];
}

TEST(ValueSums, AreTheSameToTheBitOnEveryInstructionSet) {
  for (const std::string& target : simd_targets()) {
    SCOPED_TRACE(target);
    use_simd_target(target);
    for (const std::size_t count : kCounts) {
      const std::vector<double> values = normal_values(count);
      std::vector<double> scaled(count), squares(count), standardised(count);
      for (std::size_t i = 0; i < count; ++i) {
        scaled[i] = values[i] * 0.25;
        squares[i] = (scaled[i] - 0.7) * (scaled[i] - 0.7);
      }
      EXPECT_EQ(scaled_sum(values, 0.25), in_lanes(scaled)) << count;
      EXPECT_EQ(scaled_squares(values, 0.25, 0.7), in_lanes(squares)) << count;
      scale_values(values, 0.25, 0.7, 3.0, standardised.data());
      for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(standardised[i], (scaled[i] - 0.7) * 3.0);
    }
  }
  use_simd_target("");
}

TEST(ValueSums, RangeSeesEveryValueAndWhatIsMissing) {
  for (const std::size_t count : kCounts) {
    for (std::size_t at = 0; at < count; ++at) {
      std::vector<double> values(count, 1.0);
      values[at] = -5.0;
      values[count - 1 - at] += 9.0;
      const ValueRange range = range_of(values);
      EXPECT_EQ(range.low, *std::min_element(values.begin(), values.end()));
      EXPECT_EQ(range.high, *std::max_element(values.begin(), values.end()));
      EXPECT_FALSE(range.missing);
      values[at] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_TRUE(range_of(values).missing) << count << " " << at;
    }
  }
}

TEST(LevelSums, AreTheSumsOverTheSamplesOfEachLevel) {
  for (const std::int64_t samples : {1, 15, 128, 129, 700}) {
    for (const std::int64_t width : {1, 2, 5}) {
      for (std::int64_t levels = 1; levels <= kMostLevelsSummed; ++levels) {
        DenseColumns columns(samples, width);
        std::fill(columns.values.begin(), columns.values.end(), 0.0);
        const std::vector<double> values = normal_values(static_cast<std::size_t>(samples * width));
        std::vector<std::uint16_t> codes;
        std::vector<double> expected(static_cast<std::size_t>(levels * width), 0.0);
        for (std::int64_t i = 0; i < samples; ++i) {
          codes.push_back(static_cast<std::uint16_t>(i * i % 7 % levels));
          for (std::int64_t a = 0; a < width; ++a) {
            columns.at(i, a) = values[static_cast<std::size_t>(i * width + a)];
            expected[static_cast<std::size_t>(codes.back() * width + a)] += columns.at(i, a);
          }
        }
        std::vector<double> sums(expected.size(), 99.0);
        level_sums(columns, codes, levels, sums.data());
        for (std::size_t s = 0; s < sums.size(); ++s) EXPECT_NEAR(sums[s], expected[s], 1e-12 * (1.0 + samples));
      }
    }
  }
}

}  // namespace
}  // namespace land
