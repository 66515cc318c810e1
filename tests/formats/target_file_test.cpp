#include "land/formats/target_file.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "cli/spelling.h"
#include "land/subset/apply_subset.h"
#include "sample_files.h"

namespace land::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* const kPlain = "a,b\n1,2\n3,4\n5,6\n7,8\n";
const char* const kWithIds = "id,a,b\np,1,2\nq,3,4\nr,5,6\ns,7,8\n";

Table joined(const std::string& data, const std::string& content, const TargetFile& file,
             const ReadOptions& options = {}) {
  Table table = read(data);
  read_target_bytes(bytes_of(content), file, options, {}, table);
  apply_subset(table, options, {});
  return table;
}

TargetColumn target(const std::string& data, const std::string& content, const std::string& name = "y.csv",
                    const ReadOptions& options = {}) {
  return *joined(data, content, {name, ""}, options).target;
}

std::string target_error(const std::string& data, const std::string& content, const std::string& name = "y.csv",
                         const ReadOptions& options = {}, const std::string& column = "") {
  try {
    joined(data, content, {name, column}, options);
  } catch (const InputError& error) {
    return cli::spelled(error.what());
  }
  return "";
}

TEST(TargetFile, OneValueALineWithOrWithoutHeader) {
  for (const std::string end : {"\n", "\r\n"}) {
    const std::string values = "1" + end + "2" + end + "3.5" + end + "4" + end;
    EXPECT_THAT(target(kPlain, values).numbers, ElementsAre(1.0, 2.0, 3.5, 4.0));
    EXPECT_EQ(target(kPlain, values, "folder/y.txt").name, "y.txt");
    EXPECT_THAT(target(kPlain, "height" + end + values).numbers, ElementsAre(1.0, 2.0, 3.5, 4.0));
    EXPECT_EQ(target(kPlain, "height" + end + values).name, "height");
  }
  EXPECT_THAT(target(kPlain, "A\nB\nA\nB\n").text, ElementsAre("A", "B", "A", "B"));
  EXPECT_THAT(target(kPlain, "class\nA\nB\nA\nB").text, ElementsAre("A", "B", "A", "B"));
  EXPECT_EQ(target(kPlain, "class\nA\nB\nA\nB").name, "class");
  EXPECT_THAT(target(kPlain, gzip("1\n2\n3\n4\n"), "y.txt.gz").numbers, ElementsAre(1.0, 2.0, 3.0, 4.0));
}

TEST(TargetFile, JoinedOnIds) {
  const auto values = ElementsAre(1.0, 2.0, 3.0, 4.0);
  EXPECT_THAT(target(kWithIds, "id,y\ns,4\nr,3\nq,2\np,1\n").numbers, values);
  EXPECT_THAT(target(kWithIds, "patient\ty\ns\t4\nr\t3\nq\t2\np\t1\n").numbers, values);
  EXPECT_THAT(target(kWithIds, "s;4\nr;3\nq;2\np;1\n").numbers, values);
  EXPECT_THAT(target(kWithIds, "y\n\"s\",4\n\"r\",3\n\"q\",2\n\"p\",1\n").numbers, values);
  EXPECT_THAT(target(kWithIds, "who,class\ns,D\nr,C\nq,B\np,A\n").text, ElementsAre("A", "B", "C", "D"));
  EXPECT_THAT(target(kWithIds, "s,D\nr,C\nq,B\np,A\n").text, ElementsAre("A", "B", "C", "D"));
  EXPECT_EQ(target(kWithIds, "id,y\ns,4\nr,3\nq,2\np,1\n").name, "y");
}

