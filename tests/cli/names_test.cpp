// Control characters in names are escaped alike in everything that people see.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "land/text/printable.h"
#include "tests/cli/run_program.h"

namespace land {
namespace {

using test::Finished;
using test::read_text;
using test::run_land;
using test::TemporaryFolder;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

TEST(Names, OneRule) {
  EXPECT_EQ(escaped("a\\b\tc\nd\re\x1b[31mf\x7f\x01"), "a\\\\b\\tc\\nd\\re\\x1b[31mf\\x7f\\x01");
  EXPECT_EQ(escaped("\xC2\x9B"
                    "31m"),
            "\\x9b31m");                                         // CSI in one character
  EXPECT_EQ(escaped("\xC3\xA9 \xC2\xA0"), "\xC3\xA9 \xC2\xA0");  // letters stay
  EXPECT_EQ(escape_controls("a\\b\x1b"), "a\\b\\x1b");
  EXPECT_EQ(in_quotes("a\t\x1b\\"), "'a\\t\\x1b\\\\'");
}

TEST(Names, NoCommandLetsATerminalObeyThem) {
  const TemporaryFolder folder;
  const std::string evil = "e\x1b[2J\\v\til";
  const std::string shown = R"(e\x1b[2J\\v\til)";
  std::string text = "\"" + evil + "\",b,\"t\x1b]0;x\"\n";
  for (int i = 0; i < 40; ++i) {
    text += std::to_string(i * i % 17) + "," + std::to_string(i * 7 % 11) + ",\"c\x1b" +
            std::to_string(i * i % 17 > 7) + "\"\n";
  }
  folder.write("d.csv", text);
  const std::string target = "t\x1b]0;x";
  const auto run = [&](Words words) {
    const Finished finished = run_land(folder, words);
    EXPECT_EQ(finished.exit_code, 0) << words[0] << finished.err;
    EXPECT_THAT(finished.out + finished.err, Not(HasSubstr("\x1b"))) << words[0];
    return finished;
  };
  const Finished select = run({"select", "d.csv", "--target", target, "-m", "2"});
  EXPECT_THAT(select.out, HasSubstr("\t" + shown + "\t"));
  EXPECT_THAT(select.err, HasSubstr("target 't\\x1b]0;x'"));
  EXPECT_THAT(run({"info", "d.csv", "--target", target}).out,
              HasSubstr("'t\\x1b]0;x', classification: 2 classes (c\\x1b"));
  EXPECT_THAT(run({"score", "d.csv", "--target", target, "--tsv", "-o", "-"}).out, HasSubstr("\t" + shown + "\t"));
  EXPECT_THAT(run({"neighbors", "d.csv", "--target", target, "--feature", "b"}).out, HasSubstr("\t" + shown + "\t"));
  EXPECT_THAT(run({"neighbors", "d.csv", "--target", target, "--feature", evil}).err, HasSubstr(" of " + shown + ";"));
  EXPECT_THAT(run({"convert", "d.csv", "d.h5", "--target", target}).err, HasSubstr("target 't\\x1b]0;x'"));

  run({"select", "d.csv", "--target", target, "-m", "2", "-o", "o.json"});
  EXPECT_EQ(nlohmann::json::parse(read_text(folder / "o.json"))["target"]["name"], target);

  const Finished missing = run_land(folder, {"select", "no\x1b.csv", "--target", "y"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("no\\x1b.csv: cannot read the file"));
}

}  // namespace
}  // namespace land
