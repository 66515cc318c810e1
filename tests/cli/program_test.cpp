// land itself, land info and land generate as a user runs them.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "land/base/version.h"
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

TEST(Program, PrintsItsVersion) {
  const Finished run = run_land(TemporaryFolder(), {"--version"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "land " + std::string(version()) + "\n");
  EXPECT_EQ(run.err, "");
}

// What nobody can read is no failure of the work, and no other failure either.
TEST(Program, WorksWhereStandardErrorCannotBeWritten) {
  const TemporaryFolder folder;
  const auto full = [] { ::dup2(::open("/dev/full", O_WRONLY), STDERR_FILENO); };
  const auto closed = [] { ::close(STDERR_FILENO); };
  for (const std::function<void()>& before : {std::function<void()>(full), std::function<void()>(closed)}) {
    EXPECT_EQ(run_land(folder, {"generate", "paper", "p.csv", "--features", "10"}, {}, before).exit_code, 0);
    EXPECT_EQ(run_land(folder, {"select", "p.csv", "--target", "Y", "-m", "2"}, {}, before).exit_code, 0);
    EXPECT_EQ(run_land(folder, {"select", "missing.csv", "--target", "Y"}, {}, before).exit_code, 2);
    EXPECT_EQ(run_land(folder, {"select", "--no-such-option"}, {}, before).exit_code, 2);
  }
}

TEST(Program, SaysWhenHelpCannotBeWritten) {
  const TemporaryFolder folder;
  for (const Names& arguments : {Names{"--help"}, Names{"--version"}, Names{"select", "--help"}}) {
    const Finished run = run_land(folder, arguments, "/dev/full");
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
  }
}

TEST(Program, InfoDescribesText) {
  const TemporaryFolder folder;
  folder.write("c.csv", "patient_id,age,sex\np1,50,m\np2,60,f\np3,70,NA\np4,55,m\n");
  const Finished text = run_land(folder, {"info", "c.csv"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("'sex': words, 2 distinct, 1 missing ('m', 'f')"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("--nominal sex or --exclude sex"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("column 'patient_id'"), std::string::npos) << text.out;
  const auto json = nlohmann::json::parse(run_land(folder, {"info", "c.csv", "--json"}).out);
  EXPECT_EQ(json["text"][0]["name"], "sex");
  EXPECT_EQ(json["text"][0]["distinct"], 2);
  EXPECT_EQ(json["missing"]["values"], 0);
  EXPECT_EQ(json["id_column"], "patient_id");
}

TEST(Program, SelectHelpNamesEveryOptionAndDefault) {
  const std::string help = run_land(TemporaryFolder(), {"select", "--help"}).out;
  for (const char* words : {"--target",
                            "--task auto|classification|regression",
                            "--rows samples|features",
                            "--id",
                            "--array",
                            "--target-array",
                            "-m,--features",
                            "[100]",
                            "--method NAME",
                            "--measure nhsic|hsic",
                            "--kernel gaussian|laplace|distance|linear",
                            "--sigma",
                            "--bases",
                            "--basis",
                            "--exact",
                            "--ridge",
                            "--plain-path",
                            "--threads",
                            "--block-size",
                            "-o,--output",
                            "-q,--quiet"}) {
    EXPECT_NE(help.find(words), std::string::npos) << words;
  }
}

TEST(Program, PointsToHelpWhenItDoesNotUnderstand) {
  const TemporaryFolder folder;
  const std::vector<std::pair<Names, std::string>> cases{
      {{}, "a subcommand is missing: use select, score, "},
      {{"selct"}, "'selct' is not a subcommand"},
      {{}, "or manual (see: land --help)"},
      {{"generate", "tabel", "x.npy"}, "'tabel' is not a subcommand of land generate: use paper or table"},
      {{"--frobnicate"}, "'--frobnicate' is not an option of land: use select, "},
      {{"select"}, "land select --help"},
      {{"generate"}, "land generate --help"},
      {{"generate", "table", "x.npy"}, "land generate table --help"},
      {{"info", "a", "b"}, "land info --help"}};
  for (const auto& [arguments, words] : cases) {
    const Finished run = run_land(folder, arguments);
    EXPECT_EQ(run.exit_code, 2) << words;
    EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
    EXPECT_NE(run.err.find(words), std::string::npos) << run.err;
    EXPECT_EQ(run.out, "");
  }
}

TEST(Info, TellsPeopleAndPrograms) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_land(folder, {"generate", "table", "d.npy", "--features", "50", "--samples", "400", "--type", "counts"})
                .exit_code,
            0);
  const Finished text = run_land(folder, {"info", "d.npy", "--target", "d.y.npy"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_EQ(text.err, "");
  for (const char* words : {"50 features x 400 samples", "uint8", "mapped", "missing", "constant", "distinct",
                            "encodings", "memory", "2 classes (0: 200, 1: 200)"}) {
    EXPECT_NE(text.out.find(words), std::string::npos) << words << " in\n" << text.out;
  }
  const Finished json_run = run_land(folder, {"info", "d.npy", "--target", "d.y.npy", "--json"});
  const Json json = Json::parse(json_run.out);
  EXPECT_EQ(json["features"], 50);
  EXPECT_EQ(json["samples"], 400);
  EXPECT_EQ(json["dtype"], "uint8");
  EXPECT_EQ(json["storage"], "mapped");
  EXPECT_EQ(json["missing"]["values"], 0);
  EXPECT_TRUE(json["missing"]["first"].is_null());
  EXPECT_EQ(json["encodings"]["codes"].get<int>() + json["encodings"]["float32"].get<int>(), 50);
  EXPECT_EQ(json["target"]["classes"], Json::parse(R"({"0":200,"1":200})"));
}

TEST(Info, NeedsNoTarget) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_land(folder, {"generate", "paper", "p.csv", "--features", "10", "--samples", "20"}).exit_code, 0);
  const Finished run = run_land(folder, {"info", "p.csv", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Json::parse(run.out)["features"], 11);  // Y is a column like any other
  EXPECT_TRUE(Json::parse(run.out)["target"].is_null());
}

TEST(Info, FindsWhatIsMissingInAnArray) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_land(folder, {"generate", "table", "d.npy", "--features", "50", "--samples", "40"}).exit_code, 0);
  std::string bytes = read_text(folder / "d.npy");
  const float nan = std::nanf("");
  std::memcpy(bytes.data() + bytes.size() - sizeof nan, &nan, sizeof nan);
  test::write_text(folder / "d.npy", bytes);
  const Finished run = run_land(folder, {"info", "d.npy"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.out.find("1 value not finite in 1 feature, the first at d.npy"), std::string::npos) << run.out;
}

TEST(Generate, TextAndArrayHoldTheSameTable) {
  const TemporaryFolder folder;
  const Names size{"--features", "40", "--samples", "30", "--seed", "9"};
  for (const char* name : {"t.csv", "t2.tsv", "t3.npy"}) {
    Names arguments{"generate", "table", name};
    arguments.insert(arguments.end(), size.begin(), size.end());
    const Finished run = run_land(folder, arguments);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find(name), std::string::npos);
  }
  EXPECT_EQ(folder.files(),
            (Names{"t.csv", "t.truth.json", "t2.truth.json", "t2.tsv", "t3.npy", "t3.truth.json", "t3.y.npy"}));
  std::string text = read_text(folder / "t.csv");
  EXPECT_TRUE(text.starts_with("X1,X2,"));
  EXPECT_NE(text.find(",X40,Y\n"), std::string::npos);
  std::string tabs = read_text(folder / "t2.tsv");
  std::replace(tabs.begin(), tabs.end(), '\t', ',');
  EXPECT_EQ(text, tabs);

  const std::string bytes = read_text(folder / "t3.npy");
  ASSERT_EQ(bytes.size() % 64, (40 * 30 * sizeof(float)) % 64);  // the data starts at a multiple of 64
  std::vector<float> values(40 * 30);
  std::memcpy(values.data(), bytes.data() + bytes.size() - values.size() * sizeof(float),
              values.size() * sizeof(float));
  std::istringstream cells(text.substr(text.find('\n') + 1));
  for (std::size_t i = 0; i < 30; ++i) {
    std::string cell;
    for (std::size_t j = 0; j < 40; ++j) {
      ASSERT_TRUE(std::getline(cells, cell, ','));
      ASSERT_EQ(std::stof(cell), values[i * 40 + j]);
    }
    ASSERT_TRUE(std::getline(cells, cell));
    EXPECT_EQ(cell, std::to_string(i % 2));
  }
}

TEST(Generate, TheStoreIsThatOfTheArray) {
  const TemporaryFolder folder;
  for (const Names& options : {Names{}, Names{"--type", "counts", "--classes", "3", "--copies", "20"},
                               Names{"--regression", "--copies", "20"}}) {
    for (const char* name : {"t.npy", "t.h5"}) {
      Names arguments{"generate", "table", name, "--features", "1003", "--samples", "700", "--threads", "3", "-q"};
      arguments.insert(arguments.end(), options.begin(), options.end());
      ASSERT_EQ(run_land(folder, arguments).exit_code, 0);
    }
    ASSERT_EQ(run_land(folder, {"select", "t.npy", "--target", "t.y.npy", "-q", "-o", "a.json", "-m", "10"}).exit_code,
              0);
    ASSERT_EQ(run_land(folder, {"select", "t.h5", "-q", "-o", "b.json", "-m", "10"}).exit_code, 0);
    const Json expected = Json::parse(read_text(folder / "a.json"));
    const Json found = Json::parse(read_text(folder / "b.json"));
    EXPECT_EQ(found["selected"], expected["selected"]);
    EXPECT_EQ(found["data"]["fingerprint"], expected["data"]["fingerprint"]);
  }
}

TEST(Generate, TellsWhatItPlanted) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_land(folder, {"generate", "table", "t.npy", "--features", "100", "--samples", "10", "--mean-shifts",
                              "3", "--variance-ratios", "2", "--copies", "7"})
                .exit_code,
            0);
  const Json truth = Json::parse(read_text(folder / "t.truth.json"));
  EXPECT_EQ(truth["features"], 100);
  EXPECT_EQ(truth["linear"].size(), 3u);
  EXPECT_EQ(truth["nonlinear"].size(), 2u);
  EXPECT_EQ(truth["copies"].size(), 7u);
  EXPECT_EQ(truth["copies"][0][0], 93);
}

TEST(Generate, RefusesWhatItCannotDo) {
  const TemporaryFolder folder;
  for (const Names& arguments :
       {Names{"generate", "paper", "x.xlsx"}, Names{"generate", "paper", "no/x.csv"},
        Names{"generate", "table", "x.npy", "--features", "10", "--samples", "10"},
        Names{"generate", "table", "x.npy", "--features", "-1", "--samples", "10"},
        Names{"generate", "table", "x.npy", "--features", "100", "--samples", "10", "--classes", "1"},
        Names{"generate", "table", "x.npy", "--features", "100", "--samples", "10", "--classes", "3",
              "--regression"}}) {
    const Finished run = run_land(folder, arguments);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
    EXPECT_EQ(folder.files(), Names{});
  }
}

}  // namespace
}  // namespace land