TEST(TargetFile, IdsOnOneSideOnlyAreNeverIgnoredUnlessAsked) {
  const char* const ids_here = "id,y\ns,4\nr,3\nq,2\np,1\n";
  EXPECT_EQ(target_error(kPlain, ids_here),
            "y.csv: has ids (column 'id'), but data.csv has none; name the column of ids there with --id, or say "
            "--by-position if both are in the same order");
  EXPECT_THAT(target_error(kWithIds, "4\n3\n2\n1\n"), HasSubstr("data.csv has sample ids; put the ids beside"));
  EXPECT_THAT(target_error(kWithIds, npy("<i4", false, {4}, raw(std::vector<std::int32_t>{4, 3, 2, 1})), "y.npy"),
              HasSubstr("say --by-position if both are in the same order"));
  ReadOptions options;
  options.by_position = true;
  const auto in_order = ElementsAre(4.0, 3.0, 2.0, 1.0);
  EXPECT_THAT(target(kPlain, ids_here, "y.csv", options).numbers, in_order);
  EXPECT_THAT(target(kWithIds, ids_here, "y.csv", options).numbers, in_order);
  EXPECT_THAT(target(kWithIds, "4\n3\n2\n1\n", "y.csv", options).numbers, in_order);
}

const char* const kClinical =
    "case,age,stage,days\nr,70,III,12\nx,61,I,7\np,55,I,\nq,48,II,30\ns,66,III,NA\ny,50,II,9\n";

TEST(TargetFile, AColumnOfAClinicalTable) {
  EXPECT_THAT(
      target_error(kWithIds, kClinical, "c.csv"),
      HasSubstr("c.csv: 4 columns; say which is the target with --target c.csv:COLUMN (its columns are 'case'"));
  EXPECT_THAT(target_error(kWithIds, kClinical, "c.csv", {}, "stag"), HasSubstr("did you mean 'stage'"));
  ReadOptions common;
  common.match = Match::kCommon;
  const Table table = joined(kWithIds, kClinical, {"c.csv", "stage"}, common);
  EXPECT_THAT(table.target->text, ElementsAre("I", "II", "III", "III"));
  EXPECT_EQ(table.target->name, "stage");
  EXPECT_EQ(in_words(table.matching), "joined on ids: 4 of 4 samples, 4 of 6 ids of c.csv (column 'case')");
  // By number, counted from 0, too.
  EXPECT_THAT(joined(kWithIds, kClinical, {"c.csv", "1"}, common).target->numbers, ElementsAre(55, 48, 70, 66));
}

TEST(TargetFile, WhatDoesNotMatchIsCountedAndRefusedUnlessTheCommonIdsAreAskedFor) {
  EXPECT_EQ(target_error(kWithIds, kClinical, "c.csv", {}, "stage"),
            "data.csv: 4 of its 4 samples are among the 6 ids of c.csv; missing here: 'x'; --match common uses those "
            "in common");
  const std::string more = std::string(kWithIds) + "t,9,9\n";
  EXPECT_THAT(target_error(more, kClinical, "c.csv", {}, "stage"),
              HasSubstr("4 of its 5 samples are among the 6 ids of c.csv; missing there: 't'; missing here: 'x'"));
  ReadOptions common;
  common.match = Match::kCommon;
  const Table table = joined(more, kClinical, {"c.csv", "stage"}, common);
  EXPECT_EQ(table.samples(), 4);
  EXPECT_THAT(table.sample_ids, ElementsAre("p", "q", "r", "s"));
  ASSERT_EQ(table.left_out.size(), 1U);
  EXPECT_EQ(in_words(table.left_out[0]), "left out 1 sample not in c.csv");
  EXPECT_THAT(target_error("id,a\nA,1\nB,2\n", kClinical, "c.csv", common, "stage"),
              HasSubstr("c.csv: 0 of its 6 ids (column 'case') are among the 2 samples of data.csv: it has 'r', there "
                        "is 'A'; name the column of ids with --target-id"));
}

