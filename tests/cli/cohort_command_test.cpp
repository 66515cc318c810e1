// land on cohorts as a user has them: clinical tables, subsets, the selected columns, warnings.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/cli/run_program.h"

namespace land {
namespace {

using Json = nlohmann::json;
using Names = std::vector<std::string>;
using test::Finished;
using test::read_text;
using test::run_land;
using test::TemporaryFolder;
using test::write_text;

constexpr int kSamples = 60;
constexpr int kFeatures = 25;

class CohortCommand : public testing::Test {
 protected:
  void SetUp() override {
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    for (auto& row : values_) {
      for (double& value : row) value = normal(random);
      row[20] = 3.0 - 2.0 * row[4];  // a copy, mirrored
    }
    write_text(folder_ / "x.csv", table({}, {}));
    std::string clinical = "patient,age,score,grade\n";
    for (int i = kSamples - 1; i >= 0; --i) {
      clinical += fmt::format("S{},{},{},{}\n", i, 40 + i % 17, i % 10 == 3 ? "NA" : fmt::format("{}", score(i)),
                              score(i) > 0.0 ? "high" : "low");
    }
    write_text(folder_ / "clinical.csv", clinical + "T1,50,1,low\n");
  }
  double score(int i) const { return values_[i][4] + 0.5 * values_[i][7] * values_[i][7]; }

