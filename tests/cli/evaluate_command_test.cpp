// land evaluate as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

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

class EvaluateCommand : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_land(folder_, {"generate", "paper", "data.csv", "--features", "60", "--samples", "80"}).exit_code, 0);
  }
  Finished run(Words words) const {
    words.insert(words.begin(), {"evaluate", "data.csv", "--target", "Y"});
    return run_land(folder_, words);
  }
  void select(Words words) const {
    words.insert(words.begin(), {"select", "data.csv", "--target", "Y", "-q"});
    const Finished finished = run_land(folder_, words);
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
  }
  TemporaryFolder folder_;
};

std::vector<Words> cells(const std::string& text) {
  std::vector<Words> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    rows.emplace_back();
    for (std::string word; std::getline(words, word, '\t');) rows.back().push_back(word);
  }
  return rows;
}

TEST_F(EvaluateCommand, JudgesSelections) {
  select({"-m", "5", "-o", "a.json"});
  select({"-m", "8", "--method", "mr-nhsic", "-o", "b.json"});
  const Finished finished = run({"--selection", "a.json", "--selection", "b.json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const std::vector<Words> rows = cells(finished.out);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0], (Words{"selection", "method", "selected", "reduction", "independence", "nhsic"}));
  EXPECT_EQ((Words{rows[1].begin(), rows[1].begin() + 3}), (Words{"a.json", "land", "5"}));
  EXPECT_EQ((Words{rows[2].begin(), rows[2].begin() + 3}), (Words{"b.json", "mr-nhsic", "8"}));
  EXPECT_NEAR(std::stod(rows[1][3]), 1.0 - 5.0 / 60.0, 1e-12);
  EXPECT_THAT(finished.err, HasSubstr("judged 2 selections"));
  EXPECT_EQ(finished.err.find("warning"), std::string::npos) << finished.err;

  ASSERT_EQ(run({"--selection", "a.json", "-o", "out.json", "-q"}).exit_code, 0);
  const Json json = Json::parse(read_text(folder_ / "out.json"));
  EXPECT_EQ(json["kind"], "selections");
  EXPECT_EQ(json["selections"][0]["same_table"], true);
  EXPECT_EQ(json["selections"][0]["nhsic"].get<double>(), std::stod(rows[1][5]));
  EXPECT_EQ(json["folds"], nullptr);
  const Json selection = Json::parse(read_text(folder_ / "a.json"));
  for (std::size_t t = 0; t < 5; ++t) {
    EXPECT_EQ(json["selections"][0]["indices"][t], selection["selected"][t]["index"]);
  }
}

// Numbers of a selection count features that are left out, here and there.
TEST_F(EvaluateCommand, FindsFeaturesWhateverIsLeftOut) {
  select({"-m", "5", "--exclude", "X2,X3", "-o", "a.json"});
  ASSERT_EQ(run({"--selection", "a.json", "--exclude", "X2,X3", "-o", "same.json"}).exit_code, 0);
  const Finished other = run({"--selection", "a.json", "-o", "other.json"});
  ASSERT_EQ(other.exit_code, 0);
  EXPECT_THAT(other.err, HasSubstr("warning: a.json was selected from other values, of data.csv"));
  const Json same = Json::parse(read_text(folder_ / "same.json"));
  const Json all = Json::parse(read_text(folder_ / "other.json"));
  EXPECT_EQ(same["selections"][0]["same_table"], true);
  EXPECT_EQ(all["selections"][0]["same_table"], false);
  for (const char* field : {"indices", "independence", "nhsic"}) {
    EXPECT_EQ(same["selections"][0][field], all["selections"][0][field]);
  }
  const std::string name = Json::parse(read_text(folder_ / "a.json"))["selected"][1]["name"];
  const Finished lacking = run({"--selection", "a.json", "--exclude", name});
  EXPECT_EQ(lacking.exit_code, 2);
  EXPECT_TRUE(is_one_complaint(lacking.err)) << lacking.err;
  EXPECT_THAT(lacking.err, HasSubstr("data.csv has no feature '" + name + "', or leaves it out"));
}

TEST_F(EvaluateCommand, JudgesMethodsOverFolds) {
  const Words words = {"--methods", "land,mr-nhsic", "-m", "6,3", "--folds", "4", "--repeats", "2", "--seed", "9"};
  const Finished finished = run(words);
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const std::vector<Words> rows = cells(finished.out);
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[0], (Words{"method", "m", "selected", "reduction", "independence", "independence_error", "nhsic",
                            "nhsic_error", "stability", "seconds"}));
  EXPECT_EQ((Words{rows[1].begin(), rows[1].begin() + 3}), (Words{"land", "3", "3"}));
  EXPECT_EQ((Words{rows[4].begin(), rows[4].begin() + 3}), (Words{"mr-nhsic", "6", "6"}));
  EXPECT_THAT(finished.err, HasSubstr("judged 2 methods over 8 splits"));

  Words to_file = words;
  to_file.insert(to_file.end(), {"-o", "out.json", "--threads", "1"});
  ASSERT_EQ(run(to_file).exit_code, 0);
  const Json json = Json::parse(read_text(folder_ / "out.json"));
  EXPECT_EQ(json["kind"], "folds");
  ASSERT_EQ(json["folds"].size(), 8U);
  std::multiset<int> held_out;
  for (const Json& fold : json["folds"]) {
    for (const Json& sample : fold["held_out"]) held_out.insert(sample.get<int>());
    ASSERT_EQ(fold["methods"].size(), 2U);
    EXPECT_EQ(fold["methods"][1]["method"], "mr-nhsic");
    EXPECT_EQ(fold["methods"][1]["sets"][1]["m"], 6);
    EXPECT_EQ(fold["methods"][1]["sets"][1]["indices"].size(), 6U);
  }
  for (int i = 0; i < 80; ++i) EXPECT_EQ(held_out.count(i), 2U);
  EXPECT_EQ(json["summary"][0]["nhsic"]["mean"].get<double>(), std::stod(rows[1][6]));
  EXPECT_EQ(json["options"]["seed"], 9);
}

TEST_F(EvaluateCommand, WritesCsv) {
  ASSERT_EQ(run({"-m", "2", "--folds", "2", "-o", "out.csv", "-q"}).exit_code, 0);
  EXPECT_THAT(read_text(folder_ / "out.csv"), StartsWith("method,m,selected,"));
}

TEST_F(EvaluateCommand, RefusesInOneLine) {
  select({"-m", "5", "-o", "a.json"});
  folder_.write("bad.json", "{\"schema_version\":1}");
  const std::vector<std::pair<Words, std::string>> mistakes = {
      {{"--selection", "none.json"}, "none.json: cannot read the file"},
      {{"--selection", "data.csv"}, "data.csv: this is no selection: it is not JSON"},
      {{"--selection", "bad.json"}, "bad.json: this is no selection: its field 'data' is missing"},
      {{"--selection", "a.json", "--folds", "3"}, "--selection and --folds: "},
      {{"--selection", "a.json", "-o", "a.json"}, "would be overwritten"},
      {{"--folds", "1"}, "--folds 1: take at least 2 folds"},
      {{"--folds", "81"}, "--folds 81: there are 80 samples only"},
      {{"--methods", "best"}, "--methods best: choose one of land"},
      {{"--methods", "land,mrmr", "--landmarks", "5"},
       "--landmarks: --methods land,mrmr does not use it: leave it out"},
      {{"--selection", "a.json", "--bins", "3"}, "--selection and --bins: "},
      {{"-m", "auto"}, "--features: auto is for land select: give a number"},
      {{"--methods", "land,land"}, "--methods: land is given more than once"},
      {{"-m", "0"}, "--features 0: ask for at least 1 feature"},
      {{"-m", "ten"}, "ten"},
      {{"-o", "out.txt"}, "the name must end in .tsv, .csv or .json"}};
  for (const auto& [words, message] : mistakes) {
    const Finished finished = run(words);
    EXPECT_EQ(finished.exit_code, 2) << message;
    EXPECT_TRUE(is_one_complaint(finished.err)) << finished.err;
    EXPECT_THAT(finished.err, HasSubstr(message));
    EXPECT_EQ(finished.out, "");
  }
}

}  // namespace
}  // namespace land
