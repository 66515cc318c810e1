// --adjust as a user gives it: columns of the table, or of a clinical file in another order.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

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
using testing::HasSubstr;

constexpr int kSamples = 150;

// y follows site and age most, and g8 besides; g0 to g3 follow the site, g4 the age. twin has a value per site.
class AdjustCommand : public testing::Test {
 protected:
  void SetUp() override {
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    std::string genes = "id,g0,g1,g2,g3,g4,g5,g6,g7,g8,twin\n";
    std::string all = "id,g0,g1,g2,g3,g4,g5,g6,g7,g8,twin,y,age,site\n";
    std::vector<std::string> rows;
    for (int i = 0; i < kSamples; ++i) {
      const int site = static_cast<int>(random() % 3);
      const double age = normal(random);
      const double effect = 2.0 * (site - 1);
      std::string values;
      double gene = 0.0;
      for (int k = 0; k < 9; ++k) {
        gene = normal(random) * (k < 5 ? 0.4 : 1.0) + (k < 4 ? effect : k == 4 ? 2.0 * age : 0.0);
        values += fmt::format(",{}", gene);
      }
      values += fmt::format(",{}", site == 0 ? 3.5 : site == 1 ? 1.25 : 9.0);
      const std::string clinical =
          fmt::format("{},{:.6f},{}", effect + age + gene + 0.2 * normal(random), 50.0 + 10.0 * age, "ABC"[site]);
      genes += fmt::format("s{}{}\n", i, values);
      all += fmt::format("s{}{},{}\n", i, values, clinical);
      rows.push_back(fmt::format("s{},{}\n", i, clinical));
    }
    std::reverse(rows.begin(), rows.end());
    std::string clinical = "patient,y,age,site\n";
    for (const std::string& row : rows) clinical += row;
    folder_.write("genes.csv", genes);
    folder_.write("all.csv", all);
    folder_.write("clinical.csv", clinical);
  }

  Json select(Names arguments) {
    arguments.insert(arguments.begin(), "select");
    arguments.insert(arguments.end(), {"-m", "2", "-o", "out.json"});
    last_ = run_land(folder_, arguments);
    EXPECT_EQ(last_.exit_code, 0) << last_.err;
    return last_.exit_code == 0 ? Json::parse(read_text(folder_ / "out.json")) : Json();
  }
  static Names names(const Json& result) {
    Names list;
    for (const Json& feature : result["selected"]) list.push_back(feature["name"]);
    return list;
  }
  std::string complaint(const Names& arguments) {
    const Finished run = run_land(folder_, arguments);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
    return run.err;
  }
  TemporaryFolder folder_;
  Finished last_;
};

TEST_F(AdjustCommand, TakesCovariatesOut) {
  const Json without = select({"genes.csv", "-t", "clinical.csv:y"});
  EXPECT_NE(names(without)[0], "g8");
  EXPECT_TRUE(without["adjustment"].is_null());
  const Json with = select({"genes.csv", "-t", "clinical.csv:y", "--adjust", "clinical.csv:age,site"});
  EXPECT_EQ(names(with)[0], "g8");
  EXPECT_EQ(with["certificate"]["valid"], true);
  const Json& adjustment = with["adjustment"];
  EXPECT_EQ(adjustment["covariates"].dump(),
            R"([{"kind":"numeric","levels":null,"name":"age"},{"kind":"nominal","levels":3,"name":"site"}])");
  EXPECT_EQ(adjustment["columns"], 9);
  EXPECT_TRUE(adjustment["strata"].is_null());
  EXPECT_EQ(adjustment["matched"]["how"], "ids");
  EXPECT_EQ(adjustment["explained"].dump(), R"([{"index":9,"name":"twin"}])");
  EXPECT_EQ(with["data"]["explained_features"], 1);
  EXPECT_THAT(last_.err, HasSubstr("adjusted for 'age' (numeric), 'site' (3 levels), joined on ids: 150 of 150 (column "
                                   "'patient'); "));
  EXPECT_THAT(last_.err, HasSubstr("warning: --adjust: 1 feature is explained by the covariates and was left out: "
                                   "'twin'"));
  // All columns but ids and target are those two.
  const Json all = select({"genes.csv", "-t", "clinical.csv:y", "--adjust", "clinical.csv"});
  EXPECT_EQ(all["selected"], with["selected"]);
  EXPECT_EQ(all["adjustment"], adjustment);
}

