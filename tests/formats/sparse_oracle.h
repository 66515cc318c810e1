// Sparse matrices as the tests see them: a map from (column, sample) to value.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "land/blocks/sparse_columns.h"

namespace land::test {

struct SparseOracle {
  std::int64_t samples = 0;
  std::int64_t columns = 0;
  std::map<std::pair<std::int64_t, std::int64_t>, double> values;
};

inline void expect_same(const SparseColumns& matrix, const SparseOracle& oracle) {
  ASSERT_EQ(matrix.samples, oracle.samples);
  ASSERT_EQ(matrix.columns, oracle.columns);
  ASSERT_EQ(matrix.stored(), static_cast<std::int64_t>(oracle.values.size()));
  ASSERT_EQ(static_cast<std::int64_t>(matrix.starts.size()), matrix.columns + 1);
  ASSERT_EQ(matrix.starts[static_cast<std::size_t>(matrix.columns)], matrix.stored());
  ASSERT_EQ(std::visit([](const auto& all) { return std::ssize(all); }, matrix.values), matrix.stored());
  bool counts = true;
  bool narrow = true;
  auto expected = oracle.values.begin();
  for (std::int64_t k = 0; k < matrix.columns; ++k) {
    for (std::int64_t e = matrix.starts[static_cast<std::size_t>(k)];
         e < matrix.starts[static_cast<std::size_t>(k) + 1]; ++e, ++expected) {
      ASSERT_EQ(expected->first.first, k);
      ASSERT_EQ(expected->first.second, matrix.row(e));
      ASSERT_EQ(expected->second, matrix.value(e)) << k;
      counts = counts && expected->second >= 0 && expected->second == std::min(65535.0, std::floor(expected->second));
      narrow = narrow && static_cast<double>(static_cast<float>(expected->second)) == expected->second;
    }
  }
  // As narrow as the values and the number of samples allow.
  EXPECT_EQ(matrix.values.index(), counts ? 0U : narrow ? 1U : 2U);
  EXPECT_EQ(matrix.rows.index(), matrix.samples <= 65536 ? 0U : 1U);
}

}  // namespace land::test
