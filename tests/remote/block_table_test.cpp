// Tables in cells: whole, in parts, and in a file.
#include "land/remote/block_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "land/base/error.h"
#include "tests/support/engine_tables.h"

namespace land {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int kSamples = 30;

std::vector<std::vector<double>> noise(int features) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> columns;
  for (int k = 0; k < features; ++k) {
    std::vector<double>& column = columns.emplace_back();
    for (int i = 0; i < kSamples; ++i) column.push_back(k % 3 == 0 ? std::round(normal(random)) : normal(random));
  }
  return columns;
}

Table named(const std::vector<std::vector<double>>& columns, int first) {
  Table table = test::table_of_floats(columns);
  table.path = "noise.npy";
  for (std::size_t k = 0; k < columns.size(); ++k) table.feature_names.push_back("g" + std::to_string(first + k));
  return table;
}

ConvertOptions cells_of(std::int64_t features) {
  ConvertOptions options;
  options.block_bytes = features * kSamples * std::int64_t{sizeof(float)};
  return options;
}

TEST(BlockTable, APartIsTheCellOfTheWhole) {
  const auto columns = noise(100);
  const Table whole = named(columns, 0);
  const CellCutter cutter(whole, cells_of(32));
  ASSERT_EQ(cutter.cells(), 4);
  for (const int cell : {0, 2, 3}) {
    const auto first = static_cast<int>(cutter.firsts()[static_cast<std::size_t>(cell)]);
    const auto last = cutter.firsts()[static_cast<std::size_t>(cell) + 1];
    const Table part = named({columns.begin() + first, columns.begin() + last}, first);
    EXPECT_EQ(to_message(cut_part(part, Missing::kError, cutter.table().data, first)), to_message(cutter.cut(cell)));
  }
}

TEST(BlockTable, RefusesPartsOfSomethingElse) {
  const auto columns = noise(64);
  const Table whole = named(columns, 0);
  const DataSet data = CellCutter(whole, cells_of(32)).table().data;
  const auto refused = [&](std::vector<std::vector<double>> part, FeatureId first) {
    EXPECT_THAT([&] { cut_part(test::table_of_floats(part), Missing::kError, data, first); },
                ThrowsMessage<InputError>(HasSubstr("are no part of 64 features of 30")));
  };
  refused({columns.begin(), columns.begin() + 32}, 8);   // in the middle of a strip
  refused({columns.begin(), columns.begin() + 32}, 48);  // beyond the last
  auto fewer = columns;
  for (auto& column : fewer) column.pop_back();
  refused(fewer, 0);
}

TEST(BlockTable, MissingValuesOfAPartAreNamedByTheirNumberInTheWhole) {
  auto columns = noise(64);
  const DataSet data = CellCutter(named(columns, 0), cells_of(32)).table().data;
  columns[40][7] = std::nan("");
  const Table part = test::table_of_floats({columns.begin() + 32, columns.end()});
  EXPECT_THAT([&] { cut_part(part, Missing::kError, data, 32); }, ThrowsMessage<InputError>(HasSubstr("40")));
  EXPECT_EQ(cut_part(part, Missing::kMean, data, 32).block.headers[8].missing, 1);
}

// Sparse features and codes take less than others: cells have more of them, and about the same size.
TEST(BlockTable, SizesOfFeaturesAreMeasured) {
  for (const test::EngineTable& one : test::engine_tables()) {
    SCOPED_TRACE(one.name);
    const auto source = one.table.source(one.missing);
    const CellCutter cutter(one.table, {.missing = one.missing, .block_bytes = 1 << 20});
    std::int64_t bytes = 0;
    for (std::int64_t cell = 0; cell < cutter.cells(); ++cell) bytes += std::ssize(to_message(cutter.cut(cell)));
    const auto each = static_cast<double>(bytes) / static_cast<double>(one.table.features());
    EXPECT_LT(each, 2.0 * static_cast<double>(encoded_bytes(*source)));
    EXPECT_GT(each, 0.3 * static_cast<double>(encoded_bytes(*source)));
  }
}

}  // namespace
}  // namespace land
