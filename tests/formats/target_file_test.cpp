#include "land/formats/target_file.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "sample_files.h"

namespace land::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* const kPlain = "a,b\n1,2\n3,4\n5,6\n7,8\n";
const char* const kWithIds = "id,a,b\np,1,2\nq,3,4\nr,5,6\ns,7,8\n";

TargetColumn target(const std::string& data, const std::string& content, const std::string& name = "y.csv") {
  return read_target_bytes(bytes_of(content), name, read(data), {}, {});
}

std::string target_error(const std::string& data, const std::string& content, const std::string& name = "y.csv") {
  try {
    target(data, content, name);
  } catch (const InputError& error) {
    return error.what();
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
  // Ids on one side only: in order.
  EXPECT_THAT(target(kPlain, "id,y\ns,4\nr,3\nq,2\np,1\n").numbers, ElementsAre(4.0, 3.0, 2.0, 1.0));
  EXPECT_THAT(target(kWithIds, "4\n3\n2\n1\n").numbers, ElementsAre(4.0, 3.0, 2.0, 1.0));
}

// The first text in the order of the samples, with the row in which it stands.
TEST(TargetFile, APlaceIsThatOfItsOwnValueAlsoWhenJoined) {
  const TargetColumn joined = target(kWithIds, "id,y\ns,late\nr,3\nq,early\np,1\n");
  EXPECT_THAT(joined.text, ElementsAre("1", "early", "3", "late"));
  EXPECT_EQ(joined.first_text, "y.csv: row 4, column 2");
  // An infinite number is none that a target can use: it is named like text.
  EXPECT_EQ(target(kPlain, "y\n1\ninf\nB\nC\n").first_text, "y.csv: row 3, column 1");
}

TEST(TargetFile, IdsMustMatch) {
  EXPECT_EQ(target_error(kWithIds, "id,y\ns,4\nr,3\nq,2\nx,1\n"),
            "y.csv: sample 'p' of data.csv is missing here; the ids of both files must be the same");
  EXPECT_EQ(target_error(kWithIds, "id,y\ns,4\nr,3\nq,2\np,1\nx,5\n"),
            "data.csv: sample 'x' of y.csv is missing here; the ids of both files must be the same");
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
  EXPECT_THAT(target_error(kWithIds, "id,y\ns,4\nr,NA\nq,2\np,1\n"), HasSubstr("row 3, column 2: the target has 'NA'"));
  EXPECT_THAT(target_error(kPlain, "1\n2\ninf\n4\n"), HasSubstr("row 3, column 1: the target has 'inf'"));
  EXPECT_THAT(target_error(kPlain, "1,2,3\n1,2,3\n"), HasSubstr("row 1 has more than two columns"));
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