TEST(TargetFile, SamplesWithoutATargetAreRefusedOrLeftOutAndCounted) {
  ReadOptions options;
  options.match = Match::kCommon;
  EXPECT_EQ(target_error(kWithIds, kClinical, "c.csv", options, "days"),
            "c.csv: row 4, column 4: the target has no value here, nor for 1 more of 4 samples; give it one, or leave "
            "such samples out with --drop-missing-target");
  options.subset.drop_missing_target = true;
  const Table table = joined(kWithIds, kClinical, {"c.csv", "days"}, options);
  EXPECT_THAT(table.target->numbers, ElementsAre(30, 12));
  EXPECT_THAT(table.sample_ids, ElementsAre("q", "r"));
  EXPECT_THAT(feature(table, 0), ElementsAre(3, 5));
  EXPECT_EQ(in_words(table.left_out.at(0)), "left out 2 samples without a target");
}

TEST(TargetFile, RepeatedIdsAreRefusedWithBothValues) {
  const std::string repeated = "who,a,b\np,1,2\nq,1,2\nr,1,2\np,1,5\ns,1,2\n";
  EXPECT_EQ(target_error(kWithIds, repeated, "c.csv", {}, "b"),
            "c.csv: sample 'p' occurs twice, in rows 2 and 5, with the values '2' and '5'; keep one");
  // Who is no sample may be there as often as it likes, once the common ids are asked for.
  ReadOptions common;
  common.match = Match::kCommon;
  EXPECT_THAT(target(kWithIds, "id,y\ns,4\nz,0\nr,3\nq,2\nz,1\np,1\n", "y.csv", common).numbers,
              ElementsAre(1.0, 2.0, 3.0, 4.0));
}

TEST(TargetFile, NumberedSamplesAreNotJoinedOnRanksOrAges) {
  const char* const numbered = "id,a\n1,1\n2,2\n3,3\n4,4\n";
  // The column headed as ids, though the ranks match as well and come first.
  EXPECT_THAT(joined(numbered, "rank,patient_id,y\n4,1,10\n3,2,20\n2,3,30\n1,4,40\n", {"c.csv", "y"}).target->numbers,
              ElementsAre(10, 20, 30, 40));
  EXPECT_THAT(target_error(numbered, "rank,place,y\n4,1,10\n3,2,20\n2,3,30\n1,4,40\n", "c.csv", {}, "y"),
              HasSubstr("column 'rank' has 4 of them, and so has column 'place'; name it with --target-id"));
  EXPECT_THAT(target_error(numbered, "age,patient_id,y\n3,001,10\n2,002,20\n70,003,30\n8,004,40\n", "c.csv", {}, "y"),
              HasSubstr("column 'age' has 2 of them, column 'patient_id' none; name it with --target-id"));
  // A column that has an id twice is none of ids.
  EXPECT_THAT(joined(numbered, "batch,who,y\n1,1,10\n1,2,20\n2,3,30\n2,4,40\n", {"c.csv", "y"}).target->numbers,
              ElementsAre(10, 20, 30, 40));
  // Ids that are no numbers cannot be ranks or ages: those of patients may stand before those of samples.
  EXPECT_THAT(joined(kWithIds, "patient_id,sample,y\n1,s,4\n2,r,3\n3,q,2\n3,p,1\n", {"c.csv", "y"}).target->numbers,
              ElementsAre(1, 2, 3, 4));
  // Ids stand second where their header says so.
  EXPECT_THAT(target(numbered, "grade,patient_id\n7,4\n8,3\n9,2\n6,1\n").numbers, ElementsAre(6, 9, 8, 7));
}

TEST(TargetFile, ASampleIsNoHeader) {
  ReadOptions options;
  options.na = {"unknown"};
  options.subset.drop_missing_target = true;
  const Table table = joined(kWithIds, "p,unknown\nq,2\nr,3\ns,4\n", {"y.csv", ""}, options);
  EXPECT_THAT(table.sample_ids, ElementsAre("q", "r", "s"));
  EXPECT_EQ(in_words(table.left_out.at(0)), "left out 1 sample without a target");
  EXPECT_THAT(joined(kWithIds, "p,A,x\nq,B,x\nr,A,x\ns,B,x\n", {"y.csv", "1"}).target->text,
              ElementsAre("A", "B", "A", "B"));
  EXPECT_THAT(target_error(kWithIds, "id,a,y\n", "y.csv", {}, "y"), HasSubstr("a header but no rows of values below"));
}

