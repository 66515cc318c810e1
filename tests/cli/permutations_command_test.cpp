// --permutations and -m auto, as a user types them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "tests/cli/run_program.h"

namespace land {
namespace {

using test::Finished;
using test::read_text;
using test::run_land;
using test::TemporaryFolder;
using test::write_text;
using testing::HasSubstr;
using testing::Not;

class PermutationsCommand : public testing::Test {
 protected:
  // `signals` of 30 features differ between the classes.
  void make(int signals) {
    std::mt19937_64 random(8);
    std::normal_distribution<double> normal;
    std::string text = "id";
    for (int j = 0; j < 30; ++j) text += fmt::format(",g{}", j);
    text += ",y\n";
    for (int i = 0; i < 60; ++i) {
      text += fmt::format("S{}", i);
      for (int j = 0; j < 30; ++j) text += fmt::format(",{}", normal(random) + (j < signals ? 1.5 * (i % 2) : 0.0));
      text += fmt::format(",{}\n", i % 2 == 0 ? "sick" : "well");
    }
    write_text(folder_ / "x.csv", text);
  }

  Finished select(std::vector<std::string> more) {
    std::vector<std::string> words = {"select", "x.csv", "-t", "y"};
    words.insert(words.end(), more.begin(), more.end());
    return run_land(folder_, words);
  }

  TemporaryFolder folder_;
};

TEST_F(PermutationsCommand, AddsThreeColumns) {
  make(3);
  const Finished done = select({"-m", "4", "--permutations", "200"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  std::istringstream lines(done.out);
  std::string header;
  std::string first;
  std::getline(lines, header);
  std::getline(lines, first);
  EXPECT_THAT(header, HasSubstr("\tp_fwer\texpected_by_chance\tq"));
  EXPECT_THAT(first, HasSubstr(fmt::format("\t{}\t", 1.0 / 201.0)));
  EXPECT_THAT(done.err, HasSubstr("200 permutations: p = 0.005 for the most relevant feature"));
  EXPECT_THAT(done.err, HasSubstr("whatever was selected before it"));
  const Finished plain = select({"-m", "4"});
  EXPECT_THAT(plain.out, Not(HasSubstr("p_fwer")));
}

TEST_F(PermutationsCommand, SelectsNothingFromNoise) {
  make(0);
  const Finished done = select({"-m", "auto", "--permutations", "200", "--write-table", "top.csv"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(std::count(done.out.begin(), done.out.end(), '\n'), 1) << "the header alone";
  EXPECT_THAT(done.err, HasSubstr("selected 0 features: chance alone comes as far as the most relevant"));
  EXPECT_THAT(done.err, HasSubstr("top.csv was not written: no feature was selected"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "top.csv"));
  const Finished json = select({"-m", "auto", "--permutations", "200", "-q", "-o", "r.json"});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  const auto document = nlohmann::json::parse(read_text(folder_ / "r.json"));
  EXPECT_TRUE(document["selected"].empty());
  EXPECT_EQ(document["stopped"], "lambda_reached");
  EXPECT_EQ(document["options"]["features"], "auto");
  EXPECT_EQ(document["permutations"]["largest"].size(), document["permutations"]["made"]);
}

TEST_F(PermutationsCommand, SelectsWhatChanceDoesNotExplain) {
  make(3);
  const Finished done = select({"-m", "auto", "--alpha", "0.1"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("1,000 permutations"));
  EXPECT_THAT(done.err, HasSubstr("features: chance alone comes as far as what is left"));
}

TEST_F(PermutationsCommand, GivesEveryFeatureOfATableItsChance) {
  make(3);
  const Finished done =
      run_land(folder_, {"score", "x.csv", "-t", "y", "--permutations", "100", "--tsv", "-o", "all.tsv"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const std::string text = read_text(folder_ / "all.tsv");
  EXPECT_TRUE(text.starts_with("index\tname\trelevance\terror\tconstant\tp_fwer\texpected_by_chance\tq\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 31);
}

TEST_F(PermutationsCommand, SaysWhatToType) {
  make(3);
  const auto expect = [&](const Finished& done, const std::string& message) {
    EXPECT_EQ(done.exit_code, 2);
    EXPECT_EQ(done.out, "");
    EXPECT_THAT(done.err, HasSubstr(message));
  };
  expect(select({"-m", "some"}), "--features some: give a whole number of features, or auto");
  expect(select({"-m", "auto", "--method", "cmim"}), "only a path of kernels tells where chance begins");
  expect(select({"-m", "auto", "--permutations", "10"}), "10 permutations cannot show so little chance: 19 at least");
  expect(select({"--permutations", "-3"}), "--permutations -3: must be a number of permutations, or 0 for none");
  expect(select({"--alpha", "0.1"}), "--alpha 0.1: goes with --features auto alone: leave it out, or ask for that");
  expect(select({"--alpha", "0.9", "-m", "auto"}), "--alpha 0.9: give a probability between 1e-06 and 0.5");
  expect(run_land(folder_, {"score", "x.csv", "-t", "y", "--permutations", "9", "-o", "a.scores"}),
         "--permutations 9: what they say goes into tables only; add --tsv");
  expect(
      run_land(folder_, {"score", "x.csv", "-t", "y", "--permutations", "9", "--part", "1/2", "--tsv", "-o", "a.tsv"}),
      "chance is compared with all features: leave out --part");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.tsv"));
}

}  // namespace
}  // namespace land
