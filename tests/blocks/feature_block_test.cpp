// Copies of features, one by one and several at a time, hold what they were made from.
#include "land/blocks/feature_block.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/samples.h"

namespace land {
namespace {

// Two strips of float32, as a table's block has them.
FeatureBlock strips(std::int64_t samples) {
  FeatureBlock block;
  block.clear(samples);
  for (std::int64_t strip = 0; strip < 2; ++strip) {
    const std::int64_t offset = block.append(samples * kStripWidth * static_cast<std::int64_t>(sizeof(float)));
    auto* const values = reinterpret_cast<float*>(block.payload.data() + offset);
    for (std::int64_t lane = 0; lane < kStripWidth; ++lane) {
      FeatureHeader header;
      header.id = strip * kStripWidth + lane;
      header.stride = kStripWidth;
      header.offset = offset + lane * static_cast<std::int64_t>(sizeof(float));
      block.headers.push_back(header);
      for (std::int64_t i = 0; i < samples; ++i) {
        values[i * kStripWidth + lane] = static_cast<float>(1000 * header.id + i);
      }
    }
  }
  return block;
}

TEST(FeatureBlock, AppendsSeveralFeaturesAsItAppendsOne) {
  for (const int samples : {1, 2, 127, 128, 129, 257, 1000}) {
    SCOPED_TRACE(samples);
    const FeatureBlock block = strips(samples);
    std::vector<double> column(static_cast<std::size_t>(samples));
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = static_cast<double>(i % 3);
    const FeatureBlock codes = test::block_of(column, Encoding::kCodes);
    const FeatureBlock doubles = test::block_of(column, Encoding::kFloat64);
    const std::vector<FeatureView> from = {block.view(20), codes.view(0), block.view(3), block.view(31),
                                           doubles.view(0)};
    std::vector<FeatureBlock> together(from.size());
    std::vector<FeatureBlock*> to;
    for (FeatureBlock& copy : together) {
      copy.clear(samples);
      to.push_back(&copy);
    }
    append_features(from, to);
    for (std::size_t t = 0; t < from.size(); ++t) {
      FeatureBlock alone;
      alone.clear(samples);
      alone.append_feature(from[t]);
      const FeatureView copy = together[t].view(0);
      EXPECT_EQ(together[t].features(), 1);
      EXPECT_EQ(copy.header->id, from[t].header->id);
      EXPECT_EQ(copy.header->encoding, from[t].header->encoding);
      EXPECT_EQ(copy.header->stride, 1);
      EXPECT_EQ(together[t].payload.size(), alone.payload.size());
      for (std::int64_t i = 0; i < samples; ++i) {
        ASSERT_EQ(copy.value(i), from[t].value(i)) << "feature " << t << ", sample " << i;
        ASSERT_EQ(alone.view(0).value(i), from[t].value(i)) << "feature " << t << ", sample " << i;
      }
    }
  }
}

}  // namespace
}  // namespace land
