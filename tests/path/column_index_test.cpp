#include "land/path/column_index.h"

#include <gtest/gtest.h>

#include <vector>

namespace land {
namespace {

TEST(ColumnIndex, FindsWhatWasAddedAndNothingElse) {
  ColumnIndex index;
  std::vector<FeatureId> features;
  for (FeatureId k = 0; k < 3000; ++k) features.push_back(k * k * 977 + k % 3);  // many times as many as it starts with
  for (std::size_t c = 0; c < features.size(); ++c) {
    EXPECT_EQ(index.of(features[c]), -1);
    EXPECT_EQ(index.add(features[c], static_cast<std::int64_t>(c)), static_cast<std::int64_t>(c));
    EXPECT_EQ(index.add(features[c], 99'999), static_cast<std::int64_t>(c));  // it has one
  }
  for (std::size_t c = 0; c < features.size(); ++c) {
    EXPECT_EQ(index.of(features[c]), static_cast<std::int64_t>(c));
    EXPECT_EQ(index.of(features[c] + 5'000'000'000), -1);
  }
}

}  // namespace
}  // namespace land
