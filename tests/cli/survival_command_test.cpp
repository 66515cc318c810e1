// --survival, and several targets, as a user types them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/cli/run_program.h"

namespace land {
namespace {

using Json = nlohmann::json;
using test::Finished;
using test::read_text;
using test::run_land;
using test::TemporaryFolder;
using test::write_text;
using testing::HasSubstr;

constexpr int kSamples = 60;
constexpr int kFeatures = 12;

class SurvivalCommand : public testing::Test {
 protected:
  void SetUp() override {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    std::exponential_distribution<double> wait;
    for (auto& row : values_) {
      for (double& value : row) value = normal(random);
      const double death = wait(random) * std::exp(-1.5 * row[5]);
      const double end = 2.0 * wait(random);
      times_.push_back(std::round(100.0 * std::min(death, end)) / 10.0);
      events_.push_back(death <= end);
    }
    write_text(folder_ / "x.csv", table("", [](int) { return ""; }));
    write_text(folder_ / "all.csv", table(",OS_MONTHS,OS_STATUS,\"stage, at first\"", [&](int i) {
                 return fmt::format(",{},{},{}", times_[i], events_[i] ? "Dead" : "alive", i % 3 == 0 ? "I" : "II");
               }));
    std::string clinical = "PATIENT_ID\tage\tOS_STATUS\tOS_MONTHS\n";
    for (int i = kSamples - 1; i >= 0; --i) {
      clinical +=
          fmt::format("S{}\t{}\t{}\t{}\n", i, 40.5 + 7 * i % 31, events_[i] ? "1:DECEASED" : "0:LIVING", times_[i]);
    }
    write_text(folder_ / "clinical.tsv", clinical);
  }

  template <class More>
  std::string table(const std::string& header, const More& more) const {
    std::string text = "id";
    for (int j = 0; j < kFeatures; ++j) text += fmt::format(",g{}", j);
    text += header + "\n";
    for (int i = 0; i < kSamples; ++i) {
      text += fmt::format("S{}", i);
      for (int j = 0; j < kFeatures; ++j) text += fmt::format(",{}", values_[i][j]);
      text += more(i) + std::string("\n");
    }
    return text;
  }

  Finished select(const std::string& data, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"select", data, "-m", "3"});
    return run_land(folder_, arguments);
  }

  TemporaryFolder folder_;
  double values_[kSamples][kFeatures] = {};
  std::vector<double> times_;
  std::vector<bool> events_;
};

TEST_F(SurvivalCommand, ColumnsOfATableAndOfAFileAreOne) {
  const Finished file = select("x.csv", {"--survival", "clinical.tsv:OS_MONTHS,OS_STATUS"});
  const Finished columns = select("all.csv", {"--survival", "OS_MONTHS,OS_STATUS", "--exclude", "stage*"});
  ASSERT_EQ(file.exit_code, 0) << file.err;
  EXPECT_EQ(columns.out, file.out) << columns.err;
  EXPECT_THAT(file.out, HasSubstr("1\t5\tg5\t"));
  EXPECT_THAT(file.err, HasSubstr("target 'OS_MONTHS,OS_STATUS': survival with "));
  EXPECT_THAT(file.err, HasSubstr(" events, median time "));
  ASSERT_EQ(select("x.csv", {"--survival", "clinical.tsv:OS_MONTHS,OS_STATUS", "-o", "s.json"}).exit_code, 0);
  const Json json = Json::parse(read_text(folder_ / "s.json"));
  EXPECT_EQ(json["target"]["task"], "survival");
  EXPECT_EQ(json["target"]["events"], std::count(events_.begin(), events_.end(), true));
  EXPECT_TRUE(json["target"]["classes"].is_null());
}

TEST_F(SurvivalCommand, ScoresInAFileAreThoseOfTheSelection) {
  const std::vector<std::string> target = {"--survival", "clinical.tsv:OS_MONTHS,OS_STATUS"};
  ASSERT_EQ(run_land(folder_, {"score", "x.csv", target[0], target[1], "-o", "s.scores"}).exit_code, 0);
  EXPECT_EQ(select("x.csv", {target[0], target[1], "--scores", "s.scores"}).out, select("x.csv", target).out);
  const Finished other = select("x.csv", {"--target", "clinical.tsv:OS_MONTHS", "--scores", "s.scores"});
  EXPECT_THAT(other.err, HasSubstr("made for another target (OS_MONTHS,OS_STATUS)"));
}

