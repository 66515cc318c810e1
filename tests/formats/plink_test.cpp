#include "land/formats/plink.h"

#include <gmock/gmock.h>

#include <cmath>

#include "cli/spelling.h"
#include "land/subset/apply_subset.h"
#include "sample_files.h"

namespace land::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Three SNPs of five samples, calls from the right: 00 is 2 copies, 10 is 1, 11 is none, 01 is missing.
const std::string kBed(
    "\x6C\x1B\x01"
    "\xE4\x03"   // 2 NA 1 0, 0
    "\xFF\x03"   // all 0: monomorphic
    "\x2F\x00",  // 0 0 1 2, 2
    9);
const char* const kBim = "1 rs1 0 100 A G\n1 rs2 0 200 C T\n\nX\trs3\t0\t300\tG\tA\n";
const char* const kFam = "F1 a 0 0 1 1\nF1 b 0 0 2 2\nF2 c 0 0 1 1\nF2 d 0 0 1 2\nF3 e 0 0 2 1\n";

struct Files {
  std::string bed = kBed;
  std::string bim = kBim;
  std::string fam = kFam;
};

Table read_files(const Files& files, const std::string& phenotypes = "", ReadOptions options = {}) {
  const TemporaryFolder folder;
  folder.write("x.bim", files.bim);
  folder.write("x.fam", files.fam);
  if (!phenotypes.empty()) options.target = folder.write("y.phe", phenotypes) + options.target;
  Table table = read_table(folder.write("x.bed", files.bed), options, {});
  apply_subset(table, options, {});
  return table;
}

std::string error_of(const Files& files, const std::string& phenotypes = "") {
  try {
    read_files(files, phenotypes);
  } catch (const InputError& error) {
    return cli::spelled(error.what());
  }
  return "";
}

// Copies of the first allele, -1 for a missing call.
std::vector<double> calls(const Table& table, std::int64_t feature) {
  FeatureBlock block;
  table.encoded->read(feature, 1, block);
  std::vector<double> values(static_cast<std::size_t>(table.samples()));
  block.view(0).copy_values(values);
  for (double& value : values) value = std::isnan(value) ? -1.0 : value;
  return values;
}

