// --nominal as a user gives it: the same in every subcommand, and kept by a store.
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "tests/cli/run_program.h"

namespace land {
namespace {

using test::Finished;
using test::is_one_complaint;
using test::read_text;
using test::run_land;
using test::TemporaryFolder;

// Five groups whose numbers say nothing about their effect on y, another numbering of the same groups, and noise.
std::string table_with_groups() {
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise;
  const int other_number[] = {2, 3, 4, 0, 1};
  const double effect[] = {0.0, 3.0, -3.0, 1.0, -2.0};
  std::ostringstream text;
  text << "group,other,y,x\n";
  for (int i = 0; i < 120; ++i) {
    const auto group = static_cast<int>(random() % 5);
    text << group << ',' << other_number[group] << ',' << effect[group] + 0.3 * noise(random) << ',' << noise(random)
         << '\n';
  }
  return text.str();
}

class NominalOption : public testing::Test {
 protected:
  void SetUp() override { folder_.write("data.csv", table_with_groups()); }

  // The relevances of group and other.
  std::pair<std::string, std::string> scores(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "score");
    arguments.insert(arguments.end(), {"--refine", "--tsv", "-q", "-o", "scores.tsv"});
    const Finished run = run_land(folder_, arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    std::istringstream lines(read_text(folder_ / "scores.tsv"));
    std::string header;
    std::string group[5];
    std::string other[5];
    std::getline(lines, header);
    for (std::string& cell : group) lines >> cell;
    for (std::string& cell : other) lines >> cell;
    EXPECT_EQ(group[1], "group");
    return {group[2], other[2]};
  }
  TemporaryFolder folder_;
};

TEST_F(NominalOption, TakesTheOrderFromCategories) {
  const auto [group, other] = scores({"data.csv", "-t", "y"});
  EXPECT_NE(group, other);
  const auto nominal = scores({"data.csv", "-t", "y", "--nominal", "group,other"});
  EXPECT_NEAR(std::stod(nominal.first), std::stod(nominal.second), 1e-9);
  EXPECT_GT(std::stod(nominal.first), std::stod(group));
  // Names or numbers, in one list or several.
  EXPECT_EQ(scores({"data.csv", "-t", "y", "--nominal", "group", "--nominal", "1"}), nominal);
}

TEST_F(NominalOption, IsThatOfEveryCommand) {
  const Finished direct = run_land(folder_, {"select", "data.csv", "-t", "y", "-m", "2", "--nominal", "group", "-q"});
  ASSERT_EQ(direct.exit_code, 0) << direct.err;
  EXPECT_NE(direct.out.find("1\t0\tgroup\t"), std::string::npos) << direct.out;
  const Finished convert = run_land(folder_, {"convert", "data.csv", "data.h5", "-t", "y", "--nominal", "group", "-q"});
  ASSERT_EQ(convert.exit_code, 0) << convert.err;
  EXPECT_EQ(run_land(folder_, {"select", "data.h5", "-m", "2", "-q"}).out, direct.out);
  // A store takes more of them.
  EXPECT_EQ(scores({"data.h5", "--nominal", "other"}), scores({"data.csv", "-t", "y", "--nominal", "group,other"}));
  const Finished copies = run_land(
      folder_, {"neighbors", "data.csv", "-t", "y", "-f", "group", "-k", "1", "--nominal", "group,other", "-q"});
  EXPECT_NE(copies.out.find("1\t1\tother\t1"), std::string::npos) << copies.out;
}

TEST_F(NominalOption, SuggestsNames) {
  for (const auto& [wanted, hint] :
       {std::pair{"gruop", "did you mean 'group'"}, {"y", "no such feature"}, {"7", "0 to 2"}}) {
    const Finished run = run_land(folder_, {"select", "data.csv", "-t", "y", "--nominal", wanted});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
    EXPECT_NE(run.err.find("--nominal"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find(hint), std::string::npos) << run.err;
    EXPECT_EQ(run.out, "");
  }
}

}  // namespace
}  // namespace land
