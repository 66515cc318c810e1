// --memory bounds the whole program, pages of mapped files included, and changes nothing else.
#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/cli/run_program.h"
#include "tests/support/sanitized.h"

namespace land::test {
namespace {

using testing::HasSubstr;

using Words = std::vector<std::string>;

constexpr std::int64_t kMegabyte = 1 << 20;

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// Runs with and without a limit that the data exceeds by far.
void expect_same_within(const TemporaryFolder& folder, const Words& words, std::int64_t megabytes) {
  const Finished free = run_land(folder, words);
  ASSERT_EQ(free.exit_code, 0) << free.err;
  const Finished limited = run_land(folder, words + Words{"--memory", std::to_string(megabytes) + "M"});
  ASSERT_EQ(limited.exit_code, 0) << limited.err;
  EXPECT_EQ(limited.out, free.out);
  EXPECT_LE(static_cast<double>(limited.peak_bytes), 1.1 * static_cast<double>(megabytes * kMegabyte)) << words[1];
  // So that the test would notice if nothing were bounded.
  EXPECT_GT(static_cast<double>(free.peak_bytes), 1.3 * static_cast<double>(megabytes * kMegabyte)) << words[1];
}

class Memory : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
  }
  void generate(const Words& words) {
    const Finished made = run_land(folder_, Words{"generate", "table"} + words);
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  TemporaryFolder folder_;
};

TEST_F(Memory, OfArraysAndStoresIsBounded) {
  generate({"x.npy", "--features", "100000", "--samples", "500"});
  expect_same_within(folder_, {"select", "x.npy", "--target", "x.y.npy", "-q", "-m", "20"}, 96);
  ASSERT_EQ(run_land(folder_, {"convert", "x.npy", "x.h5", "--target", "x.y.npy", "-q"}).exit_code, 0);
  expect_same_within(folder_, {"select", "x.h5", "-q", "-m", "20"}, 96);
}

TEST_F(Memory, OfFeatureMajorArraysIsBounded) {
  // Rows are taken for features.
  generate({"x.npy", "--features", "1000", "--samples", "50000", "--quiet"});
  std::string target;
  for (int i = 0; i < 1000; ++i) target += i % 3 == 0 ? "a\n" : "b\n";
  folder_.write("y.txt", target);
  expect_same_within(folder_, {"select", "x.npy", "--rows", "features", "--target", "y.txt", "-q", "-m", "10"}, 96);
}

TEST_F(Memory, OfScoresIsBounded) {
  generate({"x.npy", "--features", "100000", "--samples", "500"});
  const Words words = {"score", "x.npy", "--target", "x.y.npy", "-q"};
  ASSERT_EQ(run_land(folder_, words + Words{"-o", "free.scores"}).exit_code, 0);
  const Finished limited = run_land(folder_, words + Words{"-o", "limited.scores", "--memory", "64M"});
  ASSERT_EQ(limited.exit_code, 0) << limited.err;
  EXPECT_EQ(read_text(folder_ / "limited.scores"), read_text(folder_ / "free.scores"));
  EXPECT_LE(static_cast<double>(limited.peak_bytes), 1.1 * 64 * kMegabyte);
}

TEST_F(Memory, OfTextIsBounded) {
  generate({"x.csv", "--features", "20000", "--samples", "300"});
  expect_same_within(folder_, {"select", "x.csv", "--target", "Y", "-q", "-m", "10"}, 72);
}

TEST_F(Memory, ThatIsTooLittleIsRefused) {
  generate({"x.npy", "--features", "1000", "--samples", "500"});
  const Finished run = run_land(folder_, {"select", "x.npy", "--target", "x.y.npy", "--memory", "4M"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
  EXPECT_THAT(run.err, HasSubstr("--memory 4M: too little for 1000 features x 500 samples; give at least "));
}

}  // namespace
}  // namespace land::test
