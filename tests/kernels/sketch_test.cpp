// The low stages of a pair must be lower bounds of R, whatever the features and however many samples.
#include "land/kernels/sketch.h"

#include <gtest/gtest.h>

#include "land/kernels/factor.h"
#include "land/kernels/simd_target.h"
#include "tests/support/samples.h"

namespace land {
namespace {

struct Case {
  Factor factor;
  Sketch sketch;
};

std::map<std::string, Case> cases(int n, std::uint64_t seed, double sigma) {
  KernelOptions options;
  options.sigma = sigma;
  const SketchBasis basis(sigma);
  std::map<std::string, Case> result;
  for (const auto& [name, column] : test::sample_columns(n, seed)) {
    const FeatureBlock block = test::block_of(column);
    Case& one = result[name];
    one.factor = make_factor(block.view(0), options);
    one.sketch = make_sketch(block.view(0), basis, 1.0 / (one.factor.norm * (1.0 + 1e-6)), Missing::kError);
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
  const auto all = cases(2000, 37, 1.0);
  const double r = redundancy(all.at("normal").factor, all.at("related").factor);
  EXPECT_GT(sketch_bound(all.at("normal").sketch, all.at("related").sketch, 2), 0.95 * r);
  EXPECT_GT(sketch_bound(all.at("normal").sketch, all.at("related").sketch, 4), 0.995 * r);
}

}  // namespace
}  // namespace land