TEST(TargetFile, TheColumnOfIdsIsTheOneThatMatchesBestOrTheOneNamed) {
  const std::string two = "visit,a,who,y\np,1,s,4\nq,1,r,3\nq,1,q,2\nz,1,p,1\n";
  EXPECT_THAT(joined(kWithIds, two, {"c.csv", "y"}).target->numbers, ElementsAre(1.0, 2.0, 3.0, 4.0));
  ReadOptions options;
  options.target_id = "visit";
  EXPECT_THAT(target_error(kWithIds, two, "c.csv", options, "y"), HasSubstr("sample 'q' occurs twice"));
  options.target_id = "whom";
  EXPECT_THAT(target_error(kWithIds, two, "c.csv", options, "y"), HasSubstr("--target-id 'whom': no such column"));
}

// The first text in the order of the samples, with the row in which it stands.
TEST(TargetFile, APlaceIsThatOfItsOwnValueAlsoWhenJoined) {
  const TargetColumn mixed = target(kWithIds, "id,y\ns,late\nr,3\nq,early\np,1\n");
  EXPECT_THAT(mixed.text, ElementsAre("1", "early", "3", "late"));
  EXPECT_EQ(mixed.first_text, "y.csv: row 4, column 2");
  // An infinite number is none that a target can use: it is named like text.
  EXPECT_EQ(target(kPlain, "y\n1\ninf\nB\nC\n").first_text, "y.csv: row 3, column 1");
}

TEST(TargetFile, IdsMustMatch) {
  EXPECT_EQ(target_error(kWithIds, "id,y\ns,4\nr,3\nq,2\nx,1\n"),
            "data.csv: 3 of its 4 samples are among the 4 ids of y.csv; missing there: 'p'; missing here: 'x'; --match "
            "common uses those in common");
  EXPECT_THAT(target_error(kWithIds, "id,y\ns,4\nr,3\nq,2\np,1\np,1\n"), HasSubstr("y.csv: sample 'p' occurs twice"));
  EXPECT_THAT(target_error("id,a\np,1\np,2\n", "id,y\np,1\nq,2\n"), HasSubstr("data.csv: sample 'p' occurs twice"));
}

TEST(TargetFile, LengthsMustMatch) {
  EXPECT_THAT(target_error(kPlain, "1\n2\n3\n"), HasSubstr("the target has 3 values, data.csv has 4 samples"));
  EXPECT_THAT(target_error(kPlain, "1\n2\n3\n4\n5\n"), HasSubstr("the target has 5 values, data.csv has 4 samples"));
  EXPECT_THAT(target_error(kPlain, "A\nB\nA\nB\nA\n"), HasSubstr("the target has 5 values"));
  EXPECT_THAT(target_error(kPlain, "y\n1\n2\n3\n"), HasSubstr("the target has 3 values"));
  EXPECT_THAT(target_error(kPlain, npy("<f8", false, {3}, raw(std::vector<double>{1, 2, 3})), "y.npy"),
              HasSubstr("y.npy: the target has 3 values, data.csv has 4 samples"));
}

TEST(TargetFile, BadRowsAreNamed) {
  EXPECT_THAT(target_error(kPlain, "y\n1\n\n3\n4\n"), HasSubstr("y.csv: row 3, column 1: the target has no value"));
  EXPECT_THAT(target_error(kWithIds, "id,y\ns,4\nr,NA\nq,2\np,1\n"),
              HasSubstr("row 3, column 2: the target has no value"));
  EXPECT_THAT(target_error(kPlain, "1\n2\ninf\n4\n"), HasSubstr("row 3, column 1: the target is 'inf' here"));
  EXPECT_THAT(target_error(kPlain, "1,2,3\n1,2,3\n"),
              HasSubstr("3 columns; say which is the target with --target y.csv:COLUMN"));
  EXPECT_THAT(target_error(kPlain, "1,2\n1\n1,2\n"), HasSubstr("row 2: found 1 cell, expected 2"));
  EXPECT_THAT(target_error(kPlain, ""), HasSubstr("y.csv: the file is empty"));
}

