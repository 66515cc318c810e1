#include "land/kernels/value_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "land/kernels/dense_columns.h"

namespace land {
namespace {

std::vector<double> normal_values(std::size_t count) {
  std::mt19937_64 random(count);
  std::normal_distribution<double> normal(3.0, 2.0);
  std::vector<double> values(count);
  for (double& value : values) value = normal(random);
  return values;
}

constexpr std::size_t kCounts[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 128, 1001};

// Four lanes, what is left over in the first: the same bits on every instruction set.
TEST(ValueSums, AddInFourLanes) {
  for (const std::size_t count : kCounts) {
    const std::vector<double> values = normal_values(count);
    double sums[4] = {0.0, 0.0, 0.0, 0.0};
    double squares[4] = {0.0, 0.0, 0.0, 0.0};
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t lane = i < count / 4 * 4 ? i % 4 : 0;
      const double scaled = values[i] * 0.25;
      sums[lane] += scaled;
      squares[lane] += (scaled - 0.7) * (scaled - 0.7);
    }
    EXPECT_EQ(scaled_sum(values, 0.25), (sums[0] + sums[1]) + (sums[2] + sums[3])) << count;
    EXPECT_EQ(scaled_squares(values, 0.25, 0.7), (squares[0] + squares[1]) + (squares[2] + squares[3])) << count;
    std::vector<double> scaled(count);
    scale_values(values, 0.25, 0.7, 3.0, scaled.data());
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(scaled[i], (values[i] * 0.25 - 0.7) * 3.0);
  }
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
