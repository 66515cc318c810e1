#include "land/commands/survey.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace land {
namespace {

// Sample-major, as a C-ordered file would be.
Table table_of(std::vector<double> values, std::int64_t samples) {
  Table table;
  auto owner = std::make_shared<const std::vector<double>>(std::move(values));
  table.path = "test";
  table.matrix.data = reinterpret_cast<const std::byte*>(owner->data());
  table.matrix.samples = samples;
  table.matrix.columns = static_cast<std::int64_t>(owner->size()) / samples;
  table.matrix.sample_stride = table.matrix.columns;
  table.matrix.column_stride = 1;
  table.matrix.owner = owner;
  return table;
}

TEST(Survey, CountsValuesAndEncodings) {
  constexpr std::int64_t kSamples = 2000;
  std::vector<double> values;
  for (int i = 0; i < kSamples; ++i) {
    const double row[] = {5.0,
                          i % 2 == 0 ? -0.0 : 0.0,       // equal
                          static_cast<double>(i % 2),    //
                          static_cast<double>(i % 64),   // codes
                          static_cast<double>(i % 65),   // codes: 16 * 65 <= n
                          static_cast<double>(i % 126),  // 16 * 126 > n: float32
                          static_cast<double>(i),        // float32
                          0.1 * i};                      // float64
    values.insert(values.end(), std::begin(row), std::end(row));
  }
  const Survey result = survey(table_of(values, kSamples), Context{});
  EXPECT_EQ(result.features, 8);
  EXPECT_EQ(result.samples, kSamples);
  EXPECT_EQ(result.dtype, "float64");
  EXPECT_EQ(result.bytes_stored, 8 * 8 * kSamples);
  EXPECT_EQ(result.missing, 0);
  EXPECT_EQ(result.distinct.constant, 2);
  EXPECT_EQ(result.distinct.two, 1);
  EXPECT_EQ(result.distinct.up_to_64, 1);
  EXPECT_EQ(result.distinct.up_to_256, 2);
  EXPECT_EQ(result.distinct.more, 2);
  EXPECT_EQ(result.encodings.codes, 3);
  EXPECT_EQ(result.encodings.float32, 2);
  EXPECT_EQ(result.encodings.float64, 1);
}

TEST(Survey, FindsWhatIsMissing) {
  std::vector<double> values(200 * 10, 1.0);
  values[3 * 200 + 150] = std::nan("");
  values[7 * 200 + 150] = std::numeric_limits<double>::infinity();
  values[1 * 200 + 180] = std::nan("");
  const Table table = table_of(values, 10);
  const Survey result = survey(table, Context{});
  EXPECT_EQ(result.missing, 3);
  EXPECT_EQ(result.features_missing, 2);
  EXPECT_EQ(result.first_missing, table.cell(3, 150));
}

TEST(Survey, ReadsAroundASkippedColumnOfAnotherType) {
  const auto owner = std::make_shared<const std::vector<std::int16_t>>(std::vector<std::int16_t>{1, 9, 2, 1, 9, 3});
  Table table;
  table.matrix = {reinterpret_cast<const std::byte*>(owner->data()), DType::kInt16, 2, 3, 3, 1, 1, owner, false};
  const Survey result = survey(table, Context{});
  EXPECT_EQ(result.features, 2);
  EXPECT_EQ(result.distinct.constant, 1);
  EXPECT_EQ(result.distinct.two, 1);
}

TEST(Survey, StopsWhenAsked) {
  const std::atomic<bool> stop{true};
  Context context;
  context.stop = &stop;
  EXPECT_THROW(survey(table_of({1.0, 2.0}, 2), context), Interrupted);
}

TEST(Survey, DescribesTargets) {
  Target classes;
  classes.task = Task::kClassification;
  classes.class_names = {"a", "b"};
  classes.labels = {0, 1, 1};
  EXPECT_EQ(survey(classes).classes, (std::vector<std::pair<std::string, std::int64_t>>{{"a", 1}, {"b", 2}}));
  Target numbers;
  numbers.values = {3.0, -1.0, 4.0};
  EXPECT_EQ(survey(numbers).minimum, -1.0);
  EXPECT_EQ(survey(numbers).mean, 2.0);
  EXPECT_EQ(survey(numbers).maximum, 4.0);
}

}  // namespace
}  // namespace land
