// Covariates of a file of their own, or of the table, brought into the order of its samples.
#include <gmock/gmock.h>

#include <cmath>

#include "cli/spelling.h"
#include "land/formats/take_covariates.h"
#include "land/formats/target_file.h"
#include "land/subset/apply_subset.h"
#include "sample_files.h"
#include "tests/support/temporary_folder.h"

namespace land::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* const kWithIds = "id,a,b\np,1,2\nq,3,4\nr,5,6\ns,7,8\n";
const char* const kPlain = "a,b\n1,2\n3,4\n5,6\n7,8\n";

Table joined(const std::string& data, const std::string& content, const std::vector<std::string>& columns = {},
             const ReadOptions& options = {}) {
  TemporaryFolder folder;
  folder.write("c.csv", content);
  Table table = read(data);
  read_covariates_file({folder / "c.csv", columns}, options, {}, table);
  apply_subset(table, options, {});
  return table;
}

std::string refusal(const std::string& data, const std::string& content, const std::vector<std::string>& columns = {},
                    const ReadOptions& options = {}) {
  try {
    joined(data, content, columns, options);
  } catch (const InputError& error) {
    return cli::spelled(error.what());
  }
  return "";
}

std::vector<std::string> names(const Table& table) {
  std::vector<std::string> list;
  for (const TargetColumn& covariate : table.covariates) list.push_back(covariate.name);
  return list;
}

TEST(Covariates, OfAFileAreJoinedOnIds) {
  const Table table = joined(kWithIds, "patient,age,batch\nr,30,x\ns,40,y\np,10,y\nq,20,x\n");
  EXPECT_THAT(names(table), ElementsAre("age", "batch"));
  EXPECT_THAT(table.covariates[0].numbers, ElementsAre(10, 20, 30, 40));
  EXPECT_THAT(table.covariates[1].text, ElementsAre("y", "x", "x", "y"));
  EXPECT_TRUE(table.covariates[0].covariate);
  EXPECT_EQ(table.covariate_matching.how, Matching::How::kIds);
  EXPECT_EQ(table.covariate_matching.id_column, "patient");
  EXPECT_EQ(table.covariate_matching.common, 4);
  EXPECT_EQ(table.features(), 2);
}

TEST(Covariates, OfAFileMayBeNamed) {
  const char* const content = "patient,age,batch,site\nr,30,x,1\ns,40,y,2\np,10,y,1\nq,20,x,2\n";
  const Table table = joined(kWithIds, content, {"site", "age"});
  EXPECT_THAT(names(table), ElementsAre("site", "age"));
  EXPECT_THAT(table.covariates[0].numbers, ElementsAre(1, 2, 1, 2));
  EXPECT_THAT(names(joined(kWithIds, content, {"3"})), ElementsAre("site"));
  EXPECT_THAT(refusal(kWithIds, content, {"sit"}), HasSubstr("--adjust 'sit': no such column; did you mean 'site'?"));
}

TEST(Covariates, OfAFileLeaveOutTheTarget) {
  TemporaryFolder folder;
  folder.write("c.csv", "patient,y,age\nr,1,30\ns,2,40\np,1,10\nq,2,20\n");
  ReadOptions options;
  options.target = (folder / "c.csv") + ":y";
  Table table = read(kWithIds);
  read_covariates_file({folder / "c.csv", {}}, options, {}, table);
  EXPECT_THAT(names(table), ElementsAre("age"));
}

TEST(Covariates, MayStandInOrder) {
  const Table table = joined(kPlain, "age\n10\n20\n30\n40\n");
  EXPECT_THAT(table.covariates[0].numbers, ElementsAre(10, 20, 30, 40));
  EXPECT_EQ(table.covariate_matching.how, Matching::How::kOrder);
  EXPECT_THAT(names(joined(kPlain, "age,site,dose\n10,x,1\n20,y,2\n30,x,1\n40,y,2\n")),
              ElementsAre("age", "site", "dose"));
  EXPECT_THAT(refusal(kPlain, "age\n10\n20\n30\n"), HasSubstr("the covariate has 3 values, "));
  EXPECT_THAT(refusal(kWithIds, "age\n10\n20\n30\n40\n"), HasSubstr("no ids beside the 4 values"));
}

