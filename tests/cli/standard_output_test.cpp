// -o - and -o /dev/stdout: what a file would hold, on standard output.
#include <gmock/gmock.h>

#include "land/scores/score_file.h"
#include "tests/cli/run_program.h"

namespace land {
namespace {

using test::Finished;
using test::read_text;
using test::run_land;
using test::TemporaryFolder;
using testing::HasSubstr;
using Words = std::vector<std::string>;

TEST(StandardOutput, HasWhatAFileWouldHold) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_land(folder, {"generate", "paper", "d.csv", "--features", "20", "--samples", "60"}).exit_code, 0);
  const Words files = folder.files();
  const std::vector<Words> commands = {{"select", "d.csv", "--target", "Y", "-m", "3", "-q", "-o"},
                                       {"score", "d.csv", "--target", "Y", "-q", "-o"},
                                       {"score", "d.csv", "--target", "Y", "-q", "--tsv", "-o"},
                                       {"neighbors", "d.csv", "--feature", "X1", "-q", "-o"}};
  for (const Words& command : commands) {
    const auto run = [&](const std::string& output) {
      Words words = command;
      words.push_back(output);
      return run_land(folder, words);
    };
    ASSERT_EQ(run("o.tsv").exit_code, 0);
    const std::string expected = read_text(folder / "o.tsv");
    std::filesystem::remove(folder / "o.tsv");
    for (const char* output : {"-", "/dev/stdout"}) {
      const Finished finished = run(output);
      EXPECT_EQ(finished.exit_code, 0) << finished.err;
      EXPECT_TRUE(finished.out == expected) << command[0] << output;
      EXPECT_EQ(finished.err, "");
      EXPECT_EQ(folder.files(), files);
    }
  }
  const Finished summary = run_land(folder, {"score", "d.csv", "--target", "Y", "-o", "-"});
  EXPECT_THAT(summary.err, HasSubstr("wrote standard output"));
}

}  // namespace
}  // namespace land
