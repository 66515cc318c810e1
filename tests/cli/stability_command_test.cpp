// land stability as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/run_program.h"

namespace land {
namespace {

using Json = nlohmann::json;
using test::Finished;
using test::is_one_complaint;
using test::read_text;
using test::run_land;
using test::TemporaryFolder;
using testing::HasSubstr;
using testing::StartsWith;
using Words = std::vector<std::string>;

class StabilityCommand : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_land(folder_, {"generate", "paper", "data.csv", "--features", "60", "--samples", "80"}).exit_code, 0);
  }
  Finished run(Words words) const {
    words.insert(words.begin(), {"stability", "data.csv", "--target", "Y", "-m", "3", "--pairs", "5"});
    return run_land(folder_, words);
  }
  TemporaryFolder folder_;
};

TEST_F(StabilityCommand, PrintsFrequencies) {
  const Finished finished = run({});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, StartsWith("rank\tindex\tname\tfrequency\tgroup_frequency\tgroup_members\tstable\n1\t"));
  EXPECT_THAT(finished.err, HasSubstr("10 selections of 3.0 features on average (3 asked for)"));
  EXPECT_EQ(run({"--threads", "1", "--memory", "500M"}).out, finished.out);
  EXPECT_NE(run({"--seed", "1"}).out, finished.out);
  EXPECT_NE(run({"--method", "lasso"}).out, finished.out);
}

TEST_F(StabilityCommand, WritesJson) {
  const Finished finished = run({"-q", "-o", "found.json", "--max-false", "2"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out + finished.err, "");
  const Json document = Json::parse(read_text(folder_ / "found.json"));
  EXPECT_EQ(document["kind"], "stability");
  EXPECT_EQ(document["selections"], 10);
  EXPECT_EQ(document["asked"], 3);
  EXPECT_EQ(document["options"]["pairs"], 5);
  EXPECT_EQ(document["options"]["max_false"], 2.0);
  EXPECT_GE(document["threshold"], 0.6);
  EXPECT_LE(document["bound"], 2.0);
  std::int64_t count = 0;
  for (const Json& feature : document["features"]) {
    count += feature["count"].get<std::int64_t>();
    EXPECT_EQ(feature["stable"], feature["frequency"] >= document["threshold"]);
  }
  EXPECT_EQ(count, 30);
}

TEST_F(StabilityCommand, RefusesWhatMeansNothing) {
  for (const auto& [words, said] : std::vector<std::pair<Words, std::string>>{
           {{"--pairs", "1"}, "--pairs 1: take 2 to 10000 pairs of halves"},
           {{"--max-false", "0"}, "--max-false 0: give a number of features above 0"},
           {{"--features", "0"}, "--features 0: ask for at least 1 feature"},
           {{"--seed", "-1"}, "--seed -1: give a whole number"},
           {{"-m", "auto"}, "--features: auto is for land select: give a number"},
           {{"--method", "mrmr", "--ridge", "0.1"},
            "--ridge: --method mrmr does not use it: leave it out, or choose one "
            "of land, hsic-lasso"},
           {{"--samples", "few"}, "no number from 0 to 79, and the table has no sample ids"}}) {
    folder_.write("few", "80\n");
    Words all = {"stability", "data.csv", "--target", "Y"};
    all.insert(all.end(), words.begin(), words.end());
    const Finished finished = run_land(folder_, all);
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_TRUE(is_one_complaint(finished.err)) << finished.err;
    EXPECT_THAT(finished.err, HasSubstr(said));
  }
}

}  // namespace
}  // namespace land
