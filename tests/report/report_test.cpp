// JSON and TSV of a result made by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "land/report/json.h"
#include "land/report/tsv.h"

namespace land {
namespace {

using Json = nlohmann::ordered_json;

Result example() {
  Result result;
  result.version = "1.2.3";
  result.command = "land select 'my data.csv'";
  result.data = {"my data.csv", 5, 20, 1, 0, std::nullopt, 2, "abc"};
  result.target = {"y", Task::kClassification, {"no", "yes"}};
  result.selected = {{3, "tp\t53", 0.1 + 0.2, 1.0 / 3.0, 0.3, {1, 4}, {"b", "e"}},
                     {0, "a\\b\nc", 5e-324, 1e300, 0.1, {}}};
  result.redundancy = {{1.0, 0.25}, {0.25, 1.0}};
  result.lambda = 0.0;
  result.path = {{0.3, PathStep::Event::kEnter, 3, {{3, 0.0}}},
                 {0.2, PathStep::Event::kDrop, 2, {{3, 0.5}, {2, 0.0}}},
                 {0.0, PathStep::Event::kEnd, std::nullopt, {{3, 1.0 / 3.0}, {0, 1e300}}}};
  result.stopped = "lambda_zero";
  result.certificate.emplace();
  result.certificate->max_bound_excess = -std::numeric_limits<double>::infinity();
  result.work.pairs_by_stage = {7, 5, 3};
  result.warnings = {"1 constant feature was left out"};
  return result;
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [key, value] : object.items()) names.push_back(key);
  return names;
}

TEST(ResultJson, HasTheDocumentedFieldsInOrder) {
  using Names = std::vector<std::string>;
  const Json json = Json::parse(to_json(example()));
  EXPECT_EQ(keys(json), (Names{"schema_version", "version", "command", "options", "data",         "target",
                               "adjustment",     "method",  "measure", "factor",  "selected",     "redundancy",
                               "dropped",        "lambda",  "path",    "stopped", "permutations", "figures",
                               "certificate",    "work",    "engine",  "seconds", "warnings"}));
  EXPECT_EQ(keys(json["data"]),
            (Names{"path", "features", "samples", "constant_features", "explained_features", "nominal_features",
                   "distinct_features", "missing_values", "fingerprint", "id_column", "matched", "left_out"}));
  EXPECT_EQ(keys(json["target"]), (Names{"name", "task", "classes", "events", "median_time"}));
  EXPECT_EQ(keys(json["selected"][0]),
            (Names{"rank", "index", "name", "relevance", "coefficient", "lambda_entered", "score", "p_fwer",
                   "expected_by_chance", "q", "identical", "identical_names", "neighbors"}));
  EXPECT_EQ(keys(json["path"][0]), (Names{"lambda", "event", "index", "coefficients"}));
  EXPECT_EQ(keys(json["work"]), (Names{"features_scored", "features_copied", "features_touched", "pairs_by_stage",
                                       "pairs_full_algorithm"}));
  EXPECT_EQ(keys(json["seconds"]), (Names{"read", "score", "permute", "path", "certify", "total"}));
  EXPECT_EQ(json["schema_version"], 1);
}

TEST(ResultJson, ReadsBackAsTheSameNumbersAndNames) {
  const Result result = example();
  const Json json = Json::parse(to_json(result));
  for (std::size_t i = 0; i < result.selected.size(); ++i) {
    const SelectedFeature& feature = result.selected[i];
    EXPECT_EQ(json["selected"][i]["rank"], i + 1);
    EXPECT_EQ(json["selected"][i]["index"], feature.index);
    EXPECT_EQ(json["selected"][i]["name"], feature.name);
    EXPECT_EQ(json["selected"][i]["relevance"].get<double>(), feature.relevance);
    EXPECT_EQ(json["selected"][i]["coefficient"].get<double>(), *feature.coefficient);
    EXPECT_EQ(json["selected"][i]["identical"].get<std::vector<std::int64_t>>(), feature.identical);
  }
  EXPECT_EQ(json["redundancy"].get<std::vector<std::vector<double>>>(), result.redundancy);
  EXPECT_EQ(json["path"][1],
            Json::parse(R"({"lambda":0.2,"event":"drop","index":2,"coefficients":[[3,0.5],[2,0.0]]})"));
  EXPECT_TRUE(json["path"][2]["index"].is_null());
  EXPECT_EQ(json["target"]["classes"], Json::parse(R"(["no","yes"])"));
}

TEST(ResultJson, HasNullForWhatIsNotFinite) {
  Result result = example();
  result.selected[0].relevance = std::nan("");
  result.redundancy[0][1] = std::nan("");
  result.path[1].lambda = -INFINITY;
  result.path[1].coefficients[0].second = INFINITY;
  const std::string text = to_json(result);
  const Json json = Json::parse(text);  // which NaN or Infinity would not survive
  EXPECT_TRUE(json["selected"][0]["relevance"].is_null());
  EXPECT_TRUE(json["redundancy"][0][1].is_null());
  EXPECT_TRUE(json["path"][1]["lambda"].is_null());
  EXPECT_TRUE(json["path"][1]["coefficients"][0][1].is_null());
  EXPECT_TRUE(json["certificate"]["max_bound_excess"].is_null());
}

TEST(ResultJson, HasNullForWhatMaximumRelevanceDoesNotHave) {
  Result result;
  result.options.method = "mr-nhsic";
  result.selected = {{3, "a", 0.5, std::nullopt, std::nullopt, {}}};
  const Json json = Json::parse(to_json(result));
  EXPECT_EQ(json["method"], "mr-nhsic");
  for (const char* name : {"redundancy", "dropped", "lambda", "path", "stopped", "certificate"}) {
    EXPECT_TRUE(json[name].is_null()) << name;
  }
  EXPECT_TRUE(json["selected"][0]["coefficient"].is_null());
  EXPECT_TRUE(json["selected"][0]["lambda_entered"].is_null());
  EXPECT_TRUE(json["target"]["classes"].is_null());
}

TEST(ResultJson, IsCompleteWhenNothingWasSelected) {
  Result result;
  result.path.push_back({0.5, PathStep::Event::kEnd, std::nullopt, {}});
  const Json json = Json::parse(to_json(result));
  EXPECT_EQ(json["selected"], Json::array());
  EXPECT_EQ(json["redundancy"], Json::array());
  EXPECT_EQ(json["warnings"], Json::array());
}

TEST(ResultJson, SurvivesNamesThatAreNotUtf8) {
  Result result = example();
  result.selected[0].name = "\xff\xfe";
  EXPECT_EQ(Json::parse(to_json(result))["selected"][0]["name"], "\uFFFD\uFFFD");
}

TEST(ResultTsv, IsAHeaderAndALineForEachFeature) {
  EXPECT_EQ(to_tsv(example()),
            "rank\tindex\tname\trelevance\tcoefficient\tlambda_entered\tidentical\tidentical_names\n"
            "1\t3\ttp\\t53\t0.30000000000000004\t0.3333333333333333\t0.3\t1,4\tb,e\n"
            "2\t0\ta\\\\b\\nc\t5e-324\t1e+300\t0.1\t\t\n");
}

TEST(ResultCsv, QuotesWhatHoldsACommaAQuoteOrALineEnd) {
  Result result = example();
  result.selected[1].name = "say \"a,b\"";
  EXPECT_EQ(to_csv(result),
            "rank,index,name,relevance,coefficient,lambda_entered,identical,identical_names\n"
            "1,3,tp\t53,0.30000000000000004,0.3333333333333333,0.3,\"1,4\",\"b,e\"\n"
            "2,0,\"say \"\"a,b\"\"\",5e-324,1e+300,0.1,,\n");
}

TEST(ResultTsv, NamesNeighboursIfTheyWereAskedFor) {
  Result result = example();
  result.options.neighbors = 2;
  result.selected[0].neighbors = {{7, "x", 0.5}, {9, "y", 0.25}};
  const std::string text = to_tsv(result);
  EXPECT_NE(text.find("identical_names\tneighbors\n"), std::string::npos);
  EXPECT_NE(text.find("\tx:0.5000,y:0.2500\n"), std::string::npos);
}

TEST(ResultTsv, LeavesEmptyWhatDoesNotApply) {
  Result result;
  result.selected = {{3, "a", 0.5, std::nullopt, std::nullopt, {}}};
  EXPECT_TRUE(to_tsv(result).ends_with("\n1\t3\ta\t0.5\t\t\t\t\n"));
}

TEST(ResultTsv, DoesNotDependOnTimeOrCommand) {
  Result other = example();
  other.command = "land";
  other.data.path = "elsewhere.csv";
  other.seconds.total = 99.0;
  EXPECT_EQ(to_tsv(other), to_tsv(example()));
}

}  // namespace
}  // namespace land
