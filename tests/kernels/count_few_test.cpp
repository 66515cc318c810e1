// Tables counted by comparing against the same counted one by one.
#include "land/kernels/scoring/count_few.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "land/base/simd_target.h"

namespace land {
namespace {

TEST(CountFew, CountsEverySampleOnce) {
  constexpr std::size_t kStride = 256;
  std::mt19937_64 random(5);
  std::int64_t counted = 0;
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    for (const std::size_t samples : {1, 15, 16, 33, 300, 8192, 13794, 20000}) {
      for (const std::size_t classes : {2, 3, 7}) {
        for (const std::size_t levels : {1, 2, 3, 8, 11, 16, 40, 200}) {
          std::vector<std::uint8_t> codes(samples);
          std::vector<std::uint8_t> labels(samples);
          std::vector<std::uint32_t> expected(classes * kStride, 0);
          for (std::size_t i = 0; i < samples; ++i) {
            codes[i] = static_cast<std::uint8_t>(random() % levels);
            labels[i] = static_cast<std::uint8_t>(i % 3 == 0 ? random() % classes : 0);  // one class is common
            ++expected[labels[i] * kStride + codes[i]];
          }
          std::vector<std::uint32_t> counts(classes * kStride, 0);
          if (!count_few(codes.data(), labels.data(), samples, classes, levels, kStride, counts.data())) {
            EXPECT_EQ(counts, std::vector<std::uint32_t>(counts.size(), 0));
            continue;
          }
          EXPECT_EQ(counts, expected) << target << ": " << samples << " samples, " << classes << " classes, " << levels
                                      << " levels";
          ++counted;
        }
      }
    }
  }
  use_simd_target("");
  EXPECT_GT(counted, 100);
}

}  // namespace
}  // namespace land