TEST_F(SurvivalCommand, WritesTimesAndEventsBesideTheSelected) {
  const std::vector<std::string> target = {"--survival", "clinical.tsv:OS_MONTHS,OS_STATUS"};
  ASSERT_EQ(select("x.csv", {target[0], target[1], "--write-table", "top.csv"}).exit_code, 0);
  const std::string text = read_text(folder_ / "top.csv");
  EXPECT_THAT(text, HasSubstr(",OS_MONTHS,OS_STATUS\nS0,"));
  const Finished again = select("top.csv", {"--survival", "OS_MONTHS,OS_STATUS"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("\tg5\t"));
  const Finished array = select("x.csv", {target[0], target[1], "--write-table", "top.npy"});
  EXPECT_EQ(array.exit_code, 2);
  EXPECT_THAT(array.err, HasSubstr("times and events are two columns: write them as .csv or .tsv"));
}

TEST_F(SurvivalCommand, IsEvaluatedAndDescribed) {
  const Finished judged = run_land(
      folder_, {"evaluate", "x.csv", "--survival", "clinical.tsv:OS_MONTHS,OS_STATUS", "-m", "2", "--folds", "3"});
  EXPECT_EQ(judged.exit_code, 0) << judged.err;
  const Finished described = run_land(folder_, {"info", "x.csv", "--survival", "clinical.tsv:OS_MONTHS,OS_STATUS"});
  EXPECT_THAT(described.out, HasSubstr("'OS_MONTHS,OS_STATUS', survival: "));
}

TEST_F(SurvivalCommand, WhatIsNoTimeOrEventIsNamedWithItsPlace) {
  const auto error = [&](const std::string& from, const std::string& to, const std::string& survival) {
    std::string text = read_text(folder_ / "all.csv");
    text.replace(text.find(from), from.size(), to);
    write_text(folder_ / "bad.csv", text);
    const Finished finished = select("bad.csv", {"--survival", survival, "--exclude", "stage*"});
    EXPECT_EQ(finished.exit_code, 2);
    return finished.err;
  };
  const std::string dead = events_[0] ? "Dead" : "alive";
  const std::string first = fmt::format(",{},{}", times_[0], dead);
  EXPECT_EQ(error(first, fmt::format(",{},lost", times_[0]), "OS_MONTHS,OS_STATUS"),
            "land: bad.csv: row 2, column 15 ('OS_STATUS'): 'lost' says neither event nor censored; write 1 for an "
            "event, 0 where there was none until then (or name time and event the other way round: "
            "--survival=TIME,EVENT)\n");
  EXPECT_EQ(error(first, ",-1.5," + dead, "OS_MONTHS,OS_STATUS"),
            "land: bad.csv: row 2, column 14 ('OS_MONTHS'): a time of -1.5; times must be 0 or above\n");
  EXPECT_EQ(error(first, ",soon," + dead, "OS_MONTHS,OS_STATUS"),
            "land: bad.csv: row 2, column 14 ('OS_MONTHS'): 'soon' is no time; write a number, 0 or above\n");
  EXPECT_THAT(error(first, ",," + dead, "OS_MONTHS,OS_STATUS"),
              HasSubstr("row 2, column 14 ('OS_MONTHS'): the target has no value here; give it one"));
  EXPECT_EQ(error(first, first, "OS_MONTHS"),
            "land: bad.csv: --survival 'OS_MONTHS': 1 column; name two, the time and the event\n");
  EXPECT_EQ(error(first, first, "OS_MONTHS,OS_MONTHS"),
            "land: bad.csv: --survival 'OS_MONTHS,OS_MONTHS': a column is named twice; name each once\n");
  EXPECT_THAT(error(first, first, "OS_MONTHS,OS_STATE"), HasSubstr("did you mean 'OS_STATUS'?"));
  EXPECT_THAT(select("x.csv", {"--survival", "clinical.tsv"}).err,
              HasSubstr("say which of its columns are time and event, with --survival clinical.tsv:TIME,EVENT"));
  EXPECT_EQ(select("all.csv", {"--survival", "OS_MONTHS,OS_STATUS", "--target", "g1"}).err,
            "land: --survival and --target: survival is the target; give one of the two\n");
  EXPECT_EQ(select("all.csv", {"--survival", "OS_MONTHS,OS_STATUS", "--task", "regression"}).err,
            "land: --survival and --task regression: survival is a task of its own; leave --task out\n");
}

// What differs between a run for one target and for several: when, how long, and what was typed.
Json without_times(Json json) {
  for (const char* field : {"seconds", "command", "engine"}) json.erase(field);
  json["data"].erase("left_out");
  return json;
}

TEST_F(SurvivalCommand, SeveralTargetsGiveWhatEachGivesAlone) {
  const std::string targets = "clinical.tsv:age,OS_STATUS,OS_MONTHS";
  ASSERT_EQ(select("x.csv", {"--target", targets, "-o", "all.json"}).exit_code, 0);
  const Json all = Json::parse(read_text(folder_ / "all.json"));
  ASSERT_EQ(all["results"].size(), 3U);
  ASSERT_EQ(select("x.csv", {"--target", targets, "-o", "of_{target}.json"}).exit_code, 0);
  for (std::size_t t = 0; t < 3; ++t) {
    const std::string name = std::vector<std::string>{"age", "OS_STATUS", "OS_MONTHS"}[t];
    ASSERT_EQ(select("x.csv", {"--target", "clinical.tsv:" + name, "-o", "one.json"}).exit_code, 0);
    const Json one = without_times(Json::parse(read_text(folder_ / "one.json")));
    EXPECT_EQ(without_times(all["results"][t]), one) << name;
    EXPECT_EQ(without_times(Json::parse(read_text(folder_ / ("of_" + name + ".json")))), one) << name;
  }
  const Finished table = select("x.csv", {"--target", targets});
  EXPECT_THAT(table.out, testing::StartsWith("target\trank\tindex\tname\t"));
  EXPECT_THAT(table.out, HasSubstr("\nOS_MONTHS\t1\t5\tg5\t"));
}

TEST_F(SurvivalCommand, TargetsOfTheTableAreNoFeatures) {
  const Finished several = select("all.csv", {"--target", "OS_STATUS,stage, at first,OS_MONTHS"});
  ASSERT_EQ(several.exit_code, 0) << several.err;
  const Finished alone = select("all.csv", {"--target", "stage, at first", "--exclude", "OS_STATUS,OS_MONTHS"});
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  std::string expected;
  std::istringstream lines(alone.out);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) expected += "stage, at first\t" + line + "\n";
  EXPECT_THAT(several.out, HasSubstr(expected));
}

