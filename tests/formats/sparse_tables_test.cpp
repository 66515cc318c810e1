// Sparse files as tables: what read_table makes of them.
#include <gmock/gmock.h>

#include "sample_files.h"

namespace land::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* const kText = "1 1:2 3:5\n-1 2:1\n1 1:1 2:1 3:1\n-1 3:7\n";

std::vector<double> values(const Table& table, std::int64_t feature) {
  FeatureBlock block;
  table.encoded->read(feature, 1, block);
  std::vector<double> column(static_cast<std::size_t>(table.samples()));
  block.view(0).copy_values(column);
  return column;
}

TEST(SparseTables, LabelsAreTheTargetUnlessThereIsAFile) {
  const Table table = read(kText, "x.svm");
  EXPECT_EQ(table.features(), 3);
  EXPECT_EQ(table.samples(), 4);
  EXPECT_THAT(table.target->numbers, ElementsAre(1, -1, 1, -1));
  EXPECT_THAT(values(table, 2), ElementsAre(5, 0, 1, 7));
  EXPECT_EQ(read(kText, "no ending").features(), 3);

  const TemporaryFolder folder;
  ReadOptions options;
  options.target = folder.write("y.txt", "a\nb\na\nb\n");
  EXPECT_THAT(read_table(folder.write("x.svm", kText), options, {}).target->text, ElementsAre("a", "b", "a", "b"));
  options.target = "column";
  EXPECT_THROW(read_table(folder / "x.svm", options, {}), InputError);
}

TEST(SparseTables, NamesStandBesideThem) {
  const TemporaryFolder folder;
  const std::string path = folder.write("x.svm", kText);
  EXPECT_EQ(read_table(path, {}, {}).feature_name(1), "f1");
  folder.write("x.svm.names", "first\r\nsecond\nthird");
  const Table table = read_table(path, {}, {});
  EXPECT_EQ(table.feature_name(0), "first");
  EXPECT_EQ(table.feature_name(2), "third");
  EXPECT_THAT(table.all_feature_names(), ElementsAre("first", "second", "third"));
  folder.write("x.svm.names", "first\nsecond\n");
  EXPECT_THAT(read_table(path, {}, {}).warnings, ElementsAre(HasSubstr("it has 2 names, and there are 3 features")));
  EXPECT_EQ(read_table(path, {}, {}).feature_name(0), "f0");
}

TEST(SparseTables, ZeroBasedWhenToldSo) {
  ReadOptions options;
  options.zero_based = true;
  EXPECT_THAT(values(read("1 0:4\n2 1:5\n", "x.svm", options), 0), ElementsAre(4, 0));
  EXPECT_THAT(error_of("1 0:4\n2 1:5\n", "x.svm"), HasSubstr("--zero-based"));
}

TEST(SparseTables, MatrixMarketInEitherOrder) {
  const std::string text = "%%MatrixMarket matrix coordinate integer general\n2 3 3\n1 1 4\n2 3 5\n1 2 6\n";
  const Table by_sample = read(text, "x.mtx");
  EXPECT_EQ(by_sample.samples(), 2);
  EXPECT_EQ(by_sample.features(), 3);
  EXPECT_THAT(values(by_sample, 2), ElementsAre(0, 5));
  ReadOptions options;
  options.rows = Rows::kFeatures;
  const Table by_feature = read(text, "x.mtx", options);
  EXPECT_EQ(by_feature.samples(), 3);
  EXPECT_THAT(values(by_feature, 0), ElementsAre(4, 6, 0));
}

}  // namespace
}  // namespace land::test
