// Several columns as targets, and two of them as survival: which they are, and that they are no features.
#include <gmock/gmock.h>

#include "cli/spelling.h"
#include "land/base/error.h"
#include "sample_files.h"

namespace land::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ReadOptions with(const std::string& target, bool survival = false, Rows rows = Rows::kSamples) {
  ReadOptions options;
  options.target = target;
  options.survival = survival;
  options.rows = rows;
  return options;
}

std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const TargetColumn* target : table.targets()) names.push_back(target->name);
  return names;
}

const char* const kTable = "id,a,b,\"a,b\",c,d\np,1,2,3,x,5\nq,6,7,8,y,9\nr,1,4,1,x,4\ns,2,2,2,y,2\n";
const char* const kByFeature = "name,p,q,r,s\na,1,6,1,2\nb,2,7,4,2\nc,x,y,x,y\nd,5,9,4,2\ne,1,2,3,4\n";

TEST(SeveralTargets, StandInTheOrderInWhichTheyAreNamed) {
  const Table table = read(kTable, "data.csv", with("d,c"));
  EXPECT_THAT(names_of(table), ElementsAre("d", "c"));
  EXPECT_THAT(table.target->numbers, ElementsAre(5.0, 9.0, 4.0, 2.0));
  EXPECT_THAT(table.other_targets[0].text, ElementsAre("x", "y", "x", "y"));
  EXPECT_THAT(table.feature_names, ElementsAre("a", "b", "a,b"));
  EXPECT_EQ(table.cell(1, 2), "data.csv: row 3, column 4 ('a,b')");
}

TEST(SeveralTargets, ANameWithACommaComesFirst) {
  const auto names = [](const std::string& target) {
    ReadOptions options = with(target);
    const std::vector<std::string> text_column = {"c"};
    options.choice.exclude = NamePatterns("exclude", text_column);
    return names_of(read(kTable, "data.csv", options));
  };
  EXPECT_THAT(names("a,b"), ElementsAre("a,b"));
  EXPECT_THAT(names("b,a"), ElementsAre("b", "a"));
  EXPECT_THAT(names("d,a,b"), ElementsAre("d", "a,b"));
  EXPECT_THAT(names("a,b,a"), ElementsAre("a,b", "a"));
  EXPECT_THAT(names("1,5"), ElementsAre("a", "d"));
}

TEST(SeveralTargets, AreRowsWhereRowsAreFeatures) {
  const Table table = read(kByFeature, "data.csv", with("d,c,a", false, Rows::kFeatures));
  EXPECT_THAT(names_of(table), ElementsAre("d", "c", "a"));
  EXPECT_THAT(table.other_targets[1].numbers, ElementsAre(1.0, 6.0, 1.0, 2.0));
  EXPECT_THAT(table.feature_names, ElementsAre("b", "e"));
  EXPECT_THAT(feature(table, 0), ElementsAre(2.0, 7.0, 4.0, 2.0));
  EXPECT_THAT(feature(table, 1), ElementsAre(1.0, 2.0, 3.0, 4.0));
  EXPECT_EQ(table.cell(2, 1), "data.csv: row 6 ('e'), column 4");
}

TEST(SeveralTargets, AreColumnsOfAnArrayWithTheNumbersOfText) {
  // 4 samples of 6 columns: 10 i + column.
  std::vector<double> values;
  std::string text;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 6; ++j) {
      values.push_back(10.0 * i + j);
      text += std::to_string(10 * i + j) + (j < 5 ? "," : "\n");
    }
  }
  const Table array = read(npy("<f8", false, {4, 6}, raw(values)), "data.npy", with("4,1,2"));
  const Table columns = read(text, "data.csv", with("4,1,2"));
  EXPECT_THAT(names_of(array), ElementsAre("column 4", "column 1", "column 2"));
  EXPECT_EQ(names_of(array), names_of(columns));
  ASSERT_EQ(array.features(), 3);
  for (std::int64_t k = 0; k < 3; ++k) {
    EXPECT_EQ(feature(array, k), feature(columns, k)) << k;
    EXPECT_EQ(array.feature_name(k), columns.feature_name(k)) << k;
  }
  EXPECT_EQ(array.cell(2, 1), "data.npy: row 2, column 3 (counted from 0)");
  EXPECT_EQ(array.cell(2, 2), "data.npy: row 2, column 5 (counted from 0)");
  EXPECT_TRUE(array.left_out.empty());
}

TEST(SeveralTargets, AreArraysOfAnArchive) {
  const std::vector<double> features = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<double> time = {5, 1, 2, 3};
  const std::vector<double> event = {1, 0, 1, 1};
  const std::string archive = npz({{"X.npy", npy("<f8", false, {4, 2}, raw(features))},
                                   {"time.npy", npy("<f8", false, {4}, raw(time))},
                                   {"event.npy", npy("<f8", false, {4}, raw(event))}},
                                  false);
  EXPECT_THAT(names_of(read(archive, "data.npz", with("event,time"))), ElementsAre("event", "time"));
  const Table table = read(archive, "data.npz", with("time,event", true));
  EXPECT_THAT(table.target->numbers, ElementsAre(5.0, 1.0, 2.0, 3.0));
  EXPECT_THAT(table.target->events, ElementsAre(1, 0, 1, 1));
  EXPECT_EQ(cli::spelled(error_of(archive, "data.npz", with("time", true))),
            "data.npz: --survival 'time': name two arrays, the time and the event");
}

TEST(SeveralTargets, ThatAreNotThereAreNamed) {
  const auto error = [](const std::string& target) { return cli::spelled(error_of(kTable, "data.csv", with(target))); };
  EXPECT_THAT(error("a,q"), HasSubstr("--target 'q': no such column"));
  EXPECT_THAT(error("x,y"), HasSubstr("--target 'x,y': no such column"));
  EXPECT_THAT(error("a,"), HasSubstr("no such column"));
  EXPECT_EQ(error("d,1,a"), "data.csv: --target 'd,1,a': a column is named twice; name each once");
}

TEST(SurvivalColumns, AreOneTargetThatLacksWhatEitherLacks) {
  const std::string text = "time,event,x\n3,1,1\nNA,0,2\n5,,3\n2.5,0:LIVING,4\n7,1:DECEASED,5\n1,0,6\n0,1,7\n";
  ReadOptions options = with("time,event", true);
  EXPECT_EQ(cli::spelled(error_of(text, "data.csv", options)),
            "data.csv: row 3, column 1 ('time'): the target has no value here, nor for 1 more of 7 samples; give it "
            "one, or leave such samples out with --drop-missing-target");
  options.subset.drop_missing_target = true;
  const Table table = read(text, "data.csv", options);
  EXPECT_EQ(table.target->name, "time,event");
  EXPECT_TRUE(table.target->is_survival());
  EXPECT_THAT(table.target->numbers, ElementsAre(3.0, 2.5, 7.0, 1.0, 0.0));
  EXPECT_THAT(table.target->events, ElementsAre(1, 0, 1, 0, 1));
  EXPECT_THAT(table.feature_names, ElementsAre("x"));
}

}  // namespace
}  // namespace land::test
