// Arrays in memory as tables: used in place, and what sparse sources rely on is checked.
#include "land/formats/memory_table.h"

#include <gtest/gtest.h>

#include <limits>

#include "land/base/error.h"

namespace land {
namespace {

struct Arrays {
  std::vector<std::int64_t> starts = {0, 2, 2, 3};
  std::vector<std::int32_t> rows = {0, 3, 1};
  std::vector<float> values = {1.0F, 2.0F, 5.0F};
  SparseColumns columns() const {
    return {4, static_cast<std::int64_t>(starts.size()) - 1, starts, std::span(rows), std::span(values), nullptr};
  }
};

TEST(MemoryTable, SparseArraysAreUsedInPlace) {
  const Arrays arrays;
  const Table table = table_of(arrays.columns(), "X");
  EXPECT_EQ(table.features(), 3);
  EXPECT_EQ(table.samples(), 4);
  FeatureBlock block;
  table.source(Missing::kError)->read(0, 3, block);
  const std::vector<std::vector<double>> expected = {{1, 0, 0, 2}, {0, 0, 0, 0}, {0, 5, 0, 0}};
  for (std::int64_t k = 0; k < 3; ++k) {
    for (std::int64_t i = 0; i < 4; ++i) {
      EXPECT_EQ(block.view(k).value(i), expected[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)]);
    }
  }
  EXPECT_TRUE(block.headers[1].constant);
}

TEST(MemoryTable, DamagedArraysAreRefused) {
  const auto refused = [](auto&& damage) {
    Arrays arrays;
    damage(arrays);
    EXPECT_THROW(table_of(arrays.columns(), "X"), InputError);
  };
  refused([](Arrays& a) { a.starts[3] = 4; });
  refused([](Arrays& a) { a.starts[0] = 1; });
  refused([](Arrays& a) { a.starts[1] = 3; });
  refused([](Arrays& a) { a.rows[1] = 4; });
  refused([](Arrays& a) { a.rows[0] = -1; });
  refused([](Arrays& a) { a.rows[1] = 0; });
  refused([](Arrays& a) { a.values[2] = std::numeric_limits<float>::infinity(); });
}

}  // namespace
}  // namespace land