  // The table without some rows and columns.
  std::string table(const std::vector<int>& without_rows, const std::vector<int>& without_columns) const {
    const auto has = [](const std::vector<int>& list, int x) {
      return std::find(list.begin(), list.end(), x) != list.end();
    };
    std::string text = "id";
    for (int j = 0; j < kFeatures; ++j) text += has(without_columns, j) ? "" : fmt::format(",g{}", j);
    text += '\n';
    for (int i = 0; i < kSamples; ++i) {
      if (has(without_rows, i)) continue;
      text += fmt::format("S{}", i);
      for (int j = 0; j < kFeatures; ++j) text += has(without_columns, j) ? "" : fmt::format(",{}", values_[i][j]);
      text += '\n';
    }
    return text;
  }
  Json select(Names arguments, const std::string& data = "x.csv") {
    arguments.insert(arguments.begin(), {"select", data, "-m", "5", "-o", "out.json"});
    last_ = run_land(folder_, arguments);
    EXPECT_EQ(last_.exit_code, 0) << last_.err;
    return last_.exit_code == 0 ? Json::parse(read_text(folder_ / "out.json")) : Json();
  }
  TemporaryFolder folder_;
  double values_[kSamples][kFeatures] = {};
  Finished last_;
};

Names names_of(const Json& json) {
  Names names;
  for (const Json& feature : json["selected"]) names.push_back(feature["name"]);
  return names;
}

TEST_F(CohortCommand, APartOfATableIsATableOfItsOwn) {
  std::vector<int> unknown;
  for (int i = 3; i < kSamples; i += 10) unknown.push_back(i);
  unknown.push_back(8);
  std::sort(unknown.begin(), unknown.end());
  write_text(folder_ / "small.csv", table(unknown, {7, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}));
  write_text(folder_ / "remove.txt", "S8\n");
  const Json part = select({"-t", "clinical.csv:score", "--match", "common", "--drop-missing-target", "--exclude",
                            "g7,g1?", "--exclude-samples", "remove.txt"});
  const std::string summary = last_.err;
  const Json own = select({"-t", "clinical.csv:score", "--match", "common"}, "small.csv");
  ASSERT_EQ(names_of(part), names_of(own));
  for (std::size_t t = 0; t < part["selected"].size(); ++t) {
    EXPECT_EQ(part["selected"][t]["coefficient"], own["selected"][t]["coefficient"]);
    const std::string name = part["selected"][t]["name"];
    EXPECT_EQ(part["selected"][t]["index"], std::stoi(name.substr(1))) << "its number in the file";
  }
  EXPECT_EQ(part["data"]["fingerprint"], own["data"]["fingerprint"]);
  EXPECT_EQ(part["data"]["samples"], kSamples - 7);
  EXPECT_EQ(part["data"]["features"], kFeatures - 11);
  EXPECT_EQ(part["data"]["left_out"], Json::parse(R"([{"what":"samples","reason":"by --exclude-samples","count":1},
                            {"what":"samples","reason":"without a target","count":6},
                            {"what":"features","reason":"by --exclude","count":11}])"));
  EXPECT_EQ(part["data"]["matched"],
            Json::parse(R"({"how":"ids","samples":60,"target_values":61,"common":60,"id_column":"patient"})"));
  for (const char* line : {"samples and target: joined on ids: 60 of 60 samples, 60 of 61 ids of clinical.csv",
                           "left out 6 samples without a target\n", "left out 11 features by --exclude\n"}) {
    EXPECT_NE(summary.find(line), std::string::npos) << summary;
  }
}

TEST_F(CohortCommand, ScoresFitTheSamePartOnly) {
  const Names target = {"-t", "clinical.csv:grade", "--match", "common"};
  Names score = {"score", "x.csv", "-o", "part.scores", "--exclude", "g1"};
  score.insert(score.end(), target.begin(), target.end());
  ASSERT_EQ(run_land(folder_, score).exit_code, 0);
  Names select = {"select", "x.csv", "--scores", "part.scores", "--exclude", "g1"};
  select.insert(select.end(), target.begin(), target.end());
  EXPECT_EQ(run_land(folder_, select).exit_code, 0);
  select[5] = "g2";
  const Finished other = run_land(folder_, select);
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("made with other options"), std::string::npos) << other.err;
}

TEST_F(CohortCommand, NeighboursOfTheSelectedAreThoseOfLandNeighbors) {
  const Json json = select({"-t", "clinical.csv:grade", "--match", "common", "--neighbors", "4", "--exclude", "g2"});
  for (const Json& feature : json["selected"]) {
    const std::string name = feature["name"];
    const Finished run = run_land(folder_, {"neighbors", "x.csv", "-f", name, "-k", "4", "--exclude", "g2", "-q"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    std::string expected = "rank\tindex\tname\tredundancy\n";
    int rank = 0;
    for (const Json& neighbor : feature["neighbors"]) {
      expected += fmt::format("{}\t{}\t{}\t{}\n", ++rank, neighbor["index"].get<int>(),
                              neighbor["name"].get<std::string>(), neighbor["redundancy"].get<double>());
    }
    EXPECT_EQ(run.out, expected);
  }
  EXPECT_EQ(json["selected"][0]["name"], "g4");
  EXPECT_EQ(json["selected"][0]["identical_names"], Json::parse(R"(["g20"])"));
  EXPECT_EQ(json["selected"][0]["neighbors"][0]["name"], "g20");
}

TEST_F(CohortCommand, TheSelectedColumnsGiveTheSameSelection) {
  const Json json = select({"-t", "clinical.csv:grade", "--match", "common", "--write-table", "top.csv"});
  const std::string text = read_text(folder_ / "top.csv");
  const Names names = names_of(json);
  EXPECT_EQ(text.substr(0, text.find('\n')), fmt::format("id,{},grade", fmt::join(names, ",")));
  for (const std::string file : {"top.tsv", "top.h5", "top.npy"}) {
    select({"-t", "clinical.csv:grade", "--match", "common", "--write-table", file});
    const Names target = file == "top.npy"  ? Names{"-t", "top.y.npy", "--names", "top.names"}
                         : file == "top.h5" ? Names{}
                                            : Names{"-t", "grade"};
    const Json again = select(target, file);
    ASSERT_EQ(names_of(again), names) << file;
    for (std::size_t t = 0; t < names.size(); ++t) {
      EXPECT_EQ(again["selected"][t]["relevance"], json["selected"][t]["relevance"]);
    }
  }
  const Finished same = run_land(folder_, {"select", "x.csv", "-t", "g1", "--write-table", "x.csv"});
  EXPECT_EQ(same.exit_code, 2);
  const Finished bad = run_land(folder_, {"select", "x.csv", "-t", "g1", "--write-table", "x.txt"});
  EXPECT_NE(bad.err.find("--write-table x.txt: the name must end in .csv, .tsv, .npy or .h5"), std::string::npos);
}

TEST_F(CohortCommand, WarnsOfTargetsThatMislead) {
  const auto with_target = [&](const auto& value) {
    std::string text = "id,y\n";
    for (int i = 0; i < kSamples; ++i) text += fmt::format("S{},{}\n", i, value(i));
    write_text(folder_ / "y.csv", text);
    return select({"-t", "y.csv"})["warnings"].dump();
  };
  EXPECT_EQ(with_target([&](int i) { return score(i) > 0.0 ? "case" : "control"; }), "[]");
  const std::string slip = with_target([&](int i) { return i == 5 ? "Case" : score(i) > 0.0 ? "case" : "control"; });
  EXPECT_NE(slip.find("class 'Case' has one sample; is it a slip? ('Case': 1, 'case':"), std::string::npos) << slip;
  EXPECT_NE(slip.find("the same class?"), std::string::npos) << slip;
  EXPECT_EQ(with_target([&](int i) { return score(i) > 0.0 ? "ER+" : "ER-"; }), "[]");
  const std::string tail = with_target([&](int i) { return i == 9 ? 60.0 : score(i); });
  EXPECT_NE(tail.find("heavy tails: sample 'S9' is 7."), std::string::npos) << tail;
  EXPECT_NE(tail.find("--sigma 3"), std::string::npos) << tail;
  write_text(folder_ / "y.csv", read_text(folder_ / "clinical.csv"));
  const Finished ids = run_land(folder_, {"select", "x.csv", "-t", "y.csv:patient", "--match", "common"});
  EXPECT_EQ(ids.exit_code, 2);
  EXPECT_NE(ids.err.find("60 classes for 60 samples; is this a column of ids?"), std::string::npos) << ids.err;
}

TEST_F(CohortCommand, WarnsOfFeaturesThatFollowOneSample) {
  for (int j : {2, 3}) values_[9][j] = 40.0;
  write_text(folder_ / "x.csv", table({}, {}));
  std::string text = "id,y\n";
  for (int i = 0; i < kSamples; ++i) text += fmt::format("S{},{}\n", i, i == 9 ? 30.0 : values_[i][12]);
  write_text(folder_ / "y.csv", text);
  const std::string warnings = select({"-t", "y.csv"})["warnings"].dump();
  EXPECT_NE(warnings.find("follow"), std::string::npos) << warnings;
  EXPECT_NE(warnings.find("one sample, 'S9'"), std::string::npos) << warnings;
  EXPECT_EQ(warnings.find("'g12'"), std::string::npos) << "it explains the others: " << warnings;
}

}  // namespace
}  // namespace land
