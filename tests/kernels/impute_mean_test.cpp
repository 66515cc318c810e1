// The mean in place of missing values.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "land/kernels/points/impute_mean.h"

namespace land {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

TEST(ImputeMean, StandsInForWhatIsMissing) {
  std::vector<double> values = {1.0, kNone, 2.0, 6.0, kNone};
  EXPECT_EQ(impute_mean(values), 3.0);
  EXPECT_EQ(values, (std::vector<double>{1.0, 3.0, 2.0, 6.0, 3.0}));
  values = {1.0, kNone, 4.0};
  EXPECT_EQ(impute_mean(values, std::vector<double>{2.0, 5.0, 1.0}), 2.0);
  EXPECT_EQ(values, (std::vector<double>{1.0, 2.0, 4.0}));
}

TEST(ImputeMean, IsFiniteHoweverLargeValuesAre) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  std::vector<double> values = {kLargest, kLargest, kNone, kLargest};
  EXPECT_EQ(impute_mean(values), kLargest);
  EXPECT_EQ(values[2], kLargest);
  values = {0x1p1023, -0x1p1023, 0x1p1022, 0.0, kNone};
  EXPECT_EQ(impute_mean(values), 0x1p1020);
  values = {0x1p1023, kNone, 0.0};
  EXPECT_EQ(impute_mean(values, std::vector<double>{1e6, 1.0, 1e6}), 0x1p1022);
}

TEST(ImputeMean, OfTinyValuesIsExact) {
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  std::vector<double> values = {kLeast, kNone, 3.0 * kLeast};
  EXPECT_EQ(impute_mean(values), 2.0 * kLeast);
}

}  // namespace
}  // namespace land
