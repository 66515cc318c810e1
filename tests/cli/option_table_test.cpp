#include "land/options/option_table.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

#include "cli/spelling.h"
#include "land/base/error.h"
#include "land/base/option.h"
#include "land/commands/score.h"
#include "land/formats/read_table.h"

namespace land {
namespace {

TEST(Spelling, IsThatOfTheCommandLine) {
  const std::vector<std::string> names = {"tumor stage", "sex"};
  EXPECT_EQ(cli::spelled("give " + option("missing") + "."), "give --missing.");
  EXPECT_EQ(cli::spelled(option("missing", "mean") + ", " + option("task=", "regression")),
            "--missing mean, --task=regression");
  EXPECT_EQ(cli::spelled(option("missing", {"mean", "ignore", "level"})), "--missing mean, ignore or level");
  EXPECT_EQ(cli::spelled(option("nominal", names)), "--nominal 'tumor stage,sex'");
  EXPECT_EQ(cli::spelled(option("features", std::int64_t{0}) + " " + option("sigma", 0.5)), "--features 0 --sigma 0.5");
  EXPECT_EQ(cli::spelled(option("id", Verbatim{"'x'"})), "--id 'x'");
  EXPECT_EQ(cli::spelled(option("memory", MemorySize{(3 << 20) + 5}) + " " + amount({1 << 20})), "--memory 3M 1M");
  EXPECT_EQ(cli::spelled("made with " + command("score")), "made with land score");
}

TEST(Spelling, LeavesWhatIsNoMark) {
  for (const std::string text :
       {"", "plain --text", "\x0E", "\x0Eo", "\x0F\x0E", "\x0Ezz\x0F", "\x0Eowx\x0F", "a\x1F"}) {
    EXPECT_EQ(cli::spelled(text), text);
  }
  const std::string whole = option("missing", "mean");
  for (std::size_t size = 1; size < whole.size(); ++size) {
    EXPECT_EQ(cli::spelled(whole.substr(0, size)), whole.substr(0, size));
  }
}

TEST(OptionTable, HasAKeyOncePerCommandAndFront) {
  std::set<std::string> seen;
  for (const OptionInfo& info : option_table()) {
    for (const unsigned one : {kInSelect, kInScore, kInNeighbors, kInInfo, kInConvert, kInEvaluate}) {
      if ((info.commands & one) == 0) continue;
      EXPECT_TRUE(seen.insert(std::to_string(one) + "--" + std::string(info.key)).second) << info.key;
      if (!info.python.empty()) {
        EXPECT_TRUE(seen.insert(std::to_string(one) + std::string(info.python)).second) << info.python;
      }
    }
    EXPECT_FALSE(info.help.empty()) << info.key;
    EXPECT_EQ(info.kind == OptionKind::kChoice && info.key != "method", !info.choices.empty()) << info.key;
    EXPECT_EQ(info.json.empty(), info.value_of == nullptr) << info.key;
  }
}

TEST(OptionTable, KnowsWhatOtherRoomsHave) {
  std::vector<std::string> matches;
  for (const Match match : kMatches) matches.emplace_back(to_string(match));
  EXPECT_EQ(find_option("match")->choices, matches);
  EXPECT_EQ(std::get<std::int64_t>(find_option("features")->fallback), SelectOptions{}.features);
  EXPECT_EQ(std::get<bool>(find_option("refine")->fallback), ScoreOptions{}.refine);
}

TEST(OptionTable, RefusesWhatIsOutOfRange) {
  for (const OptionInfo& info : option_table()) {
    if (!info.range) continue;
    EXPECT_NO_THROW(check_range(info.key, info.range->least));
    EXPECT_NO_THROW(check_range(info.key, info.range->most));
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      EXPECT_THROW(check_range(info.key, bad), InputError) << info.key;
    }
  }
  try {
    check_range("maf", 0.7);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(cli::spelled(error.what()), "--maf 0.7: give a share between 0 and 0.5");
  }
}

}  // namespace
}  // namespace land