TEST(Covariates, IdsMustBeTheSameOnBothSides) {
  const char* const content = "patient,age,dose\nr,30,1\ns,40,1\np,10,1\nt,20,2\n";
  EXPECT_THAT(refusal(kWithIds, content), HasSubstr("3 of its 4 samples are among the 4 ids of "));
  ReadOptions options;
  options.match = Match::kCommon;
  const Table table = joined(kWithIds, content, {}, options);
  EXPECT_EQ(table.samples(), 3);
  EXPECT_THAT(table.covariates[0].numbers, ElementsAre(10, 30, 40));
  EXPECT_THAT(table.sample_ids, ElementsAre("p", "r", "s"));
}

TEST(Covariates, MissingOnesAreRefusedUnlessTheirSamplesAreLeftOut) {
  const char* const content = "patient,age,batch\nr,30,x\ns,40,y\np,10,NA\nq,20,x\n";
  const std::string message = refusal(kWithIds, content);
  EXPECT_THAT(message, HasSubstr("c.csv: covariate 'batch' has no value for sample 'p'; give it one, or leave such "
                                 "samples out with --samples or --exclude-samples"));
  ReadOptions options;
  options.subset.exclude_samples = {"exclude-samples", std::vector<std::string>{"p"}};
  const Table table = joined(kWithIds, content, {}, options);
  EXPECT_THAT(table.covariates[0].numbers, ElementsAre(20, 30, 40));
  EXPECT_THAT(table.covariates[1].text, ElementsAre("x", "x", "y"));
  EXPECT_THAT(refusal(kWithIds, "patient,age\nr,30\ns,inf\np,10\nq,20\n"),
              HasSubstr("row 3, column 2: the covariate is 'inf' here"));
}

TEST(Covariates, OfTheTableAreNoFeatures) {
  ReadOptions options;
  options.adjust = {"batch", "age"};
  options.target = "y";
  const Table table =
      read("id,g1,age,batch,g2,y\np,1,30,u,2,0\nq,2,40,v,3,1\nr,3,50,u,4,0\ns,4,60,v,5,1\n", "data.csv", options);
  EXPECT_THAT(table.feature_names, ElementsAre("g1", "g2"));
  EXPECT_EQ(table.feature_numbers[1], 3);
  EXPECT_THAT(names(table), ElementsAre("batch", "age"));
  EXPECT_THAT(table.covariates[0].text, ElementsAre("u", "v", "u", "v"));
  EXPECT_THAT(table.covariates[1].numbers, ElementsAre(30, 40, 50, 60));
  EXPECT_TRUE(table.covariates[0].categorical);
  EXPECT_FALSE(table.covariates[1].categorical);
  ASSERT_EQ(table.left_out.size(), 1U);
  EXPECT_EQ(cli::spelled(in_words(table.left_out[0])), "left out 2 features that --adjust makes covariates");
}

TEST(Covariates, OfTheTableAreReadWhateverIsLeftOut) {
  ReadOptions options;
  options.adjust = {"batch"};
  options.choice.include = {"include", std::vector<std::string>{"g*"}};
  options.subset.exclude_samples = {"exclude-samples", std::vector<std::string>{"q"}};
  const Table table = read("id,g1,age,batch,g2\np,1,30,u,2\nq,2,40,v,3\nr,3,50,u,4\ns,4,60,v,5\n", "data.csv", options);
  EXPECT_THAT(table.feature_names, ElementsAre("g1", "g2"));
  EXPECT_THAT(table.covariates[0].text, ElementsAre("u", "u", "v"));
  options.adjust = {"bath"};
  try {
    read("id,g1,age,batch,g2\np,1,30,u,2\nq,2,40,v,3\n", "data.csv", options);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(cli::spelled(error.what()), HasSubstr("--adjust 'bath': no such feature; did you mean 'batch'?"));
  }
}

TEST(Covariates, OfABlockTableCannotBeFeatures) {
  Table table;
  table.path = "blocks";
  table.elsewhere = {10, 4};
  EXPECT_THROW(take_covariates(table, std::vector<std::string>{"f1"}), InputError);
}

}  // namespace
}  // namespace land::test