TEST(TargetFile, Arrays) {
  const std::string data = raw(std::vector<float>{1, 2, 3, 4});
  const auto values = ElementsAre(1.0, 2.0, 3.0, 4.0);
  EXPECT_THAT(target(kPlain, npy("<f4", false, {4}, data), "y.npy").numbers, values);
  EXPECT_THAT(target(kPlain, npy("<f4", false, {4, 1}, data), "y.npy").numbers, values);
  EXPECT_THAT(target(kPlain, npy("<f4", true, {1, 4}, data), "y.npy").numbers, values);
  EXPECT_THAT(target(kPlain, npy(">f4", false, {4}, big_endian(data, 4)), "y.npy").numbers, values);
  EXPECT_THAT(target_error(kPlain, npy("<f4", false, {2, 2}, data), "y.npy"), HasSubstr("the target has shape (2, 2)"));
  EXPECT_THAT(target(kPlain, npy("|b1", false, {4}, std::string("\1\0\1\1", 4)), "y.npy").text,
              ElementsAre("true", "false", "true", "true"));
  const std::string names = utf32({U"größe", U"b", U"\x1F600", U"\xFFFFFFFF"}, 5);
  EXPECT_THAT(target(kPlain, npy("<U5", false, {4}, names), "y.npy").text, ElementsAre("größe", "b", "😀", "\uFFFD"));
  EXPECT_THAT(target(kPlain, npy(">U5", false, {4}, big_endian(names, 4)), "y.npy").text,
              ElementsAre("größe", "b", "😀", "\uFFFD"));
}

TEST(TargetFile, StringArrays) {
  EXPECT_THAT(target(kPlain, npy("|S2", false, {4}, std::string("abx\0c\0dd", 8)), "y.npy").text,
              ElementsAre("ab", "x", "c", "dd"));
  EXPECT_THAT(target(kPlain, npy("|S2", false, {4}, "10111213"), "y.npy").numbers, ElementsAre(10.0, 11.0, 12.0, 13.0));
  EXPECT_THAT(target_error(kPlain, npy("|S2", false, {4}, std::string("ab\0\0c\0dd", 8)), "y.npy"),
              HasSubstr("element 1 (counted from 0): the target has no value"));
}

TEST(TargetFile, FoundByPathAfterNamesAndNumbers) {
  const TemporaryFolder folder;
  const std::string data = folder.write("data.csv", kPlain);
  ReadOptions options;
  options.target = folder.write("y.txt", "1\n2\n3\n4\n");
  EXPECT_THAT(read_table(data, options, {}).target->numbers, ElementsAre(1.0, 2.0, 3.0, 4.0));
  const std::string array =
      folder.write("x.npy", npy("<i4", false, {4, 2}, raw(std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7, 8})));
  EXPECT_THAT(read_table(array, options, {}).target->numbers, ElementsAre(1.0, 2.0, 3.0, 4.0));
  options.target = folder.write("y.npz", npz({{"labels.npy", npy("|S1", false, {4}, "abab")}}, true));
  EXPECT_THAT(read_table(data, options, {}).target->text, ElementsAre("a", "b", "a", "b"));
  options.target = folder.write("c:1.csv", "a,b,c\n1,x,2\n2,y,2\n3,x,2\n4,y,2\n") + ":b";
  EXPECT_THAT(read_table(data, options, {}).target->text, ElementsAre("x", "y", "x", "y"));
  options.target = folder / "absent.txt";
  try {
    read_table(data, options, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no such column and no such file"));
  }
  options.target = folder.path().string();
  EXPECT_THROW(read_table(data, options, {}), InputError);
}

}  // namespace
}  // namespace land::test
