// land select as a user runs it: exit codes, streams, files.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/cli/run_program.h"

namespace land {
namespace {

using Json = nlohmann::json;
using Names = std::vector<std::string>;
using test::Finished;
using test::is_one_complaint;
using test::read_text;
using test::run_land;
using test::TemporaryFolder;

class SelectCommand : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_land(folder_, {"generate", "paper", "data.csv", "--features", "60", "--samples", "100"}).exit_code,
              0);
    std::filesystem::remove(folder_ / "data.truth.json");
  }
  Finished select(Names arguments) {
    arguments.insert(arguments.begin(), {"select", "data.csv"});
    return run_land(folder_, arguments);
  }
  // Refused with exit code 2 and one line that has `words` in it, nothing on stdout, and no file left behind.
  void expect_refused(const Names& arguments, const std::string& words) {
    const Finished run = select(arguments);
    EXPECT_EQ(run.exit_code, 2) << words;
    EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
    EXPECT_NE(run.err.find(words), std::string::npos) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(folder_.files(), Names{"data.csv"});
  }
  TemporaryFolder folder_;
};

TEST_F(SelectCommand, PrintsTsvOnStandardOutputAndASummaryOnStandardError) {
  const Finished run = select({"--target", "Y", "-m", "5"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::istringstream lines(run.out);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(line, "rank\tindex\tname\trelevance\tcoefficient\tlambda_entered\tidentical\tidentical_names");
  int rank = 0;
  while (std::getline(lines, line)) {
    EXPECT_EQ(std::count(line.begin(), line.end(), '\t'), 7);
    EXPECT_EQ(line.substr(0, line.find('\t')), std::to_string(++rank));
  }
  EXPECT_GE(rank, 1);
  EXPECT_LE(rank, 5);
  EXPECT_NE(run.err.find("60 features x 100 samples"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("target 'Y': regression"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("certificate: valid"), std::string::npos) << run.err;
}

TEST_F(SelectCommand, IsSilentInAPipe) {
  const Finished run = select({"--target", "Y", "-m", "5"});
  EXPECT_EQ(run.err.find('\r'), std::string::npos);
  EXPECT_EQ(run.err.find('\033'), std::string::npos);
}

TEST_F(SelectCommand, QuietMeansNothingOnStandardError) {
  const Finished run = select({"--target", "Y", "-m", "5", "--quiet"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_NE(run.out, "");
}

TEST_F(SelectCommand, WritesTheSameTsvToAFile) {
  const Finished screen = select({"--target", "Y", "-m", "5"});
  const Finished file = select({"--target", "Y", "-m", "5", "-o", "out.tsv"});
  ASSERT_EQ(file.exit_code, 0) << file.err;
  EXPECT_EQ(file.out, "");
  EXPECT_EQ(read_text(folder_ / "out.tsv"), screen.out);
  EXPECT_EQ(folder_.files(), (Names{"data.csv", "out.tsv"}));
}

TEST_F(SelectCommand, WritesJsonWithEveryFieldOfItsType) {
  const Finished run = select({"--target", "Y", "-m", "5", "-o", "out.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json json = Json::parse(read_text(folder_ / "out.json"));
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_TRUE(json["version"].is_string());
  EXPECT_TRUE(json["command"].get<std::string>().ends_with("land select data.csv --target Y -m 5 -o out.json"));
  EXPECT_EQ(json["options"]["features"], 5);
  EXPECT_EQ(json["options"]["task"], "auto");
  EXPECT_EQ(json["data"]["path"], "data.csv");
  EXPECT_EQ(json["data"]["features"], 60);
  EXPECT_EQ(json["data"]["samples"], 100);
  EXPECT_EQ(json["data"]["constant_features"], 0);
  EXPECT_TRUE(json["data"]["fingerprint"].is_string());
  EXPECT_NE(json["data"]["fingerprint"], "");
  EXPECT_EQ(json["target"],
            Json::parse(R"({"name":"Y","task":"regression","classes":null,"events":null,"median_time":null})"));
  EXPECT_EQ(json["method"], "land");
  EXPECT_EQ(json["measure"], "nhsic");
  EXPECT_EQ(json["factor"]["kind"], "cholesky");
  EXPECT_TRUE(json["factor"]["residual_bound"].is_number());
  EXPECT_TRUE(json["factor"]["mean_columns"].is_number());

  const std::size_t count = json["selected"].size();
  ASSERT_GE(count, 1u);
  for (std::size_t i = 0; i < count; ++i) {
    const Json& feature = json["selected"][i];
    EXPECT_EQ(feature["rank"], i + 1);
    const auto index = feature["index"].get<std::int64_t>();
    EXPECT_EQ(feature["name"], fmt::format("X{}", index + 1));
    EXPECT_TRUE(feature["relevance"].is_number_float());
    EXPECT_TRUE(feature["coefficient"].is_number_float());
    EXPECT_TRUE(feature["lambda_entered"].is_number_float());
    EXPECT_TRUE(feature["identical"].is_array());
    ASSERT_EQ(json["redundancy"].at(i).size(), count);
    EXPECT_NEAR(json["redundancy"][i][i].get<double>(), 1.0, 1e-12);
  }
  EXPECT_EQ(json["redundancy"].size(), count);
  EXPECT_TRUE(json["lambda"].is_number());
  ASSERT_GE(json["path"].size(), 2u);
  for (const Json& step : json["path"]) {
    EXPECT_TRUE(step["lambda"].is_number());
    EXPECT_TRUE(step["coefficients"].is_array());
  }
  EXPECT_EQ(json["path"].front()["event"], "enter");
  EXPECT_EQ(json["path"].back()["event"], "end");
  EXPECT_EQ(json["path"].back()["lambda"], json["lambda"]);
  EXPECT_TRUE((std::set<std::string>{"m_reached", "lambda_zero", "no_candidate"}.contains(json["stopped"])));
  EXPECT_EQ(json["certificate"]["valid"], true);
  EXPECT_LE(json["certificate"]["max_violation"].get<double>(), json["certificate"]["tolerance"].get<double>());
  for (const char* name :
       {"knots_checked", "features_evaluated", "features_bounded", "features_parked", "bounds_sampled"}) {
    EXPECT_TRUE(json["certificate"][name].is_number_integer()) << name;
  }
  EXPECT_EQ(json["work"]["features_scored"], 60);
  EXPECT_TRUE(json["work"]["features_touched"].is_number_integer());
  EXPECT_TRUE(json["work"]["pairs_by_stage"].is_array());
  EXPECT_TRUE(json["work"]["pairs_full_algorithm"].is_number_integer());
  for (const char* name : {"read", "score", "path", "certify", "total"}) {
    EXPECT_GE(json["seconds"][name].get<double>(), 0.0) << name;
  }
  EXPECT_TRUE(json["warnings"].is_array());
}

TEST_F(SelectCommand, MaximumRelevanceHasNoPath) {
  const Finished run = select({"--target", "Y", "-m", "5", "--method", "mr-nhsic", "-o", "out.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err.find("certificate"), std::string::npos);
  const Json json = Json::parse(read_text(folder_ / "out.json"));
  EXPECT_EQ(json["method"], "mr-nhsic");
  EXPECT_EQ(json["selected"].size(), 5u);
  for (const char* name : {"redundancy", "lambda", "path", "stopped", "certificate"}) {
    EXPECT_TRUE(json[name].is_null()) << name;
  }
}

TEST_F(SelectCommand, SaysWhatTaskItChoseAndWhy) {
  ASSERT_EQ(run_land(folder_, {"generate", "table", "c.npy", "--features", "40", "--samples", "90", "--classes", "3"})
                .exit_code,
            0);
  const auto summary = [&](const Names& more) {
    Names arguments{"select", "c.npy", "--target", "c.y.npy", "-m", "3"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_land(folder_, arguments).err;
  };
  EXPECT_NE(summary({}).find("classification with 3 classes (it has 3 distinct whole numbers)"), std::string::npos)
      << summary({});
  EXPECT_NE(summary({"--task", "regression"}).find("regression (as asked)"), std::string::npos);
}

TEST_F(SelectCommand, TakesABasisOfNegativeNumbersBeforeTheData) {
  const Finished run =
      run_land(folder_, {"select", "--basis", "-2,0,2", "data.csv", "--target", "Y", "-m", "3", "-o", "o.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json json = Json::parse(read_text(folder_ / "o.json"));
  EXPECT_EQ(json["options"]["basis"], Json::parse("[-2.0,0.0,2.0]"));
  EXPECT_EQ(json["factor"]["kind"], "nystrom");
}

TEST_F(SelectCommand, TakesOtherKernels) {
  for (const auto& [kernel, kind] : std::vector<std::pair<std::string, std::string>>{
           {"gaussian", "cholesky"}, {"laplace", "sorted"}, {"distance", "sorted"}, {"linear", "linear"}}) {
    const Finished run =
        run_land(folder_, {"select", "data.csv", "--target", "Y", "-m", "3", "--kernel", kernel, "-o", "k.json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const Json json = Json::parse(read_text(folder_ / "k.json"));
    EXPECT_EQ(json["options"]["kernel"], kernel);
    EXPECT_EQ(json["factor"]["kind"], kind);
    EXPECT_EQ(json["certificate"]["valid"], true);
  }
}

TEST_F(SelectCommand, RefusesBadOptions) {
  expect_refused({"--target", "Y", "-m", "0"}, "--features");
  expect_refused({"--target", "Y", "-m", "many"}, "--features");
  expect_refused({"--target", "Y", "--bases", "1"}, "at least 2 points");
  expect_refused({"--target", "Y", "--bases", "0"}, "at least 2 points");
  expect_refused({"--target", "Y", "--bases", "-5"}, "at least 2 points");
  expect_refused({"--target", "Y", "--bases", "999999999999"}, "--bases");
  expect_refused({"--target", "Y", "--basis", "1,2,1"}, "more than once");
  expect_refused({"--target", "Y", "--basis", "1,two"}, "--basis");
  expect_refused({"--target", "Y", "--bases", "20", "--exact"}, "--exact");
  expect_refused({"--target", "Y", "--bases", "20", "--basis", "1,2"}, "--basis");
  expect_refused({"--target", "Y", "--kernel", "cosine"}, "--kernel");
  expect_refused({"--target", "Y", "--kernel", "laplace", "--bases", "20"}, "approximate the Gaussian kernel");
  expect_refused({"--target", "Y", "--kernel", "linear", "--basis", "1,2"}, "--kernel gaussian");
  expect_refused({"--target", "Y", "--sigma", "0"}, "--sigma");
  expect_refused({"--target", "Y", "--ridge", "-1"}, "--ridge");
  expect_refused({"--target", "Y", "--landmarks", "5"}, "--landmarks: --method land does not use it");
  expect_refused({"--target", "Y", "--bins", "7"}, "--bins: --method land does not use it");
  expect_refused({"--target", "Y", "--method", "cmim", "--plain-path"}, "--plain-path: --method cmim does not use it");
  expect_refused({"--target", "Y", "--threads", "0"}, "--threads");
  expect_refused({"--target", "Y", "--task", "guess"}, "auto,classification,regression");
  expect_refused({"--target", "Y", "--method", "best"}, "land,hsic-lasso");
  expect_refused({"--target", "Y", "--rows", "columns"}, "samples,features");
  expect_refused({"--target", "Y", "--frobnicate"}, "--frobnicate");
}

TEST_F(SelectCommand, RefusesBadTargets) {
  expect_refused({}, "--target");
  expect_refused({"--target", "y1"}, "y1");
}

TEST_F(SelectCommand, RefusesMissingData) {
  const Finished run = run_land(folder_, {"select", "nothing.csv", "--target", "Y"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
  EXPECT_NE(run.err.find("nothing.csv"), std::string::npos);
}

TEST_F(SelectCommand, RefusesOutputsItCannotWriteBeforeItReads) {
  expect_refused({"--target", "Y", "-o", "out.txt"}, ".tsv, .csv or .json");
  expect_refused({"--target", "Y", "-o", "out"}, ".tsv, .csv or .json");
  expect_refused({"--target", "Y", "-o", "no/such/folder/out.tsv"}, "No such file or directory");
  expect_refused({"--target", "Y", "-o", "data.csv/out.tsv"}, "Not a directory");
  expect_refused({"--target", "bad", "-o", "out.tsv"}, "bad");
}

TEST_F(SelectCommand, AFullDiskIsAnErrorAndLeavesNothing) {
  std::filesystem::create_symlink("/dev/full", folder_ / "out.tsv");
  const Finished full = select({"--target", "Y", "-m", "3", "-o", "out.tsv"});
  EXPECT_EQ(full.exit_code, 2);
  EXPECT_TRUE(is_one_complaint(full.err)) << full.err;
  EXPECT_NE(full.err.find("out.tsv: cannot be written: No space left on device"), std::string::npos) << full.err;

  const Finished screen = run_land(folder_, {"select", "data.csv", "--target", "Y", "-m", "3"}, "/dev/full");
  EXPECT_EQ(screen.exit_code, 2);
  EXPECT_TRUE(is_one_complaint(screen.err)) << screen.err;

  const Finished limited =
      run_land(folder_, {"select", "data.csv", "--target", "Y", "-m", "3", "-o", "out.json"}, {}, [] {
        const rlimit limit{300, 300};
        ::setrlimit(RLIMIT_FSIZE, &limit);
      });
  EXPECT_EQ(limited.exit_code, 2);
  EXPECT_NE(limited.err.find("out.json: cannot be written: File too large"), std::string::npos) << limited.err;
  EXPECT_EQ(folder_.files(), (Names{"data.csv", "out.tsv"}));
}

TEST_F(SelectCommand, AnErrorLeavesTheOlderFileAsItWas) {
  test::write_text(folder_ / "out.tsv", "older");
  EXPECT_EQ(select({"--target", "nobody", "-o", "out.tsv"}).exit_code, 2);
  EXPECT_EQ(read_text(folder_ / "out.tsv"), "older");
}

TEST_F(SelectCommand, RefusesNumberedIdsAsATarget) {
  std::string text = "visit,a,b,patient_id\n";
  for (int i = 0; i < 30; ++i) text += fmt::format("{},{},{},{}\n", i % 4, i * i % 17, i * 7 % 11, 1000 + i);
  std::ofstream(folder_ / "cohort.csv") << text;
  const Finished run = run_land(folder_, {"select", "cohort.csv", "--target", "patient_id"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err,
            "land: target 'patient_id': 30 different whole numbers, headed as ids are; name another target, or call it "
            "otherwise if these are measured\n");
  EXPECT_EQ(run_land(folder_, {"select", "cohort.csv", "--target", "visit", "--exclude", "patient_id"}).exit_code, 0);
}

// Scores of a table that has been changed since: not all values are compared, so the user is told.
TEST_F(SelectCommand, WarnsOfTablesThatChangedAfterTheirScores) {
  ASSERT_EQ(run_land(folder_, {"score", "data.csv", "--target", "Y", "-o", "d.scores"}).exit_code, 0);
  const Names words = {"--target", "Y", "-m", "5", "--scores", "d.scores"};
  EXPECT_EQ(select(words).err.find("was changed after"), std::string::npos);
  const auto scored = std::filesystem::last_write_time(folder_ / "d.scores");
  std::filesystem::last_write_time(folder_ / "data.csv", scored + std::chrono::seconds(5));
  const Finished run = select(words);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.err.find("data.csv was changed after d.scores was written; score it again"), std::string::npos)
      << run.err;
}

}  // namespace
}  // namespace land
