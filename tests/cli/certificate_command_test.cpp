// A selection whose certificate is not valid is no result.
#include <gmock/gmock.h>

#include <algorithm>

#include "land/scores/score_file.h"
#include "tests/cli/run_program.h"

namespace land {
namespace {

using test::Finished;
using test::is_one_complaint;
using test::run_land;
using test::TemporaryFolder;
using testing::HasSubstr;
using Words = std::vector<std::string>;

TEST(CertificateCommand, ForgedScoresGiveNoResult) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_land(folder, {"generate", "paper", "d.csv", "--features", "60", "--samples", "100"}).exit_code, 0);
  ASSERT_EQ(run_land(folder, {"score", "d.csv", "--target", "Y", "-o", "d.scores"}).exit_code, 0);
  const Words select = {"select", "d.csv", "--target", "Y", "-m", "5", "--scores", "d.scores", "-q"};
  EXPECT_EQ(run_land(folder, select).exit_code, 0);

  // The best feature made out to be the worst, in a file whose checksum is right.
  ScoredPart part = read_scores(folder / "d.scores");
  *std::max_element(part.scores.relevance.begin(), part.scores.relevance.end()) = 1e-9;
  write_scores(part, folder / "d.scores");
  const Words files = folder.files();
  for (const Words& output : {Words{}, Words{"-o", "o.tsv"}, Words{"-o", "o.json"}}) {
    Words words = select;
    words.insert(words.end(), output.begin(), output.end());
    const Finished run = run_land(folder, words);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
    EXPECT_THAT(run.err, HasSubstr("d.csv: the certificate is NOT VALID"));
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(folder.files(), files);
  }
}

}  // namespace
}  // namespace land
