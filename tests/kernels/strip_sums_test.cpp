// Sums of Chebyshev polynomials over a strip against the cosines they are, within what docs/math.md, (12), allows them.
#include "land/kernels/scoring/strip_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "land/base/simd_target.h"

namespace land {
namespace {

class ChebyshevSums : public testing::Test {
 protected:
  void TearDown() override { use_simd_target(""); }

  // A strip of values between -1 and 1 that are t themselves, and its rows in random order but for the first `fixed`.
  void make_strip(std::size_t row_count, std::size_t fixed) {
    strip.resize(row_count * kStripWidth);
    for (float& value : strip) value = uniform(random);
    std::fill(std::begin(map.scale), std::end(map.scale), 1.0F);
    order.resize(row_count);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin() + static_cast<std::ptrdiff_t>(fixed), order.end(), random);
  }
  double at(std::int32_t row, std::size_t lane) const {
    return static_cast<double>(strip[static_cast<std::size_t>(row) * kStripWidth + lane]);
  }

  std::mt19937_64 random{71};
  std::uniform_real_distribution<float> uniform{-1.0F, 1.0F};
  AlignedBuffer<float> strip;
  StripMap map{};
  std::vector<std::int32_t> order;
};

// Half-ulps that the mean of T_k may be off by, besides those of t: a sum of the upper half is twice one of products.
double allowed(int k, int degree) {
  const double sum = 2 * k > degree ? 2.0 * kClassSumRoundings + 4.0 : kClassSumRoundings + 2.0;
  return k == 0 ? 0.0 : 1.52 * k * k + sum;
}

TEST_F(ChebyshevSums, AreWithinTheirRoundings) {
  make_strip(1100, 1);
  for (std::size_t lane = 0; lane < kStripWidth; ++lane) strip[lane] = lane % 2 == 0 ? 1.0F : -1.0F;  // the ends

  for (const std::string& target : simd_targets()) {
    SCOPED_TRACE(target);
    use_simd_target(target);
    for (const std::size_t count :
         {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 151, 255, 256, 257, 259, 264, 516, 1023}) {
      const std::span<const std::int32_t> rows(order.data(), count);
      for (const int degree : {8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 94, 158}) {
        if (degree > 30 && count > 300) continue;  // the cosines take long
        std::vector<double> sums(static_cast<std::size_t>(degree + 1) * kStripWidth, -1.0);
        chebyshev_sums(strip.data(), rows, map, degree, sums.data());
        for (int k = 0; k <= degree; ++k) {
          for (std::size_t lane = 0; lane < kStripWidth; ++lane) {
            double exact = 0.0;
            for (const std::int32_t row : rows) exact += std::cos(k * std::acos(at(row, lane)));
            const double off = std::abs(sums[static_cast<std::size_t>(k) * kStripWidth + lane] - exact);
            ASSERT_LE(off, (allowed(k, degree) * kHalfUlp + 1e-12) * static_cast<double>(count))
                << count << " samples, degree " << k << " of " << degree << ", lane " << lane;
          }
        }
      }
    }
  }
}

TEST_F(ChebyshevSums, WithWeightsAreWithinTheirRoundings) {
  constexpr std::size_t kRows = 200;
  make_strip(kRows, 0);
  std::vector<float> all_weights(kRows * 8);
  for (float& weight : all_weights) weight = uniform(random);

  for (const std::string& target : simd_targets()) {
    SCOPED_TRACE(target);
    use_simd_target(target);
    for (const std::size_t count : {1, 2, 3, 4, 5, 31, 32, 33, 63, 64, 67, 200}) {
      const std::span<const std::int32_t> rows(order.data(), count);
      for (const int degree : {8, 10, 22, 24}) {
        for (const std::size_t width : {4, 8}) {
          const std::span<const float> weights(all_weights.data(), count * width);
          const std::size_t size = static_cast<std::size_t>(degree + 1) * kStripWidth;
          std::vector<double> sums(size * width, -1.0);
          weighted_chebyshev_sums(strip.data(), rows, weights, map, degree, sums.data());
          for (std::size_t i = 0; i < size * width; ++i) {
            const auto k = static_cast<int>(i % size / kStripWidth);
            double exact = 0.0;
            double weight = 0.0;
            for (std::size_t r = 0; r < count; ++r) {
              const auto w = static_cast<double>(weights[r * width + i / size]);
              exact += k == 0 ? 0.0 : w * std::cos(k * std::acos(at(rows[r], i % kStripWidth)));
              weight += std::abs(w);
            }
            const double half_ulps = 1.52 * k * k + kWeightedSumRoundings;
            ASSERT_LE(std::abs(sums[i] - exact), (half_ulps * kHalfUlp + 1e-12) * weight)
                << count << " samples, degree " << k << " of " << degree << ", weight " << i / size;
          }
        }
      }
    }
  }
}

TEST_F(ChebyshevSums, SharesOfWeightsAddUpToColumns) {
  constexpr std::size_t kSize = 5 * kStripWidth;
  std::normal_distribution<double> normal;
  for (const std::string& target : simd_targets()) {
    SCOPED_TRACE(target);
    use_simd_target(target);
    for (const std::size_t width : {4, 12}) {
      for (const std::size_t columns : {1, 3, 16}) {
        std::vector<double> sums(width * kSize), shares(width * columns), out(columns * kSize);
        for (auto* values : {&sums, &shares, &out}) {
          for (double& value : *values) value = normal(random);
        }
        std::vector<double> expected = out;
        for (std::size_t j = 0; j < columns; ++j) {
          for (std::size_t q = 0; q < width; ++q) {
            for (std::size_t i = 0; i < kSize; ++i) {
              expected[j * kSize + i] += shares[q * columns + j] * sums[q * kSize + i];
            }
          }
        }
        add_shares(sums, shares, columns, out.data());
        for (std::size_t i = 0; i < out.size(); ++i) EXPECT_NEAR(out[i], expected[i], 1e-13 * 40.0);
      }
    }
  }
}

}  // namespace
}  // namespace land