TEST_F(SurvivalCommand, SeveralTargetsWhereOneIsWanted) {
  const std::string targets = "clinical.tsv:age,OS_MONTHS";
  EXPECT_EQ(run_land(folder_, {"score", "x.csv", "--target", targets, "-o", "s.scores"}).err,
            "land: x.csv: 2 targets, and one is wanted here; name one with --target\n");
  EXPECT_EQ(select("x.csv", {"--target", targets, "--write-table", "t.csv"}).err,
            "land: --write-table: for one target, and there are 2; name one with --target\n");
  EXPECT_EQ(run_land(folder_, {"convert", "x.csv", "--target", targets, "x.h5"}).exit_code, 2);
  std::string clinical = read_text(folder_ / "clinical.tsv");
  clinical.replace(clinical.find("S59\t"), 8, "S59\t");
  write_text(folder_ / "gap.tsv", clinical);
  EXPECT_THAT(select("x.csv", {"--target", "gap.tsv:OS_MONTHS,age"}).err,
              HasSubstr("the target 'age' has no value here"));
  const Finished dropped = select("x.csv", {"--target", "gap.tsv:OS_MONTHS,age", "--drop-missing-target"});
  EXPECT_THAT(dropped.err, HasSubstr("left out 1 sample without a value of every target"));
}

TEST_F(SurvivalCommand, NoFileIsWrittenIfOneCannotBe) {
  std::filesystem::create_directory(folder_ / "of_OS_MONTHS.json");
  EXPECT_EQ(select("x.csv", {"--target", "clinical.tsv:age,OS_MONTHS", "-o", "of_{target}.json"}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "of_age.json"));
}

}  // namespace
}  // namespace land
