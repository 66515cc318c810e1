// The screen of residuals: who reaches a level is what all correlations say, however long the way of the residual is.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "land/methods/linear/residual_screen.h"
#include "land/methods/linear/unit_column.h"

namespace land {
namespace {

TEST(ResidualScreen, FindsWhoReachesTheLevel) {
  constexpr std::size_t kSamples = 20;
  constexpr std::size_t kFeatures = 40;
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> columns(kFeatures, std::vector<double>(kSamples));
  for (std::vector<double>& column : columns) {
    for (double& x : column) x = normal(random);
    const double length = norm(column) / std::sqrt(static_cast<double>(kSamples));
    for (double& x : column) x /= length;
  }
  std::vector<double> residual(kSamples);
  for (double& r : residual) r = normal(random);
  const auto correlation = [&](std::size_t k, std::span<const double> r) {
    return std::abs(dot(columns[k], r)) / static_cast<double>(kSamples);
  };
  std::vector<double> at_first;
  for (std::size_t k = 0; k < kFeatures; ++k) at_first.push_back(correlation(k, residual));
  std::size_t looked_at = 0;
  ResidualScreen screen(
      kSamples, at_first, residual,
      [&](std::span<const std::size_t> features, std::span<const double> r, std::span<double> bounds) {
        looked_at += features.size();
        for (std::size_t t = 0; t < features.size(); ++t) bounds[t] = correlation(features[t], r);
      });
  constexpr int kSteps = 700;
  for (int step = 0; step < kSteps; ++step) {
    for (double& r : residual) r += 0.01 * normal(random);
    const double level = 0.4;
    std::vector<std::size_t> expected;
    for (std::size_t k = 0; k < kFeatures; ++k) {
      if (correlation(k, residual) >= level) expected.push_back(k);
    }
    std::vector<std::size_t> found;
    for (const ResidualScreen::Reached& one : screen.reaching(residual, level)) found.push_back(one.feature);
    ASSERT_EQ(found, expected) << step;
  }
  EXPECT_LT(looked_at, kSteps * kFeatures / 2);
}

}  // namespace
}  // namespace land
