#include "land/formats/ten_x_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/spelling.h"
#include "land/formats/read_table.h"
#include "land/results/spelled.h"
#include "tests/support/temporary_folder.h"

namespace land::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kMatrix = "%%MatrixMarket matrix coordinate integer general\n3 2 3\n1 1 5\n2 2 1\n3 1 2\n";

Table read(const std::string& path, Rows rows = Rows::kFeatures) {
  ReadOptions options;
  options.rows = rows;
  return read_table(path, options, {});
}

TEST(TenXNames, AreSymbolsAndBarcodes) {
  const TemporaryFolder folder;
  folder.write("matrix.mtx", kMatrix);
  EXPECT_THAT(read(folder / "matrix.mtx").feature_names, IsEmpty());
  folder.write("features.tsv", "E1\tA\tGene Expression\nE2\tB\tGene Expression\nE3\tA\tGene Expression\n");
  folder.write("barcodes.tsv", "AAC-1\r\nCCG-1\r\n");
  const Table table = read(folder / "matrix.mtx");
  EXPECT_THAT(table.feature_names, ElementsAre("A (E1)", "B", "A (E3)"));
  EXPECT_THAT(table.sample_ids, ElementsAre("AAC-1", "CCG-1"));
  EXPECT_THAT(table.warnings, IsEmpty());
}

TEST(TenXNames, StandBesideThePrefixOfTheMatrix) {
  const TemporaryFolder folder;
  folder.write("P_matrix.mtx", kMatrix);
  folder.write("other.mtx", kMatrix);
  folder.write("P_genes.tsv", "E1\nE2\nE3");
  folder.write("features.tsv", "X\nY\nZ\n");
  EXPECT_THAT(read(folder / "P_matrix.mtx").feature_names, ElementsAre("E1", "E2", "E3"));
  EXPECT_THAT(read(folder / "other.mtx").feature_names, IsEmpty());
}

TEST(TenXNames, AreNotUsedWhenTheyDoNotFit) {
  const TemporaryFolder folder;
  folder.write("matrix.mtx", kMatrix);
  folder.write("features.tsv", "E1\tA\nE2\tB\n");
  folder.write("barcodes.tsv", "AAC-1\nCCG-1\n");
  const Table table = read(folder / "matrix.mtx");
  EXPECT_THAT(table.feature_names, IsEmpty());
  EXPECT_THAT(table.sample_ids, ElementsAre("AAC-1", "CCG-1"));
  EXPECT_THAT(table.warnings, ElementsAre(HasSubstr("features.tsv was not used: it has 2 lines, and there are 3")));
}

TEST(TenXNames, TellWhichWayRoundTheMatrixIs) {
  const TemporaryFolder folder;
  folder.write("matrix.mtx", kMatrix);
  folder.write("features.tsv", "E1\tA\nE2\tB\nE3\tC\n");
  folder.write("barcodes.tsv", "AAC-1\nCCG-1\n");
  const Table table = read(folder / "matrix.mtx", Rows::kSamples);
  EXPECT_THAT(table.feature_names, IsEmpty());
  EXPECT_THAT(spelled(table.warnings, cli::as_typed), ElementsAre(HasSubstr("say --rows features")));
}

TEST(TenXNames, OfRealMatrices) {
  const char* data = std::getenv("LAND_DATA");
  if (data == nullptr) GTEST_SKIP() << "LAND_DATA names no folder";
  const std::string folder = std::string(data) + "/10x/";
  EXPECT_EQ(read(folder + "v3_mtx/matrix.mtx.gz").feature_name(0), "CH507-9B2.2");
  EXPECT_EQ(read(folder + "v2_mtx/matrix.mtx").feature_name(0), "DSCAM");
  EXPECT_EQ(read(folder + "int_ids/matrix.mtx").sample_ids[0], "AAACCCAAGATTAGCA-1");
}

}  // namespace
}  // namespace land::test