TEST_F(AdjustCommand, TakesColumnsOfTheTable) {
  const Json file = select({"genes.csv", "-t", "clinical.csv:y", "--adjust", "clinical.csv:age,site"});
  const Json table = select({"all.csv", "-t", "y", "--adjust", "age,site"});
  EXPECT_EQ(table["selected"], file["selected"]);  // to the bit, whatever the order of the file
  EXPECT_EQ(table["path"], file["path"]);
  EXPECT_EQ(table["data"]["features"], 10);
  EXPECT_EQ(table["adjustment"]["matched"]["how"], "table");
  EXPECT_THAT(last_.err, HasSubstr("left out 2 features that --adjust makes covariates\n"));
  const Json strata = select({"all.csv", "-t", "y", "--adjust", "site", "--exclude", "age"});
  EXPECT_EQ(strata["adjustment"]["strata"], 3);
  const Json approximate = select({"all.csv", "-t", "y", "--adjust", "age,site", "--bases", "20"});
  EXPECT_EQ(names(approximate)[0], "g8");
}

TEST_F(AdjustCommand, SamplesAreLeftOutOfBoth) {
  folder_.write("some.txt", "s3\ns5\ns8\ns40\n");
  const Json file =
      select({"genes.csv", "-t", "clinical.csv:y", "--adjust", "clinical.csv", "--exclude-samples", "some.txt"});
  const Json table = select({"all.csv", "-t", "y", "--adjust", "age,site", "--exclude-samples", "some.txt"});
  EXPECT_EQ(table["selected"], file["selected"]);
  EXPECT_EQ(table["data"]["samples"], 146);
}

TEST_F(AdjustCommand, ScoresRememberTheirCovariates) {
  const Names common = {"all.csv", "-t", "y", "-q"};
  const auto run = [&](const Names& first, const Names& rest) {
    Names arguments = first;
    arguments.insert(arguments.end(), common.begin(), common.end());
    arguments.insert(arguments.end(), rest.begin(), rest.end());
    return run_land(folder_, arguments);
  };
  ASSERT_EQ(run({"score"}, {"--adjust", "age,site", "-o", "a.scores"}).exit_code, 0);
  const Finished direct = run({"select"}, {"--adjust", "age,site"});
  EXPECT_EQ(run({"select"}, {"--adjust", "age,site", "--scores", "a.scores"}).out, direct.out);
  const Finished other = run({"select"}, {"--adjust", "site", "--exclude", "age", "--scores", "a.scores"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("made with other options: "));
  const Finished text = run({"score"}, {"--adjust", "age,site", "--refine", "--tsv", "-o", "-"});
  EXPECT_THAT(text.out, HasSubstr("\n9\ttwin\t\t\t0\n"));
}

TEST_F(AdjustCommand, MistakesAreNamed) {
  EXPECT_THAT(complaint({"select", "all.csv", "-t", "y", "--adjust", "sites", "--exclude", "site"}),
              HasSubstr("all.csv: --adjust 'sites': no such feature; did you mean 'site'?"));
  EXPECT_THAT(complaint({"select", "genes.csv", "-t", "clinical.csv:y", "--adjust", "clinical.csv:sex"}),
              HasSubstr("clinical.csv: --adjust 'sex': no such column"));
  EXPECT_THAT(complaint({"select", "all.csv", "-t", "y", "--adjust", "site,age", "--kernel", "distance"}),
              HasSubstr("--adjust: --kernel distance has no factors to take covariates out of"));
  EXPECT_THAT(complaint({"select", "all.csv", "-t", "y", "--adjust", "site,age", "--method", "lasso"}),
              HasSubstr("--adjust: --method lasso goes by the values of features"));
  EXPECT_THAT(complaint({"select", "all.csv", "-t", "site", "--adjust", "twin", "--exclude", "age"}),
              HasSubstr("--adjust: the covariates ('twin') determine the target 'site'"));
  EXPECT_THAT(complaint({"select", "all.csv", "-t", "y", "--adjust", ""}),
              HasSubstr("--adjust: names no covariates: name some, or leave it out"));
}

TEST_F(AdjustCommand, NeighborsHaveWhatIsLeftInCommon) {
  const auto neighbors = [&](const Names& arguments) {
    Names all = {"neighbors", "genes.csv", "-t", "clinical.csv:y", "-k", "4"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run_land(folder_, all);
  };
  const Names site = {"--adjust", "clinical.csv:site"};
  const Finished plain = neighbors({"-f", "g0"});
  EXPECT_THAT(plain.out, HasSubstr("\ttwin\t")) << "both follow the site";
  const Finished adjusted = neighbors({"-f", "g0", site[0], site[1]});
  ASSERT_EQ(adjusted.exit_code, 0) << adjusted.err;
  EXPECT_EQ(adjusted.out.find("\ttwin\t"), std::string::npos) << adjusted.out;
  const Finished told = neighbors({"-f", "twin", site[0], site[1]});
  EXPECT_EQ(told.exit_code, 2);
  EXPECT_EQ(told.err,
            "land: --adjust: feature 'twin' is explained by the covariates: nothing of it is left to compare\n");
}

}  // namespace
}  // namespace land
