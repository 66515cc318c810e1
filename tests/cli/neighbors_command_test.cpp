// land neighbors as a user runs it.
#include <gtest/gtest.h>

#include "tests/cli/run_program.h"

namespace land {
namespace {

using test::Finished;
using test::is_one_complaint;
using test::read_text;
using test::run_land;
using test::TemporaryFolder;

class NeighborsCommand : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_land(folder_, {"generate", "paper", "data.csv", "--features", "60", "--samples", "100"}).exit_code,
              0);
  }
  TemporaryFolder folder_;
};

TEST_F(NeighborsCommand, FindsTheNearCopy) {
  // X31 is a near copy of X1, and the target is no feature.
  const Finished run = run_land(folder_, {"neighbors", "data.csv", "--target", "Y", "--feature", "X1", "-k", "3"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("rank\tindex\tname\tredundancy\n1\t30\tX31\t0.9")) << run.out;
  EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 4);
  EXPECT_NE(run.err.find("3 neighbours of X1"), std::string::npos) << run.err;
  ASSERT_EQ(run_land(folder_, {"neighbors", "data.csv", "--target", "Y", "-f", "0", "-k", "3", "-q", "-o", "out.tsv"})
                .exit_code,
            0);
  EXPECT_EQ(read_text(folder_ / "out.tsv"), run.out);
}

TEST_F(NeighborsCommand, SuggestsNames) {
  const Finished run = run_land(folder_, {"neighbors", "data.csv", "--feature", "x0000"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
  EXPECT_NE(run.err.find("no such feature"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace land
