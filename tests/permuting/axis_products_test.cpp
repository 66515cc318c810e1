#include "land/permuting/axis_products.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "land/base/simd_target.h"

namespace land {
namespace {

constexpr auto kWide = static_cast<std::size_t>(kStripWidth);

class AxisProducts : public testing::Test {
 protected:
  void TearDown() override { use_simd_target(""); }
};

void fill(std::mt19937_64& random, AlignedBuffer<float>& values, std::size_t size) {
  std::normal_distribution<float> normal;
  values.resize(size);
  for (float& value : values) value = normal(random);
}

// Each of the columns that lie `step` apart, in groups of `together`, to unit length.
void scale(AlignedBuffer<float>& values, std::size_t first, std::size_t samples, std::size_t step) {
  double square = 0.0;
  for (std::size_t i = 0; i < samples; ++i) square += std::pow(static_cast<double>(values[first + i * step]), 2);
  const auto unit = static_cast<float>(1.0 / std::sqrt(square));
  for (std::size_t i = 0; i < samples; ++i) values[first + i * step] *= unit;
}

TEST_F(AxisProducts, AreThoseOfPlainLoops) {
  std::mt19937_64 random(3);
  for (const std::string& simd : simd_targets()) {
    use_simd_target(simd);
    for (const std::size_t n : {4, 70, 513, 1300}) {
      for (const std::size_t together : {kAxesTogether, 2 * kAxesTogether}) {
        SCOPED_TRACE(simd + ", " + std::to_string(n) + " samples, " + std::to_string(together) + " axes");
        PermutedColumns columns{n, 2 * kColumnsTogether, {}};
        fill(random, columns.values, columns.count * n);
        for (std::size_t c = 0; c < columns.count; ++c) {
          scale(columns.values, c / kColumnsTogether * kColumnsTogether * n + c % kColumnsTogether, n,
                kColumnsTogether);
        }
        AlignedBuffer<float> axes;
        fill(random, axes, n * together * kWide);
        for (std::size_t a = 0; a < together * kWide; ++a) scale(axes, a, n, together * kWide);
        AlignedBuffer<float> high, low, most, least;
        fill(random, high, together * kWide);
        fill(random, low, together * kWide);
        fill(random, most, columns.count * kWide);
        fill(random, least, columns.count * kWide);
        const AlignedBuffer<float> most_before = most;
        const AlignedBuffer<float> least_before = least;
        const auto all = [](AlignedBuffer<float>& buffer) { return std::span(buffer.data(), buffer.size()); };
        add_axis_products(all(axes), columns, all(high), all(low), all(most), all(least));
        for (std::size_t c = 0; c < columns.count; ++c) {
          for (std::size_t l = 0; l < kWide; ++l) {
            double up = 0.0;
            double down = 0.0;
            double size = 0.0;
            for (std::size_t a = 0; a < together; ++a) {
              double g = 0.0;
              for (std::size_t i = 0; i < n; ++i) {
                const std::size_t at =
                    c / kColumnsTogether * kColumnsTogether * n + i * kColumnsTogether + c % kColumnsTogether;
                g +=
                    static_cast<double>(axes[(i * together + a) * kWide + l]) * static_cast<double>(columns.values[at]);
              }
              up += static_cast<double>(high[a * kWide + l]) * g * g;
              down += static_cast<double>(low[a * kWide + l]) * g * g;
              size += (std::abs(high[a * kWide + l]) + std::abs(low[a * kWide + l])) * (2.0 * std::abs(g) + 1e-3);
            }
            const std::size_t at = c * kWide + l;
            const double allowed = size * axis_product_error(n) + 1e-5;  // and roundings of what was there before
            EXPECT_NEAR(most[at] - most_before[at], up, allowed);
            EXPECT_NEAR(least[at] - least_before[at], down, allowed);
          }
        }
        AlignedBuffer<float> again = most_before;
        add_axis_products(all(axes), columns, all(high), {}, all(again), {});
        for (std::size_t at = 0; at < most.size(); ++at) ASSERT_EQ(again[at], most[at]);
      }
    }
  }
}

TEST_F(AxisProducts, AreWithinTheirError) {
  // A product of two equal unit vectors of many samples: the error that float32 makes of it.
  constexpr std::size_t kSamples = 100'000;
  std::mt19937_64 random(4);
  PermutedColumns columns{kSamples, kColumnsTogether, {}};
  fill(random, columns.values, kColumnsTogether * kSamples);
  for (std::size_t c = 0; c < kColumnsTogether; ++c) scale(columns.values, c, kSamples, kColumnsTogether);
  AlignedBuffer<float> axes(kSamples * kAxesTogether * kWide);
  for (std::size_t i = 0; i < kSamples; ++i) {
    std::fill_n(axes.begin() + i * kAxesTogether * kWide, kAxesTogether * kWide, columns.values[i * kColumnsTogether]);
  }
  AlignedBuffer<float> high(kAxesTogether * kWide);
  std::fill(high.begin(), high.end(), 0.0F);
  high[0] = 1.0F;
  AlignedBuffer<float> most(kColumnsTogether * kWide);
  std::fill(most.begin(), most.end(), 0.0F);
  add_axis_products({axes.data(), axes.size()}, columns, {high.data(), high.size()}, {}, {most.data(), most.size()},
                    {});
  EXPECT_NEAR(std::sqrt(static_cast<double>(most[0])), 1.0, axis_product_error(kSamples));
  EXPECT_LT(axis_product_error(kSamples), 1e-4);
}

}  // namespace
}  // namespace land