TEST(Plink, CallsNamesAndPhenotype) {
  const Table table = read_files({});
  EXPECT_EQ(table.features(), 3);
  EXPECT_EQ(table.samples(), 5);
  EXPECT_THAT(table.feature_names, ElementsAre("rs1", "rs2", "rs3"));
  EXPECT_THAT(table.sample_ids, ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_THAT(table.target->numbers, ElementsAre(1, 2, 1, 2, 1));
  EXPECT_THAT(calls(table, 0), ElementsAre(2, -1, 1, 0, 0));
  EXPECT_THAT(calls(table, 1), ElementsAre(0, 0, 0, 0, 0));
  EXPECT_THAT(calls(table, 2), ElementsAre(0, 0, 1, 2, 2));
  EXPECT_EQ(table.default_missing, Missing::kIgnore);
  FeatureBlock block;
  table.encoded->read(0, 3, block);
  EXPECT_EQ(block.headers[0].missing, 1);
  EXPECT_FALSE(block.headers[0].constant);
  EXPECT_TRUE(block.headers[1].constant);
  EXPECT_EQ(block.headers[2].missing, 0);
}

TEST(Plink, SamplesWithoutAPhenotypeAreLeftOut) {
  Files files;
  files.fam = "F1 a 0 0 1 1\nF1 b 0 0 2 -9\nF2 c 0 0 1 0\nF2 d 0 0 1 2\nF3 e 0 0 2 1\n";
  const Table table = read_files(files);
  EXPECT_EQ(table.samples(), 3);
  EXPECT_THAT(table.sample_ids, ElementsAre("a", "d", "e"));
  EXPECT_THAT(table.target->numbers, ElementsAre(1, 2, 1));
  EXPECT_THAT(calls(table, 0), ElementsAre(2, 0, 0));
  EXPECT_THAT(calls(table, 2), ElementsAre(0, 2, 2));
  EXPECT_EQ(in_words(table.left_out.at(0)), "left out 2 samples without a target");

  // Among other numbers 0 is a number.
  files.fam = "F1 a 0 0 1 1.5\nF1 b 0 0 2 0\nF2 c 0 0 1 0\nF2 d 0 0 1 -9\nF3 e 0 0 2 NA\n";
  EXPECT_THAT(read_files(files).target->numbers, ElementsAre(1.5, 0.0, 0.0));
}

TEST(Plink, PhenotypesOfAFileAreJoinedOnBothIds) {
  const Table table = read_files({}, "FID IID height\nF3 e 5\nF1 a 1\nF2 c 3\nF2 d -9\nF9 x 7\n");
  EXPECT_THAT(table.target->numbers, ElementsAre(1, 3, 5));
  EXPECT_EQ(table.target->name, "height");
  EXPECT_THAT(table.sample_ids, ElementsAre("a", "c", "e"));
  EXPECT_THAT(calls(table, 2), ElementsAre(0, 1, 2));
  EXPECT_THAT(read_files({}, "F3 e yes\nF1 a no\n").target->text, ElementsAre("no", "yes"));
  // Other files as for other tables.
  ReadOptions by_position;
  by_position.by_position = true;
  EXPECT_THAT(read_files({}, "1\n2\n3\n4\n5\n", by_position).target->numbers, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(read_files({}, "e,5\nd,4\nc,3\nb,2\na,1\n").target->numbers, ElementsAre(1, 2, 3, 4, 5));
}

TEST(Plink, OneOfManyPhenotypesAndNoConflicts) {
  ReadOptions column;
  column.target = ":bmi";
  const char* const many = "FID IID height bmi\nF3 e 5 50\nF1 a 1 10\nF2 c 3 NA\nF2 d 4 40\nF1 b 2 -9\n";
  const Table table = read_files({}, many, column);
  EXPECT_THAT(table.target->numbers, ElementsAre(10, 40, 50));
  EXPECT_EQ(table.target->name, "bmi");
  EXPECT_EQ(in_words(table.left_out.at(0)), "left out 2 samples without a target");
  EXPECT_THAT(error_of({}, "F1 a 1\nF1 b 2\nF1 a 2\nF2 c 1\n"),
              HasSubstr("sample 'F1 a' occurs twice, in rows 1 and 3, with the values '1' and '2'; keep one"));
}

TEST(Plink, ZeroIsUnknownAmongCasesAndControlsOfAFileToo) {
  const Table table = read_files({}, "F1 a 1\nF1 b 2\nF2 c 0\nF2 d 2\nF3 e 1\n");
  EXPECT_THAT(table.target->numbers, ElementsAre(1, 2, 2, 1));
}

TEST(Plink, WithoutAnyPhenotypeThereIsNoTarget) {
  Files files;
  files.fam = "F1 a 0 0 1 -9\nF1 b 0 0 2 -9\nF2 c 0 0 1 -9\nF2 d 0 0 1 -9\nF3 e 0 0 2 -9\n";
  EXPECT_FALSE(read_files(files).target.has_value());
}

TEST(Plink, WhatIsWrongIsNamed) {
  Files files;
  files.bed.pop_back();
  EXPECT_THAT(error_of(files), HasSubstr("x.bed: 8 bytes, but 3 SNPs (.bim) of 5 samples (.fam) take 9"));
  files = {};
  files.bed[2] = '\0';
  EXPECT_THAT(error_of(files), HasSubstr("plink --make-bed"));
  files = {};
  files.fam = "F1 a 0 0 1 1\nF1 b 0 0\n";
  EXPECT_THAT(error_of(files), HasSubstr("x.fam: line 2: found 4 fields, expected 6"));
  files = {};
  files.bim = "1 rs1\n";
  EXPECT_THAT(error_of(files), HasSubstr("x.bim: line 1: found 2 fields"));
  files = {};
  files.bim = "";
  EXPECT_THAT(error_of(files), HasSubstr("x.bim: the file is empty"));
  files = {};
  files.fam = "F1 a 0 0 1 1\nF1 a 0 0 2 2\nF2 c 0 0 1 1\nF2 d 0 0 1 2\nF3 e 0 0 2 1\n";
  EXPECT_THAT(error_of(files), HasSubstr("x.fam: line 2: sample F1 a occurs twice"));
  EXPECT_THAT(error_of({}, "G1 a 1\nG2 b 2\n"), HasSubstr("0 of its 2 ids (column 1) are among the 5 samples of"));

  const TemporaryFolder folder;
  const std::string path = folder.write("y.bed", kBed);
  EXPECT_THROW(read_table(path, {}, {}), InputError);
  EXPECT_THAT(test::error_of(kBed, "z.bed"), HasSubstr("needs the .bim and .fam files"));
}

}  // namespace
}  // namespace land::test
