// The low stages of a pair must be lower bounds of R, whatever the features and however many samples.
#include "land/kernels/sketches/sketch.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "land/base/simd_target.h"
#include "land/kernels/factors/factor.h"
#include "tests/support/kernels.h"
#include "tests/support/samples.h"

namespace land {
namespace {

struct Case {
  Factor factor;
  Sketch sketch;
};

std::map<std::string, Case> cases(int n, std::uint64_t seed, double sigma) {
  KernelOptions options;
  options.sigma = {sigma};
  const SketchBasis basis(std::vector{sigma});
  std::map<std::string, Case> result;
  for (const auto& [name, column] : test::sample_columns(n, seed)) {
    const FeatureBlock block = test::block_of(column);
    Case& one = result[name];
    one.factor = test::make_factor(block.view(0), options);
    one.sketch = gaussian_sketch(block.view(0), basis, 1.0 / (one.factor.norm * (1.0 + 1e-6)), options);
  }
  return result;
}

class SketchOfSize : public testing::TestWithParam<int> {};

TEST_P(SketchOfSize, EveryStageIsALowerBound) {
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    for (const double sigma : {1.0, 0.4, 3.0}) {
      const auto all = cases(GetParam(), 31, sigma);
      for (const auto& [a, left] : all) {
        for (const auto& [b, right] : all) {
          const double r = redundancy(left.factor, right.factor);
          const double two = sketch_bound(left.sketch, right.sketch, 2);
          const double four = sketch_bound(left.sketch, right.sketch, 4);
          EXPECT_LE(two, r) << a << " and " << b << " on " << target;
          EXPECT_LE(four, r) << a << " and " << b << " on " << target;
          EXPECT_GE(four, two * (1.0 - 1e-9)) << a << " and " << b << " on " << target;
        }
      }
    }
    if (GetParam() > 10000) break;  // the large sizes on the best target only
  }
  use_simd_target("");
}

INSTANTIATE_TEST_SUITE_P(Sizes, SketchOfSize, testing::Values(4, 17, 302, 2000, 26120, 100000));

TEST(Sketch, IsTightForNormalData) {
  for (const int n : {2000, 2049, 5000, 26120}) {
    SCOPED_TRACE(n);
    const auto all = cases(n, 37, 1.0);
    const Sketch& left = all.at("normal").sketch;
    const Sketch& right = all.at("related").sketch;
    const double r = redundancy(all.at("normal").factor, all.at("related").factor);
    EXPECT_GT(sketch_bound(left, right, 2), 0.95 * r);
    EXPECT_GT(sketch_bound(left, right, 4), 0.995 * r);
  }
}

// A sketch of whole numbers up to `largest` in size, of either sign or all at the positive end.
Sketch whole_numbers(std::int64_t samples, int largest, bool at_the_end, std::mt19937_64& random) {
  Sketch sketch;
  sketch.count = kSketchColumns;
  sketch.padded = samples;
  sketch.values.resize(static_cast<std::size_t>(samples * kSketchColumns));
  std::uniform_int_distribution<int> value(-largest, largest);
  for (std::int16_t& x : sketch.values) x = static_cast<std::int16_t>(at_the_end ? largest : value(random));
  for (auto& column : sketch.columns) column.step = 1.0;
  sketch.scale = 1.0 / static_cast<double>(samples);
  return sketch;
}

// Bounds of sketches that are exact are sums of squared products of whole numbers, in a batch as alone.
TEST(Sketch, ProductsAreExactInAnyBatch) {
  std::mt19937_64 random(41);
  for (const std::int64_t samples : {32, 992, 1024, 1056, 2048, 4128, 40000}) {
    std::vector<Sketch> sketches;
    for (const int largest : {kMostSteps, kMostSteps, 100, kMostSteps}) {
      sketches.push_back(whole_numbers(samples, largest, sketches.size() == 3, random));
    }
    std::vector<SketchPair> pairs;
    std::vector<double> exact;
    for (const Sketch& a : sketches) {
      for (const Sketch& b : sketches) {
        for (const int columns : {2, 4}) {
          pairs.push_back({&a, &b, columns});
          double squares = 0.0;
          for (int t = 0; t < columns * columns; ++t) {
            std::int64_t product = 0;
            const std::int16_t* left = a.values.data() + t / columns * samples;
            const std::int16_t* right = b.values.data() + t % columns * samples;
            for (std::int64_t i = 0; i < samples; ++i) product += std::int64_t{left[i]} * right[i];
            squares += static_cast<double>(product) * static_cast<double>(product);
          }
          exact.push_back(squares * a.scale * b.scale);
        }
      }
    }
    for (const std::string& target : simd_targets()) {
      SCOPED_TRACE(target + ", " + std::to_string(samples) + " samples");
      use_simd_target(target);
      std::vector<double> bounds(pairs.size());
      sketch_bounds(pairs, bounds);
      for (std::size_t t = 0; t < pairs.size(); ++t) {
        EXPECT_EQ(bounds[t], sketch_bound(*pairs[t].a, *pairs[t].b, pairs[t].columns));
        EXPECT_NEAR(bounds[t], exact[t], 1e-11 * exact[t] + 1e-6);
      }
    }
    use_simd_target("");
  }
}

}  // namespace
}  // namespace land
